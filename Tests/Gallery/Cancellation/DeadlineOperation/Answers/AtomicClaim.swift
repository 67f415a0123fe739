import AsyncOperations
import Foundation
import Synchronization

// The call that claims the atomic number writes the outcome and publishes it. The closure that
// stops the work is put in an atomic mailbox: the second to arrive, the end or the work, finds the
// first.
//
// Safe: `kept` is written by the call that has claimed it, and read after it's published; `work`
// and `stopTimer` belong to `lock`.
public final class DeadlineOperation: AsyncOperation, @unchecked Sendable {
  public enum Outcome: Sendable {
    case completed(Data), timedOut, cancelled
  }

  public typealias Stop = @Sendable () -> Void
  public typealias Work = @Sendable (_ complete: @escaping @Sendable (Data) -> Void) -> Stop

  private let deadline: TimeInterval
  private let schedule: AsyncBlockOperation.Scheduler
  private let phase = Atomic(0)
  private let lock = NSRecursiveLock()
  private var kept: Outcome?
  private var work: Work?
  private var stopTimer: Stop?
  private var stop: Stop?

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

  public var outcome: Outcome? { phase.load(ordering: .acquiring) >= 2 ? kept : nil }

  public override func cancel() { settle(.cancelled) }

  public override func main() {
    if phase.load(ordering: .acquiring) == 0 {
      leave(schedule(deadline) { [weak self] in self?.settle(.timedOut) }, at: \.stopTimer)
    }
    lock.lock()
    let work = self.work
    self.work = nil
    lock.unlock()
    if phase.load(ordering: .acquiring) == 0, let work {
      leave(work { [weak self] in self?.settle(.completed($0)) }, at: \.stop)
    } else if phase.load(ordering: .acquiring) == 3 {
      collect()
      finish()
    }
  }

  private func leave(
    _ stop: @escaping Stop, at place: ReferenceWritableKeyPath<DeadlineOperation, Stop?>
  ) {
    lock.lock()
    self[keyPath: place] = stop
    lock.unlock()
    if phase.load(ordering: .acquiring) == 3 { collect() }
  }

  private func settle(_ outcome: Outcome) {
    let claim = phase.compareExchange(
      expected: 0, desired: 1, ordering: .acquiringAndReleasing)
    guard claim.exchanged else { return }
    kept = outcome
    phase.store(2, ordering: .releasing)
    if case .cancelled = outcome { super.cancel() }
    phase.store(3, ordering: .releasing)
    collect()
    finish()
  }

  private func collect() {
    lock.lock()
    let (work, stopTimer, stop) = (self.work, self.stopTimer, self.stop)
    (self.work, self.stopTimer, self.stop) = (nil, nil, nil)
    lock.unlock()
    withExtendedLifetime(work) { stopTimer?() }
    if case .completed = outcome { return }
    stop?()
  }
}
