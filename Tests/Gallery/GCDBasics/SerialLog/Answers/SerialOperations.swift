import Foundation

/// An operation queue that runs one operation at a time.
public final class SerialLog: Sendable {
  // Safe: accessed only by operations of `queue`, which run one at a time.
  private nonisolated(unsafe) var lines: [String] = []
  private let queue = OperationQueue()
  private let format: @Sendable (String) -> String

  public init(format: @escaping @Sendable (String) -> String = { $0 }) {
    self.format = format
    queue.maxConcurrentOperationCount = 1
  }

  public func append(_ message: String) {
    queue.addOperation { [self] in lines.append(format(message)) }
  }

  public var entries: [String] {
    let copy = CopyOperation { [self] in lines }
    queue.addOperations([copy], waitUntilFinished: true)
    return copy.lines
  }
}

private final class CopyOperation: Operation, @unchecked Sendable {  // Safe: see below.
  private let copy: @Sendable () -> [String]
  // Safe: written before the operation is finished, read afterwards.
  private(set) nonisolated(unsafe) var lines: [String] = []

  init(_ copy: @escaping @Sendable () -> [String]) {
    self.copy = copy
  }

  override func main() { lines = copy() }
}
