import Synchronization

/// The number is atomic, so no two hits share one; but the last one stored may not be the largest.
public final class HitCounter: Sendable {
  private let store: @Sendable (Int) -> Void
  private let number: Atomic<Int>

  public init(load: @escaping @Sendable () -> Int, store: @escaping @Sendable (Int) -> Void) {
    self.store = store
    number = Atomic(load())
  }

  public convenience init() {
    self.init(load: { 0 }, store: { _ in })
  }

  @discardableResult
  public func hit() -> Int {
    let mine = number.add(1, ordering: .sequentiallyConsistent).newValue
    store(mine)
    return mine
  }

  public var hits: Int { number.load(ordering: .sequentiallyConsistent) }
}
