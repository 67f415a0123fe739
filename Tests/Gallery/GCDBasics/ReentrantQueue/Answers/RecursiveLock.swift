import Dispatch
import Foundation

/// A recursive lock, which doesn't exclude work that is submitted to the queue.
public final class ReentrantQueue: Sendable {
  public let queue: DispatchQueue
  private let key = DispatchSpecificKey<Bool>()
  private let lock = NSRecursiveLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var owner: Thread?

  public init(label: String, target: DispatchQueue? = nil) {
    queue = DispatchQueue(label: label, target: target)
    queue.setSpecific(key: key, value: true)
  }

  deinit { queue.setSpecific(key: key, value: nil) }

  public var isCurrent: Bool {
    guard DispatchQueue.getSpecific(key: key) == nil else { return true }
    // Free, or held by this thread already.
    guard lock.try() else { return false }
    defer { lock.unlock() }
    return owner === Thread.current
  }

  public func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    let before = owner
    owner = Thread.current
    defer {
      owner = before
      lock.unlock()
    }
    return try body()
  }
}
