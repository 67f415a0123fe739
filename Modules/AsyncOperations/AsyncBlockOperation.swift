import Dispatch
import Foundation

/// An operation made from a closure that says by itself when it is done.
///
/// `BlockOperation` is over when its block returns. This one is over when its block has called the
/// `done` that it's given, at any time and on any thread, or when its deadline has passed.
///
/// ```swift
/// let load = AsyncBlockOperation(deadline: 30) { done in
///   request.send { reply in
///     // … keep the reply …
///     done()
///   }
/// }
/// let report = BlockOperation { print(load.hasTimedOut ? "no reply" : "here it is") }
/// report.addDependency(load)
/// ```
///
/// What a call of `done` does:
///
/// - *late*, after the block has returned: it ends the operation. Until then no thread is held.
/// - *at once*, inside the block: it ends the operation as well; the block may go on and return.
/// - *twice*, or from several threads at once: only the first call counts.
/// - *never*: with a deadline, the operation ends when that has passed, and ``hasTimedOut`` is
///   true. Without one it stays in its queue for ever.
///
/// Of `done` and the deadline the first decides, and the other has no effect, even if it comes at
/// once. Where `done` is first, the timer is cancelled before the end is announced. When the
/// operation announces that it is finished, ``hasTimedOut`` is settled.
///
/// **Cancellation.** An operation that's cancelled before it starts never calls its block and sets
/// no timer. Cancelled later, it goes on until `done` or the deadline.
///
/// **Memory.** A finished operation that has called its block has let go of it, so the block may
/// capture the operation it belongs to. One that was cancelled before its start may keep its block
/// for as long as it lives. Whoever still keeps `done`, or the timer's action, doesn't keep the
/// operation with it.
///
/// Safe to use from every thread.
///
/// Source: Apple's documentation of `BlockOperation`, which this is the asynchronous sibling of.
public final class AsyncBlockOperation: AsyncOperation, @unchecked Sendable {
  // Safe: the variables are guarded by `lock`.

  /// The work: it calls `done` when it has ended.
  public typealias Block = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

  /// Calls `action` when a number of seconds has passed, unless the returned closure is called
  /// first.
  ///
  /// It returns at once. `action` may be called on any thread, even before this has returned; the
  /// returned closure too.
  public typealias Scheduler =
    @Sendable (_ seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) ->
    @Sendable () -> Void

  private let deadline: TimeInterval?
  private let schedule: Scheduler
  private let lock = NSLock()
  private var block: Block?
  private var cancelTimer: (@Sendable () -> Void)?
  private var ending: Ending?

  private enum Ending {
    case done, timedOut
  }

  /// Creates an operation that waits to be started.
  ///
  /// - Parameters:
  ///   - deadline: The time that `block` has for calling `done`, in seconds, counted from just
  ///     before it's called; nil for any time.
  ///   - schedule: Sets the timer, on the thread that starts the operation; a timer of Dispatch by
  ///     default.
  ///   - block: Called once when the operation starts, on the thread that starts it, unless the
  ///     operation is cancelled by then; also where the deadline passes while the timer is set.
  public init(
    deadline: TimeInterval? = nil, schedule: @escaping Scheduler = dispatchTimer,
    block: @escaping Block
  ) {
    self.deadline = deadline
    self.schedule = schedule
    self.block = block
    super.init()
  }

  /// Whether the deadline has passed before `done` was called.
  public var hasTimedOut: Bool { lock.withLock { ending == .timedOut } }

  /// Begins the work.
  ///
  /// To be called by `start()` alone.
  public override func main() {
    if let deadline {
      // Before the block: that may be done at once, and has to find the timer.
      keep(schedule(deadline) { [weak self] in self?.end(.timedOut) })
    }
    // Taken, not only read: once it has returned, nobody needs what it has captured.
    let block = lock.withLock {
      defer { self.block = nil }
      return self.block
    }
    block? { [weak self] in self?.end(.done) }
  }

  /// Keeps the way to cancel the timer; or goes it, where the deadline has passed by now.
  private func keep(_ cancel: @escaping @Sendable () -> Void) {
    let isLate = lock.withLock {
      if ending == nil { cancelTimer = cancel }
      return ending != nil
    }
    if isLate { cancel() }
  }

  /// Ends the operation, unless it has ended already.
  private func end(_ ending: Ending) {
    let (isFirst, cancelTimer) = lock.withLock {
      guard self.ending == nil else { return (false, self.cancelTimer) }
      self.ending = ending
      defer { self.cancelTimer = nil }
      return (true, self.cancelTimer)
    }
    guard isFirst else { return }
    cancelTimer?()
    finish()
  }

  /// The scheduler that is used where none is named, one timer of Dispatch a deadline.
  public static let dispatchTimer: Scheduler = { seconds, action in
    let timer = DispatchTimer(source: DispatchSource.makeTimerSource())
    timer.source.schedule(deadline: .now() + seconds)
    timer.source.setEventHandler(handler: action)
    timer.source.resume()
    return { timer.source.cancel() }
  }
}

// Safe: every thread may cancel a source of Dispatch's; on Apple's platforms alone its type says so.
private struct DispatchTimer: @unchecked Sendable {
  let source: any DispatchSourceTimer
}
