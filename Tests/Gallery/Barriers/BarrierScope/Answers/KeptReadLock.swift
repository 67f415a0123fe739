import Dispatch
import Foundation

/// A POSIX read–write lock that a read releases when it returns, but not when it has waited for a
/// change and throws.
public final class ScopedStore<Value: Sendable>: Sendable {
  // Safe: read with `lock` held for reading and changed with it held for writing.
  private nonisolated(unsafe) var stored: Value
  // Safe: created once, destroyed once, and otherwise only locked and unlocked.
  private nonisolated(unsafe) let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(
    capacity: 1)
  private let changes: DispatchQueue
  private let line = NSCondition()
  // Safe: guarded by `line`.
  private nonisolated(unsafe) var asked = 0
  // Safe: guarded by `line`.
  private nonisolated(unsafe) var made = 0

  public init(_ value: Value, on queue: DispatchQueue) {
    stored = value
    changes = DispatchQueue(label: "katas.answers.scoped-store", target: queue)
    pthread_rwlock_init(lock, nil)
  }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  public var value: Value { read { $0 } }

  public func read<Result>(_ body: (Value) throws -> Result) rethrows -> Result {
    line.lock()
    let mine = asked
    let hasToWait = made < mine
    while made < mine { line.wait() }
    line.unlock()
    pthread_rwlock_rdlock(lock)
    guard hasToWait else {
      defer { pthread_rwlock_unlock(lock) }
      return try body(stored)
    }
    let result = try body(stored)
    pthread_rwlock_unlock(lock)
    return result
  }

  public func update(_ change: @escaping @Sendable (inout Value) -> Void) {
    line.lock()
    asked += 1
    changes.async { [self] in
      pthread_rwlock_wrlock(lock)
      change(&stored)
      pthread_rwlock_unlock(lock)
      line.lock()
      made += 1
      line.broadcast()
      line.unlock()
    }
    line.unlock()
  }
}
