// Page: make page KATA=BackgroundWork (Docs/ConcurrencyKatas.docc/BackgroundWork.md)

import Dispatch

/// Slow work on one queue, its result delivered on another.
///
/// - `run` returns at once: the caller has better things to do.
/// - `work` runs once, on the worker.
/// - When it's done, `completion` is called once, with its result, on the callback queue.
/// - Results are handed over in the order in which they are made: on a serial callback queue the
///   completions are called in that order.
/// - Nobody has to keep the value that `run` was called on.
///
/// Your turn, in `run`. A queue is a line of blocks that wait for a thread, and
/// `queue.async { … }` puts a block at the end of that line and returns at once. You need it twice:
/// once to get to the worker, and once, from there, to get to the callback queue.
public struct BackgroundWork: Sendable {
  private let worker: DispatchQueue
  private let callback: DispatchQueue

  /// Chooses the queues.
  ///
  /// - Parameters:
  ///   - worker: The queue that slow work runs on. How much of it runs at once is up to this queue:
  ///     a serial one does one piece of work after another, in the order of the calls.
  ///   - callback: The queue that completions are called on, such as the main queue.
  public init(worker: DispatchQueue, callback: DispatchQueue) {
    self.worker = worker
    self.callback = callback
  }

  /// Runs `work` on the worker, then hands its result to `completion` on the callback queue.
  ///
  /// Returns at once, whatever the two queues are busy with.
  ///
  /// - Parameters:
  ///   - work: Called once, on the worker.
  ///   - completion: Called once, on the callback queue, when the work is done; with its result. The
  ///     worker doesn't wait for it.
  public func run<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result,
    completion: @escaping @Sendable (Result) -> Void
  ) {
    // TODO: On the worker, call work(); then, on the callback queue, completion with its result.
  }
}
