import AsyncOperations
import Foundation

/// An operation with a deadline: if its work doesn't end in time, it gives up and reports that.
///
/// It ends when its work has ended, when its time is up, or when it's cancelled, whichever comes
/// first. ``outcome`` says which of the three it was.
///
/// ```swift
/// let load = DeadlineOperation(deadline: 30) { complete in
///   let task = session.dataTask(with: url) { data, _, _ in complete(data ?? Data()) }
///   task.resume()
///   return { task.cancel() }
/// }
/// queue.addOperation(load)
/// ```
///
/// - The first of value, timer and `cancel()` settles the outcome for good; what comes later has no
///   effect, not even on `isCancelled`.
/// - The outcome tells which came first: a value, even an empty one, the timer, or a cancellation.
/// - When the outcome is settled, the operation finishes without waiting for the work, even if
///   `work` hasn't returned.
/// - The operation is announced as finished once, and its outcome is there by then.
/// - If the timer or `cancel()` settles the outcome after `work` has returned, the settling thread
///   stops the work once, by calling the closure that `work` returned.
/// - If the timer or `cancel()` settles the outcome before `work` has returned, the thread that
///   began the work stops it as soon as `work` has returned.
/// - Work that has ended in time isn't stopped.
/// - The deadline counts from the start: the timer is set before the work is begun, not when the
///   operation is created.
/// - If the operation ends before its time is up, its timer is cancelled; if it was still being
///   set, as soon as `schedule` has returned.
/// - While the operation works, it blocks no thread, so a hundred may work at once.
/// - A finished operation retains neither its work nor the closures that stop the work and cancel
///   the timer.
/// - `complete` and the timer's action retain neither a finished operation nor its work.
/// - An operation that is cancelled before its start is finished by its start, not before, without
///   work or timer.
/// - While the operation calls a closure that it was given or sends a notification, every thread
///   may call the operation and `complete` without blocking.
/// - Several threads may call the operation, and `complete`, at once without a data race.
///
/// Whether anything except its queue retains the operation while it works is left open.
///
/// Safe to use from every thread.
///
/// Source: "Responding to the Cancel Command" in Apple's documentation of `Operation`.
public final class DeadlineOperation: AsyncOperation, @unchecked Sendable {
  // Safe: the variables are guarded by `lock`.

  /// How the operation ended.
  public enum Outcome: Sendable {
    /// The work has ended in time, with this value.
    case completed(Data)
    /// The time was up before the work had ended.
    case timedOut
    /// It was cancelled before the work had ended.
    case cancelled
  }

  /// Stops work whose value is no longer wanted.
  public typealias Stop = @Sendable () -> Void

  /// The work: it begins, soon returns a closure that stops it, and calls `complete` when it has
  /// ended.
  public typealias Work =
    @Sendable (_ complete: @escaping @Sendable (Data) -> Void) -> Stop

  private let deadline: TimeInterval
  private let schedule: AsyncBlockOperation.Scheduler
  private let lock = NSLock()
  private var settled: Outcome?
  private var belongings: Belongings

  /// What the operation needs until the outcome is settled.
  private struct Belongings {
    var work: Work?
    var stopWork: Stop?
    var cancelTimer: (@Sendable () -> Void)?
  }

  /// Creates an operation that waits to be started.
  ///
  /// - `work` is called once, on the thread that starts the operation, unless the outcome is
  ///   settled by the time that the timer has been set.
  /// - The timer is set by `schedule`, or by default by Dispatch, for `deadline` seconds, on the
  ///   thread that starts the operation.
  ///
  /// - Parameters:
  ///   - deadline: The time that the work has, in seconds.
  ///   - schedule: Sets the timer.
  ///   - work: Begins the work and returns a closure that stops it. It may call `complete` at once
  ///     or later, on any thread.
  public init(
    deadline: TimeInterval,
    schedule: @escaping AsyncBlockOperation.Scheduler = AsyncBlockOperation.dispatchTimer,
    work: @escaping Work
  ) {
    self.deadline = deadline
    self.schedule = schedule
    belongings = Belongings(work: work)
    super.init()
  }

  /// The outcome; nil until it is settled.
  public var outcome: Outcome? { lock.withLock { settled } }

  /// Settles the outcome as cancelled, unless it's settled already.
  ///
  /// - When `cancel()` returns, the outcome is settled, even if the operation hasn't been started.
  /// - If `cancel()` settles the outcome, `isCancelled` is true before `cancel()` calls anything
  ///   else, and before the operation finishes.
  public override func cancel() {
    settle(.cancelled)
  }

  /// Sets the timer and begins the work.
  ///
  /// Only `start()` may call it.
  public override func main() {
    guard outcome == nil else {
      // Cancelled after start() had checked. Either that cancel() called finish() too early; or it
      // hasn't called super.cancel() yet, which must come before the end, and calls finish() after
      // that.
      if isCancelled { finish() }
      return
    }
    // Before the work, which may end at once and must find the timer then.
    let cancelTimer = schedule(deadline) { [weak self] in self?.settle(.timedOut) }
    if !keep(cancelTimer, in: \.cancelTimer) { cancelTimer() }

    // Taken, not only read: once the work has begun, its closure can be released.
    let work = lock.withLock {
      defer { belongings.work = nil }
      return belongings.work
    }
    guard let work else { return }
    let stopWork = work { [weak self] value in self?.settle(.completed(value)) }
    if !keep(stopWork, in: \.stopWork), isGivenUp { stopWork() }
  }

  /// Whether the outcome is settled, without a value.
  private var isGivenUp: Bool {
    switch outcome {
    case .timedOut, .cancelled: true
    case .completed, nil: false
    }
  }

  /// Keeps a closure until the outcome is settled; returns false if it is already.
  private func keep(
    _ closure: @escaping @Sendable () -> Void,
    in place: WritableKeyPath<Belongings, (@Sendable () -> Void)?>
  ) -> Bool {
    lock.withLock {
      guard settled == nil else { return false }
      belongings[keyPath: place] = closure
      return true
    }
  }

  /// Settles the outcome and ends the operation, unless the outcome is settled.
  private func settle(_ outcome: Outcome) {
    let belongings: Belongings? = lock.withLock {
      guard settled == nil else { return nil }
      settled = outcome
      // Returned, so that they are released without the lock: their captures may call the
      // operation.
      defer { self.belongings = Belongings() }
      return self.belongings
    }
    guard let belongings else { return }
    if case .cancelled = outcome { super.cancel() }
    belongings.cancelTimer?()
    if isGivenUp { belongings.stopWork?() }
    finish()
  }
}
