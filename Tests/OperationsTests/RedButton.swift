import Foundation

/// Cancels an operation from inside its own work.
final class RedButton: Sendable {
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) weak var operation: Operation?

  func cancels(_ operation: Operation) { lock.withLock { self.operation = operation } }
  func press() { lock.withLock { operation }?.cancel() }
}
