import Dispatch

/// Changes are recorded and made when the update is over; until then the stock is out of date.
public struct Stock: Sendable {
  private var counts: [String: Int]
  private var changes: [(article: String, count: Int)] = []

  public init(_ counts: [String: Int] = [:]) {
    self.counts = counts
  }

  public func count(of article: String) -> Int { counts[article, default: 0] }

  public var total: Int { counts.values.reduce(0, +) }

  public mutating func add(_ count: Int, of article: String) {
    changes.append((article, count))
  }

  @discardableResult
  public mutating func take(_ count: Int, of article: String) -> Bool {
    guard self.count(of: article) >= count else { return false }
    changes.append((article, -count))
    return true
  }

  @discardableResult
  public mutating func take(_ order: [String: Int]) -> Bool {
    guard order.allSatisfy({ count(of: $0.key) >= $0.value }) else { return false }
    for (article, count) in order { take(count, of: article) }
    return true
  }

  mutating func makeChanges() {
    for (article, count) in changes { counts[article, default: 0] += count }
    changes = []
  }
}

public final class Warehouse: Sendable {
  // Safe: touched on `queue` only, and changed there only behind a barrier.
  private nonisolated(unsafe) var stock: Stock
  private let queue = DispatchQueue(label: "katas.answers.warehouse", attributes: .concurrent)

  public init(_ stock: Stock = Stock()) {
    self.stock = stock
  }

  public func read<Result>(_ body: (Stock) throws -> Result) rethrows -> Result {
    try queue.sync { try body(stock) }
  }

  @discardableResult
  public func update<Result>(_ body: (inout Stock) throws -> Result) rethrows -> Result {
    try queue.sync(flags: .barrier) {
      defer { stock.makeChanges() }
      return try body(&stock)
    }
  }

  public func count(of article: String) -> Int { read { $0.count(of: article) } }

  public var total: Int { read { $0.total } }

  public func add(_ count: Int, of article: String) { update { $0.add(count, of: article) } }

  @discardableResult
  public func take(_ count: Int, of article: String) -> Bool {
    update { $0.take(count, of: article) }
  }

  @discardableResult
  public func take(_ order: [String: Int]) -> Bool { update { $0.take(order) } }
}
