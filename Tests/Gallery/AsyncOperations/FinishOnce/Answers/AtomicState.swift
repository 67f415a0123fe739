import Foundation
import Synchronization

// No lock: an atomic number, which one call changes to "ending". Only that call writes the answer,
// before "finished" is published.
//
// Safe: `phase` is atomic; `kept` is written once, before `phase` says so.
public final class FirstAnswerOperation: Operation, @unchecked Sendable {
  public typealias Finish = @Sendable (_ answer: String) -> Bool

  private let work: @Sendable (_ finish: @escaping Finish) -> Void
  private let phase = Atomic(0)  // 0 waiting, 1 executing, 2 ending, 3 finished
  private var kept: String?

  public init(work: @escaping @Sendable (_ finish: @escaping Finish) -> Void) {
    self.work = work
    super.init()
  }

  public var answer: String? { isFinished ? kept : nil }
  public override var isAsynchronous: Bool { true }
  public override var isExecuting: Bool { (1...2).contains(phase.load(ordering: .acquiring)) }
  public override var isFinished: Bool { phase.load(ordering: .acquiring) == 3 }

  public override func start() {
    if isCancelled {
      willChangeValue(for: \.isFinished)
      phase.store(3, ordering: .releasing)
      didChangeValue(for: \.isFinished)
      return
    }
    willChangeValue(for: \.isExecuting)
    phase.store(1, ordering: .releasing)
    didChangeValue(for: \.isExecuting)
    main()
  }

  public override func main() {
    work { [self] answer in finish(answer) }
  }

  private func finish(_ answer: String) -> Bool {
    guard phase.compareExchange(expected: 1, desired: 2, ordering: .acquiringAndReleasing).exchanged
    else { return false }
    kept = answer
    willChangeValue(for: \.isExecuting)
    willChangeValue(for: \.isFinished)
    phase.store(3, ordering: .releasing)
    didChangeValue(for: \.isExecuting)
    didChangeValue(for: \.isFinished)
    return true
  }
}
