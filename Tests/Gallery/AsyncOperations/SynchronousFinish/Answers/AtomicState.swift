import Foundation
import Synchronization

// An atomic number for the state. The data is written by the call that changes it to "ending",
// before "finished" is published, and read only after that.
//
// Safe: `phase` is atomic; `loaded` is written once, before `phase` says so.
public final class CachedLoadOperation: Operation, @unchecked Sendable {
  public typealias Completion = @Sendable (_ data: Data) -> Void

  private let cached: @Sendable () -> Data?
  private let load: @Sendable (_ completion: @escaping Completion) -> Void
  private let phase = Atomic(0)  // 0 waiting, 1 executing, 2 ending, 3 finished
  private var loaded: Data?

  public init(
    cached: @escaping @Sendable () -> Data?,
    load: @escaping @Sendable (_ completion: @escaping Completion) -> Void
  ) {
    self.cached = cached
    self.load = load
    super.init()
  }

  public var data: Data? { isFinished ? loaded : nil }
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
    if let data = cached() {
      finish(data)
    } else {
      load { [self] data in finish(data) }
    }
  }

  private func finish(_ data: Data) {
    guard phase.compareExchange(expected: 1, desired: 2, ordering: .acquiringAndReleasing).exchanged
    else { return }
    loaded = data
    willChangeValue(for: \.isExecuting)
    willChangeValue(for: \.isFinished)
    phase.store(3, ordering: .releasing)
    didChangeValue(for: \.isExecuting)
    didChangeValue(for: \.isFinished)
  }
}
