import Dispatch
import Foundation

public struct Photo: Hashable, Sendable {
  public let name: String

  public init(_ name: String) {
    self.name = name
  }
}

public final class PhotoStore: Sendable {
  // Safe: `stored` is touched on `queue` only, and changed there only behind a barrier.
  private nonisolated(unsafe) var stored: [Photo] = []
  private let queue = DispatchQueue(label: "katas.barriers.photo-store", attributes: .concurrent)
  private let lock = NSLock()
  // Safe: guarded by `lock`. The thread that makes a change at the moment.
  private nonisolated(unsafe) var changer: pthread_t?
  // Safe: guarded by `lock`. Changes that the running change has submitted.
  private nonisolated(unsafe) var followers: [@Sendable (inout [Photo]) -> Void] = []
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
    try queue.sync { try body(stored) }
  }

  public func add(_ photo: Photo) {
    update { $0.append(photo) }
  }

  public func update(_ change: @escaping @Sendable (inout [Photo]) -> Void) {
    lock.lock()
    defer { lock.unlock() }
    // The barrier is there already: a change that a change submits follows it directly.
    if let changer, pthread_equal(changer, pthread_self()) != 0 {
      followers.append(change)
      return
    }
    queue.async(flags: .barrier) { [self] in make(change) }
  }

  private func make(_ change: @Sendable (inout [Photo]) -> Void) {
    lock.withLock { changer = pthread_self() }
    change(&stored)
    var changes = 1
    while let follower = next() {
      follower(&stored)
      changes += 1
    }
    let photos = stored
    for _ in 0..<changes { noticeQueue.async { [onChange] in onChange(photos) } }
  }

  private func next() -> (@Sendable (inout [Photo]) -> Void)? {
    lock.lock()
    defer { lock.unlock() }
    if followers.isEmpty {
      changer = nil
      return nil
    }
    return followers.removeFirst()
  }
}
