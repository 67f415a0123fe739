import Foundation

/// Remembers a thread, to check later whether other code ran on the same one.
///
/// It retains the thread, so that no later thread can have its identity.
public final class ThreadMark: Sendable, OpaqueMirror {
  private let noted = LockedValue<Thread?>(nil)

  /// Creates a mark that no thread has.
  public init() {}

  /// Creates a mark on the calling thread.
  public static func current() -> ThreadMark {
    let mark = ThreadMark()
    mark.note()
    return mark
  }

  /// Puts the mark on the calling thread, and on no other.
  public func note() { noted.withLock { $0 = Thread.current } }

  /// Whether any thread has the mark.
  public var isNoted: Bool { noted.withLock { $0 != nil } }

  /// Whether the calling thread has the mark.
  public var isCurrent: Bool { noted.withLock { $0 === Thread.current } }
}
