// Page: make page KATA=TaskOperation (Docs/ConcurrencyKatas.docc/TaskOperation.md)

import AsyncOperations
import Foundation

// The base class is the finished one, AsyncOperations.AsyncOperation, and is named in full: your
// own AsyncOperation stands beside this file and may not be finished yet.

/// An operation whose work is `async`: a bridge from operations to Swift concurrency.
///
/// The work runs in a task of its own. So functions that are `async` take part in what operations
/// are good at: dependencies, priorities, limits, and one place to cancel.
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
/// - No part of the work runs on the thread that starts the operation.
/// - An operation that was started comes to its end, even if the caller doesn't retain it.
/// - If the operation is cancelled before its start, the work is never called, and there is no
///   result.
/// - If the work throws `CancellationError`, `isCancelled` is true when the end is announced, even
///   if `cancel()` wasn't called.
/// - No other error makes `isCancelled` true, neither one that reports another cancellation nor one
///   of work that has cancelled its own task.
///
/// Work that is cancelled sees it, as all tasks do, and ends when it likes.
///
/// Source: Swift Evolution, SE-0304, "Structured concurrency", for tasks and their cancellation.
///
/// Your turn: write `result`, `main()` and `cancel()`.
///
/// - The base class calls `main()` once, on a thread of its queue's that you give back at once, and
///   not at all if the operation was cancelled before. It takes the operation for unfinished
///   until you call `finish()`, on any thread. Whatever happens, it must be called.
/// - `Task(priority:)` runs the work. Never wait for a task on a thread: a semaphore holds the
///   thread that the task may need.
/// - `finish()` announces the end there and then: before that, store the result, and call
///   `super.cancel()` if the work has ended by `CancellationError`.
/// - An override of `cancel()` calls `super.cancel()`, which makes `isCancelled` true. Another
///   thread may call it at any time, also when `main()` is about to make the task.
/// - `task.cancel()` runs the work's cancellation handlers there and then, and they may ask the
///   operation: hold no lock while you call it.
public final class TaskOperation<Success: Sendable>: AsyncOperations.AsyncOperation,
  @unchecked Sendable  // Safe: nothing changes yet; say what guards what you add.
{
  private let priority: TaskPriority?
  private let work: @Sendable () async throws -> Success

  /// Creates an operation that waits to be started.
  ///
  /// - `work` is called once, in the task, when the operation starts, even if it is cancelled at
  ///   the very moment of the start.
  /// - The task has the priority `priority`; if that's nil, the one that `Task` has by default.
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
  /// - When the operation announces its end, `result` is there.
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
  /// - `cancel()` sets `isCancelled` and cancels the task, even if it's called at the very moment
  ///   of the start, before the task is made.
  /// - When the work's cancellation handlers are called, `isCancelled` is true already, and they
  ///   may ask the operation without a deadlock.
  public override func cancel() {
    super.cancel()
    // TODO: Cancel the task too.
  }
}
