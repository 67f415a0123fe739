import KataTesting
import Testing

extension NestedAccessTests {
  // MARK: - Several threads

  // update                 a reader    another call
  // takes all apples
  // (halfway)              runs        runs: both wait, or see the apples
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
    let reader = TestThread("a reader") { warehouse.count(of: "apples") }
    runUntilQuiet()
    let other = TestThread(call.rawValue) { [timeline] in
      let apples = call.make(warehouse)
      timeline.mark(call.rawValue, "\(apples) apples")
      return apples
    }
    runUntilQuiet()
    release.open()
    try update.result()
    try reader.result()
    #expect(
      try other.result() == 10,
      timeline.showing(
        """
        An update took all apples out and put them back, and \(call.rawValue) saw the warehouse \
        without them. It must wait until the update is over: every call has to be a read or an \
        update.
        """))
    #expect(
      timeline.entries(of: "update, no apples") == 1,
      timeline.showing(
        "An update must call its body once: the body may have side effects, such as printing."))
    #expect(
      try mustReturn("count") { warehouse.count(of: "apples") } == call.left,
      timeline.showing(
        """
        \(call.rawValue) was called while an update was running. In the end there must be \
        \(call.left) apples, but there aren't: no step may undo what another one has changed.
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
      // 301 in all: not even some of many may share a queue or a lock.
      let others = (1...43).map { _ in Warehouse(Stock(["apples": 10])) }
      return TestThread(call.rawValue) {
        for other in others { _ = call.make(other) }
      }
    }
    runUntilQuiet()
    let waiting = calls.filter { !$0.hasReturned }.map(\.name)
    #expect(
      waiting.isEmpty,
      """
      An update of one warehouse was running, and these calls of other warehouses waited for it: \
      \(waiting.joined(separator: ", ")). Within that update they would wait for themselves: a \
      deadlock. Each warehouse needs a queue or a lock of its own.
      """)
    release.open()
    try update.result()
  }

  // update of one warehouse    step of another
  // is inside
  //                            calls update of the first: must wait
  // leaves
  //                            is inside
  @Test func `within a step of another warehouse, an update waits like any other`() throws {
    let release = Gate("release the update")
    let (warehouse, another) = (Warehouse(Stock(["apples": 10])), Warehouse())
    let update = updateEnters(warehouse, until: release)
    let entered = SharedCounter()
    let nested = TestThread("update") {
      another.update { _ in warehouse.update { _ in entered.increment() } }
    }
    runUntilQuiet()
    #expect(
      entered.value == 0,
      """
      An update of a warehouse was running, and a second one, called within a step of another \
      warehouse, ran beside it. Each warehouse needs a queue or a lock of its own, and each update \
      of it has to wait for that one.
      """)
    release.open()
    try update.result()
    try nested.result()
  }

  // update        first         second
  // is inside
  //               calls take
  //                             calls take
  // leaves
  //               gets the two apples
  //                             gets none
  @Test(arguments: [WarehouseCall.take, .takeOrder])
  func `checking and taking are one step`(taking: WarehouseCall) throws {
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
      There were 2 apples, and two callers took 2 at the same time. One must get true and one \
      false; they got \(taken[0]) and \(taken[1]), and \(left) apples are left. Between a check in \
      one step and a take in another the apples may be gone, so do both in one update.
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
      There were 2 apples; while an update was running two callers added 1 and 4. There must be 7, \
      but there are \(count). A count that is read in one step and set in another undoes what \
      happened in between.
      """)
  }

  // Each reader stays until the next one waits. If an order is taken in several steps, a reader
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
    #expect(try customer.result(), "Everything in the order was there, and the order was refused.")
    for reader in readers {
      let counts = try reader.result()
      #expect(
        counts == [2, 2] || counts == [0, 0],
        timeline.showing(
          """
          An order of 2 apples and 2 pears was being taken, and a reader saw \(counts[0]) apples \
          and \(counts[1]) pears. The whole order must be one update; inside it, use the stock.
          """))
    }
  }

  @Test func `steps of many threads leave the right stock`() throws {
    let warehouse = Warehouse(Stock(["apples": 50]))
    try TestThread.race("thread", threads: 4) { thread in
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
      Four threads each added a pear twenty times, and exchanged an apple and a pear for 2 plums \
      as long as there were apples, 50 in all. That must leave no apples, 30 pears and 100 plums.
      """)
  }

  @Test(arguments: [WarehouseCall.count, .total, .read])
  func `a thread sees what another has added`(call: WarehouseCall) throws {
    // Several times, because Thread Sanitizer occasionally misses a pair of accesses.
    for _ in 1...4 {
      let warehouse = Warehouse(Stock(["apples": 3]))
      let seen = LockedValue(0)
      // Only the warehouse orders the two accesses.
      try RelaxedRendezvous.meet(
        call.rawValue, { warehouse.add(4, of: "apples") }, { seen.set(call.make(warehouse)) })
      #expect(
        seen.value == 7,
        "add had returned on one thread, and then another thread didn't see what it had added.")
    }
  }
}
