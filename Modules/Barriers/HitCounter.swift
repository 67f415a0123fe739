import Dispatch

/// Counts hits from any number of threads, in a place that can only be loaded and stored.
///
/// A file, a row of a database, a word in memory: wherever a number is kept, adding one takes three
/// steps. Load it, add one, store the sum. Two threads that do so at once may both load the same
/// number and then store the same sum: a *lost update*. Here the three steps are one critical
/// section.
///
/// ```swift
/// let counter = HitCounter(load: { file.number }, store: { file.number = $0 })
/// let visitor = counter.hit()
/// page.footer = "You are visitor \(visitor)."
/// ```
///
/// - Any number of threads may call `hit` and `hits` at the same time, without a data race.
/// - A hit is one step from its load to its store, so hits at the same time are counted one after
///   another, and none is lost.
/// - No two hits return the same number.
/// - `load` may be called by several threads at once, but never while `store` is running.
/// - `store` is called by one thread at a time.
/// - `store` is called once for each hit, with the number of that hit.
/// - Counters are independent: a hit of one counter, even during its `load` or `store`, blocks no
///   caller of another.
///
/// Safe to use from every thread. Calls of `hits` run side by side.
///
/// - Warning: `load` and `store` must not use the counter that calls them: they would wait for the
///   block that they're part of, which is a deadlock.
///
/// Source: the lost update, as in Bernstein, Hadzilacos and Goodman, *Concurrency Control and
/// Recovery in Database Systems*, 1987; Dispatch's barriers.
public final class HitCounter: Sendable {
  private let queue = DispatchQueue(label: "katas.barriers.hit-counter", attributes: .concurrent)
  private let load: @Sendable () -> Int
  private let store: @Sendable (Int) -> Void

  /// Creates a counter for a number that is stored elsewhere.
  ///
  /// The caller must not change that number while the counter is in use.
  ///
  /// - The counter goes on from the number that `load` returns: its first hit gets the next one.
  ///
  /// - Parameters:
  ///   - load: Returns the stored number.
  ///   - store: Stores a new number.
  public init(load: @escaping @Sendable () -> Int, store: @escaping @Sendable (Int) -> Void) {
    self.load = load
    self.store = store
  }

  /// Creates a counter in memory.
  ///
  /// - The counter begins at zero, and shares its memory with no other counter.
  public convenience init() {
    let memory = Memory()
    self.init(load: { memory.number }, store: { memory.number = $0 })
  }

  /// Counts one hit and returns its number.
  ///
  /// - `hit` blocks until its number is stored, and then returns that number.
  @discardableResult
  public func hit() -> Int {
    queue.sync(flags: .barrier) {
      let number = load() + 1
      store(number)
      return number
    }
  }

  /// How many hits there have been.
  ///
  /// - `hits` includes the hits that were stored before the counter was created.
  /// - `hits` includes every hit that has returned, on any thread.
  ///
  /// Blocks while a hit is being counted.
  public var hits: Int { queue.sync { load() } }
}

/// A number in memory, without any protection of its own.
private final class Memory: Sendable {
  // Safe: loaded and stored by one counter, which never loads while it stores.
  nonisolated(unsafe) var number = 0
}
