import Foundation
import KataTesting
import Testing

/// Proves that whoever eats has both forks and puts them down afterwards, that those who share none eat
/// together, that nobody at the table waits for ever, and that a plain fork goes to whoever asked first.
@Suite(.serialized, .kata) struct DiningPhilosophersTests {
  @Test(arguments: [2, 3, 5]) func `whoever eats has both forks`(seats: Int) throws {
    let dinner = Dinner(seats: seats)
    for philosopher in 0..<seats {
      let inHand = try dinner.eats(philosopher).result("Nobody else is at the table.")
      let forks = dinner.forks(beside: philosopher)
      try #require(
        inHand == forks,
        """
        Of \(seats) philosophers, number \(philosopher) sits between the forks \(forks.sorted()), \
        and ate with these in hand: \(inHand.sorted()). Pick up the one on the left and the one on \
        the right, before the meal.
        """)
    }
  }

  @Test func `the forks are back on the table after the meal`() throws {
    let dinner = Dinner()
    for philosopher in 0..<5 {
      let inHand = try dinner.eats(philosopher).result(
        "Nobody else is eating. Did somebody keep a fork after the meal?")
      #expect(!inHand.isEmpty, "Philosopher \(philosopher) ate without forks.")
      try #require(
        dinner.watch.inUse.isEmpty,
        """
        Philosopher \(philosopher) has eaten, and nobody else has come yet. Both forks must be \
        back on the table; these aren't: \(dinner.watch.inUse.sorted()).
        """)
      let gotThrough = try dinner.chokes(philosopher).result("Nobody else is eating.")
      #expect(gotThrough, "What the meal throws must be thrown by eat.")
      try #require(
        dinner.watch.inUse.isEmpty,
        """
        The meal of philosopher \(philosopher) threw an error, and these forks weren't put down: \
        \(dinner.watch.inUse.sorted()). Put them down in a defer, however the meal ends.
        """)
    }
  }

  @Test func `a meal that throws isn't served again`() throws {
    let meals = Counter()
    let gotThrough = try Dinner().chokes(2, meals: meals).result("Nobody else is eating.")
    #expect(
      gotThrough && meals.value == 1,
      """
      The meal threw an error. eat must throw that, and it \(gotThrough ? "did" : "didn't"); and \
      the meal must be called once, and was called \(meals.value) times. Whether to try again is \
      up to the caller.
      """)
  }

  @Test func `forks are picked up and the meal is eaten on the calling thread`() throws {
    let dinner = Dinner()
    try dinner.eats(2).result("Nobody else is at the table.")
    #expect(
      dinner.watch.pickedUpByOthers.value == 0,
      """
      Philosopher 2 ate, and \(dinner.watch.pickedUpByOthers.value) of the forks were picked up on \
      another thread. A fork may be a lock, which only the thread that has it may give back: pick \
      them up on the thread that calls eat.
      """)
    #expect(
      dinner.timeline.events.allSatisfy { $0.who != "meal" },
      dinner.timeline.showing("The meal must be called on the thread that calls eat."))
  }

  @Test(arguments: 0..<5) func `neighbours don't eat at the same time`(first: Int) throws {
    let dinner = Dinner()
    let (a, b) = (first, (first + 1) % 5)
    let firstMeal = dinner.eats(a, lasts: true)
    try #require(
      eventually("Nobody else is at the table, and the meal never began.") {
        dinner.isEating(a)
      })
    let secondMeal = dinner.eats(b)
    let waits = dinner.timeline.expect(
      """
      philosopher \(a)  ┆┄┄┄┄├─────────…
      philosopher \(b)            ┆┄┄┄┄…
      """,
      """
      Philosopher \(a) is eating, and has the fork that \(b) needs as well; and \(b) has eaten all \
      the same. Who can't have both forks has to wait for them.
      """)
    guard waits else { return }
    dinner.endMeal(of: a)
    try firstMeal.result()
    let inHand = try secondMeal.result("The neighbour has eaten, so both forks are there.")
    #expect(
      inHand == dinner.forks(beside: b),
      "Philosopher \(b) waited for a fork, and must eat with both in hand.")
    dinner.timeline.expect(
      """
      philosopher \(a)  ┆┄┄┄┄├─────────┤
      philosopher \(b)            ┆┄┄┄┄┄┄┄┄┄├────┤
      """, "Philosopher \(a) has eaten, and \(b) after that: one meal for each of them.")
  }

  @Test(arguments: [2, 3])
  func `a fork that somebody else has is waited for`(number: Int) throws {
    let dinner = Dinner()
    let fork = dinner.forks[number]
    fork.pickUp(for: 9)
    dinner.timeline.enter("who has the fork")
    let meal = dinner.eats(2)
    let waits = dinner.timeline.expect(
      """
      who has the fork  ├─────────…
      philosopher 2          ┆┄┄┄┄…
      """,
      """
      Somebody who isn't at the table has taken fork \(number), and philosopher 2, who sits beside \
      it, has eaten all the same. Whoever lays the table has the forks too, and may use them: only \
      the fork itself knows whether it's free. Pick it up, and wait until it's there.
      """)
    guard waits else { return }
    dinner.timeline.leave("who has the fork")
    fork.putDown()
    runUntilQuiet()
    // Whoever waits until somebody at the table has eaten, and looks again, doesn't hear of this.
    guard meal.hasReturned else { return }
    let inHand = try meal.result()
    #expect(
      inHand == dinner.forks(beside: 2),
      "Philosopher 2 waited for a fork, and must eat with both in hand.")
  }

  @Test(arguments: 0..<5) func `two who aren't neighbours eat together`(first: Int) throws {
    let dinner = Dinner()
    let second = (first + 2) % 5
    for philosopher in [first, second] { dinner.eats(philosopher, lasts: true) }
    eventually(
      dinner.timeline.showing(
        """
        Philosophers \(first) and \(second) share no fork, and nobody else is at the table. But \
        they don't eat at the same time: something other than a fork keeps them apart.
        """)
    ) { dinner.isEating(first) && dinner.isEating(second) }
    let inHand = dinner.watch.inUse
    #expect(inHand.count == 4, "Two philosophers eat, so four forks must be in use.")
  }

  @Test(arguments: [[0, 2, 4], [1, 3, 5], [0, 2, 5]])
  func `all who share no fork eat together`(eating: [Int]) throws {
    let dinner = Dinner(seats: 7)
    for philosopher in eating { dinner.eats(philosopher, lasts: true) }
    eventually(
      dinner.timeline.showing(
        """
        Of seven philosophers \(eating) are hungry, and no two of them share a fork. But they \
        don't all eat at the same time: whoever lets only so many to the table lets too few.
        """)
    ) { eating.allSatisfy { dinner.isEating($0) } }
  }

  @Test func `at a large table twelve eat together`() throws {
    let dinner = Dinner(seats: 24)
    let eating = Array(stride(from: 0, to: dinner.seats, by: 2))
    for philosopher in eating { dinner.eats(philosopher, lasts: true) }
    eventually(
      dinner.timeline.showing(
        """
        Every other of 24 philosophers is hungry, and no two of them share a fork. But they don't \
        all eat at the same time: how many are let to the table must depend on how many forks there \
        are.
        """)
    ) { eating.allSatisfy { dinner.isEating($0) } }
  }

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
    try meet("eat", { table.eat(0) {} }, { table.eat(2) {} })
    try meet("eat", { table.eat(3) {} }, { table.eat(1) {} })
  }

  // MARK: - Plain forks

  @Test func `a plain fork is in one hand at a time`() throws {
    let fork = TableFork()
    try mustReturn("pickUp") { fork.pickUp(for: 0) }
    let other = TestThread("pickUp") { fork.pickUp(for: 1) }
    try #require(other.isBlocked, "0 has the fork, and 1 has picked it up as well.")
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
          asking.isBlocked, "0 has the fork, and \(philosopher) has picked it up as well.")
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

extension DiningPhilosophers: OpaqueMirror {}
extension TableFork: OpaqueMirror {}
