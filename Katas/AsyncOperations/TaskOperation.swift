// Page: make page KATA=TaskOperation (Docs/ConcurrencyKatas.docc/TaskOperation.md)

import AsyncOperations
import Foundation

// The base class is the finished one, AsyncOperations.AsyncOperation, and is named in full: your
// own AsyncOperation stands beside this file and may not be finished yet.

/// An operation whose work is `async`: a bridge from operations to Swift concurrency.
///
/// The work runs in a task of its own, and the operation is finished when that has ended. Until
/// then it executes, as far as its queue is concerned, and no thread is held: a thousand of these
/// may wait for replies at once. No part of the work runs on the thread that starts it. So
/// functions that are `async` take part in what operations are good at: dependencies, priorities,
/// limits, and one place to cancel.
///
/// ```swift
/// let load = TaskOperation { try await session.data(from: url).0 }
/// let show = BlockOperation { if case .success(let data)? = load.result { … } }
/// show.addDependency(load)
/// operations.addOperations([load, show], waitUntilFinished: false)
/// ```
///
/// **The result** is what the work has returned or thrown; an error keeps its type. It is there
/// when the operation is finished: dependents and whoever hears of the end find it.
///
/// **Cancellation goes both ways.** `cancel()` cancels the task, also at the very moment of the
/// start; the work sees it, as all tasks do, and ends when it likes. Work that ends by throwing
/// `CancellationError` leaves the operation cancelled (`isCancelled`), even if nobody has cancelled
/// it from outside; no other error does. Work that ends otherwise has the result it has, cancelled
/// or not. An operation that is cancelled before it starts never calls its work, and has no result.
///
/// Safe to use from every thread.
///
/// Source: Swift Evolution, SE-0304, "Structured concurrency", for tasks and their cancellation.
///
/// Your turn: write `result`, `main()` and `cancel()`.
///
/// - The base class calls `main()` once, on a thread of its queue's that you give back at once, and
///   not at all where the operation was cancelled before. It takes the operation for unfinished
///   until you call `finish()`, on any thread. Whatever happens, it must be called.
/// - `Task(priority:)` runs the work. Never wait for a task on a thread: a semaphore holds the
///   thread that the task may need.
/// - `finish()` announces the end there and then: before that, store the result, and call
///   `super.cancel()` where the work has ended by `CancellationError`.
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
  /// - Parameters:
  ///   - priority: The priority of the task; nil for the default.
  ///   - work: Called once, in the task, unless the operation is cancelled before it starts; also
  ///     where it is cancelled at the very moment of the start.
  public init(
    priority: TaskPriority? = nil, work: @escaping @Sendable () async throws -> Success
  ) {
    self.priority = priority
    self.work = work
    super.init()
  }

  /// What the work has returned or thrown; nil as long as it hasn't.
  public var result: Result<Success, any Error>? {
    nil  // TODO: The result.
  }

  /// Begins the work.
  ///
  /// To be called by `start()` alone.
  public override func main() {
    // TODO: Run the work in a task; store its result and finish.
    finish()
  }

  /// Asks the work to stop, by cancelling its task.
  ///
  /// When the work's cancellation handlers are called, `isCancelled` is true already, and they may
  /// ask the operation. It is finished when the work has ended.
  public override func cancel() {
    super.cancel()
    // TODO: Cancel the task too.
  }
}
