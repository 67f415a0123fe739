import Foundation
import KataTesting
import Testing

extension PriorityLaneTests {
  // MARK: - Dependencies

  @Test func `a dependency goes before any priority`() throws {
    let groundwork = try add("groundwork", -8)
    try add("very urgent, after the groundwork", 8, after: [groundwork])
    try add("normal")
    try add("low", -4)
    try open()
    expectOrder(
      ["normal", "low", "groundwork", "very urgent, after the groundwork"],
      """
      The very urgent job isn't ready before the groundwork has finished; and nobody inherits its \
      priority, so the groundwork's turn comes after the normal and the low job. Add dependencies \
      with addDependency, and leave the priorities as they were given.
      """)
  }

  @Test func `once it's ready, the urgent one overtakes`() throws {
    let groundwork = try add("groundwork")
    try add("normal")
    try add("normal too")
    try add("urgent, after the groundwork", 4, after: [groundwork])
    try open()
    expectOrder(
      ["groundwork", "urgent, after the groundwork", "normal", "normal too"],
      """
      With the groundwork finished the urgent job is ready, and its priority counts: the higher one \
      of all that wait.
      """)
  }

  @Test func `a job waits for everything it comes after`() throws {
    let low = try add("low", -4)
    let high = try add("high", 4)
    try add("after low and high", 8, after: [low, high])
    try add("after high and low", 4, after: [high, low])
    try add("normal")
    try open()
    expectOrder(
      ["high", "normal", "low", "after low and high", "after high and low"],
      """
      Two jobs come after the low one and after the high one: both of these have to be finished, not \
      the first or the last alone.
      """)
  }

  // Whoever adds dependencies to a job that is in an open lane may be too late. The one that counts comes
  // last, behind many that have finished, so there's time to begin; and it's tried several times.
  @Test func `a job that is added to an open lane waits as well`() throws {
    let finished = (0..<1000).map { _ in Operation() }
    for operation in finished { operation.start() }
    let groundwork = Operation()
    let begun = SharedCounter()
    try open()
    for _ in 1...5 {
      try mustReturn("add") { [lane] in
        lane.add(after: finished + [groundwork]) { begun.increment() }
      }
    }
    runUntilQuiet()
    try #require(
      begun.value == 0,
      """
      Five jobs were added to an open lane, and each comes after the groundwork, which hasn't finished. \
      \(begun.value) of them have begun. A job may begin as soon as it's in the queue: add its dependencies \
      before that.
      """)
    groundwork.start()
    runUntilQuiet()
    #expect(
      begun.value == 5,
      "The groundwork has finished, so all five are ready and must run; \(begun.value) have begun.")
  }

  @Test func `a job may come after one in another lane`() throws {
    let other = PriorityLane(name: "com.example.other")
    let groundwork = try add("groundwork", to: other)
    try add("after it", 8, after: [groundwork])
    try add("beside it")
    try open()
    timeline.expect(
      """
      groundwork  ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      after it         ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      beside it             ┆┄┄┄┄├────┤
      """,
      """
      What comes after the groundwork must wait for it, though that is in another lane, and nobody else must: \
      who waits mustn't occupy the lane.
      """)
    try open(other)
    timeline.expect(
      """
      groundwork  ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      after it         ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      beside it             ┆┄┄┄┄├────┤
      """, "The groundwork has finished in its lane: what comes after it is ready now.")
  }

  // this lane           the other lane
  //                     groundwork is held, and cancelled
  // "after it" waits
  //                     groundwork leaves
  // "after it" runs
  @Test func `a cancelled one is waited for until it has left`() throws {
    let other = PriorityLane(name: "com.example.other")
    let groundwork = try add("groundwork", to: other)
    groundwork.cancel()
    try add("after it", after: [groundwork])
    try open()
    expectOrder(
      [],
      """
      The groundwork is cancelled, and still in its lane, which is closed: it hasn't finished, so what \
      comes after it waits.
      """)
    try open(other)
    expectOrder(["after it"], "The cancelled groundwork has left its lane without working.")
  }

  @Test func `a job that is cancelled is left out, and others don't wait for it`() throws {
    let unwanted = try add("unwanted")
    try add("after it", after: [unwanted])
    unwanted.cancel()
    try open()
    expectOrder(
      ["after it"],
      """
      The first job was cancelled before its turn: it mustn't work. It leaves the lane all the same, \
      and what comes after it goes on. `add` must return the operation that is in the queue.
      """)
  }

  // groundwork          eight jobs that come after both
  //                     are cancelled, leave the lane, and the spec doesn't keep them
  // finishes, one and the other
  //
  // Foundation on Linux doesn't retain them: what finishes looks for them where they were, and the process
  // crashes. Elsewhere there's nothing to see.
  @Test func `a cancelled job may go before what it comes after finishes`() throws {
    let groundwork = [Operation(), Operation()]
    let begun = SharedCounter()
    try open()
    try add("another", after: groundwork)
    try mustReturn("add, eight times,") { [lane] in
      // All of them are there before one of them goes: no two have stood at the same place in memory.
      let jobs = (1...8).map { _ in lane.add(after: groundwork) { begun.increment() } }
      for job in jobs { job.cancel() }
    }
    runUntilQuiet()
    for operation in groundwork {
      operation.start()
      runUntilQuiet()
    }
    expectOrder(
      ["another"],
      """
      Nine jobs came after the groundwork, and eight of them were cancelled. The groundwork has finished, \
      so the ninth is ready and must run.
      """)
    #expect(
      begun.value == 0,
      "Eight jobs were cancelled while they waited, and \(begun.value) of them have worked.")
  }
}
