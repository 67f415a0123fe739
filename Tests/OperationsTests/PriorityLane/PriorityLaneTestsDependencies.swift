import Foundation
import KataTesting
import Testing

extension PriorityLaneTests {
  // MARK: - Dependencies

  @Test func `a dependency counts before any priority`() throws {
    let groundwork = try add("groundwork", -8)
    try add("very urgent, after the groundwork", 8, after: [groundwork])
    try add("normal")
    try add("low", -4)
    try open()
    expectOrder(
      ["normal", "low", "groundwork", "very urgent, after the groundwork"],
      """
      The very urgent job isn't ready before the groundwork has finished. The groundwork doesn't \
      inherit its priority, so it runs after the normal and the low job. Call addDependency, and \
      leave the priorities as they were given.
      """)
  }

  @Test func `once it's ready, the urgent one overtakes`() throws {
    let groundwork = try add("groundwork")
    let more = try add("more groundwork")
    try add("normal")
    try add("normal too")
    try add("urgent, after both", 4, after: [groundwork, more])
    try open()
    expectOrder(
      ["groundwork", "more groundwork", "urgent, after both", "normal", "normal too"],
      """
      The groundwork has finished, so the urgent job is ready, and has the highest priority of \
      those that wait.
      """)
  }

  @Test func `a job waits for all its dependencies`() throws {
    let low = try add("low", -4)
    let high = try add("high", 4)
    try add("after low and high", 8, after: [low, high])
    try add("after high and low", 4, after: [high, low])
    try add("normal")
    try open()
    expectOrder(
      ["high", "normal", "low", "after low and high", "after high and low"],
      """
      Two jobs come after the low one and the high one. They must wait for both, not only for the \
      first or the last.
      """)
  }

  // A set of the two keeps either of them.
  @Test(arguments: [0, 1])
  func `a job waits for each of two operations that are equal`(finishesFirst: Int) throws {
    let operations = [EqualGroundwork(), EqualGroundwork()]
    try add("after both", after: operations)
    try open()
    operations[finishesFirst].start()
    runUntilQuiet()
    #expect(
      timeline.orderOfEntry.isEmpty,
      """
      A job that comes after two operations, which are equal by isEqual, has begun, and only one of \
      them has finished. Each is an operation of its own: the job must wait for both.
      """)
    operations[1 - finishesFirst].start()
    runUntilQuiet()
    expectOrder(
      ["after both"], "Both operations have finished, so the job that comes after them must run.")
  }

  // An answer that adds dependencies to a job in an open lane may be too late. The one that counts
  // is the last, behind many that have finished, so there is time to begin; and it's repeated.
  @Test func `a job that is added to an open lane waits for its dependencies`() throws {
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
      Five jobs were added to an open lane after the groundwork, which hasn't finished. \
      \(begun.value) of them have begun, and none may. A job may begin as soon as it's in the \
      queue: add its dependencies before.
      """)
    groundwork.start()
    runUntilQuiet()
    #expect(
      begun.value == 5,
      """
      The groundwork has finished, so all five jobs are ready and must run; \(begun.value) have \
      begun.
      """)
  }

  @Test func `a job may come after a job in another lane`() throws {
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
      A job comes after the groundwork, which is in another lane. It must wait for the groundwork, \
      and the job without dependencies must run meanwhile: a job that waits must not occupy the \
      lane.
      """)
    try open(other)
    timeline.expect(
      """
      groundwork  ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      after it         ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      beside it             ┆┄┄┄┄├────┤
      """, "The groundwork has finished in its lane, so the job that comes after it must run.")
  }

  // this lane           the other lane
  //                     groundwork waits, and is cancelled
  // "after it" waits
  //                     groundwork leaves
  // "after it" runs
  @Test func `a cancelled job is waited for until it has left its lane`() throws {
    let other = PriorityLane(name: "com.example.other")
    let groundwork = try add("groundwork", to: other)
    groundwork.cancel()
    runUntilQuiet()
    // It may leave at once, or when its lane has been opened.
    let hasLeft = groundwork.isFinished
    try add("after it", after: [groundwork])
    try open()
    expectOrder(
      hasLeft ? ["after it"] : [],
      """
      The groundwork was cancelled, and its lane is closed. The job that comes after it must wait \
      if the groundwork hasn't finished, and run if it has.
      """)
    try open(other)
    expectOrder(
      ["after it"],
      """
      The cancelled groundwork has left its lane without running, so the job that comes after it \
      must run.
      """)
  }

  @Test func `a cancelled job doesn't run, and others don't wait for it`() throws {
    let unwanted = try add("unwanted")
    try add("after it", after: [unwanted])
    unwanted.cancel()
    try open()
    expectOrder(
      ["after it"],
      """
      The first job was cancelled before its turn, so it must not run. It must leave the lane, and \
      the job that comes after it must run. Return from add the operation that is in the queue.
      """)
  }

  // groundwork (two)    eight jobs that come after both
  //                     are cancelled, leave the lane, and the spec doesn't retain them
  // finish, one after the other
  //
  // Foundation on Linux doesn't retain dependents: an operation that finishes follows pointers to
  // them. If they were deallocated, the process crashes. On other systems nothing is to be seen.
  @Test(arguments: [false, true])
  func `a cancelled job needn't be retained until its dependencies finish`(
    areTheyCancelled: Bool
  ) throws {
    let groundwork = [Operation(), Operation()]
    if areTheyCancelled { for operation in groundwork { operation.cancel() } }
    let begun = SharedCounter()
    try open()
    try add("another", after: groundwork)
    try mustReturn("add, eight times,") { [lane] in
      // All are created before one is deallocated, so no two have the same address.
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
      Nine jobs came after the groundwork, and eight of them were cancelled. The groundwork has \
      finished, so the ninth is ready and must run.
      """)
    #expect(
      begun.value == 0,
      """
      Eight jobs were cancelled while they waited, and \(begun.value) of them ran. A cancelled job \
      must not run.
      """)
  }

  // running job    groundwork, which waits in the same lane    eight urgent jobs after it
  //                                                            are cancelled, and not retained
  // ends
  //                                                            leave the lane first
  //                finishes
  @Test func `a cancelled job needn't be retained until a job of its lane has finished`() throws {
    let release = Gate("release the running job")
    try add("running", until: release)
    try open()
    let groundwork = try add("groundwork", -8)
    try add("another", after: [groundwork])
    try mustReturn("add, eight times,") { [lane] in
      let jobs = (1...8).map { _ in lane.add(priority: 8, after: [groundwork]) {} }
      for job in jobs { job.cancel() }
    }
    runUntilQuiet()
    release.open()
    runUntilQuiet()
    expectOrder(
      ["running", "groundwork", "another"],
      """
      A job ran; nine came after another job that waited, and eight of them were cancelled. The \
      running one has ended, so the other two must run.
      """)
  }
}

/// An operation that is equal to every other of its kind.
// Safe: it has no state of its own.
private final class EqualGroundwork: Operation, @unchecked Sendable {
  override var hash: Int { 0 }
  override func isEqual(_ object: Any?) -> Bool { object is EqualGroundwork }
}
