import Dispatch

/// Counts hits from any number of threads, in a place that can only be loaded and stored.
///
/// A file, a row of a database, a word in memory: wherever a number is kept, adding one takes three
/// steps. Load it, add one, store it. Two threads that do so at once may both load the same number,
/// and then both store the same one again. Here the three steps are one.
///
/// ```swift
/// let counter = HitCounter(load: { file.number }, store: { file.number = $0 })
/// let visitor = counter.hit()
/// page.footer = "You are visitor \(visitor)."
/// ```
///
/// - `hit` counts one, and returns when the new number is stored.
/// - No hit is lost, and no two hits get the same number, however many threads come at once.
/// - `load` may be called by several threads at once, but never while `store` is running; `store` is
///   called by one thread at a time.
/// - No counter waits for another.
///
/// Safe to use from every thread. Those who only ask for the number do so side by side.
///
/// - Warning: `load` and `store` must not use the counter that calls them. They would wait for
///   themselves, which is a deadlock.
///
/// Source: the lost update, as in Bernstein, Hadzilacos and Goodman, *Concurrency Control and
/// Recovery in Database Systems*, 1987; Dispatch's barriers.
public final class HitCounter: Sendable {
  private let queue = DispatchQueue(label: "katas.barriers.hit-counter", attributes: .concurrent)
  private let load: @Sendable () -> Int
  private let store: @Sendable (Int) -> Void

  /// Creates a counter that goes on from the number which `load` returns.
  ///
  /// Nobody else may change that number while the counter is in use.
  ///
  /// - Parameters:
  ///   - load: Returns the number. May be called by several threads at once, but never while `store`
  ///     is running.
  ///   - store: Keeps a new number. Called once for each hit, by one thread at a time.
  public init(load: @escaping @Sendable () -> Int, store: @escaping @Sendable (Int) -> Void) {
    self.load = load
    self.store = store
  }

  /// Creates a counter that stands at zero, in memory.
  public convenience init() {
    let memory = Memory()
    self.init(load: { memory.number }, store: { memory.number = $0 })
  }

  /// Counts one hit and returns its number, which no other hit has.
  ///
  /// Blocks until the number is stored; hits that come at once are counted one after another.
  @discardableResult
  public func hit() -> Int {
    queue.sync(flags: .barrier) {
      let number = load() + 1
      store(number)
      return number
    }
  }

  /// How many hits there have been, those included that were stored before.
  ///
  /// Every hit that has returned is among them. Blocks while a hit is being counted.
  public var hits: Int { queue.sync { load() } }
}

/// A number that is kept in memory, and by nothing else kept safe.
private final class Memory: Sendable {
  // Safe: loaded and stored by one counter, which lets nobody load while somebody stores.
  nonisolated(unsafe) var number = 0
}
