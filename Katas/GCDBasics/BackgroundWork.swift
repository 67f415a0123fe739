// Page: make page KATA=BackgroundWork (Docs/ConcurrencyKatas.docc/BackgroundWork.md)
// Read first: make page KATA=GCDBasics (the chapter of the module)

import Dispatch

/// Slow work on one queue, its result delivered on another.
///
/// - `run` returns without waiting for its work or for earlier blocks on either queue, even if it's
///   called on one of them.
/// - `work` is called once, on the worker.
/// - `completion` is called once, on the callback queue, with the result of its own work.
/// - `completion` is submitted to the callback queue when its own work has returned, without
///   waiting for other work.
/// - The worker doesn't wait for a completion.
/// - How much work runs at once is up to the worker: a serial queue runs one piece at a time, in
///   the order of the calls; a concurrent one runs several at once.
/// - If the callback queue is serial, completions are called in the order in which their work
///   returned; if two return at nearly the same moment on a concurrent worker, either may come
///   first.
/// - The work and its completion are called even if the caller keeps neither the `BackgroundWork`
///   nor its queues.
///
/// Your turn, in `run`. A dispatch queue is a line of blocks that wait for a thread.
/// `queue.async { … }` puts a block at the end of that line and returns at once. Use it twice: the
/// caller submits a block to the worker, and that block submits another one to the callback queue.
public struct BackgroundWork: Sendable {
  private let worker: DispatchQueue
  private let callback: DispatchQueue

  /// Chooses the queues.
  ///
  /// - Parameters:
  ///   - worker: The queue that work runs on, serial or concurrent.
  ///   - callback: The queue that completions are called on, such as the main queue.
  public init(worker: DispatchQueue, callback: DispatchQueue) {
    self.worker = worker
    self.callback = callback
  }

  /// Runs `work` on the worker, then `completion` on the callback queue.
  ///
  /// - Parameters:
  ///   - work: Computes the result.
  ///   - completion: Receives the result.
  public func run<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result,
    completion: @escaping @Sendable (Result) -> Void
  ) {
    // TODO: On the worker, call work(); then, on the callback queue, completion with its result.
  }
}
