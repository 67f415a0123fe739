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

/// A recursive lock, which its owner may lock again: here the methods do call each other.
public final class Warehouse: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var stock: Stock
  private let lock = NSRecursiveLock()

  public init(_ stock: Stock = Stock()) {
    self.stock = stock
  }

  public func read<Result>(_ body: (Stock) throws -> Result) rethrows -> Result {
    lock.lock()
    let result = try body(stock)
    lock.unlock()
    return result
  }

  @discardableResult
  public func update<Result>(_ body: (inout Stock) throws -> Result) rethrows -> Result {
    lock.lock()
    let result = try body(&stock)
    lock.unlock()
    return result
  }

  public func count(of article: String) -> Int { read { $0.count(of: article) } }

  public var total: Int { read { $0.total } }

  public func add(_ count: Int, of article: String) { update { $0.add(count, of: article) } }

  @discardableResult
  public func take(_ count: Int, of article: String) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    guard self.count(of: article) >= count else { return false }
    return update { $0.take(count, of: article) }
  }

  @discardableResult
  public func take(_ order: [String: Int]) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    guard order.allSatisfy({ count(of: $0.key) >= $0.value }) else { return false }
    for (article, count) in order { take(count, of: article) }
    return true
  }
}
