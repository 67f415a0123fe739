// Page: make page KATA=HitCounter (Docs/ConcurrencyKatas.docc/HitCounter.md)
// Read first: make page KATA=Barriers (the chapter of the module)

import Dispatch

/// Counts hits from any number of threads, in a place that can only be loaded and stored.
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
/// Your turn. This counter works as long as only one thread uses it at a time. First find the race:
/// point at the place in `hit` where a second thread can run in between and make the counter lose a
/// hit. The spec shows it to you, step by step. Then make load, add and store one critical section.
/// Give the counter a private concurrent `DispatchQueue`, and let `hit` and `hits` go through it
/// with `sync`. With the flag `.barrier` a hit runs alone, from its load to its store.
///
/// - Warning: `load` and `store` must not use the counter that calls them: they would wait for the
///   block that they're part of, which is a deadlock.
public final class HitCounter: Sendable {
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
    // TODO: Make these steps one critical section: no other hit may run between them.
    let number = load() + 1
    store(number)
    return number
  }

  /// How many hits there have been.
  ///
  /// - `hits` includes the hits that were stored before the counter was created.
  /// - `hits` includes every hit that has returned, on any thread.
  public var hits: Int {
    // TODO: What if another thread is storing a hit at this moment?
    load()
  }
}

/// A number in memory, without any protection of its own.
private final class Memory: Sendable {
  // Safe: not yet! It's up to the counter that no load overlaps with a store.
  nonisolated(unsafe) var number = 0
}
