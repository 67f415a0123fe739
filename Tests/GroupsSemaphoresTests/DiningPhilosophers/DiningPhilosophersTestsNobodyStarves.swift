import Foundation
import KataTesting
import Testing

extension DiningPhilosophersTests {
  // MARK: - Nobody starves

  // everybody
  // is hungry
  // has one fork, or waits for it
  // goes on
  // eats, sooner or later
  @Test(arguments: [2, 3, 5])
  func `dinner ends though everybody has stopped with one fork in hand`(seats: Int) throws {
    let goOn = Gate("go on with the second fork")
    let dinner = Dinner(seats: seats, afterFirstFork: goOn)
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
        All \(seats) philosophers were hungry, and everybody who had picked up a first fork paused \
        before the second. Now everything is at rest, and these never ate: \(hungry). Of the \
        forks, \(inHand.joined(separator: ", ")). Where each waits for a fork that the next one holds, \
        that's a circle: a deadlock. One who picks up the forks in another order, or who comes to \
        the table later, breaks it.
        """))
    for philosopher in 0..<seats {
      let inHand = try meals[philosopher].result()
      #expect(
        inHand == dinner.forks(beside: philosopher),
        "Philosopher \(philosopher) must eat with both forks in hand.")
    }
  }

  // philosopher 0    philosopher 1    philosopher 2
  // eats                              eats
  //                  is hungry
  // again                             stays
  // stays                             again
  @Test(arguments: 0..<5) func `nobody starves between two who eat in turns`(first: Int) throws {
    let dinner = Dinner()
    let (starving, third) = ((first + 1) % 5, (first + 2) % 5)
    var meals: [Int: TestThread<Set<Int>>] = [:]
    for neighbour in [first, third] { meals[neighbour] = dinner.eats(neighbour, lasts: true) }
    let bothEat = eventually("Two who share no fork are hungry, and don't eat.") {
      dinner.isEating(first) && dinner.isEating(third)
    }
    guard bothEat else { return }
    let meal = dinner.eats(starving)
    runUntilQuiet()
    try #require(!meal.hasReturned, "Both neighbours eat, so both forks of \(starving) are in use.")

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
        Philosopher \(starving) is hungry, and the neighbours, \(first) and \(third), have eaten \
        five times since, each whenever the other had a meal. There's always one fork missing, and \
        it can go on like that for ever. Who has waited longer must come first: keep a place in \
        the line, or the first fork, while you wait for the second.
        """))
  }

  @Test func `five philosophers eat a hundred times with plain forks`() throws {
    let table = DiningPhilosophers()
    let timeline = Timeline()
    let end = Gate("the meal of 0 ends")
    let first = TestThread("eat(0)") { table.eat(0) { timeline.visit("0", until: end) } }
    let begun = eventually("Nobody else is at the table, and the meal of 0 never began.") {
      timeline.isInside("0")
    }
    guard begun else { return }
    let second = timeline.asks("1") { table.eat(1) { timeline.visit("1") {} } }
    let waits = timeline.expect(
      """
      0  ├─────────…
      1       ┆┄┄┄┄…
      """, "While 0 eats, 1 can't: they share fork 1.")
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
      try philosopher.result("Five philosophers wanted to eat a hundred times each.")
    }
    #expect(
      timeline.orderOfEntry.count == 502,
      "Two meals, and five times a hundred: each meal is to be had once.")
    let shared = (0..<5).filter { timeline.overlapped("\($0)", "\(($0 + 1) % 5)") }
    #expect(
      shared.isEmpty,
      "These ate while the neighbour on the right did, with the same fork: \(shared).")
  }

  // philosopher 0    philosopher 2
  // eats
  //                  eats              nothing orders the two, for they share no fork
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
    try #require(other.isBlocked(), "0 has the fork, and 1 has picked it up as well.")
    let isTaken = try mustReturn("pickUpIfFree", "It never waits.") { fork.pickUpIfFree(for: 2) }
    #expect(!isTaken, "0 has the fork, so pickUpIfFree must return false.")
    fork.putDown()
    try other.result("0 has put the fork down, so 1, who waits for it, must get it.")
    fork.putDown()
    let answers = try (3...4).map { philosopher in
      try mustReturn("pickUpIfFree", "It never waits.") { fork.pickUpIfFree(for: philosopher) }
    }
    #expect(
      answers == [true, false],
      "The fork lay on the table: 3, who asked first, must have it now, and 4 mustn't.")
    fork.putDown()
    try mustReturn("pickUp", "3 has put the fork down, so it lies on the table again.") {
      fork.pickUp(for: 4)
    }
    fork.putDown()
  }

  // Whoever puts the fork down and asks again at once is quicker than somebody who has to wake up
  // first. A few rounds, for now and then a sleeper is quicker.
  @Test func `a plain fork goes to whoever asked first`() throws {
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
          asking.isBlocked(), "0 has the fork, and \(philosopher) has picked it up as well.")
        return asking
      }
      let again = order.asks("0") {
        fork.putDown()
        fork.pickUp(for: 0)
        order.visit("0") {}
        fork.putDown()
      }
      for asking in [again] + waiting { try asking.result("Everybody has put the fork down.") }
      let isInOrder = order.expect(
        """
        1  ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
        2       ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
        0            ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
        """,
        """
        0 had the fork, 1 asked for it, then 2, and then 0 put it down and asked again: round \
        \(round). They must get it in the order of asking, or two quick ones keep it from a \
        third for ever.
        """)
      guard isInOrder else { return }
    }
  }
}
