import AsyncOperations
import Foundation
import Synchronization

// The call that changes the phase from open to claimed settles the outcome; readers use it once it
// is published. `complete` claims before it makes the value.
//
// Safe: `kept` is written by the call that has claimed it, and read after it's published.
public final class OneOutcomeOperation: AsyncOperation, @unchecked Sendable {
  public enum Outcome: Sendable {
    case completed(Data), cancelled
  }

  public typealias Complete = @Sendable (_ value: () -> Data) -> Void

  private let report: @Sendable (Outcome) -> Void
  private let work: @Sendable (_ complete: @escaping Complete) -> Void
  private let phase = Atomic(Phase.open.rawValue)
  private var kept: Outcome?

  private enum Phase: Int {
    case open, claimed, published
  }

  public init(
    report: @escaping @Sendable (Outcome) -> Void,
    work: @escaping @Sendable (_ complete: @escaping Complete) -> Void
  ) {
    self.report = report
    self.work = work
    super.init()
  }

  public var outcome: Outcome? {
    phase.load(ordering: .acquiring) == Phase.published.rawValue ? kept : nil
  }

  public override func cancel() {
    settle { .cancelled }
  }

  public override func main() {
    guard phase.load(ordering: .acquiring) == Phase.open.rawValue else {
      // The canceller may have found nothing to finish; or it calls super.cancel() first, and
      // finishes.
      if isCancelled { finish() }
      return
    }
    work { [self] value in settle { .completed(value()) } }
  }

  private func settle(_ outcome: () -> Outcome) {
    let claim = phase.compareExchange(
      expected: Phase.open.rawValue, desired: Phase.claimed.rawValue,
      ordering: .acquiringAndReleasing)
    guard claim.exchanged else { return }
    let outcome = outcome()
    kept = outcome
    phase.store(Phase.published.rawValue, ordering: .releasing)
    if case .cancelled = outcome { super.cancel() }
    report(outcome)
    finish()
  }
}
