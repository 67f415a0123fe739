import AsyncOperations
import Dispatch
import Foundation

/// The call that takes the ticket first ends the operation, which only the ticket retains.
public final class AsyncBlockOperation: AsyncOperations.AsyncOperation, @unchecked Sendable {
  public typealias Block = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void
  public typealias Scheduler =
    @Sendable (_ seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) ->
    @Sendable () -> Void

  /// Retains the operation until a call takes it.
  private final class Ticket: @unchecked Sendable {
    // Safe: guarded by `condition`.
    private var operation: AsyncBlockOperation?
    private var stopTimer: (@Sendable () -> Void)?
    private let condition = NSRecursiveLock()

    init(_ operation: AsyncBlockOperation) { self.operation = operation }

    func onTaking(_ stopTimer: @escaping @Sendable () -> Void) {
      condition.lock()
      let isTaken = operation == nil
      if !isTaken { self.stopTimer = stopTimer }
      condition.unlock()
      if isTaken { stopTimer() }
    }

    func take() -> AsyncBlockOperation? {
      condition.lock()
      let (taken, stop) = (operation, stopTimer)
      (operation, stopTimer) = (nil, nil)
      condition.unlock()
      stop?()
      return taken
    }
  }

  private let deadline: TimeInterval?
  private let schedule: Scheduler
  // Safe: used by the thread in `main()` alone.
  private var block: Block?
  // Safe: written by the call that takes the ticket, before `finish()`, and read after
  // `isFinished`.
  private var isLate = false

  public init(
    deadline: TimeInterval? = nil, schedule: @escaping Scheduler = dispatchTimer,
    block: @escaping Block
  ) {
    self.deadline = deadline
    self.schedule = schedule
    self.block = block
    super.init()
  }

  public var hasTimedOut: Bool { isFinished && isLate }

  public override func main() {
    let ticket = Ticket(self)
    if let deadline {
      ticket.onTaking(
        schedule(deadline) {
          guard let operation = ticket.take() else { return }
          operation.isLate = true
          operation.finish()
        })
    }
    block? { ticket.take()?.finish() }
    block = nil
  }

  public static let dispatchTimer: Scheduler = { seconds, action in
    // Safe: any thread may cancel a work item.
    nonisolated(unsafe) let item = DispatchWorkItem(block: action)
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: item)
    return { item.cancel() }
  }
}
