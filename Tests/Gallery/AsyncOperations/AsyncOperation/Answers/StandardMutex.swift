import Foundation
import Synchronization

// The standard library's mutex around a small struct; `main()` is called on a queue of its own.
//
// Safe: what changes is inside `state`.
open class AsyncOperation: Operation, @unchecked Sendable {
  private struct State {
    var isExecuting = false
    var isFinished = false
    var isStarting = false
    var isEnding = false
  }

  private let state = Mutex(State())
  private let work = DispatchQueue(label: "katas.async-operations.work")

  public override init() {
    super.init()
  }

  public final override var isAsynchronous: Bool { true }
  public final override var isExecuting: Bool { state.withLock { $0.isExecuting } }
  public final override var isFinished: Bool { state.withLock { $0.isFinished } }

  public final override func start() {
    let isFirst = state.withLock { state in
      defer { state.isStarting = true }
      return !state.isStarting
    }
    guard isFirst else { return }
    guard !isCancelled else {
      announce(["isFinished"]) { $0.isFinished = true }
      return
    }
    announce(["isExecuting"]) { $0.isExecuting = true }
    guard isExecuting else { return }
    work.sync { main() }
  }

  public final func finish() {
    let isFirst = state.withLock { state in
      guard state.isExecuting, !state.isEnding else { return false }
      state.isEnding = true
      return true
    }
    guard isFirst else { return }
    announce(["isFinished", "isExecuting"]) { state in
      state.isExecuting = false
      state.isFinished = true
    }
  }

  private func announce(_ keys: [String], _ change: (inout State) -> Void) {
    keys.forEach(willChangeValue(forKey:))
    state.withLock { change(&$0) }
    keys.reversed().forEach(didChangeValue(forKey:))
  }
}
