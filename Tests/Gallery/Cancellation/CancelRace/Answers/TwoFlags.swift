import AsyncOperations
import Foundation

// A flag for the cancellation and an optional value, behind a condition's lock. Every cancel()
// calls super.cancel(), even one that comes too late.
//
// Safe: guarded by `lock`.
public final class OneOutcomeOperation: AsyncOperation, @unchecked Sendable {
  public enum Outcome: Sendable {
    case completed(Data), cancelled
  }

  public typealias Complete = @Sendable (_ value: () -> Data) -> Void

  private let report: @Sendable (Outcome) -> Void
  private let work: @Sendable (_ complete: @escaping Complete) -> Void
  private let lock = NSCondition()
  private var wasCancelled = false
  private var value: Data?

  public init(
    report: @escaping @Sendable (Outcome) -> Void,
    work: @escaping @Sendable (_ complete: @escaping Complete) -> Void
  ) {
    self.report = report
    self.work = work
    super.init()
  }

  public var outcome: Outcome? {
    lock.withLock {
      if wasCancelled { return .cancelled }
      return value.map(Outcome.completed)
    }
  }

  public override func cancel() {
    let isFirst = lock.withLock {
      if wasCancelled || value != nil { return false }
      wasCancelled = true
      return true
    }
    super.cancel()
    if isFirst { end(.cancelled) }
  }

  public override func main() {
    if lock.withLock({ wasCancelled }) {
      if isCancelled { finish() }
      return
    }
    work { [self] make in
      if outcome != nil { return }
      let made = make()
      let isFirst = lock.withLock {
        if wasCancelled || value != nil { return false }
        value = made
        return true
      }
      if isFirst { end(.completed(made)) }
    }
  }

  private func end(_ outcome: Outcome) {
    report(outcome)
    finish()
  }
}
