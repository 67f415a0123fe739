import AsyncOperations
import Foundation

/// An operation that gives up after some seconds, and says so.
///
/// It's over when its work has ended, when its time is up, or when it's cancelled: whichever comes
/// first. Whoever waits for it then reads in ``outcome`` which of the three it was.
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
/// **The first one settles it.** The outcome stays as it is then: a value that comes late, a timer
/// that goes off late, a late ``cancel()`` have no effect. The operation finishes once, and at once:
/// it doesn't wait for work that it has given up.
///
/// **Work that's given up is told to stop**, by the closure that it has returned, once. Where it hasn't
/// returned yet it's told as soon as it has. Work that has ended isn't told.
///
/// **Its time counts from its start**, not from when it's made: the time in a queue is free. Nothing
/// waits for the timer but the timer, so any number of operations may work without a thread.
///
/// **When it's over it has let go** of its work, of the way to stop it, and of the timer, which is
/// cancelled. Whoever still keeps `complete` or the timer's action keeps neither the operation nor
/// its work. Whether anything but its queue keeps it while it works is left open.
///
/// **Cancelled before its start**, the outcome is settled at once, but the operation is finished by
/// its start, as its queue expects: without any work, and without a timer.
///
/// Safe to use from every thread. No lock is held while anything is called that it was given.
///
/// Source: "Responding to the Cancel Command" in Apple's documentation of `Operation`.
public final class DeadlineOperation: AsyncOperation, @unchecked Sendable {
  // Safe: the variables are guarded by `lock`.

  /// What the operation came to.
  public enum Outcome: Sendable {
    /// The work has ended in time, with this value.
    case completed(Data)
    /// Its time was up before the work had ended.
    case timedOut
    /// It was cancelled before the work had ended.
    case cancelled
  }

  /// Tells the work that nobody waits for it any more.
  public typealias Stop = @Sendable () -> Void

  /// The work: it begins, returns soon how to stop it, and calls `complete` when it has ended.
  public typealias Work =
    @Sendable (_ complete: @escaping @Sendable (Data) -> Void) -> Stop

  private let deadline: TimeInterval
  private let schedule: AsyncBlockOperation.Scheduler
  private let lock = NSLock()
  private var settled: Outcome?
  private var belongings: Belongings

  /// What it needs until it's over.
  private struct Belongings {
    var work: Work?
    var stopWork: Stop?
    var cancelTimer: (@Sendable () -> Void)?
  }

  /// Creates an operation that waits to be started.
  ///
  /// - Parameters:
  ///   - deadline: The time that the work has, in seconds, counted from just before it's begun.
  ///   - schedule: Sets the timer, on the thread that starts the operation; a timer of Dispatch by
  ///     default.
  ///   - work: Called once when the operation starts, on the thread that starts it, unless the
  ///     outcome is settled by then. It may call `complete` at once or later, on any thread. What it
  ///     returns is called on the thread that gives the work up; or, where the work hadn't returned
  ///     by then, on the one that began it.
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

  /// What it has come to; nil until that is settled, which is before it's announced as finished.
  public var outcome: Outcome? { lock.withLock { settled } }

  /// Settles the outcome as cancelled, unless it's settled already.
  ///
  /// Where it settles the outcome, `isCancelled` is true before it calls anything else. Where that was
  /// settled before, it stays, and `isCancelled` is as it was.
  public override func cancel() {
    settle(.cancelled)
  }

  /// Sets the timer and begins the work.
  ///
  /// To be called by `start()` alone.
  public override func main() {
    guard outcome == nil else {
      // Cancelled since start() has looked. That cancel() may have found nothing to finish yet; or it
      // hasn't told Foundation, which ignores what is finished, and finishes it after that.
      if isCancelled { finish() }
      return
    }
    // Before the work, whose time it is: that may end at once, and has to find the timer.
    let cancelTimer = schedule(deadline) { [weak self] in self?.settle(.timedOut) }
    if !keep(cancelTimer, in: \.cancelTimer) { cancelTimer() }

    // Taken, not only read: once it has begun, nobody needs what it has captured.
    let work = lock.withLock {
      defer { belongings.work = nil }
      return belongings.work
    }
    guard let work else { return }
    let stopWork = work { [weak self] value in self?.settle(.completed(value)) }
    if !keep(stopWork, in: \.stopWork), isGivenUp { stopWork() }
  }

  /// Whether it's over without a value.
  private var isGivenUp: Bool {
    switch outcome {
    case .timedOut, .cancelled: true
    case .completed, nil: false
    }
  }

  /// Keeps a closure until it's over; false where it's over by now.
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

  /// Settles the outcome and ends the operation, or does nothing where it's settled.
  private func settle(_ outcome: Outcome) {
    let belongings: Belongings? = lock.withLock {
      guard settled == nil else { return nil }
      settled = outcome
      // Handed out, and let go of without the lock: what they have captured may call the operation.
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
