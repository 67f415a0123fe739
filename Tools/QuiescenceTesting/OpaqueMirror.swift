import Foundation

/// A type that a failed expectation doesn't reflect.
///
/// When an expectation fails, Swift Testing reflects the values in it: it reads their stored
/// properties, and the properties of those, without the lock that guards them. If other threads are
/// still writing, the process may crash instead of reporting the failure. Give this protocol to
/// every type that threads share, in the code under test or in the test; the failure then shows
/// only the type's name.
public protocol OpaqueMirror: CustomReflectable {}

extension OpaqueMirror {
  /// A mirror that shows the type and no children.
  public var customMirror: Mirror {
    Mirror(self, children: [], ancestorRepresentation: .suppressed)
  }
}
