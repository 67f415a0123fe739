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

/// A lock guards a snapshot; changes are made to a copy, one at a time, and published in one step.
///
/// Readers work on their snapshots, but they must still exclude changes, so they are counted.
public final class PhotoStore: Sendable {
  private let condition = NSCondition()
  // Safe: guarded by `condition`; while `isChanging` only the changing thread touches it.
  private nonisolated(unsafe) var stored: [Photo] = []
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var readers = 0
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var isChanging = false
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var waitingChanges: [@Sendable (inout [Photo]) -> Void] = []
  private let worker = OperationQueue()
  private let noticeQueue: DispatchQueue
  private let onChange: @Sendable ([Photo]) -> Void

  public init(
    noticeQueue: DispatchQueue, onChange: @escaping @Sendable ([Photo]) -> Void
  ) {
    self.noticeQueue = noticeQueue
    self.onChange = onChange
    worker.maxConcurrentOperationCount = 1
  }

  public var photos: [Photo] { read { $0 } }

  public func read<Result>(_ body: ([Photo]) throws -> Result) rethrows -> Result {
    let snapshot = condition.withLock {
      while isChanging || !waitingChanges.isEmpty { condition.wait() }
      readers += 1
      return stored
    }
    defer {
      condition.withLock {
        readers -= 1
        condition.broadcast()
      }
    }
    return try body(snapshot)
  }

  public func add(_ photo: Photo) {
    update { $0.append(photo) }
  }

  public func update(_ change: @escaping @Sendable (inout [Photo]) -> Void) {
    condition.withLock { waitingChanges.append(change) }
    worker.addOperation { [self] in
      condition.lock()
      while readers > 0 { condition.wait() }
      isChanging = true
      let next = waitingChanges.removeFirst()
      var copy = stored
      condition.unlock()
      next(&copy)
      condition.lock()
      stored = copy
      isChanging = false
      condition.broadcast()
      condition.unlock()
      noticeQueue.async { [onChange, copy] in onChange(copy) }
    }
  }
}
