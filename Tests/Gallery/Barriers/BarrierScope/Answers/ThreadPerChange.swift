import Dispatch
import Foundation

/// A POSIX read–write lock, and tickets for changes; each waits and blocks a thread of the queue.
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
    changes = queue
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
    while made < mine { line.wait() }
    line.unlock()
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return try body(stored)
  }

  public func update(_ change: @escaping @Sendable (inout Value) -> Void) {
    line.lock()
    asked += 1
    let mine = asked
    changes.async { [self] in
      line.lock()
      while made < mine - 1 { line.wait() }
      line.unlock()
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
