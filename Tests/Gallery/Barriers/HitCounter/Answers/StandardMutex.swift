import Synchronization

/// A mutex around the functions that load and store the number.
public final class HitCounter: Sendable {
  private struct Place: Sendable {
    let load: @Sendable () -> Int
    let store: @Sendable (Int) -> Void
  }

  private let place: Mutex<Place>

  public init(load: @escaping @Sendable () -> Int, store: @escaping @Sendable (Int) -> Void) {
    place = Mutex(Place(load: load, store: store))
  }

  public convenience init() {
    let memory = Memory()
    self.init(load: { memory.number }, store: { memory.number = $0 })
  }

  @discardableResult
  public func hit() -> Int {
    place.withLock { place in
      let number = place.load() + 1
      place.store(number)
      return number
    }
  }

  public var hits: Int { place.withLock { $0.load() } }
}

private final class Memory: Sendable {
  // Safe: used with the mutex held.
  nonisolated(unsafe) var number = 0
}
