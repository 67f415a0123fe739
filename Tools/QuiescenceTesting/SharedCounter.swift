import Foundation

/// A number that any thread may count up.
public final class SharedCounter: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var count = 0
  private let lock = NSLock()
  private let noise = Noise.ofThisProcess

  /// Creates a counter that stands at zero.
  public init() {}

  /// How often it has been counted up.
  public var value: Int { lock.withLock { count } }

  /// Counts one up and returns the new value.
  @discardableResult
  public func increment() -> Int {
    noise.perhaps()
    return lock.withLock {
      count += 1
      return count
    }
  }
}
