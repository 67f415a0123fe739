import Dispatch
import Foundation
import Synchronization

/// Mutual exclusion, possibly with shared access for readers.
protocol Exclusion: Sendable {
  init()

  /// Runs `body` with exclusive access.
  func alone<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result

  /// Runs `body` while no other thread has exclusive access.
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

/// A concurrent queue where changes are barriers.
struct BarrierQueue: Exclusion {
  private let queue = DispatchQueue(label: "benchmarks.barrier", attributes: .concurrent)

  func alone<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
    try queue.sync(flags: .barrier, execute: body)
  }

  func together<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
    try queue.sync(execute: body)
  }
}

/// A semaphore with one unit, taken by the thread that is inside.
struct OneUnit: Exclusion {
  private let semaphore = DispatchSemaphore(value: 1)

  func alone<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
    semaphore.wait()
    defer { semaphore.signal() }
    return try body()
  }
}

/// The system's readers–writer lock.
final class ReadWriteLock: Exclusion {
  // Safe: set once; the memory holds the lock itself.
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
