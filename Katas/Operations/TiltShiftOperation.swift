// Page: make page KATA=TiltShiftOperation (Docs/ConcurrencyKatas.docc/TiltShiftOperation.md)

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
/// Your turn: override `main()`, and nothing else of `Operation`. The pixel arithmetic is given:
/// `filter` computes a row, and `RGBImage(rows:)` makes a picture of an array of rows. The rows of
/// an `RGBImage` are numbered from 0, and `height` is how many there are. Yours to decide is when
/// to compute, when to stop (cooperative cancellation), and when to publish the result to other
/// threads.
///
/// Source: "Responding to the Cancel Command" in Apple's documentation of `Operation`.
public final class TiltShiftOperation: Operation, @unchecked Sendable {  // Safe: see below.
  // Safe: `inputImage` and `filter` never change.
  // TODO: Add a property for the output. Other threads read it while `main()` runs: guard it with a
  // lock (NSLock has `withLock`), and say so in the line above. The compiler can't check it.

  /// The picture to filter.
  ///
  /// - `inputImage` stays the picture that the operation was created with.
  public let inputImage: RGBImage

  private let filter: RowFilter

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
  public var outputImage: RGBImage? {
    // TODO: Return what main() has stored.
    nil
  }

  /// Filters the picture.
  ///
  /// Called by `start()`, unless the operation was cancelled before.
  public override func main() {
    // TODO: Call filter(row, inputImage) for each row. Check isCancelled before each row, and once
    // more before you store the output. Store it only when it's complete.
  }
}
