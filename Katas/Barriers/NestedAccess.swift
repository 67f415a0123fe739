// Page: make page KATA=NestedAccess (Docs/ConcurrencyKatas.docc/NestedAccess.md)

import Dispatch

/// How many there are of each article.
///
/// A plain value, for one thread at a time: nothing in here locks or waits.
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
    // TODO: Check how many there are, then take them or don't.
    return false
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
    // TODO: Use the method above for each article. What if there is too little of the second one?
    return false
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
/// Your turn. Begin with `Stock`: it needs no protection, so its methods may call each other. Then
/// protect the warehouse. Give it a private concurrent `DispatchQueue`, and let `read` and `update`
/// go through it with `sync`, an update with the flag `.barrier`. Every other method of the
/// warehouse is one call of `read` or `update`. A method that checks first and takes afterwards
/// must do both in the same step. Inside a step it can't call the warehouse, because that call
/// would wait for the step to end: a deadlock. What can it call instead?
public final class Warehouse: Sendable {
  // Safe: not yet! Nothing protects `stock` so far; that's part of this kata.
  private nonisolated(unsafe) var stock: Stock

  /// Creates a warehouse with `stock` in it.
  public init(_ stock: Stock = Stock()) {
    self.stock = stock
  }

  /// Calls `body` with the stock and returns its result.
  ///
  /// - If the body of a read throws, the error is rethrown, and the step ends as if the body had
  ///   returned.
  public func read<Result>(_ body: (Stock) throws -> Result) rethrows -> Result {
    // TODO: Don't read while another thread changes the stock.
    try body(stock)
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
    // TODO: Run `body` alone, on the stock itself. This changes a copy and forgets it.
    var copy = stock
    return try body(&copy)
  }

  /// How many there are of an article; see ``Stock/count(of:)``.
  public func count(of article: String) -> Int { stock.count(of: article) }

  /// How many there are of all articles together; see ``Stock/total``.
  public var total: Int { stock.total }

  /// Adds `count` pieces of an article; see ``Stock/add(_:of:)``.
  public func add(_ count: Int, of article: String) {
    // TODO: Write this.
  }

  /// Takes `count` pieces of an article, if there are enough; see ``Stock/take(_:of:)``.
  @discardableResult
  public func take(_ count: Int, of article: String) -> Bool {
    // TODO: Write this.
    return false
  }

  /// Takes a whole order, or nothing; see ``Stock/take(_:)``.
  @discardableResult
  public func take(_ order: [String: Int]) -> Bool {
    // TODO: Write this.
    return false
  }
}
