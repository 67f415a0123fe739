import AsyncOperations
import Dispatch
import Foundation
import Synchronization

/// An atomic number decides; nothing else is shared.
public final class AsyncBlockOperation: AsyncOperations.AsyncOperation, @unchecked Sendable {
  public typealias Block = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void
  public typealias Scheduler =
    @Sendable (_ seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) ->
    @Sendable () -> Void

  private enum Ending {
    static let none: UInt8 = 0
    static let done: UInt8 = 1
    static let timedOut: UInt8 = 2
  }

  private let deadline: TimeInterval?
  private let schedule: Scheduler
  private let ending = Atomic(Ending.none)
  // Safe: used by the thread in `main()` alone.
  private var block: Block?

  public init(
    deadline: TimeInterval? = nil, schedule: @escaping Scheduler = dispatchTimer,
    block: @escaping Block
  ) {
    self.deadline = deadline
    self.schedule = schedule
    self.block = block
    super.init()
  }

  public var hasTimedOut: Bool { ending.load(ordering: .acquiring) == Ending.timedOut }

  public override func main() {
    guard let block else { return }
    self.block = nil
    let stop = deadline.map { schedule($0) { [weak self] in self?.end(Ending.timedOut) } }
    block { [weak self] in self?.end(Ending.done, then: stop) }
  }

  private func end(_ ending: UInt8, then stop: (@Sendable () -> Void)? = nil) {
    let isFirst = self.ending.compareExchange(
      expected: Ending.none, desired: ending, ordering: .acquiringAndReleasing
    ).exchanged
    guard isFirst else { return }
    stop?()
    finish()
  }

  public static let dispatchTimer: Scheduler = { seconds, action in
    // Safe: any thread may cancel a work item.
    nonisolated(unsafe) let item = DispatchWorkItem(block: action)
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: item)
    return { item.cancel() }
  }
}
