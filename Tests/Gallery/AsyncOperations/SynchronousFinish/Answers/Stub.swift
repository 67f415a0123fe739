// Page: make page KATA=SynchronousFinish (Docs/ConcurrencyKatas.docc/SynchronousFinish.md)

import Foundation

/// Loads data, and looks first whether it is at hand already.
///
/// What is at hand ends the operation inside `main()`. What isn't is asked for, and ends the
/// operation when it comes: much later, or on another thread before `main()` has returned. To
/// everything outside it's the same operation.
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
/// - The operation is executing before it calls `cached` or `load`, and until the data is there.
/// - If the data is at hand, the operation ends at once, inside `main()`.
/// - When the data is there, the operation finishes, once and for good, and is no longer executing,
///   whatever `start()` has still to do.
/// - Every change of `isExecuting` and `isFinished` is announced by a *will* before it and a *did*
///   after it, however soon the end comes.
/// - If the operation is cancelled before its start, it never executes and calls no closure; it is
///   finished, without data, when it's started and not before.
/// - If the operation is cancelled after its start, it goes on until the data comes, and still
///   calls `load` if the data isn't at hand.
/// - No lock is held while the operation sends a notice or calls `cached` or `load`.
/// - `data`, `isExecuting`, `isFinished` and `completion` may be used by several threads at once,
///   without a data race.
/// - `completion` retains the operation.
/// - Each operation has state and data of its own: an operation may start or end while another one
///   is at work.
///
/// Source: "Methods to Override" in Apple's documentation of `Operation`.
///
/// Your turn: this is the operation as many tutorials have it. When the data comes from far away it
/// seems to work. When the data is at hand it never ends: find out why, and make it right.
///
/// 1. `start()`: what happens if the end comes inside `main()`? Which state must it be in before
///    anything is called? And what if it's cancelled by then? It must finish all the same.
/// 2. `finish(_:)`: an observer of the end looks for the data at once. And it may be called
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
  /// - `cached` is called once, when the operation starts, on the thread that starts it.
  /// - `load` is called once after that, on the same thread, if `cached` returns nil; it isn't
  ///   called if `cached` returns data, even if that's empty.
  /// - The first call of `completion` ends the operation before it returns, inside `load` or later,
  ///   on any thread, even with empty data.
  /// - Every other call of `completion` has no effect, also if it comes at the same moment.
  ///
  /// - Parameters:
  ///   - cached: Returns the data if it's at hand, and nil if it isn't.
  ///   - load: Begins to load the data, and calls `completion` when it's there.
  public init(
    cached: @escaping @Sendable () -> Data?,
    load: @escaping @Sendable (_ completion: @escaping Completion) -> Void
  ) {
    self.cached = cached
    self.load = load
    super.init()
  }

  /// The data that the operation has ended with.
  ///
  /// - `data` is nil until the data is there, and has it when the end is announced.
  public var data: Data? { lock.withLock { loaded } }

  /// Whether the work may go on after ``start()`` has returned.
  ///
  /// - `isAsynchronous` is true.
  public override var isAsynchronous: Bool { true }

  /// Whether the work has begun and the data isn't there.
  public override var isExecuting: Bool { lock.withLock { current == .executing } }

  /// Whether the data is there, or the operation was cancelled before its start and then started.
  public override var isFinished: Bool { lock.withLock { current == .finished } }

  /// Calls `main()`; or finishes at once, without it, if the operation is cancelled.
  ///
  /// A queue calls it. Call it by hand only on an operation that is in no queue.
  public override func start() {
    // TODO: Step 1.
    main()
    state = .executing
  }

  /// Looks whether the data is at hand, and loads it if it isn't.
  ///
  /// Only ``start()`` calls it.
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
