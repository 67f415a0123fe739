import Foundation
import KataTesting

/// The thread that starts an operation.
final class StartingThread: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var thread: Thread?
  private let lock = NSLock()

  /// The calling thread is the one that starts it.
  func mark() { lock.withLock { thread = Thread.current } }

  /// Whether the calling thread is the one that starts it.
  var isCurrent: Bool { lock.withLock { thread === Thread.current } }
}
