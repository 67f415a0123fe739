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
/// Safe to use from every thread.
///
/// Source: "Methods to Override" in Apple's documentation of `Operation`.
public final class FirstAnswerOperation: Operation, @unchecked Sendable {  // Safe: behind `lock`.
  /// Ends the operation with an answer, unless it has ended or another call is ending it.
  ///
  /// Returns whether this call ends it.
  public typealias Finish = @Sendable (_ answer: String) -> Bool

  private let work: @Sendable (_ finish: @escaping Finish) -> Void
  private let lock = NSLock()
  private var state = State.waiting
  /// Whether a thread has decided on a change and hasn't made it yet; no other may decide
  /// meanwhile.
  private var isChanging = false
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
    guard !isCancelled else {
      change(from: .waiting, to: .finished)
      return
    }
    guard change(from: .waiting, to: .executing) else { return }
    main()
  }

  /// Begins the work.
  ///
  /// Only ``start()`` calls it.
  public override func main() {
    work { [self] answer in finish(answer) }
  }

  private func finish(_ answer: String) -> Bool {
    change(from: .executing, to: .finished, keeping: answer)
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

  /// Makes a change and announces it, unless the operation isn't in `old`, or another thread is
  /// making a change.
  ///
  /// - Returns: Whether this call has made the change.
  @discardableResult
  private func change(from old: State, to new: State, keeping answer: String? = nil) -> Bool {
    let isMine = lock.withLock {
      guard state == old, !isChanging else { return false }
      isChanging = true
      return true
    }
    guard isMine else { return false }

    let keys = [new.key, old.key].compactMap(\.self)
    for key in keys { willChangeValue(forKey: key) }
    lock.withLock {
      kept = answer
      state = new
      isChanging = false
    }
    for key in keys.reversed() { didChangeValue(forKey: key) }
    return true
  }
}
