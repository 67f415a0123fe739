// Page: make page KATA=HitCounter (Docs/ConcurrencyKatas.docc/HitCounter.md)

import Dispatch

/// Counts hits from any number of threads, in a place that can only be loaded and stored.
///
/// - `hit` counts one, and returns when the new number is stored.
/// - No hit is lost, and no two hits get the same number, however many threads come at once.
/// - `load` may be called by several threads at once, but never while `store` is running; `store` is
///   called by one thread at a time.
/// - No counter waits for another.
///
/// Your turn. This counter works as long as one visitor comes after another. Find the race first: put
/// your finger on the place in `hit` where a second thread may come in and spoil the count. The spec
/// shows it to you, step by step. Then give the counter a queue of its own, and let `hit` and `hits`
/// go through it, so that a hit runs alone from its first step to its last.
public final class HitCounter: Sendable {
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
    // TODO: Nobody else may come between these steps.
    let number = load() + 1
    store(number)
    return number
  }

  /// How many hits there have been, those included that were stored before.
  ///
  /// Every hit that has returned is among them.
  public var hits: Int {
    // TODO: What if a hit is being stored just now?
    load()
  }
}

/// A number that is kept in memory, and by nothing else kept safe.
private final class Memory: Sendable {
  // Safe: not yet! It's up to the counter that nobody loads it while somebody stores.
  nonisolated(unsafe) var number = 0
}
