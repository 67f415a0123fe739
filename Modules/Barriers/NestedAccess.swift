import Dispatch

/// How many there are of each article.
///
/// A plain value, for one thread at a time: nothing in here locks or waits. All operations on a
/// stock are written here, where each method may call the others; ``Warehouse`` adds only mutual
/// exclusion.
public struct Stock: Sendable {
  private var counts: [String: Int]

  /// Creates a stock with a count for each article.
  ///
  /// The caller must pass no negative count.
  public init(_ counts: [String: Int] = [:]) {
    for (article, count) in counts {
      precondition(count >= 0, "there can't be \(count) of \(article)")
    }
    self.counts = counts
  }

  /// How many there are of an article.
  ///
  /// - If an article was never added, its count is 0.
  public func count(of article: String) -> Int { counts[article, default: 0] }

  /// How many there are in all.
  ///
  /// - `total` is the sum of the counts of all articles.
  public var total: Int { counts.values.reduce(0, +) }

  /// Adds `count` pieces of an article.
  ///
  /// The caller must not pass a negative `count`.
  ///
  /// - `add` raises the count of the article by `count`.
  public mutating func add(_ count: Int, of article: String) {
    precondition(count >= 0, "\(count) of \(article) can't be added; use take")
    counts[article, default: 0] += count
  }

  /// Takes `count` pieces of an article, if there are enough.
  ///
  /// The caller must not pass a negative `count`. 0 of an article can always be taken, even if it
  /// was never added.
  ///
  /// - If there are at least `count` of the article, `take` takes them and returns `true`;
  ///   otherwise it takes none and returns `false`.
  @discardableResult
  public mutating func take(_ count: Int, of article: String) -> Bool {
    precondition(count >= 0, "\(count) of \(article) can't be taken; use add")
    guard self.count(of: article) >= count else { return false }
    counts[article, default: 0] -= count
    return true
  }

  /// Takes a whole order, if there is enough of everything.
  ///
  /// - If there is enough of every ordered article, `take` takes the whole order and returns
  ///   `true`; otherwise it takes nothing and returns `false`.
  ///
  /// - Parameter order: How many of each article; the caller must pass no negative count.
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

/// A stock for many threads, which read and change it in steps of any size.
///
/// The body of a read or an update must use the stock that it's given, not the warehouse.
///
/// - Any number of threads may use a warehouse at the same time, without a data race.
/// - Each call is one step, even a `take` of an order: the results are as if the calls had run one
///   after another.
/// - Each call sees the changes of all steps that ended before it began.
/// - No method of the warehouse waits for a step that it's part of, which would be a deadlock.
/// - Warehouses are independent: a step of one blocks no call of another.
///
/// A step of your own goes into ``update(_:)``, and may use every method of the stock, for reading
/// as well as for changing:
///
/// ```swift
/// warehouse.update { stock in
///   let isScarce = stock.count(of: "apples") < 10
///   if isScarce, stock.total < 1_000 { stock.add(50, of: "apples") }
/// }
/// ```
///
/// Safe to use from every thread.
///
/// - Warning: Within the body of ``update(_:)`` or ``read(_:)`` use the stock that it's given,
///   never the warehouse: that call would wait for the step that it's part of, which is a deadlock.
///
/// Source: *pass the state, don't re-enter*; the functional core in an imperative shell, Gary
/// Bernhardt, 2012; Dispatch's barriers.
public final class Warehouse: Sendable {
  // Safe: touched on `queue` only, and changed there only behind a barrier.
  private nonisolated(unsafe) var stock: Stock
  private let queue = DispatchQueue(label: "katas.barriers.warehouse", attributes: .concurrent)

  /// Creates a warehouse with `stock` in it.
  public init(_ stock: Stock = Stock()) {
    self.stock = stock
  }

  /// Calls `body` with the stock and returns its result.
  ///
  /// - If the body of a read throws, the error is rethrown, and the step ends as if the body had
  ///   returned.
  public func read<Result>(_ body: (Stock) throws -> Result) rethrows -> Result {
    try queue.sync { try body(stock) }
  }

  /// Changes the stock in one step and returns what `body` returns.
  ///
  /// - `body` is called once, with the stock to change.
  /// - No two updates of one warehouse run at the same time: `update` blocks while the body of
  ///   another one runs.
  /// - During an update the stock shows all changes that `body` has made so far.
  /// - If the body of an update throws, the error is rethrown, what the body has changed by then
  ///   stays changed, and the step is over.
  @discardableResult
  public func update<Result>(_ body: (inout Stock) throws -> Result) rethrows -> Result {
    try queue.sync(flags: .barrier) { try body(&stock) }
  }

  /// How many there are of an article; see ``Stock/count(of:)``.
  public func count(of article: String) -> Int { read { $0.count(of: article) } }

  /// How many there are of all articles together; see ``Stock/total``.
  public var total: Int { read { $0.total } }

  /// Adds `count` pieces of an article; see ``Stock/add(_:of:)``.
  public func add(_ count: Int, of article: String) { update { $0.add(count, of: article) } }

  /// Takes `count` pieces of an article, if there are enough; see ``Stock/take(_:of:)``.
  @discardableResult
  public func take(_ count: Int, of article: String) -> Bool {
    update { $0.take(count, of: article) }
  }

  /// Takes a whole order, or nothing; see ``Stock/take(_:)``.
  @discardableResult
  public func take(_ order: [String: Int]) -> Bool { update { $0.take(order) } }
}
