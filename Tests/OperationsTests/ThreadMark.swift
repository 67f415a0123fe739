import Foundation

/// Remembers on which thread something happened.
final class ThreadMark: Sendable {
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var noted: Thread?

  func note() { lock.withLock { noted = Thread.current } }
  var thread: Thread? { lock.withLock { noted } }
}
