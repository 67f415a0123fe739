// Page: make page KATA=SynchronousFinish (Docs/ConcurrencyKatas.docc/SynchronousFinish.md)

import Foundation

/// An operation that loads data, unless the data is at hand already.
///
/// Data that is at hand ends the operation inside `main()`. Otherwise the data is requested, and
/// ends the operation when it arrives: much later, or on another thread before `main()` has
/// returned. From the outside, all of these look the same.
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
///   even if `start()` hasn't returned yet.
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
/// Your turn: this is the operation as many tutorials have it. If the data is loaded from far away,
/// it seems to work. If the data is at hand, it never ends. Find out why, and fix it.
///
/// 1. `start()`: what happens if the work ends inside `main()`? Which state must the operation be
///    in before it calls anything? And what if it's already cancelled? Then it must finish as well.
/// 2. `finish(_:)`: observers of the end read the data at once. Two threads may call it at the same
///    moment; only the first call counts.
/// 3. Finished is final. Let the state refuse a change that doesn't come from the right state:
///    decide under the lock, and set a flag there that a change is being made. Send the
///    notifications without the lock.
///
/// The notifications themselves are right: both properties, before and after the change. Don't call
/// `super.start()`, because Foundation's own would treat the return of `main()` as the end. The
/// inherited `cancel()` is right as it is.
///
/// Terms to search for: check-then-act, callback under a lock.
public final class CachedLoadOperation: Operation, @unchecked Sendable {  // Safe: behind `lock`.
  /// Call it with the data when the data has been loaded.
  public typealias Completion = @Sendable (_ data: Data) -> Void

  private let cached: @Sendable () -> Data?
  private let load: @Sendable (_ completion: @escaping Completion) -> Void
  private let lock = NSLock()
  private var current = State.waiting
  private var loaded: Data?

  /// Creates an operation, to be started by a queue or by hand.
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

  /// The data with which the operation has ended.
  ///
  /// - `data` is nil until the data is there. When the end of the operation is announced, `data`
  ///   returns that data.
  public var data: Data? { lock.withLock { loaded } }

  /// Whether the work may continue after ``start()`` has returned.
  ///
  /// - `isAsynchronous` is true.
  public override var isAsynchronous: Bool { true }

  /// Whether the work has begun and the data hasn't arrived.
  public override var isExecuting: Bool { lock.withLock { current == .executing } }

  /// Whether the data has arrived, or the operation was cancelled before its start and then
  /// started.
  public override var isFinished: Bool { lock.withLock { current == .finished } }

  /// Calls `main()`; or finishes at once, without it, if the operation is cancelled.
  ///
  /// A queue calls it. Call it by hand only on an operation that is in no queue.
  public override func start() {
    // TODO: Step 1.
    main()
    state = .executing
  }

  /// Calls `cached`, and loads the data if it isn't at hand.
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

    /// The property that is true in this state only.
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
