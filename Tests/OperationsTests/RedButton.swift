import Foundation
import KataTesting

/// Cancels an operation from inside its own work.
final class RedButton: Sendable {
  private let operation = LockedValue<WeakReference<Operation>?>(nil)

  func cancels(_ operation: Operation) { self.operation.set(WeakReference(operation)) }
  func press() { operation.value?.value?.cancel() }
}
