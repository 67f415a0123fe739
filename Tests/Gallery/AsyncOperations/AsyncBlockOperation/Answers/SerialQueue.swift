import AsyncOperations
import Dispatch
import Foundation

/// Decides on a serial queue, and releases the block at the end.
public final class AsyncBlockOperation: AsyncOperations.AsyncOperation, @unchecked Sendable {
  public typealias Block = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void
  public typealias Scheduler =
    @Sendable (_ seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) ->
    @Sendable () -> Void

  private let deadline: TimeInterval?
  private let schedule: Scheduler
  private let guardian = DispatchQueue(label: "com.example.async-block")
  // Safe: these are used on `guardian` alone.
  private var block: Block?
  private var timedOut: Bool?
  private var stopTimer: (@Sendable () -> Void)?

  public init(
    deadline: TimeInterval? = nil, schedule: @escaping Scheduler = dispatchTimer,
    block: @escaping Block
  ) {
    self.deadline = deadline
    self.schedule = schedule
    self.block = block
    super.init()
  }

  public var hasTimedOut: Bool { guardian.sync { timedOut ?? false } }

  public override func main() {
    let work = guardian.sync { block }
    if let deadline {
      let stop = schedule(deadline) { [weak self] in self?.settle(timedOut: true) }
      let isLate = guardian.sync {
        stopTimer = stop
        return timedOut != nil
      }
      if isLate { stop() }
    }
    work? { [weak self] in self?.settle(timedOut: false) }
  }

  private func settle(timedOut: Bool) {
    let stop: (@Sendable () -> Void)? = guardian.sync {
      guard self.timedOut == nil else { return nil }
      self.timedOut = timedOut
      block = nil
      defer { stopTimer = nil }
      return stopTimer ?? {}
    }
    guard let stop else { return }
    stop()
    finish()
  }

  public static let dispatchTimer: Scheduler = { seconds, action in
    // Safe: any thread may cancel a work item.
    nonisolated(unsafe) let item = DispatchWorkItem(block: action)
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: item)
    return { item.cancel() }
  }
}
