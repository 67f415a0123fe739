import AsyncOperations
import Foundation

// Everything is decided on a serial queue, and done off it.
//
// Safe: the variables are touched on `guardian` alone.
public final class DeadlineOperation: AsyncOperation, @unchecked Sendable {
  public enum Outcome: Sendable {
    case completed(Data), timedOut, cancelled
  }

  public typealias Stop = @Sendable () -> Void
  public typealias Work = @Sendable (_ complete: @escaping @Sendable (Data) -> Void) -> Stop

  private let deadline: TimeInterval
  private let schedule: AsyncBlockOperation.Scheduler
  private let guardian = DispatchQueue(label: "com.example.deadline")
  private var kept: Outcome?
  private var work: Work?
  private var uponEnd: [@Sendable (Outcome) -> Void] = []

  public init(
    deadline: TimeInterval,
    schedule: @escaping AsyncBlockOperation.Scheduler = AsyncBlockOperation.dispatchTimer,
    work: @escaping Work
  ) {
    self.deadline = deadline
    self.schedule = schedule
    self.work = work
    super.init()
  }

  public var outcome: Outcome? { guardian.sync { kept } }

  public override func cancel() {
    end { .cancelled }
  }

  public override func main() {
    if outcome != nil {
      if isCancelled { finish() }
      return
    }
    let stopTimer = schedule(deadline) { [weak self] in self?.end { .timedOut } }
    atEnd { _ in stopTimer() }
    guard let work = guardian.sync(execute: { self.work }) else { return }
    let stop = work { [weak self] value in self?.end { .completed(value) } }
    atEnd { if case .completed = $0 { return } else { stop() } }
  }

  private func atEnd(_ action: @escaping @Sendable (Outcome) -> Void) {
    let outcome = guardian.sync {
      if kept == nil { uponEnd.append(action) }
      return kept
    }
    if let outcome { action(outcome) }
  }

  private func end(_ outcome: () -> Outcome) {
    let outcome = outcome()
    var actions: [@Sendable (Outcome) -> Void]?
    var work: Work?
    guardian.sync {
      guard kept == nil else { return }
      kept = outcome
      actions = uponEnd
      uponEnd = []
      work = self.work
      self.work = nil
    }
    guard let actions else { return }
    withExtendedLifetime(work) {}
    if case .cancelled = outcome { super.cancel() }
    finish()
    for action in actions { action(outcome) }
  }
}
