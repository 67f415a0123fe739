import Dispatch
import KataTesting

/// A dispatch queue that runs nothing until the spec releases it; no thread is blocked meanwhile.
final class HeldWorkerQueue: Sendable {
  let queue = DispatchQueue(label: "com.example.worker", attributes: .concurrent)
  private let isHeld = LockedValue(true)

  init() { queue.suspend() }

  // Dispatch traps when a suspended queue is freed.
  deinit { letGo() }

  /// Lets the queue run all blocks that it received, and those to come.
  func letGo() {
    let wasHeld = isHeld.withLock { isHeld in
      defer { isHeld = false }
      return isHeld
    }
    if wasHeld { queue.resume() }
  }
}
