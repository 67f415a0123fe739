import Foundation

/// A number that any thread can increment.
public final class SharedCounter: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var count = 0
  private let lock = NSLock()
  private let delays = RandomDelays.ofThisProcess

  /// Creates a counter at zero.
  public init() {}

  /// The current count.
  public var value: Int { lock.withLock { count } }

  /// Increments the count and returns the new value.
  @discardableResult
  public func increment() -> Int {
    delays.delayRandomly()
    return lock.withLock {
      count += 1
      return count
    }
  }
}
