import Foundation
import KataTesting
import Testing

/// Proves that a philosopher that eats has both forks and puts them down afterwards; that philosophers that
/// share no fork eat together; that none waits for ever; and that plain forks are given in the order of asking.
@Suite(.serialized, .kata) struct DiningPhilosophersTests {
  @Test(arguments: [2, 3, 5]) func `a philosopher that eats has both forks`(seats: Int) throws {
    let dinner = Dinner(seats: seats)
    for philosopher in 0..<seats {
      let inHand = try dinner.eats(philosopher).result("No other philosopher is at the table.")
      let forks = dinner.forks(beside: philosopher)
      try #require(
        inHand == forks,
        """
        Of \(seats) philosophers, number \(philosopher) sits between the forks \(forks.sorted()), \
        but ate with these in hand: \(inHand.sorted()). Pick up the fork on the left and the one on \
        the right before the meal, and keep both until it ends.
        """)
    }
  }

  @Test func `the forks are back on the table after the meal`() throws {
    let dinner = Dinner()
    for philosopher in 0..<5 {
      let inHand = try dinner.eats(philosopher).result(
        "No other philosopher is eating. Was a fork kept after an earlier meal?")
      #expect(!inHand.isEmpty, "Philosopher \(philosopher) ate without forks.")
      try #require(
        dinner.watch.inUse.isEmpty,
        """
        Philosopher \(philosopher) has eaten, and no other one has come yet. Both forks must be \
        back on the table; these aren't: \(dinner.watch.inUse.sorted()).
        """)
      let gotThrough = try dinner.chokes(philosopher).result("No other one is eating.")
      #expect(gotThrough, "The meal threw an error, so eat must throw it too.")
      try #require(
        dinner.watch.inUse.isEmpty,
        """
        The meal of philosopher \(philosopher) threw an error, and these forks weren't put down: \
        \(dinner.watch.inUse.sorted()). Put them down however the meal ends, for example in a defer.
        """)
    }
  }

  @Test func `a meal that throws isn't served again`() throws {
    let meals = SharedCounter()
    let gotThrough = try Dinner().chokes(2, meals: meals).result("No other one is eating.")
    #expect(
      gotThrough && meals.value == 1,
      """
      The meal threw an error. eat must throw it too (it \(gotThrough ? "did" : "didn't")), and call \
      the meal once (calls: \(meals.value)). Whether to try again is up to the caller.
      """)
  }

  @Test func `forks are picked up and the meal is eaten on the calling thread`() throws {
    let dinner = Dinner()
    try dinner.eats(2).result("No other philosopher is at the table.")
    #expect(
      dinner.watch.pickedUpByOthers.value == 0,
      """
      Philosopher 2 ate, and \(dinner.watch.pickedUpByOthers.value) of the forks were picked up on \
      another thread. A fork may be a lock that only its owner may release, so pick both up on the \
      thread that calls eat.
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
      eventually("No other philosopher is at the table, but the meal never began.") {
        dinner.isEating(a)
      })
    let secondMeal = dinner.eats(b)
    let waits = dinner.timeline.expect(
      """
      philosopher \(a)  ┆┄┄┄┄├─────────…
      philosopher \(b)            ┆┄┄┄┄…
      """,
      """
      Philosopher \(a) is eating, and shares a fork with \(b), so \(b) must wait, and doesn't. A \
      meal mustn't begin before its philosopher has both forks.
      """)
    guard waits else { return }
    dinner.endMeal(of: a)
    try firstMeal.result()
    let inHand = try secondMeal.result("The neighbour has eaten, so both forks are free.")
    #expect(
      inHand == dinner.forks(beside: b),
      "Philosopher \(b) waited for a fork, and must then eat with both in hand.")
    dinner.timeline.expect(
      """
      philosopher \(a)  ┆┄┄┄┄├─────────┤
      philosopher \(b)            ┆┄┄┄┄┄┄┄┄┄├────┤
      """, "Philosopher \(a) must have eaten first, and \(b) after that, one meal each.")
  }

  @Test(arguments: [2, 3])
  func `eat waits for a fork in use outside the table`(number: Int) throws {
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
      Fork \(number) is in use outside the table, so philosopher 2, who sits beside it, must wait, \
      and doesn't. The code that lays the table may use the forks too, so only the fork itself knows \
      whether it's free. Pick it up, which waits until it is.
      """)
    guard waits else { return }
    dinner.timeline.leave("who has the fork")
    fork.putDown()
    runUntilQuiet()
    // An answer that checks again whenever a philosopher of this table has eaten doesn't notice this.
    guard meal.hasReturned else { return }
    let inHand = try meal.result()
    #expect(
      inHand == dinner.forks(beside: 2),
      "Philosopher 2 waited for a fork, and must then eat with both in hand.")
  }

  // MARK: - Together

  @Test(arguments: 0..<5)
  func `two philosophers that aren't neighbours eat together`(first: Int) throws {
    let dinner = Dinner()
    let second = (first + 2) % 5
    for philosopher in [first, second] { dinner.eats(philosopher, lasts: true) }
    eventually(
      dinner.timeline.showing(
        """
        Philosophers \(first) and \(second) share no fork, and no other one is at the table. They \
        must eat at the same time, and they don't: something other than a fork keeps them apart.
        """)
    ) { dinner.isEating(first) && dinner.isEating(second) }
    let inHand = dinner.watch.inUse
    #expect(inHand.count == 4, "Two philosophers eat, so four forks must be in use.")
  }

  @Test(arguments: [[0, 2, 4], [1, 3, 5], [0, 2, 5]])
  func `all philosophers that share no fork eat together`(eating: [Int]) throws {
    let dinner = Dinner(seats: 7)
    for philosopher in eating { dinner.eats(philosopher, lasts: true) }
    eventually(
      dinner.timeline.showing(
        """
        Of seven philosophers, \(eating) are hungry, and no two of them share a fork. They must all \
        eat at the same time, and they don't. If something limits how many may eat, its limit is too \
        low.
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
        Every other one of 24 philosophers is hungry, and no two of them share a fork. They must all \
        eat at the same time, and they don't. If something limits how many may eat, its limit must \
        depend on the number of forks.
        """)
    ) { eating.allSatisfy { dinner.isEating($0) } }
  }
}

extension DiningPhilosophers: OpaqueMirror {}
extension TableFork: OpaqueMirror {}
