import Dispatch
import Foundation
import Synchronization

/// Mutual exclusion: one at a time, perhaps with readers that overlap.
protocol Exclusion: Sendable {
  init()

  /// Runs `body` while no other body runs.
  func alone<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result

  /// Runs `body` while no body that was passed to `alone` runs.
  func together<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result
}

extension Exclusion {
  func together<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
    try alone(body)
  }
}

/// Foundation's lock.
struct FoundationLock: Exclusion {
  private let lock = NSLock()

  func alone<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
    try lock.withLock(body)
  }
}

/// The standard library's lock.
final class StandardMutex: Exclusion {
  private let mutex = Mutex(())

  func alone<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
    try mutex.withLock { _ in try body() }
  }
}

/// A serial queue.
struct SerialQueue: Exclusion {
  private let queue = DispatchQueue(label: "benchmarks.serial")

  func alone<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
    try queue.sync(execute: body)
  }
}

/// A concurrent queue on which changes are barriers.
struct BarrierQueue: Exclusion {
  private let queue = DispatchQueue(label: "benchmarks.barrier", attributes: .concurrent)

  func alone<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
    try queue.sync(flags: .barrier, execute: body)
  }

  func together<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
    try queue.sync(execute: body)
  }
}

/// A semaphore with one unit, which the running body has taken.
struct OneUnit: Exclusion {
  private let semaphore = DispatchSemaphore(value: 1)

  func alone<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
    semaphore.wait()
    defer { semaphore.signal() }
    return try body()
  }
}

/// The system's readers–writers lock.
final class ReadWriteLock: Exclusion {
  // Safe: set once; it points to the lock itself.
  private nonisolated(unsafe) let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(
    capacity: 1)

  init() {
    pthread_rwlock_init(lock, nil)
  }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  func alone<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
    pthread_rwlock_wrlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return try body()
  }

  func together<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return try body()
  }
}
