import Foundation

/// A lock, and a copy of the number, so that it's loaded only once.
public final class HitCounter: Sendable {
  private let store: @Sendable (Int) -> Void
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var number: Int

  public init(load: @escaping @Sendable () -> Int, store: @escaping @Sendable (Int) -> Void) {
    self.store = store
    number = load()
  }

  public convenience init() {
    self.init(load: { 0 }, store: { _ in })
  }

  @discardableResult
  public func hit() -> Int {
    lock.lock()
    defer { lock.unlock() }
    number += 1
    store(number)
    return number
  }

  public var hits: Int {
    lock.lock()
    defer { lock.unlock() }
    return number
  }
}
