// Page: make page KATA=AsyncBlockOperation (Docs/ConcurrencyKatas.docc/AsyncBlockOperation.md)

import AsyncOperations
import Dispatch
import Foundation

// The base class is the finished one, AsyncOperations.AsyncOperation, and is named in full: your
// own AsyncOperation stands beside this file and may not be finished yet.

/// An operation made from a closure that reports by itself when its work is done.
///
/// A `BlockOperation` ends when its block returns. This one ends when its block has called `done`,
/// the closure that it receives, at any time and on any thread, or when its deadline has passed.
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
/// - After the block has returned, the operation goes on executing until `done` or the deadline,
///   and holds no thread meanwhile.
/// - `done` ends the operation, whether it's called after the block has returned or inside the
///   block, on any thread.
/// - If `done` is called twice, or by several threads at once, the first call counts and the others
///   have no effect.
/// - When the deadline has passed, the operation finishes; zero seconds are a deadline, too.
/// - Without a deadline no timer is set, and `done` alone ends the operation.
/// - The earlier of `done` and the deadline ends the operation and decides `hasTimedOut`; the later
///   one has no effect, even while the end is announced.
/// - If `done` comes first, the operation cancels its own timer, and no other operation's, before
///   the end is announced.
/// - If the operation is cancelled before its start, it calls no block and sets no timer.
/// - If the operation is cancelled after its start, it goes on, with its timer, until `done` or the
///   deadline.
/// - When the operation has finished and its block has returned, it doesn't retain the block any
///   more. So the block may capture the operation.
/// - Neither `done` nor the timer's action keeps a finished operation alive.
/// - `done`, the timer's action and `hasTimedOut` may be used by several threads at once.
/// - While `block`, `schedule`, the closure that `schedule` returned or an observer of the end
///   runs, other uses of `done`, the timer's action and `hasTimedOut` don't wait for it.
///
/// An operation that was cancelled before its start may retain its block for as long as it lives.
///
/// Source: Apple's documentation of `BlockOperation`, the synchronous counterpart.
///
/// Your turn: write `main()` and `hasTimedOut`.
///
/// - The base class calls `main()` once; it doesn't call it if the operation was cancelled before
///   its start. The operation counts as unfinished until you call `finish()`, on any thread. A
///   second `finish()` has no effect, so calling `done` twice is harmless. But you must decide,
///   under a lock and before you call `finish()`, which of `done` and the deadline was first.
/// - `finish()` announces the end, and observers may read `hasTimedOut` and even call `done`. So
///   hold no lock while you call `finish()`, `schedule`, the closure that it returns, or the block
///   (callback under a lock).
/// - If there is a deadline, set the timer before you call the block, and cancel it if `done` comes
///   first.
/// - Avoid retain cycles: the operation retains its block, the block may retain the operation, and
///   a caller may retain `done` or the timer's action for hours. Capture weakly, and release the
///   block.
public final class AsyncBlockOperation: AsyncOperations.AsyncOperation,
  @unchecked Sendable  // Safe: nothing changes yet; say what guards what you add.
{
  /// The work: it calls `done` when it has ended.
  public typealias Block = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

  /// Calls `action` when a number of seconds has passed, unless the returned closure is called
  /// first.
  ///
  /// It returns at once. `action` may be called on any thread, even before the scheduler has
  /// returned, and the returned closure on any thread, too.
  public typealias Scheduler =
    @Sendable (_ seconds: TimeInterval, _ action: @escaping @Sendable () -> Void) ->
    @Sendable () -> Void

  private let deadline: TimeInterval?
  private let schedule: Scheduler
  private let block: Block

  /// Creates an operation, to be started by a queue or by hand.
  ///
  /// - `block` is called once, on the thread that starts the operation, even if the timer fires
  ///   before `schedule` has returned.
  /// - If there is a deadline, `schedule` is called once when the operation starts, on the thread
  ///   that starts it, before `block` is called.
  /// - By default a timer of Dispatch ends the operation when `deadline` seconds have passed.
  ///
  /// - Parameters:
  ///   - deadline: The time that `block` has for calling `done`, in seconds, counted from just
  ///     before it's called; nil for any time.
  ///   - schedule: Sets the timer.
  ///   - block: The work.
  public init(
    deadline: TimeInterval? = nil, schedule: @escaping Scheduler = dispatchTimer,
    block: @escaping Block
  ) {
    self.deadline = deadline
    self.schedule = schedule
    self.block = block
    super.init()
  }

  /// Whether the deadline came before `done`.
  ///
  /// - `hasTimedOut` is true if the timer's action was called before `done`, and has its final
  ///   value when the end is announced.
  public var hasTimedOut: Bool {
    false  // TODO: True when the deadline was first.
  }

  /// Begins the work.
  ///
  /// Only `start()` calls it.
  public override func main() {
    // TODO: Set the timer, call the block; finish when `done` is called or the deadline has passed.
    finish()
  }

  /// Given: the default scheduler, one Dispatch timer for each deadline.
  public static let dispatchTimer: Scheduler = { seconds, action in
    let timer = DispatchTimer(source: DispatchSource.makeTimerSource())
    timer.source.schedule(deadline: .now() + seconds)
    timer.source.setEventHandler(handler: action)
    timer.source.resume()
    return { timer.source.cancel() }
  }
}

// Given. Safe: any thread may cancel a Dispatch source; only on Apple's platforms does its type say
// so.
private struct DispatchTimer: @unchecked Sendable {
  let source: any DispatchSourceTimer
}
