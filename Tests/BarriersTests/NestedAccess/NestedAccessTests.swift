import KataTesting
import Testing

/// Proves that checking and taking are one step, also for a whole order; that an update is seen
/// whole or not at all; that errors are rethrown and undo nothing; and that no warehouse waits for
/// another.
@Suite(.serialized, .kata) struct NestedAccessTests {
  let timeline = Timeline()

  // MARK: - Alone

  @Test func `what is there can be taken, and no more`() throws {
    var stock = Stock(["apples": 3])
    let isTaken = stock.take(2, of: "apples")
    #expect(
      isTaken && stock.count(of: "apples") == 1,
      """
      take was called for 2 of 3 apples in a stock. It must return true and leave 1; it returned \
      \(isTaken) and left \(stock.count(of: "apples")). Begin in Stock, where no method locks.
      """)
    let warehouse = Warehouse(Stock(["apples": 3]))
    let taken = try mustReturn("take") {
      [warehouse.take(2, of: "apples"), warehouse.take(2, of: "apples")]
    }
    let left = try mustReturn("count") { warehouse.count(of: "apples") }
    #expect(
      taken == [true, false] && left == 1,
      """
      Two callers took 2 of 3 apples from a warehouse, one after the other. The first must get \
      true, the second false, and 1 must be left. They got \(taken[0]) and \(taken[1]), and \
      \(left) are left.
      """)
  }

  @Test func `the count of an unknown article is 0`() throws {
    var stock = Stock(["apples": 3, "pears": 0])
    stock.add(0, of: "plums")
    #expect(
      stock.count(of: "figs") == 0, "There are apples only, so there are 0 figs.")
    #expect(
      !stock.take(1, of: "figs") && stock.take(0, of: "figs") && stock.total == 3,
      """
      There are no figs, so 1 fig can't be taken, but 0 figs can. take must return true whenever \
      there are at least as many as it's asked for.
      """)
    // Never mentioned before: taking 0 figs may have left an entry.
    let isTaken = stock.take(["apples": 3, "nuts": 0])
    #expect(
      isTaken && stock.total == 0,
      "There were 3 apples, and an order was for 3 apples and 0 nuts: it must be taken.")
    let warehouse = Warehouse(stock)
    #expect(
      try mustReturn("count") { warehouse.count(of: "figs") } == 0,
      "No figs were ever in the warehouse, so their count is 0.")
  }

  @Test func `changes of an update that throws stay`() throws {
    let warehouse = Warehouse(Stock(["apples": 5]))
    #expect(
      throws: StocktakingInterrupted.self,
      "The body of an update threw, and update didn't rethrow its error."
    ) {
      try mustReturn("update") {
        try warehouse.update { stock in
          stock.take(2, of: "apples")
          throw StocktakingInterrupted()
        }
      }
    }
    let after = "An earlier update has thrown. It must end on every path out of it."
    let left = try mustReturn("count", "\(after)") { warehouse.count(of: "apples") }
    let total = try mustReturn("total", "\(after)") { warehouse.total }
    #expect(
      left == 3 && total == 3,
      """
      An update took 2 of 5 apples, and then threw. 3 must be left, 3 in total; \(left) are left, \
      and the total is \(total). An update changes the stock itself and a throw undoes nothing, so \
      anything saved beside the stock must be updated on every path out.
      """)
  }

  @Test func `a read ends even if its body throws`() throws {
    let warehouse = Warehouse(Stock(["apples": 5]))
    #expect(
      throws: StocktakingInterrupted.self,
      "The body of a read threw, and read didn't rethrow its error."
    ) {
      try mustReturn("read") { try warehouse.read { _ in throw StocktakingInterrupted() } }
    }
    let isTaken = try mustReturn(
      "take", "An earlier read has thrown. It must end on every path out of it."
    ) { warehouse.take(5, of: "apples") }
    #expect(isTaken, "There are 5 apples, so 5 can be taken.")
  }

  @Test func `an order is taken whole or not at all`() throws {
    let warehouse = Warehouse(Stock(["apples": 5, "pears": 5, "plums": 5]))
    // Many times, because the order of a dictionary's elements varies.
    let taken = try mustReturn("take with an order") {
      (1...10).map { _ in
        warehouse.take(["apples": 2, "pears": 2, "plums": 6])
          || warehouse.take(["apples": 2, "pears": 6, "plums": 2])
          || warehouse.take(["apples": 6, "pears": 2, "plums": 2])
      }
    }
    let total = try mustReturn("total") { warehouse.total }
    #expect(
      !taken.contains(true) && total == 15,
      """
      Each of several orders was for more of one article than there was. All of them must be \
      refused, and leave 15 pieces; \(total) are left. Take from a copy, and keep the copy only if \
      every article was there.
      """)
    let isTaken = try mustReturn("take with an order") {
      warehouse.take(["apples": 2, "pears": 3, "plums": 5])
    }
    #expect(
      try mustReturn("total") { warehouse.total } == 5 && isTaken,
      "An order was for 10 pieces out of 15, and all of them were there: it must be taken.")
  }

  @Test func `an update sees its own changes`() throws {
    let warehouse = Warehouse(Stock(["apples": 1]))
    let seen = try mustReturn("update") {
      warehouse.update { stock in
        stock.add(4, of: "apples")
        let (count, isTaken) = (stock.count(of: "apples"), stock.take(3, of: "apples"))
        stock.take(["apples": 1])
        return "\(count), \(isTaken), \(stock.total)"
      }
    }
    #expect(
      seen == "5, true, 1",
      """
      Within one update the body added 4 apples to 1, counted them, took 3, took another, and read \
      the total. It must get 5, true and 1, but got \(seen). Within an update the stock must show \
      the changes that the update has made so far.
      """)
    #expect(
      try mustReturn("count") { warehouse.count(of: "apples") } == 1,
      "The update has returned, and the warehouse doesn't contain what it changed.")
  }

  // MARK: - Moves

  /// A reader that counts the stock when it comes in, and stays until `gate` opens.
  func readerEnters(
    _ warehouse: Warehouse, _ name: String, until gate: Gate
  ) -> TestThread<[Int]> {
    let reader = TestThread(name) { [timeline] in
      warehouse.read { stock in
        let counts = [stock.count(of: "apples"), stock.count(of: "pears")]
        timeline.mark(name, "\(counts[0]) apples, \(counts[1]) pears")
        gate.wait()
        return counts
      }
    }
    runUntilQuiet()
    return reader
  }

  /// An update that changes nothing is inside, and stays there until `gate` opens.
  func updateEnters(_ warehouse: Warehouse, until gate: Gate) -> TestThread<Void> {
    let update = TestThread("update") { [timeline] in
      warehouse.update { _ in timeline.visit("update", until: gate) }
    }
    eventually("update never called its body.") { timeline.isInside("update") }
    return update
  }
}

/// What a body throws.
struct StocktakingInterrupted: Error {}

extension Warehouse: OpaqueMirror {}
