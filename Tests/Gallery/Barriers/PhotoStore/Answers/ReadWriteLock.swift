import Dispatch
import Foundation

/// A photo in a ``PhotoStore``.
public struct Photo: Hashable, Sendable {
  /// The photo's name.
  public let name: String

  /// Creates a photo called `name`.
  public init(_ name: String) {
    self.name = name
  }
}

/// Reads share a POSIX read–write lock; changes run on a serial queue and lock it for writing.
///
/// A read must see its own caller's changes, so it first waits for those on the queue.
public final class PhotoStore: Sendable {
  // Safe: `stored` is read with `lock` held for reading and changed with it held for writing.
  private nonisolated(unsafe) var stored: [Photo] = []
  // Safe: created once, destroyed once, and otherwise only locked and unlocked.
  private nonisolated(unsafe) let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(
    capacity: 1)
  private let changes = DispatchQueue(label: "katas.answers.photo-store.changes")
  private let noticeQueue: DispatchQueue
  private let onChange: @Sendable ([Photo]) -> Void
  private let line = NSCondition()
  // Safe: guarded by `line`.
  private nonisolated(unsafe) var asked = 0
  // Safe: guarded by `line`.
  private nonisolated(unsafe) var made = 0

  public init(
    noticeQueue: DispatchQueue, onChange: @escaping @Sendable ([Photo]) -> Void
  ) {
    self.noticeQueue = noticeQueue
    self.onChange = onChange
    pthread_rwlock_init(lock, nil)
  }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  public var photos: [Photo] { read { $0 } }

  public func read<Result>(_ body: ([Photo]) throws -> Result) rethrows -> Result {
    line.withLock {
      let mine = asked
      while made < mine { line.wait() }
    }
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return try body(stored)
  }

  public func add(_ photo: Photo) {
    update { $0.append(photo) }
  }

  public func update(_ change: @escaping @Sendable (inout [Photo]) -> Void) {
    line.lock()
    asked += 1
    changes.async { [self] in
      pthread_rwlock_wrlock(lock)
      change(&stored)
      let photos = stored
      pthread_rwlock_unlock(lock)
      noticeQueue.async { [onChange] in onChange(photos) }
      line.withLock {
        made += 1
        line.broadcast()
      }
    }
    line.unlock()
  }
}
