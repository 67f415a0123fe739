import Dispatch
import Foundation

public struct Photo: Hashable, Sendable {
  public let name: String

  public init(_ name: String) {
    self.name = name
  }
}

// Wrong: a read that throws wakes no change that waits for it.
public final class PhotoStore: Sendable {
  // Safe: read only while `readers` isn't 0, and changed only while it is 0 and `isChanging`.
  private nonisolated(unsafe) var stored: [Photo] = []
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var readers = 0
  private nonisolated(unsafe) var submitted = 0  // Safe: as above.
  private nonisolated(unsafe) var made = 0  // Safe: as above.
  private nonisolated(unsafe) var isChanging = false  // Safe: as above.
  private let queue = DispatchQueue(label: "katas.barriers.photo-store")
  private let noticeQueue: DispatchQueue
  private let onChange: @Sendable ([Photo]) -> Void

  public init(
    noticeQueue: DispatchQueue, onChange: @escaping @Sendable ([Photo]) -> Void
  ) {
    self.noticeQueue = noticeQueue
    self.onChange = onChange
  }

  public var photos: [Photo] { read { $0 } }

  public func read<Result>(_ body: ([Photo]) throws -> Result) rethrows -> Result {
    beginReading()
    do {
      let result = try body(stored)
      endReading()
      return result
    } catch {
      condition.withLock { readers -= 1 }
      throw error
    }
  }

  private func beginReading() {
    condition.withLock {
      let last = submitted
      while made < last || isChanging { condition.wait() }
      readers += 1
    }
  }

  private func endReading() {
    condition.withLock {
      readers -= 1
      if readers == 0 { condition.broadcast() }
    }
  }

  public func add(_ photo: Photo) {
    update { $0.append(photo) }
  }

  public func update(_ change: @escaping @Sendable (inout [Photo]) -> Void) {
    condition.withLock {
      submitted += 1
      queue.async { [self] in make(change) }
    }
  }

  private func make(_ change: @Sendable (inout [Photo]) -> Void) {
    condition.withLock {
      while readers > 0 { condition.wait() }
      isChanging = true
    }
    change(&stored)
    let photos = stored
    noticeQueue.async { [onChange] in onChange(photos) }
    condition.withLock {
      made += 1
      isChanging = false
      condition.broadcast()
    }
  }
}
