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
    let meals = SharedCounter()
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

  // MARK: - Together

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
}

extension DiningPhilosophers: OpaqueMirror {}
extension TableFork: OpaqueMirror {}
