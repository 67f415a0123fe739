import Foundation
import Images

/// Computes one row of the filtered picture: row `row`, from the input image.
public typealias RowFilter = @Sendable (_ row: Int, _ image: RGBImage) -> [RGB]

/// An operation that filters a picture, row by row: input image in, tilt-shifted image out.
///
/// Add it to a queue, and read ``outputImage`` when it has finished. Rows may be computed one after
/// another on the thread that calls ``main()``, or side by side on several. If several compute,
/// each of them may still compute a row that it begins at the moment of the cancellation.
///
/// ```swift
/// let operation = TiltShiftOperation(image: .town())
/// OperationQueue().addOperations([operation], waitUntilFinished: true)
/// try operation.inputImage.ppm.write(to: URL(filePath: "before.ppm"))
/// try operation.outputImage?.ppm.write(to: URL(filePath: "after.ppm"))
/// ```
///
/// - The operation is synchronous: `isAsynchronous` is false.
/// - The operation finishes when its work is done and not before: then no row is being computed any
///   more, even if it was cancelled.
/// - If the operation is cancelled before its start, it computes no row.
/// - If the operation is cancelled while it computes a row, it begins no further row and has no
///   output, even if that row is the last.
/// - If the operation is cancelled after it has finished, it keeps its output.
///
/// Source: Apple's documentation of `Operation`, "Responding to the Cancel Command"; the tilt-shift
/// operation of raywenderlich.com's concurrency course.
public final class TiltShiftOperation: Operation, @unchecked Sendable {  // Safe: guarded by `lock`.
  /// The picture to filter.
  ///
  /// - `inputImage` stays the picture that the operation was created with.
  public let inputImage: RGBImage

  private let filter: RowFilter
  private var finished: RGBImage?
  private let lock = NSLock()

  /// Creates an operation that will filter `image`.
  ///
  /// - Nothing is computed before the operation runs.
  /// - Unless the operation is cancelled, `filter` is called once for each row of `image`, with the
  ///   row's number, and returns that row of the output.
  /// - `filter` is always called with the untouched input image.
  /// - By default the filter is the tilt-shift.
  ///
  /// - Parameters:
  ///   - image: The picture to filter.
  ///   - filter: Computes a row of the output, of the same width as that of the input.
  public init(
    image: RGBImage,
    filter: @escaping RowFilter = { row, image in TiltShift().row(row, of: image) }
  ) {
    inputImage = image
    self.filter = filter
  }

  /// The filtered picture, or nil.
  ///
  /// - `outputImage` is nil until all rows are computed; when `main()` has returned and the
  ///   operation wasn't cancelled, it is the whole picture.
  /// - Reading `outputImage` never waits for the operation or for the filter.
  /// - `outputImage` may be read by any thread at any time, also while `main()` runs.
  public var outputImage: RGBImage? { lock.withLock { finished } }

  /// Filters the picture.
  ///
  /// Called by `start()`, unless the operation was cancelled before.
  public override func main() {
    var rows: [[RGB]] = []
    for row in 0..<inputImage.height {
      guard !isCancelled else { return }
      rows.append(filter(row, inputImage))
    }
    guard !isCancelled else { return }
    let output = RGBImage(rows: rows)
    lock.withLock { finished = output }
  }
}
