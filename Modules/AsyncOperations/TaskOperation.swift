import Foundation

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
/// Safe to use from every thread.
///
/// Source: Swift Evolution, SE-0304, "Structured concurrency", for tasks and their cancellation.
public final class TaskOperation<Success: Sendable>: AsyncOperation, @unchecked Sendable {
  // Safe: the variables are guarded by `lock`.

  private let priority: TaskPriority?
  private let work: @Sendable () async throws -> Success
  private let lock = NSLock()
  private var task: Task<Void, Never>?
  private var outcome: Result<Success, any Error>?

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
  public var result: Result<Success, any Error>? { lock.withLock { outcome } }

  /// Begins the work.
  ///
  /// Only `start()` calls it.
  public override func main() {
    let task = Task(priority: priority) {
      do {
        end(.success(try await work()))
      } catch {
        end(.failure(error))
      }
    }
    lock.withLock { self.task = task }
    // A `cancel()` that came before the task was stored has cancelled nothing.
    if isCancelled { task.cancel() }
  }

  /// Asks the work to stop.
  ///
  /// - Before the end, `cancel()` sets `isCancelled` and cancels the task, even if it's called
  ///   after the start and before the task is created.
  /// - When `cancel()` calls the work's cancellation handlers, `isCancelled` is already true, and
  ///   they may read the operation without a deadlock.
  public override func cancel() {
    super.cancel()
    // Called without the lock: it runs the cancellation handlers of the work.
    lock.withLock { task }?.cancel()
  }

  private func end(_ outcome: Result<Success, any Error>) {
    lock.withLock { self.outcome = outcome }
    if case .failure(let error) = outcome, error is CancellationError { super.cancel() }
    finish()
  }
}
