// Page: make page KATA=TaskOperation (Docs/ConcurrencyKatas.docc/TaskOperation.md)

import AsyncOperations
import Foundation

// The base class is the finished one, AsyncOperations.AsyncOperation, and is named in full: your
// own AsyncOperation stands beside this file and may not be finished yet.

/// An operation whose work is `async`: a bridge from operations to Swift concurrency.
///
/// The work runs in a task of its own. So `async` functions can use what operations offer:
/// dependencies, priorities, limits, and one place to cancel.
///
/// ```swift
/// let load = TaskOperation { try await session.data(from: url).0 }
/// let show = BlockOperation { if case .success(let data)? = load.result { … } }
/// show.addDependency(load)
/// operations.addOperations([load, show], waitUntilFinished: false)
/// ```
///
/// - The operation is executing until its work has returned or thrown, even if it is cancelled
///   meanwhile, and then it finishes.
/// - While the work waits no thread is held, however many operations are under way.
/// - `start()` runs no part of the work itself.
/// - An operation that was started comes to its end, even if the caller doesn't retain it.
/// - If the operation is cancelled before its start, the work is never called, and there is no
///   result.
/// - If the work throws `CancellationError`, `isCancelled` is true when the end is announced, even
///   if `cancel()` wasn't called.
/// - No other error makes `isCancelled` true: not one that reports another cancellation, as
///   `URLError.cancelled` does, and not another error of work that has cancelled its own task.
///
/// Cancellation is cooperative: the work can check for it, as in any task, and ends when it chooses
/// to.
///
/// Source: Swift Evolution, SE-0304, "Structured concurrency", for tasks and their cancellation.
///
/// Your turn: write `result`, `main()` and `cancel()`.
///
/// - The base class calls `main()` once, on a thread of the queue: return from it without waiting
///   for the work. If the operation was cancelled before its start, `main()` isn't called. The
///   operation counts as unfinished until you call `finish()`, on any thread. Call it on every
///   path.
/// - `Task(priority:)` runs the work. Never block a thread to wait for a task: a semaphore may hold
///   the thread that the task needs.
/// - `finish()` announces the end. Before that, store the result, and call `super.cancel()` if the
///   work has thrown a `CancellationError`.
/// - An override of `cancel()` calls `super.cancel()`, which sets `isCancelled`. Another thread may
///   call it at any time, also when `main()` is about to create the task.
/// - `task.cancel()` runs the work's cancellation handlers before it returns, and they may read the
///   operation: hold no lock while you call it (callback under a lock).
///
/// Terms to search for: cooperative cancellation, unstructured task.
public final class TaskOperation<Success: Sendable>: AsyncOperations.AsyncOperation,
  @unchecked Sendable  // Safe: nothing changes yet; say what guards what you add.
{
  private let priority: TaskPriority?
  private let work: @Sendable () async throws -> Success

  /// Creates an operation, to be started by a queue or by hand.
  ///
  /// - `work` is called once, in the task, when the operation starts, even if the operation is
  ///   cancelled after its start and before the task is created.
  /// - The task has the priority `priority`; if that's nil, the one that `Task` has by default:
  ///   that of the task that calls `start()`, if a task calls it.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task; nil for the default.
  ///   - work: The work, which may throw.
  public init(
    priority: TaskPriority? = nil, work: @escaping @Sendable () async throws -> Success
  ) {
    self.priority = priority
    self.work = work
    super.init()
  }

  /// What the work has returned or thrown.
  ///
  /// - `result` is the value that the work has returned or the very error that it has thrown,
  ///   whether the operation was cancelled or not.
  /// - `result` is nil until the work has ended, even if the operation is cancelled.
  /// - When the operation announces its end, `result` is there, unless it was cancelled before its
  ///   start.
  /// - `result` may be read by any thread at any time, without a data race.
  public var result: Result<Success, any Error>? {
    nil  // TODO: The result.
  }

  /// Begins the work.
  ///
  /// Only `start()` calls it.
  public override func main() {
    // TODO: Run the work in a task; store its result and finish.
    finish()
  }

  /// Asks the work to stop.
  ///
  /// - Before the end, `cancel()` sets `isCancelled` and cancels the task, even if it's called
  ///   after the start and before the task is created.
  /// - When `cancel()` calls the work's cancellation handlers, `isCancelled` is already true, and
  ///   they may read the operation without a deadlock.
  public override func cancel() {
    super.cancel()
    // TODO: Cancel the task too.
  }
}
