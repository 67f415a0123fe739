import Dispatch

/// Marks a private queue, which is the target of the one that callers can access.
public final class ReentrantQueue: Sendable {
  public let queue: DispatchQueue
  private let base: DispatchQueue
  private let key = DispatchSpecificKey<ObjectIdentifier>()

  public init(label: String, target: DispatchQueue? = nil) {
    base = DispatchQueue(label: "\(label).base", target: target)
    queue = DispatchQueue(label: label, target: base)
    base.setSpecific(key: key, value: ObjectIdentifier(self))
  }

  deinit { base.setSpecific(key: key, value: nil) }

  public var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == ObjectIdentifier(self) }

  public func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard !isCurrent else { return try body() }
    return try queue.sync { try body() }
  }
}
