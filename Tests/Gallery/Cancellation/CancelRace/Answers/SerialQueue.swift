import AsyncOperations
import Foundation

// The outcome belongs to a serial queue.
//
// Safe: `kept` is used on `decisions` only.
public final class OneOutcomeOperation: AsyncOperation, @unchecked Sendable {
  public enum Outcome: Sendable {
    case completed(Data), cancelled
  }

  public typealias Complete = @Sendable (_ value: () -> Data) -> Void

  private let report: @Sendable (Outcome) -> Void
  private let work: @Sendable (_ complete: @escaping Complete) -> Void
  private let decisions = DispatchQueue(label: "katas.cancellation.outcome")
  private var kept: Outcome?

  public init(
    report: @escaping @Sendable (Outcome) -> Void,
    work: @escaping @Sendable (_ complete: @escaping Complete) -> Void
  ) {
    self.report = report
    self.work = work
    super.init()
  }

  public var outcome: Outcome? { decisions.sync { kept } }

  public override func cancel() {
    guard isFirst(.cancelled) else { return }
    super.cancel()
    report(.cancelled)
    finish()
  }

  public override func main() {
    if outcome != nil {
      if isCancelled { finish() }
      return
    }
    work { [self] value in
      guard outcome == nil else { return }
      let outcome = Outcome.completed(value())
      guard isFirst(outcome) else { return }
      report(outcome)
      finish()
    }
  }

  private func isFirst(_ outcome: Outcome) -> Bool {
    decisions.sync {
      defer { if kept == nil { kept = outcome } }
      return kept == nil
    }
  }
}
