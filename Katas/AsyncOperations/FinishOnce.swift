// Page: make page KATA=FinishOnce (Docs/ConcurrencyKatas.docc/FinishOnce.md)

import Foundation

/// An operation that several parties may end, and that ends once: with the first answer.
///
/// A request is over when its reply comes, or when its time is up, or when the connection breaks.
/// Each of them is told by another callback, on a thread of its own, and they may come at the same
/// moment. So each of them calls `finish`; the first call ends the operation, and the others learn
/// that they come too late.
///
/// ```swift
/// let request = FirstAnswerOperation { finish in
///   server.ask { reply in
///     _ = finish("reply: \(reply)")
///   }
///   clock.wait {
///     if finish("timed out") { server.hangUp() }
///   }
/// }
/// queue.addOperation(request)
/// ```
///
/// **Once.** However often and from however many threads `finish` is called, one call ends the
/// operation: its answer is kept, `isFinished` is announced once, and the completion block is
/// called once. Every other call has no effect and returns false, at once, also while the first is
/// still announcing the end.
///
/// **The answer.** ``answer`` is there by the time the operation is finished, and never changes.
///
/// **Cancellation.** An operation that is cancelled before its start never works; it is finished,
/// without an answer, when it's started. `cancel()` doesn't end an operation that works: let
/// whoever hears of the cancellation call `finish` like everybody else.
///
/// Safe to use from every thread. No lock is held while it notifies or calls out. It is kept alive
/// by the `finish` that it hands out, for as long as somebody keeps that.
///
/// Source: "Methods to Override" in Apple's documentation of `Operation`.
///
/// Your turn: the start is right, and so is the change with its notices. But whoever calls `finish`
/// ends the operation, again and again, each with another answer. Write `finish(_:)`.
///
/// 1. The first call ends it and returns true; every later one has no effect and returns false.
/// 2. Two threads may call it at the same moment. Looking whether it's finished and then finishing
///    it is not enough: both would look before either has finished it. Who comes first must be
///    decided in one step, under the lock, and noted there.
/// 3. Keep the lock for the decision and the change. Whoever hears the notices may ask for the
///    state from any thread, and may call `finish` too; so send them without it.
/// 4. The answer is kept before the end is announced, and only that of the first call.
public final class FirstAnswerOperation: Operation, @unchecked Sendable {  // Safe: behind `lock`.
  /// Ends the operation with an answer, unless it has ended or is about to.
  ///
  /// Returns whether this call ends it.
  public typealias Finish = @Sendable (_ answer: String) -> Bool

  private let work: @Sendable (_ finish: @escaping Finish) -> Void
  private let lock = NSLock()
  private var state = State.waiting
  private var kept: String?

  /// Creates an operation that waits to be started.
  ///
  /// - Parameter work: Called once when the operation starts, unless it's cancelled by then; on the
  ///   thread that starts it. Begins the work, and hands `finish` to all who may end it: they call
  ///   it at once or later, from any thread, as often as they like.
  public init(work: @escaping @Sendable (_ finish: @escaping Finish) -> Void) {
    self.work = work
    super.init()
  }

  /// The answer of whoever has ended the operation; it may be empty.
  ///
  /// Nil before the end, and for good where the operation was cancelled before its start.
  public var answer: String? { lock.withLock { kept } }

  /// True: the work may go on after ``start()`` has returned.
  public override var isAsynchronous: Bool { true }

  /// Whether the work has begun and nobody has ended it.
  public override var isExecuting: Bool { lock.withLock { state == .executing } }

  /// Whether somebody has ended it, or it was cancelled before its start and then started.
  public override var isFinished: Bool { lock.withLock { state == .finished } }

  /// Calls `main()`; or finishes at once, without it, where the operation is cancelled.
  ///
  /// A queue calls it. Call it by hand only on an operation that is in no queue.
  public override func start() {
    guard !isCancelled else { return change(from: .waiting, to: .finished) }
    change(from: .waiting, to: .executing)
    main()
  }

  /// Begins the work.
  ///
  /// To be called by ``start()`` alone.
  public override func main() {
    work { [self] answer in finish(answer) }
  }

  private func finish(_ answer: String) -> Bool {
    // TODO: Once.
    change(from: .executing, to: .finished, keeping: answer)
    return true
  }

  // MARK: - The state and its notices

  private enum State {
    case waiting, executing, finished

    /// The property that is true in this state and no other.
    var key: String? {
      switch self {
      case .waiting: nil
      case .executing: "isExecuting"
      case .finished: "isFinished"
      }
    }
  }

  /// Makes a change and announces it.
  private func change(from old: State, to new: State, keeping answer: String? = nil) {
    let keys = [new.key, old.key].compactMap(\.self)
    for key in keys { willChangeValue(forKey: key) }
    lock.withLock {
      kept = answer
      state = new
    }
    for key in keys.reversed() { didChangeValue(forKey: key) }
  }
}
