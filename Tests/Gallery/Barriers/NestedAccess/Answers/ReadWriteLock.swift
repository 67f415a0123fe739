import Foundation

/// How many there are of each article.
///
/// A plain value, for one thread at a time. All operations on a stock are written here, where each
/// method may use the others; ``Warehouse`` only makes sure that they run one step at a time.
public struct Stock: Sendable {
  private var counts: [String: Int]

  /// Creates a stock with a count for each article.
  ///
  /// - Precondition: No count is negative.
  public init(_ counts: [String: Int] = [:]) {
    for (article, count) in counts {
      precondition(count >= 0, "there can't be \(count) of \(article)")
    }
    self.counts = counts
  }

  /// How many there are of an article; 0 if it was never added.
  public func count(of article: String) -> Int { counts[article, default: 0] }

  /// How many there are of all articles together.
  public var total: Int { counts.values.reduce(0, +) }

  /// Adds `count` pieces of an article.
  ///
  /// - Precondition: `count` isn't negative.
  public mutating func add(_ count: Int, of article: String) {
    precondition(count >= 0, "\(count) of \(article) can't be added; use take")
    counts[article, default: 0] += count
  }

  /// Takes `count` pieces of an article, or none if there are fewer; returns whether it took them.
  ///
  /// - Precondition: `count` isn't negative.
  @discardableResult
  public mutating func take(_ count: Int, of article: String) -> Bool {
    precondition(count >= 0, "\(count) of \(article) can't be taken; use add")
    guard self.count(of: article) >= count else { return false }
    counts[article, default: 0] -= count
    return true
  }

  /// Takes the whole order, or nothing if there is too little of any article.
  ///
  /// - Parameter order: How many of each article.
  /// - Returns: Whether the order was taken.
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

/// A POSIX read–write lock: readers share it, and an update holds it alone.
public final class Warehouse: Sendable {
  // Safe: read with `lock` held for reading and changed with it held for writing.
  private nonisolated(unsafe) var stock: Stock
  // Safe: created once, destroyed once, and otherwise only locked and unlocked.
  private nonisolated(unsafe) let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(
    capacity: 1)

  public init(_ stock: Stock = Stock()) {
    self.stock = stock
    pthread_rwlock_init(lock, nil)
  }

  deinit {
    pthread_rwlock_destroy(lock)
    lock.deallocate()
  }

  public func read<Result>(_ body: (Stock) throws -> Result) rethrows -> Result {
    pthread_rwlock_rdlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return try body(stock)
  }

  @discardableResult
  public func update<Result>(_ body: (inout Stock) throws -> Result) rethrows -> Result {
    pthread_rwlock_wrlock(lock)
    defer { pthread_rwlock_unlock(lock) }
    return try body(&stock)
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
