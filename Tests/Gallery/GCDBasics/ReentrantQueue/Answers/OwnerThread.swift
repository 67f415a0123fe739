import Dispatch
import Foundation

/// Stores which thread is inside sync, but not which thread runs other work on the queue.
public final class ReentrantQueue: Sendable {
  public let queue: DispatchQueue
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var owner: Thread?
  private let lock = NSLock()

  public init(label: String, target: DispatchQueue? = nil) {
    queue = DispatchQueue(label: label, target: target)
  }

  public var isCurrent: Bool { lock.withLock { owner === Thread.current } }

  public func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
    if isCurrent { return try body() }
    return try queue.sync {
      lock.withLock { owner = Thread.current }
      defer { lock.withLock { owner = nil } }
      return try body()
    }
  }
}
