/// Tells whether an object is still in memory, without retaining it.
///
/// For a test's closures, which can't capture a `weak var`, and for expectations. An expectation
/// that fails would otherwise describe the object, and so read what other threads may be changing.
public final class WeakReference<Object: AnyObject>: Sendable, OpaqueMirror {
  // Safe: written in `init` only; reading a weak reference is atomic.
  private nonisolated(unsafe) weak var object: Object?

  /// Watches `object`.
  public init(_ object: Object) {
    self.object = object
  }

  /// Whether the object has been deallocated.
  public var isGone: Bool { object == nil }
}

extension WeakReference where Object: Sendable {
  /// The object, unless it is gone.
  public var value: Object? { object }
}
