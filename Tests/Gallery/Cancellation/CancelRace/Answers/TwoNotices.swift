import Foundation

// Wrong: it checks whether it's finished, announces the end, and only then changes the state.
//
// Safe: guarded by `lock`.
public final class OneOutcomeOperation: Operation, @unchecked Sendable {
  public enum Outcome: Sendable {
    case completed(Data), cancelled
  }

  public typealias Complete = @Sendable (_ value: () -> Data) -> Void

  private let report: @Sendable (Outcome) -> Void
  private let work: @Sendable (_ complete: @escaping Complete) -> Void
  private let lock = NSLock()
  private var executing = false
  private var finished = false
  private var kept: Outcome?

  public init(
    report: @escaping @Sendable (Outcome) -> Void,
    work: @escaping @Sendable (_ complete: @escaping Complete) -> Void
  ) {
    self.report = report
    self.work = work
    super.init()
  }

  public override var isAsynchronous: Bool { true }
  public override var isExecuting: Bool { lock.withLock { executing } }
  public override var isFinished: Bool { lock.withLock { finished } }
  public var outcome: Outcome? { lock.withLock { kept } }

  public override func start() {
    guard outcome == nil else { return end() }
    willChangeValue(forKey: "isExecuting")
    lock.withLock { executing = true }
    didChangeValue(forKey: "isExecuting")
    guard outcome == nil else { return end() }
    work { [self] value in
      guard outcome == nil else { return }
      settle(.completed(value()))
    }
  }

  public override func cancel() {
    settle(.cancelled)
  }

  private func settle(_ outcome: Outcome) {
    let isFirst = lock.withLock {
      guard kept == nil else { return false }
      kept = outcome
      return true
    }
    if case .cancelled = outcome, isFirst { super.cancel() }
    if isFirst { report(outcome) }
    if isExecuting { end() }
  }

  private func end() {
    guard !isFinished else { return }
    willChangeValue(forKey: "isFinished")
    willChangeValue(forKey: "isExecuting")
    lock.withLock {
      executing = false
      finished = true
    }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }
}
