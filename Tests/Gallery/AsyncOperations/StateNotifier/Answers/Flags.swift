import Foundation

// Flags in place of the enum, changed together; a read–write lock guards them.
public final class StateNotifier: @unchecked Sendable {  // Safe: guarded by `lock`.
  public enum State: CaseIterable, Sendable {
    case ready, executing, finished
  }

  private let lock: UnsafeMutablePointer<pthread_rwlock_t>
  private var isExecuting = false
  private var isFinished = false
  private var isBusy = false

  public init() {
    lock = .allocate(capacity: 1)
    lock.initialize(to: pthread_rwlock_t())
    pthread_rwlock_init(lock, nil)
  }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deinitialize(count: 1)
    lock.deallocate()
  }

  private var unguarded: State { isFinished ? .finished : isExecuting ? .executing : .ready }

  public var state: State {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return unguarded
  }

  private func writing<Result>(_ body: () -> Result) -> Result {
    pthread_rwlock_wrlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return body()
  }

  @discardableResult
  public func move(_ operation: Operation, from old: State, to new: State) -> Bool {
    let isMine = writing {
      let isMine = old.canMove(to: new) && unguarded == old && !isBusy
      if isMine { isBusy = true }
      return isMine
    }
    guard isMine else { return false }
    operation.willChangeValue(forKey: new.key)
    operation.willChangeValue(forKey: old.key)
    writing {
      isExecuting = new == .executing
      isFinished = new == .finished
      isBusy = false
    }
    operation.didChangeValue(forKey: old.key)
    operation.didChangeValue(forKey: new.key)
    return true
  }
}

extension StateNotifier.State {
  fileprivate var key: String {
    switch self {
    case .ready: "isReady"
    case .executing: "isExecuting"
    case .finished: "isFinished"
    }
  }

  fileprivate func canMove(to next: Self) -> Bool {
    switch (self, next) {
    case (.ready, .executing), (.ready, .finished), (.executing, .finished): true
    default: false
    }
  }
}
