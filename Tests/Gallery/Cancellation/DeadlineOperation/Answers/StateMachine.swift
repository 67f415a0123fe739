import AsyncOperations
import Foundation

// One enum in a box of its own, which returns what is to be done; the operation does it. The
// closures that are passed out retain the box, and the box releases the operation at the end.
//
// Safe: only the box changes, and it has a lock.
public final class DeadlineOperation: AsyncOperation, @unchecked Sendable {
  public enum Outcome: Sendable {
    case completed(Data), timedOut, cancelled

    fileprivate var needsStop: Bool {
      if case .completed = self { false } else { true }
    }
  }

  public typealias Stop = @Sendable () -> Void
  public typealias Work = @Sendable (_ complete: @escaping @Sendable (Data) -> Void) -> Stop

  private let deadline: TimeInterval
  private let schedule: AsyncBlockOperation.Scheduler
  private let box = Box()

  private enum Phase {
    case waiting(Work)
    case working(timer: Stop?, stop: Stop?)
    case over(Outcome)
  }

  private final class Box: @unchecked Sendable {
    // Safe: guarded by `condition`.
    var phase: Phase?
    var operation: DeadlineOperation?
    private let condition = NSCondition()

    func change<Result>(_ body: (inout Phase?) -> Result) -> Result {
      condition.lock()
      defer { condition.unlock() }
      return body(&phase)
    }

    var outcome: Outcome? {
      change { if case .over(let outcome) = $0 { outcome } else { nil } }
    }

    func hold(_ operation: DeadlineOperation) {
      change { phase in
        if case .over = phase { return }
        self.operation = operation
      }
    }

    /// Ends it; nil if it has ended already.
    func end(_ outcome: Outcome) -> (old: Phase?, operation: DeadlineOperation?)? {
      change { phase in
        if case .over = phase { return nil }
        defer {
          phase = .over(outcome)
          operation = nil
        }
        return (phase, operation)
      }
    }

    func endAndTell(_ outcome: Outcome) {
      guard let (old, operation) = end(outcome) else { return }
      if case .working(let timer, let stop) = old {
        timer?()
        if outcome.needsStop { stop?() }
      }
      operation?.finish()
    }
  }

  public init(
    deadline: TimeInterval,
    schedule: @escaping AsyncBlockOperation.Scheduler = AsyncBlockOperation.dispatchTimer,
    work: @escaping Work
  ) {
    self.deadline = deadline
    self.schedule = schedule
    box.phase = .waiting(work)
    super.init()
  }

  public var outcome: Outcome? { box.outcome }

  public override func cancel() {
    guard let (old, _) = box.end(.cancelled) else { return }
    super.cancel()
    if case .working(let timer, let stop) = old {
      timer?()
      stop?()
    }
    finish()
  }

  public override func main() {
    let box = box
    box.hold(self)
    let work: Work? = box.change { phase in
      guard case .waiting(let work) = phase else { return nil }
      phase = .working(timer: nil, stop: nil)
      return work
    }
    guard let work else {
      if isCancelled { finish() }
      return
    }
    let timer = schedule(deadline) { box.endAndTell(.timedOut) }
    let goesOn = box.change { phase in
      guard case .working = phase else { return false }
      phase = .working(timer: timer, stop: nil)
      return true
    }
    guard goesOn else { return timer() }
    let stop = work { box.endAndTell(.completed($0)) }
    let late: Outcome? = box.change { phase in
      if case .over(let outcome) = phase { return outcome }
      phase = .working(timer: timer, stop: stop)
      return nil
    }
    if late?.needsStop == true { stop() }
  }
}
