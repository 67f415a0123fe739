import Dispatch
import KataTesting

/// A dispatch queue that runs nothing until the spec lets it go; it parks no thread.
final class HeldWorkerQueue: Sendable {
  let queue = DispatchQueue(label: "com.example.worker", attributes: .concurrent)
  private let isHeld = LockedValue(true)

  init() { queue.suspend() }

  // Dispatch traps when a queue goes away while it's suspended.
  deinit { letGo() }

  /// Lets the queue run what it was given, now and later.
  func letGo() {
    let wasHeld = isHeld.withLock { isHeld in
      defer { isHeld = false }
      return isHeld
    }
    if wasHeld { queue.resume() }
  }
}
