import Foundation

/// A type that a failed expectation doesn't look into.
///
/// When an expectation fails, Swift Testing reflects the object that it asked: it reads the stored
/// properties, and theirs in turn, without the lock that guards them. Other threads may
/// still be writing there, and the process would crash in place of the failure. So give it to what
/// threads share, be it the code under test or the test's own; it's reported by its name alone.
public protocol OpaqueMirror: CustomReflectable {}

extension OpaqueMirror {
  /// The type, without a child.
  public var customMirror: Mirror {
    Mirror(self, children: [], ancestorRepresentation: .suppressed)
  }
}
