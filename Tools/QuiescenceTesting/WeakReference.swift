/// Tells whether an object is still in memory, and doesn't keep it there.
///
/// For a closure of a test, which can't capture a `weak var`; and for an expectation, which would
/// describe the object when it fails and so read what other threads may still change.
public final class WeakReference<Object: AnyObject>: Sendable, OpaqueMirror {
  // Safe: written in `init` only; reading a weak reference is atomic.
  private nonisolated(unsafe) weak var object: Object?

  /// Watches `object`.
  public init(_ object: Object) {
    self.object = object
  }

  /// Whether nobody keeps the object any more.
  public var isGone: Bool { object == nil }
}

extension WeakReference where Object: Sendable {
  /// The object, unless it is gone.
  public var value: Object? { object }
}
