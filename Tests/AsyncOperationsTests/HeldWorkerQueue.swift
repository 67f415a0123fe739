import Dispatch
import Foundation

/// A dispatch queue that runs nothing until the spec lets it go; it parks no thread.
final class HeldWorkerQueue: Sendable {
  let queue = DispatchQueue(label: "com.example.worker", attributes: .concurrent)
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var isHeld = true
  private let lock = NSLock()

  init() { queue.suspend() }

  // Dispatch traps when a queue goes away while it's suspended.
  deinit { letGo() }

  /// Lets the queue run what it was given, now and later.
  func letGo() {
    let wasHeld = lock.withLock {
      defer { isHeld = false }
      return isHeld
    }
    if wasHeld { queue.resume() }
  }
}
