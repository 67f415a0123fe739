import Foundation

/// A value that threads share, behind a lock: what a test's closures write and the test reads.
///
/// ```swift
/// let results = LockedValue<[String]>([])
/// fetch { results.append($0) }
/// runUntilQuiet()
/// #expect(results.value == ["dawn"])
/// ```
///
/// Unlike a `Mutex` it can be captured by any number of closures, and Thread Sanitizer sees its lock on
/// every platform.
public final class LockedValue<Value>: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var stored: Value
  private let lock = NSLock()
  private let noise = Noise.ofThisProcess

  /// Creates it with its first value.
  public init(_ value: sending Value) {
    stored = value
  }

  /// Calls `body` with the value while no other thread has it.
  ///
  /// Not reentrant: a `body` that asks for the value again blocks for ever.
  public func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    try lock.withLock { try body(&stored) }
  }
}

extension LockedValue where Value: Sendable {
  /// A copy of the value as it is now.
  public var value: Value { withLock { $0 } }

  /// Puts another value in its place.
  ///
  /// The old one is let go of after that, with the lock free: its `deinit` may ask for the new one.
  public func set(_ value: Value) {
    noise.perhaps()
    let old = withLock { stored in
      defer { stored = value }
      return stored
    }
    withExtendedLifetime(old) {}
  }
}

extension LockedValue where Value: RangeReplaceableCollection & Sendable, Value.Element: Sendable {
  /// Adds an element at the end.
  public func append(_ element: Value.Element) {
    noise.perhaps()
    withLock { $0.append(element) }
  }
}
