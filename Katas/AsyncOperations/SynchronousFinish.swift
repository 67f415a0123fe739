// Page: make page KATA=SynchronousFinish (Docs/ConcurrencyKatas.docc/SynchronousFinish.md)

import Foundation

/// Loads data, and looks first whether it is at hand already.
///
/// What is at hand ends the operation at once, inside `main()`. What isn't is asked for, and ends
/// the operation when it comes: much later, or on another thread before `main()` has returned. It's
/// the same operation to everybody outside.
///
/// ```swift
/// let load = CachedLoadOperation {
///   cache.data(for: url)
/// } load: { completion in
///   session.data(for: url, completion)
/// }
/// load.completionBlock = { show(load.data) }
/// queue.addOperation(load)
/// ```
///
/// **The order of states.** It executes before anything of it is called, and until its end. Then it
/// is finished, for good: whatever `start()` has still to do, nothing follows on finished. Every
/// change is announced by key-value observing, however soon the end comes.
///
/// **The result.** ``data`` is there by the time the operation is finished, so that whoever hears
/// of the end finds it.
///
/// **Cancellation.** An operation that is cancelled before its start looks and loads nothing; it is
/// finished, without data, when it's started. Cancelled later, it goes on until the data comes.
///
/// Safe to use from every thread. No lock is held while it notifies or calls out. It is kept alive
/// by the completion that it hands out, for as long as somebody keeps that.
///
/// Source: "Methods to Override" in Apple's documentation of `Operation`.
///
/// Your turn: this is the operation as many tutorials have it. When the data comes from far away it
/// seems to work. When the data is at hand it never ends: find out why, and make it right.
///
/// 1. `start()`: what happens if the end comes inside `main()`? Which state must it be in before
///    anything is called? And what if it's cancelled by then? It must finish all the same.
/// 2. `finish(_:)`: whoever hears of the end looks for the data at once. And it may be called
///    twice, by two threads at the same moment; the first one counts.
/// 3. Finished is final. Let the state refuse a move that doesn't come from where it should: decide
///    that under the lock, with a note that a thread is on its way; but send the notices without
///    it.
///
/// The notices themselves are right: both properties, before and after the change. Don't call
/// `super.start()`; Foundation's own would take the return of `main()` for the end. `cancel()` is
/// right as it's inherited.
public final class CachedLoadOperation: Operation, @unchecked Sendable {  // Safe: behind `lock`.
  /// To be called with the data when it's there.
  public typealias Completion = @Sendable (_ data: Data) -> Void

  private let cached: @Sendable () -> Data?
  private let load: @Sendable (_ completion: @escaping Completion) -> Void
  private let lock = NSLock()
  private var current = State.waiting
  private var loaded: Data?

  /// Creates an operation that waits to be started.
  ///
  /// - Parameters:
  ///   - cached: Called once when the operation works, on the thread that starts it. Returns the
  ///     data if it's at hand, and be it empty.
  ///   - load: Called once after that, on the same thread, unless the data is at hand. Begins to
  ///     load it, and calls `completion` when it's there: at once or later, from any thread. The
  ///     first call ends the operation; every other has no effect, also at the same moment.
  public init(
    cached: @escaping @Sendable () -> Data?,
    load: @escaping @Sendable (_ completion: @escaping Completion) -> Void
  ) {
    self.cached = cached
    self.load = load
    super.init()
  }

  /// The data, from the moment that it's there.
  ///
  /// Nil until then, and for good where the operation was cancelled before its start.
  public var data: Data? { lock.withLock { loaded } }

  /// True: the work may go on after ``start()`` has returned.
  public override var isAsynchronous: Bool { true }

  /// Whether the work has begun and the data isn't there.
  public override var isExecuting: Bool { lock.withLock { current == .executing } }

  /// Whether the data is there, or the operation was cancelled before its start and then started.
  public override var isFinished: Bool { lock.withLock { current == .finished } }

  /// Calls `main()`; or finishes at once, without it, where the operation is cancelled.
  ///
  /// A queue calls it. Call it by hand only on an operation that is in no queue.
  public override func start() {
    // TODO: Step 1.
    main()
    state = .executing
  }

  /// Looks whether the data is at hand, and loads it if it isn't.
  ///
  /// To be called by ``start()`` alone.
  public override func main() {
    if let data = cached() {
      finish(data)
    } else {
      load { [self] data in finish(data) }
    }
  }

  private func finish(_ data: Data) {
    // TODO: Step 2.
    state = .finished
    lock.withLock { loaded = data }
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

  private var state: State {
    get { lock.withLock { current } }
    set {
      let keys = [newValue.key, state.key].compactMap(\.self)
      for key in keys { willChangeValue(forKey: key) }
      lock.withLock { current = newValue }
      for key in keys.reversed() { didChangeValue(forKey: key) }
    }
  }
}
