import Foundation

// One enum holds the whole state, and the operation is its own superclass: it keeps the state and
// sends the notifications itself.
//
// Safe: `state` is guarded by `lock`.
public final class OneOutcomeOperation: Operation, @unchecked Sendable {
  private enum State {
    case waiting, executing
    /// Cancelled before it was executing; whether it was started, or Foundation knows, or neither.
    case cancelledWaiting(isStarted: Bool, isTold: Bool)
    /// Settled; the notifications of the end are being sent.
    case ending(Outcome, from: Bool)
    case over(Outcome)
  }

  public enum Outcome: Sendable {
    case completed(Data), cancelled
  }

  public typealias Complete = @Sendable (_ value: () -> Data) -> Void

  private let report: @Sendable (Outcome) -> Void
  private let work: @Sendable (_ complete: @escaping Complete) -> Void
  private let lock = NSRecursiveLock()
  private var state = State.waiting

  public init(
    report: @escaping @Sendable (Outcome) -> Void,
    work: @escaping @Sendable (_ complete: @escaping Complete) -> Void
  ) {
    self.report = report
    self.work = work
    super.init()
  }

  public override var isAsynchronous: Bool { true }

  public override var isExecuting: Bool {
    lock.withLock {
      switch state {
      case .executing: true
      case .ending(_, from: let wasExecuting): wasExecuting
      default: false
      }
    }
  }

  public override var isFinished: Bool {
    lock.withLock { if case .over = state { true } else { false } }
  }

  public var outcome: Outcome? {
    lock.withLock {
      switch state {
      case .waiting, .executing: nil
      case .cancelledWaiting: .cancelled
      case .ending(let outcome, _), .over(let outcome): outcome
      }
    }
  }

  public override func start() {
    willChangeValue(forKey: "isExecuting")
    let (begins, isTold) = lock.withLock {
      switch state {
      case .waiting:
        state = .executing
        return (true, false)
      case .cancelledWaiting(isStarted: false, let isTold):
        state = .cancelledWaiting(isStarted: true, isTold: isTold)
        return (false, isTold)
      default: return (false, false)
      }
    }
    didChangeValue(forKey: "isExecuting")
    // Foundation ignores what is finished: a cancel() that hasn't called super.cancel() ends it.
    guard begins else { return isTold ? end(.cancelled) : () }
    work { [self] value in
      guard outcome == nil else { return }
      settle(.completed(value()))
    }
  }

  public override func cancel() {
    settle(.cancelled)
  }

  private func settle(_ outcome: Outcome) {
    let (isFirst, endsNow) = lock.withLock {
      switch state {
      case .waiting:
        state = .cancelledWaiting(isStarted: false, isTold: false)
        return (true, false)
      case .executing:
        state = .ending(outcome, from: true)
        return (true, true)
      default: return (false, false)
      }
    }
    guard isFirst else { return }
    if case .cancelled = outcome { super.cancel() }
    report(outcome)
    if endsNow || isStartedMeanwhile() { end(outcome) }
  }

  /// Whether a cancelled operation was started before Foundation knew.
  private func isStartedMeanwhile() -> Bool {
    lock.withLock {
      guard case .cancelledWaiting(let isStarted, _) = state else { return false }
      state = .cancelledWaiting(isStarted: isStarted, isTold: true)
      return isStarted
    }
  }

  private func end(_ outcome: Outcome) {
    willChangeValue(forKey: "isFinished")
    willChangeValue(forKey: "isExecuting")
    lock.withLock { state = .over(outcome) }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }
}
