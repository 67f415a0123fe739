import Foundation
import Images

/// Computes one row of the filtered picture: row `row`, from the untouched input image.
public typealias RowFilter = @Sendable (_ row: Int, _ image: RGBImage) -> [RGB]

/// Rows side by side on all cores, each kept in its place under the lock.
public final class TiltShiftOperation: Operation, @unchecked Sendable {  // Safe: see below.
  // Safe: `inputImage` and `filter` never change, `rows` and `finished` are guarded by `lock`.
  public let inputImage: RGBImage

  private let filter: RowFilter
  private var rows: [Int: [RGB]] = [:]
  private var finished: RGBImage?
  private let lock = NSLock()

  public init(
    image: RGBImage,
    filter: @escaping RowFilter = { row, image in TiltShift().row(row, of: image) }
  ) {
    inputImage = image
    self.filter = filter
  }

  public var outputImage: RGBImage? { lock.withLock { finished } }

  public override func main() {
    DispatchQueue.concurrentPerform(iterations: inputImage.height) { row in
      guard !isCancelled else { return }
      let filtered = filter(row, inputImage)
      lock.withLock { rows[row] = filtered }
    }
    let all = lock.withLock {
      defer { rows = [:] }
      return rows
    }
    guard !isCancelled else { return }
    let output = RGBImage(rows: (0..<inputImage.height).map { all[$0]! })
    lock.withLock { finished = output }
  }
}
