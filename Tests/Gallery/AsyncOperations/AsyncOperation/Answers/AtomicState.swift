import Foundation
import Synchronization

// No lock: the state is one atomic number, and the call that changes it to "ending" announces the
// end.
//
// Safe: `phase` is atomic.
open class AsyncOperation: Operation, @unchecked Sendable {
  private enum Phase {
    static let waiting = 0
    static let executing = 1
    static let ending = 2
    static let finished = 3
    static let starting = 4
  }

  private let phase = Atomic(Phase.waiting)

  public override init() {
    super.init()
  }

  public final override var isAsynchronous: Bool { true }

  public final override var isExecuting: Bool {
    let now = phase.load(ordering: .acquiring)
    return now == Phase.executing || now == Phase.ending
  }

  public final override var isFinished: Bool {
    phase.load(ordering: .acquiring) == Phase.finished
  }

  public final override func start() {
    let (isFirst, _) = phase.compareExchange(
      expected: Phase.waiting, desired: Phase.starting, ordering: .acquiringAndReleasing)
    guard isFirst else { return }
    guard !isCancelled else {
      willChangeValue(for: \.isFinished)
      phase.store(Phase.finished, ordering: .releasing)
      didChangeValue(for: \.isFinished)
      return
    }
    willChangeValue(for: \.isExecuting)
    phase.store(Phase.executing, ordering: .releasing)
    didChangeValue(for: \.isExecuting)
    guard isExecuting else { return }
    main()
  }

  public final func finish() {
    let (isFirst, _) = phase.compareExchange(
      expected: Phase.executing, desired: Phase.ending, ordering: .acquiringAndReleasing)
    guard isFirst else { return }
    willChangeValue(for: \.isFinished)
    willChangeValue(for: \.isExecuting)
    phase.store(Phase.finished, ordering: .releasing)
    didChangeValue(for: \.isExecuting)
    didChangeValue(for: \.isFinished)
  }
}
