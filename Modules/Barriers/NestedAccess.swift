import Dispatch

/// How many there are of each article.
///
/// A plain value, for one thread at a time: nothing in here locks or waits. Whatever can be asked of a
/// stock or done to it is written here, where each method may use the others; ``Warehouse`` only sees to
/// whose turn it is.
public struct Stock: Sendable {
  private var counts: [String: Int]

  /// Creates a stock with so many of each article.
  ///
  /// - Precondition: No count is negative.
  public init(_ counts: [String: Int] = [:]) {
    for (article, count) in counts {
      precondition(count >= 0, "there can't be \(count) of \(article)")
    }
    self.counts = counts
  }

  /// How many there are of an article; 0 where there never was one.
  public func count(of article: String) -> Int { counts[article, default: 0] }

  /// How many there are of all articles together.
  public var total: Int { counts.values.reduce(0, +) }

  /// Adds so many of an article.
  ///
  /// - Precondition: `count` isn't negative.
  public mutating func add(_ count: Int, of article: String) {
    precondition(count >= 0, "\(count) of \(article) can't be added; use take")
    counts[article, default: 0] += count
  }

  /// Takes so many of an article, or none where there are fewer; returns whether they were taken.
  ///
  /// - Precondition: `count` isn't negative.
  @discardableResult
  public mutating func take(_ count: Int, of article: String) -> Bool {
    precondition(count >= 0, "\(count) of \(article) can't be taken; use add")
    guard self.count(of: article) >= count else { return false }
    counts[article, default: 0] -= count
    return true
  }

  /// Takes all that is ordered, or nothing where there is too little of anything.
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

/// A stock that many threads use, in steps as large as they need.
///
/// - Each call is one step: nobody sees the stock in the middle of it, or changes it meanwhile.
/// - What the body of an update asks the stock takes account of what it has changed so far.
/// - No call waits for itself.
///
/// A step of your own goes into ``update(_:)``, and may use everything that a stock can do, the reading
/// as well as the taking:
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
/// - Warning: Within the body of ``update(_:)`` or ``read(_:)`` use the stock that it's given, never the
///   warehouse: that would wait for the very step that it's part of, which is a deadlock.
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
  /// What `body` is given is one state of the stock, which nobody changes while it looks; others may
  /// look too. It shows what all steps have done that were over before. Rethrows what `body` throws;
  /// the step is over then, as when it returns.
  public func read<Result>(_ body: (Stock) throws -> Result) rethrows -> Result {
    try queue.sync { try body(stock) }
  }

  /// Changes the stock in one step and returns what `body` returns.
  ///
  /// `body` is called once, alone, with the stock to change; what it asks the stock takes account of
  /// what it has changed so far. Blocks until the updates before it are done.
  ///
  /// Rethrows what `body` throws; what it has changed by then stays changed, and the step is
  /// over.
  @discardableResult
  public func update<Result>(_ body: (inout Stock) throws -> Result) rethrows -> Result {
    try queue.sync(flags: .barrier) { try body(&stock) }
  }

  /// How many there are of an article; see ``Stock/count(of:)``.
  public func count(of article: String) -> Int { read { $0.count(of: article) } }

  /// How many there are of all articles together; see ``Stock/total``.
  public var total: Int { read { $0.total } }

  /// Adds so many of an article; see ``Stock/add(_:of:)``.
  public func add(_ count: Int, of article: String) { update { $0.add(count, of: article) } }

  /// Takes so many of an article, if there are as many; see ``Stock/take(_:of:)``.
  @discardableResult
  public func take(_ count: Int, of article: String) -> Bool {
    update { $0.take(count, of: article) }
  }

  /// Takes all that is ordered, or nothing; see ``Stock/take(_:)``.
  @discardableResult
  public func take(_ order: [String: Int]) -> Bool { update { $0.take(order) } }
}
