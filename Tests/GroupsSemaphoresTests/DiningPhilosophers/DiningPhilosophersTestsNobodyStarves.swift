import Foundation
import KataTesting
import Testing

extension DiningPhilosophersTests {
  // MARK: - No deadlock, no starvation

  // each philosopher
  // is hungry
  // has one fork, or waits for it
  // goes on
  // eats, sooner or later
  @Test(arguments: [2, 3, 5], ForkKind.allCases)
  func `dinner ends even if all philosophers pause with one fork in hand`(
    seats: Int, kind: ForkKind
  ) throws {
    let goOn = Gate("go on with the second fork")
    let dinner = Dinner(seats: seats, kind: kind)
    for philosopher in 0..<seats { dinner.watch.pause(philosopher, at: goOn) }
    let meals = (0..<seats).map { dinner.eats($0) }
    runUntilQuiet()
    goOn.open()
    runUntilQuiet()
    let hungry = (0..<seats).filter { !meals[$0].hasReturned }
    let inHand = hungry.map { "philosopher \($0) has \(dinner.watch.forks(of: $0).sorted())" }
    try #require(
      hungry.isEmpty,
      dinner.timeline.showing(
        """
        All \(seats) philosophers were hungry, and each paused after its first fork. Now no thread runs, \
        and these never ate: \(hungry) (\(inHand.joined(separator: ", "))). If each waits for a fork that \
        the next one holds, that's a circular wait, a deadlock: one of them must pick up its forks in \
        another order, or come to the table later. These forks are \(kind.rawValue).
        """))
    for philosopher in 0..<seats {
      let inHand = try meals[philosopher].result()
      #expect(
        inHand == dinner.forks(beside: philosopher),
        "Philosopher \(philosopher) must eat with both forks in hand.")
    }
  }

  // each philosopher, in turn
  // comes, and has one fork, or waits for it
  // eats, comes again, and does the same
  // eats
  @Test(arguments: [2, 3, 5], [false, true])
  func `dinner ends even if each philosopher comes again while the others wait`(
    seats: Int, lastGoesFirst: Bool
  ) {
    let dinner = Dinner(seats: seats)
    let meals = (0..<seats).map { philosopher in
      dinner.watch.pause(philosopher, at: Gate("the first meal of \(philosopher) goes on"))
      defer { runUntilQuiet() }
      return dinner.eats(philosopher, times: 2)
    }
    let order = lastGoesFirst ? Array((0..<seats).reversed()) : Array(0..<seats)
    for philosopher in order {
      dinner.watch.pause(philosopher, at: Gate("the second meal of \(philosopher) goes on"))
      runUntilQuiet()
    }
    for philosopher in order { dinner.watch.pause(philosopher) }
    runUntilQuiet()
    let hungry = (0..<seats).filter { !meals[$0].hasReturned }
    let inHand = hungry.map { "philosopher \($0) has \(dinner.watch.forks(of: $0).sorted())" }
    #expect(
      hungry.isEmpty,
      dinner.timeline.showing(
        """
        Of \(seats) philosophers each paused after its first fork, was then let go on, in turn, \
        and came again after its meal. Now no thread runs, and these are still hungry: \(hungry) \
        (\(inHand.joined(separator: ", "))). As long as meals end, no philosopher may wait for \
        ever, in whichever order they come and go.
        """))
  }

  // philosopher 0    philosopher 1    philosopher 2
  // eats                              eats
  //                  is hungry
  // again                             stays
  // stays                             again
  @Test(arguments: 0..<5)
  func `no philosopher starves between two that eat in turns`(first: Int) throws {
    let dinner = Dinner()
    let (starving, third) = ((first + 1) % 5, (first + 2) % 5)
    var meals: [Int: TestThread<Set<Int>>] = [:]
    for neighbour in [first, third] { meals[neighbour] = dinner.eats(neighbour, lasts: true) }
    let bothEat = eventually("Two philosophers share no fork and are hungry, but don't both eat.") {
      dinner.isEating(first) && dinner.isEating(third)
    }
    guard bothEat else { return }
    let meal = dinner.eats(starving)
    runUntilQuiet()
    try #require(!meal.hasReturned, "Both neighbours eat, so \(starving) must wait for both forks.")

    for _ in 1...5 {
      for neighbour in [first, third] where dinner.isEating(neighbour) {
        dinner.endMeal(of: neighbour)
        try meals[neighbour]?.result("The meal is over.")
        meals[neighbour] = dinner.eats(neighbour, lasts: true)
        runUntilQuiet()
      }
    }
    #expect(
      meal.hasReturned,
      dinner.timeline.showing(
        """
        Philosopher \(starving) was hungry while its neighbours, \(first) and \(third), ate in turns, \
        and it still hasn't eaten. If one of its forks is always in use, this can go on for ever: \
        starvation. Keep a place in line, or the first fork, while you wait for the second.
        """))
  }

  @Test func `five philosophers eat a hundred times with plain forks`() throws {
    let table = DiningPhilosophers()
    let timeline = Timeline()
    let end = Gate("the meal of 0 ends")
    let first = TestThread("eat(0)") { table.eat(0) { timeline.visit("0", until: end) } }
    let begun = eventually("No other one is at the table, but the meal of 0 never began.") {
      timeline.isInside("0")
    }
    guard begun else { return }
    let second = timeline.asks("1") { table.eat(1) { timeline.visit("1") {} } }
    let waits = timeline.expect(
      """
      0  ├─────────…
      1       ┆┄┄┄┄…
      """, "While 0 eats, 1 must wait: they share fork 1.")
    guard waits else { return }
    end.open()
    for meal in [first, second] { try meal.result() }

    let philosophers = (0..<5).map { philosopher in
      TestThread("eat(\(philosopher)), a hundred times,") {
        for _ in 1...100 {
          table.eat(philosopher) { timeline.visit("\(philosopher)") {} }
        }
      }
    }
    for philosopher in philosophers {
      try philosopher.result("Five philosophers eat a hundred times each, and each meal must end.")
    }
    #expect(
      timeline.orderOfEntry.count == 502,
      "Each call of eat must call its meal once: 2 calls, and then 5 times 100.")
    let shared = (0..<5).filter { timeline.overlapped("\($0)", "\(($0 + 1) % 5)") }
    #expect(
      shared.isEmpty,
      "These ate at the same time as the neighbour on the right, with the same fork: \(shared).")
  }

  // philosopher 0    philosopher 2
  // eats
  //                  eats              nothing orders the two, because they share no fork
  @Test func `philosophers may eat on any thread`() throws {
    let table = DiningPhilosophers(seats: 5)
    for philosopher in [0, 2] {
      try mustReturn("eat(\(philosopher))") { table.eat(philosopher) {} }
    }
    try RelaxedRendezvous.meet("eat", { table.eat(0) {} }, { table.eat(2) {} })
    try RelaxedRendezvous.meet("eat", { table.eat(3) {} }, { table.eat(1) {} })
  }

  // MARK: - Plain forks

  @Test func `a plain fork is in one hand at a time`() throws {
    let fork = TableFork()
    try mustReturn("pickUp") { fork.pickUp(for: 0) }
    let other = TestThread("pickUp") { fork.pickUp(for: 1) }
    try #require(other.isBlocked(), "0 has the fork, but 1 has picked it up too.")
    let isTaken = try mustReturn("pickUpIfFree", "It mustn't wait.") { fork.pickUpIfFree(for: 2) }
    #expect(!isTaken, "0 has the fork, so pickUpIfFree must return false.")
    fork.putDown()
    try other.result("0 has put the fork down, so 1, which waits for it, must get it.")
    fork.putDown()
    let answers = try (3...4).map { philosopher in
      try mustReturn("pickUpIfFree", "It mustn't wait.") { fork.pickUpIfFree(for: philosopher) }
    }
    #expect(
      answers == [true, false],
      "The fork was free, so 3, which asked first, must have it now, and 4 mustn't.")
    fork.putDown()
    try mustReturn("pickUp", "3 has put the fork down, so it's free again.") {
      fork.pickUp(for: 4)
    }
    fork.putDown()
  }

  // A thread that puts the fork down and asks again at once is quicker than one that has to wake up
  // first. Several rounds, because now and then the woken thread is quicker.
  @Test func `a plain fork is given in the order of asking`() throws {
    for round in 1...4 {
      let fork = TableFork()
      let order = Timeline()
      try mustReturn("pickUp") { fork.pickUp(for: 0) }
      let waiting = try (1...2).map { philosopher in
        let asking = order.asks("\(philosopher)") {
          fork.pickUp(for: philosopher)
          order.visit("\(philosopher)") {}
          fork.putDown()
        }
        try #require(
          asking.isBlocked(), "0 has the fork, but \(philosopher) has picked it up too.")
        return asking
      }
      let again = order.asks("0") {
        fork.putDown()
        fork.pickUp(for: 0)
        order.visit("0") {}
        fork.putDown()
      }
      for asking in [again] + waiting { try asking.result("The fork has been put down.") }
      let isInOrder = order.expect(
        """
        1  ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
        2       ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
        0            ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
        """,
        """
        0 had the fork, 1 asked for it, then 2, and then 0 put it down and asked again (round \
        \(round)). They must get it in the order of asking, or two quick philosophers can keep it \
        from a third for ever.
        """)
      guard isInOrder else { return }
    }
  }
}
