import Foundation

public struct Stock: Sendable {
  private var counts: [String: Int]

  public init(_ counts: [String: Int] = [:]) {
    for (article, count) in counts {
      precondition(count >= 0, "there can't be \(count) of \(article)")
    }
    self.counts = counts
  }

  public func count(of article: String) -> Int { counts[article, default: 0] }

  public var total: Int { counts.values.reduce(0, +) }

  public mutating func add(_ count: Int, of article: String) {
    precondition(count >= 0, "\(count) of \(article) can't be added; use take")
    counts[article, default: 0] += count
  }

  @discardableResult
  public mutating func take(_ count: Int, of article: String) -> Bool {
    precondition(count >= 0, "\(count) of \(article) can't be taken; use add")
    guard self.count(of: article) >= count else { return false }
    counts[article, default: 0] -= count
    return true
  }

  @discardableResult
  public mutating func take(_ order: [String: Int]) -> Bool {
    var rest = self
    for (article, count) in order {
      guard rest.take(count, of: article) else { return false }
    }
    self = rest
    return true
  }
}

/// A lock, and a stock that is never changed in place: an update works on a copy of it.
///
/// Readers take the current stock and use it without the lock, for any length of time.
public final class Warehouse: Sendable {
  // Safe: guarded by `place`.
  private nonisolated(unsafe) var stock: Stock
  private let place = NSLock()
  private let turn = NSLock()

  public init(_ stock: Stock = Stock()) {
    self.stock = stock
  }

  private var snapshot: Stock {
    place.lock()
    defer { place.unlock() }
    return stock
  }

  public func read<Result>(_ body: (Stock) throws -> Result) rethrows -> Result {
    try body(snapshot)
  }

  @discardableResult
  public func update<Result>(_ body: (inout Stock) throws -> Result) rethrows -> Result {
    turn.lock()
    defer { turn.unlock() }
    var changed = snapshot
    defer {
      place.lock()
      stock = changed
      place.unlock()
    }
    return try body(&changed)
  }

  public func count(of article: String) -> Int { snapshot.count(of: article) }

  public var total: Int { snapshot.total }

  public func add(_ count: Int, of article: String) { update { $0.add(count, of: article) } }

  @discardableResult
  public func take(_ count: Int, of article: String) -> Bool {
    update { $0.take(count, of: article) }
  }

  @discardableResult
  public func take(_ order: [String: Int]) -> Bool { update { $0.take(order) } }
}
