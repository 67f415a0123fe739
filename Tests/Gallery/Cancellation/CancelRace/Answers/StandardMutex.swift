import AsyncOperations
import Foundation
import Synchronization

// The standard library's mutex around the outcome; finished first, then reported.
//
// Safe: what changes is inside `kept`.
public final class OneOutcomeOperation: AsyncOperation, @unchecked Sendable {
  public enum Outcome: Sendable {
    case completed(Data), cancelled
  }

  public typealias Complete = @Sendable (_ value: () -> Data) -> Void

  private let report: @Sendable (Outcome) -> Void
  private let work: @Sendable (_ complete: @escaping Complete) -> Void
  private let kept = Mutex<Outcome?>(nil)

  public init(
    report: @escaping @Sendable (Outcome) -> Void,
    work: @escaping @Sendable (_ complete: @escaping Complete) -> Void
  ) {
    self.report = report
    self.work = work
    super.init()
  }

  public var outcome: Outcome? { kept.withLock(\.self) }

  public override func cancel() {
    settle(.cancelled)
  }

  public override func main() {
    if outcome == nil {
      work { [self] value in if outcome == nil { settle(.completed(value())) } }
    } else if isCancelled {
      finish()
    }
  }

  private func settle(_ outcome: Outcome) {
    let isFirst = kept.withLock { kept in
      if kept != nil { return false }
      kept = outcome
      return true
    }
    guard isFirst else { return }
    if case .cancelled = outcome { super.cancel() }
    finish()
    report(outcome)
  }
}
