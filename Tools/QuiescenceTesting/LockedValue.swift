import Foundation

/// A value behind a lock, for threads to share: a test's closures write it, and the test reads it.
///
/// ```swift
/// let results = LockedValue<[String]>([])
/// fetch { results.append($0) }
/// runUntilQuiet()
/// #expect(results.value == ["dawn"])
/// ```
///
/// Unlike a `Mutex`, it can be captured by any number of escaping closures, and Thread Sanitizer
/// sees its lock on every platform.
public final class LockedValue<Value>: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var stored: Value
  private let lock = NSLock()
  private let delays = RandomDelays.ofThisProcess

  /// Creates a locked value.
  public init(_ value: sending Value) {
    stored = value
  }

  /// Calls `body` with exclusive access to the value.
  ///
  /// Not reentrant: a `body` that uses the same value again deadlocks.
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&stored) }
  }
}

extension LockedValue where Value: Sendable {
  /// A copy of the current value.
  public var value: Value { withLock { $0 } }

  /// Replaces the value.
  ///
  /// The old value is released afterwards, with the lock free: its `deinit` may read the new value.
  public func set(_ value: Value) {
    delays.delayRandomly()
    let old = withLock { stored in
      defer { stored = value }
      return stored
    }
    withExtendedLifetime(old) {}
  }
}

extension LockedValue where Value: RangeReplaceableCollection & Sendable, Value.Element: Sendable {
  /// Appends an element.
  public func append(_ element: Value.Element) {
    delays.delayRandomly()
    withLock { $0.append(element) }
  }
}
