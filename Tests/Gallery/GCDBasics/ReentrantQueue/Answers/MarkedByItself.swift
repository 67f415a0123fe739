import Dispatch

/// The key is its own value, so that the queue retains it for as long as the queue lives.
public final class ReentrantQueue: Sendable {
  private final class Mark: Sendable {
    let key = DispatchSpecificKey<Mark>()
  }

  public let queue: DispatchQueue
  private let mark = Mark()

  public init(label: String, target: DispatchQueue? = nil) {
    queue = DispatchQueue(label: label, target: target)
    queue.setSpecific(key: mark.key, value: mark)
  }

  public var isCurrent: Bool { DispatchQueue.getSpecific(key: mark.key) === mark }

  public func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
    isCurrent ? try body() : try queue.sync(execute: body)
  }
}
