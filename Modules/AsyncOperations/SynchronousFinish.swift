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
/// Safe to use from every thread.
///
/// Source: "Methods to Override" in Apple's documentation of `Operation`.
public final class CachedLoadOperation: Operation, @unchecked Sendable {  // Safe: behind `lock`.
  /// Call it with the data when the data has been loaded.
  public typealias Completion = @Sendable (_ data: Data) -> Void

  private let cached: @Sendable () -> Data?
  private let load: @Sendable (_ completion: @escaping Completion) -> Void
  private let lock = NSLock()
  private var state = State.waiting
  /// Whether a thread has decided on a change and hasn't made it yet; no other may decide
  /// meanwhile.
  private var isChanging = false
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
  public override var isExecuting: Bool { lock.withLock { state == .executing } }

  /// Whether the data has arrived, or the operation was cancelled before its start and then
  /// started.
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
    change(from: .executing, to: .finished, keeping: data)
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
  private func change(from old: State, to new: State, keeping data: Data? = nil) -> Bool {
    let isMine = lock.withLock {
      guard state == old, !isChanging else { return false }
      isChanging = true
      return true
    }
    guard isMine else { return false }

    let keys = [new.key, old.key].compactMap(\.self)
    for key in keys { willChangeValue(forKey: key) }
    lock.withLock {
      loaded = data
      state = new
      isChanging = false
    }
    for key in keys.reversed() { didChangeValue(forKey: key) }
    return true
  }
}
