// Page: make page KATA=TiltShiftOperation (Docs/ConcurrencyKatas.docc/TiltShiftOperation.md)

import Foundation
import Images

/// Computes one row of the filtered picture: row `row`, from the untouched input image.
public typealias RowFilter = @Sendable (_ row: Int, _ image: RGBImage) -> [RGB]

/// An operation that filters a picture, row by row: input image in, tilt-shifted image out.
///
/// It is a synchronous operation: the work is done when ``main()`` returns. Rows may be computed one
/// after another on the thread that calls it, or side by side on several. Add it to a queue, and read
/// ``outputImage`` when it has finished.
///
/// ```swift
/// let operation = TiltShiftOperation(image: .town())
/// OperationQueue().addOperations([operation], waitUntilFinished: true)
/// try operation.inputImage.ppm.write(to: URL(filePath: "before.ppm"))
/// try operation.outputImage?.ppm.write(to: URL(filePath: "after.ppm"))
/// ```
///
/// Cancelled while it runs, it begins no further row and has no output; cancelled before, it
/// computes none at all. A cancel that comes when it has finished changes nothing.
///
/// Your turn: override `main()`, and nothing else of `Operation`. The pixel arithmetic is there
/// (call `filter`), and so is the picture (`RGBImage(rows:)` makes one of an array of rows). What
/// is yours is when to compute, when to stop, and when to let others see the result.
public final class TiltShiftOperation: Operation, @unchecked Sendable {  // Safe: see below.
  // Safe: `inputImage` and `filter` never change.
  // TODO: What you add for the output is read on other threads while `main()` runs here. Guard it
  // (NSLock's `withLock` will do), and say so in the line above: the compiler takes your word.

  /// The picture to filter.
  public let inputImage: RGBImage

  private let filter: RowFilter

  /// Creates an operation that will filter `image`.
  ///
  /// Nothing is computed yet.
  ///
  /// - Parameters:
  ///   - image: The picture to filter.
  ///   - filter: Called once for each row of `image`, with that row's number and `image`; returns
  ///     the row of the output, of the same width.
  public init(
    image: RGBImage,
    filter: @escaping RowFilter = { row, image in TiltShift().row(row, of: image) }
  ) {
    inputImage = image
    self.filter = filter
  }

  /// The filtered picture, whole; nil until it is done, and for ever where it was cancelled first.
  ///
  /// Safe to read from every thread at any time, also while the filter is at work; doesn't wait.
  public var outputImage: RGBImage? {
    // TODO: Return what main() has put there.
    nil
  }

  /// Filters the picture.
  ///
  /// Called by `start()`, never where the operation was cancelled before.
  public override func main() {
    // TODO: Ask filter(row, inputImage) for each row. Look at isCancelled before each row, and once
    // more before you keep the output. Let it be seen only when it is whole.
  }
}
