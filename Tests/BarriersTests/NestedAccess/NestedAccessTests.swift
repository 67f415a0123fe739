import KataTesting
import Testing

/// Proves that looking and taking are one step, also for a whole order, that an update is seen whole or not
/// at all, that errors get through and undo nothing, and that no warehouse waits for another.
@Suite(.serialized, .kata) struct NestedAccessTests {
  private let timeline = Timeline()

  // MARK: - Alone

  @Test func `what is there can be taken, and no more`() throws {
    var stock = Stock(["apples": 3])
    let isTaken = stock.take(2, of: "apples")
    #expect(
      isTaken && stock.count(of: "apples") == 1,
      """
      Of 3 apples in a stock 2 were to be taken. take must say true and leave 1; it said \(isTaken) \
      and left \(stock.count(of: "apples")). Begin there, in Stock, where nothing locks.
      """)
    let warehouse = Warehouse(Stock(["apples": 3]))
    let taken = try mustReturn("take") {
      [warehouse.take(2, of: "apples"), warehouse.take(2, of: "apples")]
    }
    let left = try mustReturn("count") { warehouse.count(of: "apples") }
    #expect(
      taken == [true, false] && left == 1,
      """
      Two callers wanted 2 of 3 apples in a warehouse, one after the other. The first must get them, \
      the second none, and 1 must be left. They were told \(taken[0]) and \(taken[1]), and \(left) \
      are left.
      """)
  }

  @Test func `of what was never there, there are none`() throws {
    var stock = Stock(["apples": 3, "pears": 0])
    stock.add(0, of: "plums")
    #expect(
      stock.count(of: "figs") == 0, "There are apples only, so there are 0 figs.")
    #expect(
      !stock.take(1, of: "figs") && stock.take(0, of: "figs") && stock.total == 3,
      """
      There are no figs. One of them can't be taken, and none of them can: take says true wherever \
      there are as many as it's asked for.
      """)
    let isTaken = stock.take(["apples": 3, "figs": 0])
    #expect(
      isTaken && stock.total == 0,
      "An order of 3 apples and no figs came, and there are 3 apples: it must be taken.")
    let warehouse = Warehouse(stock)
    #expect(
      try mustReturn("count") { warehouse.count(of: "figs") } == 0,
      "No figs were ever in the warehouse, so there are 0.")
  }

  @Test func `what an update that throws has changed stays changed`() throws {
    let warehouse = Warehouse(Stock(["apples": 5]))
    #expect(
      throws: StocktakingInterrupted.self,
      "The body of an update threw, and nobody heard of it: rethrow its error."
    ) {
      try mustReturn("update") {
        try warehouse.update { stock in
          stock.take(2, of: "apples")
          throw StocktakingInterrupted()
        }
      }
    }
    let after = "The update before it has thrown. Let it end on every way out."
    let left = try mustReturn("count", "\(after)") { warehouse.count(of: "apples") }
    let total = try mustReturn("total", "\(after)") { warehouse.total }
    #expect(
      left == 3 && total == 3,
      """
      An update took 2 of 5 apples, and then threw. 3 must be left, 3 in total; here \(left) are left, \
      and the total is \(total). An update is given the stock itself, and what it has done isn't taken \
      back: whatever is kept beside the stock must follow on every way out.
      """)
  }

  @Test func `a read that throws is over`() throws {
    let warehouse = Warehouse(Stock(["apples": 5]))
    #expect(
      throws: StocktakingInterrupted.self,
      "The body of a read threw, and nobody heard of it: rethrow its error."
    ) {
      try mustReturn("read") { try warehouse.read { _ in throw StocktakingInterrupted() } }
    }
    let isTaken = try mustReturn(
      "take", "The read before it has thrown. Let it end on every way out."
    ) { warehouse.take(5, of: "apples") }
    #expect(isTaken, "There are 5 apples, and 5 can be taken.")
  }

  @Test func `an order is taken whole or not at all`() throws {
    let warehouse = Warehouse(Stock(["apples": 5, "pears": 5, "plums": 5]))
    // Many times, since no two dictionaries need have the same order.
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
      Orders came, each with more than there is of one article. All of them must be refused, and \
      leave 15 pieces; \(total) are left. Take from a copy, and keep it if everything was there.
      """)
    let isTaken = try mustReturn("take with an order") {
      warehouse.take(["apples": 2, "pears": 3, "plums": 5])
    }
    #expect(
      try mustReturn("total") { warehouse.total } == 5 && isTaken,
      "An order came of which everything was there, 10 pieces out of 15: it must be taken.")
  }

  @Test func `what an update asks takes account of what it has changed`() throws {
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
      Within one update somebody added 4 apples to 1, counted them, took 3, took another, and asked \
      for the total. That must give 5, true and 1, and gave \(seen): a question within an update is \
      about the stock as the update has made it so far.
      """)
    #expect(
      try mustReturn("count") { warehouse.count(of: "apples") } == 1,
      "The update has returned, and what it changed isn't in the warehouse.")
  }

  // MARK: - In company

  // update                 another call
  // takes all apples
  // (half way)             asks: it waits, or sees the apples
  // puts them back
  @Test(arguments: WarehouseCall.allCases)
  func `an update is seen whole or not at all`(call: WarehouseCall) throws {
    let warehouse = Warehouse(Stock(["apples": 10]))
    let release = Gate("release the update")
    let update = TestThread("update") { [timeline] in
      warehouse.update { stock in
        timeline.visit("update, no apples") {
          stock.take(10, of: "apples")
          release.wait()
          stock.add(10, of: "apples")
        }
      }
    }
    try #require(
      eventually("update never called its body.") { timeline.isInside("update, no apples") })
    let other = TestThread(call.rawValue) { [timeline] in
      let apples = call.make(warehouse)
      timeline.mark(call.rawValue, "\(apples) apples")
      return apples
    }
    runUntilQuiet()
    release.open()
    try update.result()
    #expect(
      try other.result() == 10,
      timeline.showing(
        """
        An update took all apples out and put them back. Nobody else may see the warehouse without \
        them, and \(call.rawValue) did: it must wait its turn, as a call of read or update.
        """))
    #expect(
      timeline.entries(of: "update, no apples") == 1,
      timeline.showing(
        "An update must call its body once: it may do more than change the stock, such as print."))
    #expect(
      try mustReturn("count") { warehouse.count(of: "apples") } == call.left,
      timeline.showing(
        """
        \(call.rawValue) was called while an update was under way. In the end there must be \
        \(call.left) apples: what one of the two did was undone by the other.
        """))
  }

  // update of one warehouse    calls of others
  // is inside
  //                            return
  // leaves
  @Test func `no warehouse waits for another`() throws {
    let release = Gate("release the update")
    let update = updateEnters(Warehouse(), until: release)
    let calls = WarehouseCall.allCases.map { call in
      let other = Warehouse(Stock(["apples": 10]))
      return TestThread(call.rawValue) { call.make(other) }
    }
    runUntilQuiet()
    let waiting = calls.filter { !$0.hasReturned }.map(\.name)
    #expect(
      waiting.isEmpty,
      """
      An update of one warehouse was under way, and these calls of others waited for it: \
      \(waiting.joined(separator: ", ")). Made within that update they would wait for themselves. Each \
      warehouse needs a queue or a lock of its own.
      """)
    release.open()
    try update.result()
  }

  // update        first         second
  // is inside
  //               asks
  //                             asks
  // leaves
  //               gets the two apples
  //                             gets none
  @Test(arguments: [WarehouseCall.take, .takeOrder])
  func `looking and taking are one step`(taking: WarehouseCall) throws {
    let warehouse = Warehouse(Stock(["apples": 2]))
    let release = Gate("release the update")
    let update = updateEnters(warehouse, until: release)
    let customers = ["first", "second"].map { name in
      let customer = TestThread(name) { taking.make(warehouse, apples: 2) == 2 }
      runUntilQuiet()
      return customer
    }
    release.open()
    try update.result()
    let taken = try customers.map { try $0.result() }
    let left = try mustReturn("count") { warehouse.count(of: "apples") }
    #expect(
      taken.filter { $0 }.count == 1 && left == 0,
      """
      There were 2 apples, and two customers asked for 2 at the same time. One must get them and one \
      be told false; they were told \(taken[0]) and \(taken[1]), and \(left) apples are left. Who \
      looks in one step and takes in another looks at apples that are gone by then: do both in one \
      update.
      """)
  }

  // update        first         second
  // is inside
  //               adds one
  //                             adds four
  // leaves
  //               … and the other: both are there
  @Test func `adding is one step`() throws {
    let warehouse = Warehouse(Stock(["apples": 2]))
    let release = Gate("release the update")
    let update = updateEnters(warehouse, until: release)
    let adders = [1, 4].map { count in
      let adder = TestThread("add") { warehouse.add(count, of: "apples") }
      runUntilQuiet()
      return adder
    }
    release.open()
    try update.result()
    for adder in adders { try adder.result() }
    let count = try mustReturn("count") { warehouse.count(of: "apples") }
    #expect(
      count == 7,
      """
      There were 2 apples; while an update was under way two callers added 1 and 4. There must be 7, and \
      there are \(count): whoever looks first and sets afterwards undoes what came between.
      """)
  }

  // Each reader stays until the next one waits. Where an order is taken in several steps, a reader
  // gets in between two of them.
  @Test func `an order is taken in one step`() throws {
    let warehouse = Warehouse(Stock(["apples": 2, "pears": 2]))
    let releases = (0..<6).map { Gate("release reader \($0)") }
    var readers = [readerEnters(warehouse, "reader 0", until: releases[0])]
    let customer = TestThread("take") { warehouse.take(["apples": 2, "pears": 2]) }
    runUntilQuiet()
    for number in 1..<releases.count {
      readers.append(readerEnters(warehouse, "reader \(number)", until: releases[number]))
      releases[number - 1].open()
      runUntilQuiet()
    }
    releases.last?.open()
    #expect(try customer.result(), "All that was ordered was there, and the order was refused.")
    for reader in readers {
      let counts = try reader.result()
      #expect(
        counts == [2, 2] || counts == [0, 0],
        timeline.showing(
          """
          An order of 2 apples and 2 pears was being taken, and somebody who looked saw \(counts[0]) \
          apples and \(counts[1]) pears. The whole order must be one update; inside, ask the stock.
          """))
    }
  }

  @Test func `the steps of many threads leave the right stock`() throws {
    let warehouse = Warehouse(Stock(["apples": 50]))
    try race("thread", threads: 4) { thread in
      for _ in 0..<20 {
        warehouse.add(1, of: "pears")
        if warehouse.take(["apples": 1, "pears": 1]) { warehouse.add(2, of: "plums") }
        _ = warehouse.total
        _ = warehouse.count(of: "plums")
      }
    }
    let counts = try mustReturn("read") {
      warehouse.read { stock in ["apples", "pears", "plums"].map { stock.count(of: $0) } }
    }
    #expect(
      counts == [0, 30, 100],
      """
      Four threads added a pear twenty times each, and gave an apple and a pear for 2 plums as long \
      as there were apples, of which there were 50. That must leave no apple, 30 pears and 100 plums.
      """)
  }

  @Test(arguments: [WarehouseCall.count, .total, .read])
  func `what one thread adds another one sees`(call: WarehouseCall) throws {
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...4 {
      let warehouse = Warehouse(Stock(["apples": 3]))
      let seen = Locked(0)
      // Nothing but the warehouse orders the two.
      try meet(
        call.rawValue, { warehouse.add(4, of: "apples") }, { seen.set(call.make(warehouse)) })
      #expect(
        seen.value == 7,
        "add had returned on one thread when another one asked, and what was added wasn't there.")
    }
  }

  // MARK: - Moves

  /// A reader that looks at the stock when it gets in, and stays until `gate` opens.
  private func readerEnters(
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
  private func updateEnters(_ warehouse: Warehouse, until gate: Gate) -> TestThread<Void> {
    let update = TestThread("update") { [timeline] in
      warehouse.update { _ in timeline.visit("update", until: gate) }
    }
    eventually("update never called its body.") { timeline.isInside("update") }
    return update
  }
}

/// What a body throws.
private struct StocktakingInterrupted: Error {}

extension Warehouse: OpaqueMirror {}
