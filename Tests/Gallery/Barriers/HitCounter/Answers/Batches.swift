import Dispatch

/// Hits that arrive during a store are counted together: the first of them stores for all.
public final class HitCounter: Sendable {
  private let queue = DispatchQueue(label: "katas.barriers.hit-counter", attributes: .concurrent)
  private let tickets = DispatchQueue(label: "katas.barriers.hit-counter.tickets")
  private let load: @Sendable () -> Int
  private let store: @Sendable (Int) -> Void
  // Safe: touched on `tickets` only.
  private nonisolated(unsafe) var coming = Batch()

  public init(load: @escaping @Sendable () -> Int, store: @escaping @Sendable (Int) -> Void) {
    self.load = load
    self.store = store
  }

  public convenience init() {
    let memory = Memory()
    self.init(load: { memory.number }, store: { memory.number = $0 })
  }

  @discardableResult
  public func hit() -> Int {
    let (batch, place) = tickets.sync {
      coming.size += 1
      return (coming, coming.size)
    }
    return queue.sync(flags: .barrier) {
      if let before = batch.before { return before + place }
      tickets.sync { coming = Batch() }
      let before = load()
      store(before + batch.size)
      batch.before = before
      return before + place
    }
  }

  public var hits: Int { queue.sync { load() } }
}

/// Hits that are counted together.
private final class Batch: Sendable {
  // Safe: changed on `tickets` as long as hits join, and only read after that.
  nonisolated(unsafe) var size = 0
  // Safe: touched behind a barrier only.
  nonisolated(unsafe) var before: Int?
}

private final class Memory: Sendable {
  // Safe: loaded and stored by one counter, which never loads while it stores.
  nonisolated(unsafe) var number = 0
}
