// Page: make page KATA=FinishOnce (Docs/ConcurrencyKatas.docc/FinishOnce.md)

import Foundation

/// An operation that several callbacks may end, and that ends once: with the first answer.
///
/// A request ends when its reply arrives, when its time is up, or when the connection breaks. Each
/// of these is reported by a callback of its own, on its own thread, and several may come at the
/// same moment. So each callback calls `finish`: the first call ends the operation, and the others
/// learn that they are too late.
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
/// - However often and from however many threads `finish` is called, the first call ends the
///   operation and returns true.
/// - Every other call of `finish` has no effect and returns false, whatever its answer.
/// - While the first call is still announcing the end, every other call returns false at once, on
///   the same thread and on another.
/// - `isFinished` is announced once, and the completion block is called once.
/// - If the operation is cancelled before its start, it never calls `work`; it is finished, without
///   an answer, when it's started and not before.
/// - `cancel()` doesn't end an operation whose work has begun; `finish` does, as without a
///   cancellation.
/// - No lock is held while the operation sends a notice or calls `work`.
/// - `finish`, `answer`, `isExecuting` and `isFinished` may be used by several threads at once,
///   without a data race.
/// - `finish` retains the operation. When the operation has ended and `work` has returned, the
///   operation doesn't retain `finish`.
/// - Each operation has a state of its own: an operation may start while another one sends a
///   notice.
///
/// Source: "Methods to Override" in Apple's documentation of `Operation`.
///
/// Your turn: `start()` is right, and so is the change with its notifications. But every call of
/// `finish` ends the operation, again and again, each with another answer. Write `finish(_:)`.
///
/// 1. The first call ends the operation and returns true; every later call has no effect and
///    returns false.
/// 2. Two threads may call it at the same moment. To check whether it's finished and then finish it
///    is a check-then-act race: both would check before either has finished it. Decide which call
///    is first in one critical section, and set a flag there.
/// 3. Hold the lock only for the decision and for the change. An observer may read the state from
///    any thread, and may call `finish` too, so send the notifications without the lock.
/// 4. Only the first answer is stored. `change` stores it before the end is announced.
public final class FirstAnswerOperation: Operation, @unchecked Sendable {  // Safe: behind `lock`.
  /// Ends the operation with an answer, unless it has ended or another call is ending it.
  ///
  /// Returns whether this call ends it.
  public typealias Finish = @Sendable (_ answer: String) -> Bool

  private let work: @Sendable (_ finish: @escaping Finish) -> Void
  private let lock = NSLock()
  private var state = State.waiting
  private var kept: String?

  /// Creates an operation, to be started by a queue or by hand.
  ///
  /// - `work` is called once, when the operation starts, on the thread that starts it.
  /// - `finish` ends the operation whether it's called inside `work` or later, on any thread.
  ///
  /// - Parameter work: Begins the work, and hands `finish` to all callbacks that may end the
  ///   operation.
  public init(work: @escaping @Sendable (_ finish: @escaping Finish) -> Void) {
    self.work = work
    super.init()
  }

  /// The answer with which the operation has ended.
  ///
  /// - `answer` is nil until the first call of `finish`, and is there when the end is announced.
  /// - `answer` is that of the call that ended the operation, even if it's empty, and never
  ///   changes.
  public var answer: String? { lock.withLock { kept } }

  /// Whether the work may continue after ``start()`` has returned.
  ///
  /// - `isAsynchronous` is true.
  public override var isAsynchronous: Bool { true }

  /// Whether the work is running.
  ///
  /// - `isExecuting` becomes true just before `work` is called, and false when a call of `finish`
  ///   ends the operation.
  public override var isExecuting: Bool { lock.withLock { state == .executing } }

  /// Whether the operation has ended, by `finish` or by the start of a cancelled operation.
  public override var isFinished: Bool { lock.withLock { state == .finished } }

  /// Calls `main()`; or finishes at once, without it, if the operation is cancelled.
  ///
  /// A queue calls it. Call it by hand only on an operation that is in no queue.
  public override func start() {
    guard !isCancelled else { return change(from: .waiting, to: .finished) }
    change(from: .waiting, to: .executing)
    main()
  }

  /// Begins the work.
  ///
  /// Only ``start()`` calls it.
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

    /// The property that is true in this state only.
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
