import Foundation
import KataTesting
import Testing

/// Proves that of the ready jobs the most urgent goes first, one at a time, and equals in the order
/// of adding; that no job runs before its dependencies; and that a cancelled one doesn't run.
@Suite(.serialized, .kata) struct PriorityLaneTests {
  let lane = PriorityLane(name: "com.example.lane")
  let timeline = Timeline()

  // MARK: - The lane

  @Test func `every job runs once, and jobs of equal priority run in the order of adding`() throws {
    for label in ["first", "second", "third"] { try add(label) }
    try open()
    expectOrder(
      ["first", "second", "third"],
      """
      Three jobs of the same priority were added, then the lane was opened. Let add create a \
      BlockOperation of the work and add it to the queue; open() resumes the queue.
      """)
  }

  @Test func `nothing runs before the lane is opened`() throws {
    try add("early")
    timeline.expect(
      "early  ┆┄┄┄┄…",
      """
      The lane hasn't been opened, and a job ran. No job may run before open(). Keep the queue \
      suspended until then.
      """)
    try open()
    timeline.expect(
      "early  ┆┄┄┄┄├────┤", "The lane was opened, so the job that was added before must run.")
  }

  @Test func `one job runs at a time, and isn't interrupted`() throws {
    let release = Gate("release the running job")
    let running = try add("running", until: release)
    try open()
    timeline.expect(
      "running  ┆┄┄┄┄├────…", "The lane was opened, and its job never ran.")
    try add("urgent", 8)
    timeline.expect(
      """
      running  ┆┄┄┄┄├─────────…
      urgent             ┆┄┄┄┄…
      """,
      """
      A job was running, and another one began beside it. One job runs at a time, and urgent jobs \
      wait too.
      """)
    #expect(
      !running.isCancelled,
      timeline.showing(
        """
        A job was running, and it was cancelled because a more urgent one was added. It must not \
        be cancelled: let it finish.
        """))
    release.open()
    timeline.expect(
      """
      running  ┆┄┄┄┄├─────────┤
      urgent             ┆┄┄┄┄┄┄┄┄┄├────┤
      """, "The first job has ended, so the second must run.")
  }

  @Test func `an open lane runs a job on a thread of its own`() throws {
    try open()
    let release = Gate("release the job")
    try add("job", until: release)
    timeline.expect(
      "job  ┆┄┄┄┄├────…", "The lane was open when a job was added, and the job never ran.")
    release.open()
    timeline.expect(
      "job  ┆┄┄┄┄├────┤", "The lane was open and empty, and the job must run once.")
  }

  @Test func `opened again, it stays open`() throws {
    try open()
    try open()
    try add("late")
    runUntilQuiet()
    expectOrder(
      ["late"],
      """
      The lane was opened twice, and then a job was added. It must run: opening the lane again \
      must not close it.
      """)
  }

  @Test func `it goes on when the lane is released`() throws {
    let release = Gate("release the first job")
    try {
      let lane = PriorityLane(name: "com.example.unheld")
      try add("first", until: release, to: lane)
      try add("second", to: lane)
      try add("third", to: lane)
      try open(lane)
    }()
    timeline.mark("lane", "it is released")
    release.open()
    timeline.expect(
      """
      first   ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├─────────┤
      second       ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      third             ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      lane                        ●  it is released
      """,
      """
      Three jobs were added and the lane was opened, then it was released while the first job was \
      running. The other jobs must run too. Cancel nothing when the lane is deallocated, and let \
      what runs the jobs retain what it needs.
      """)
  }

  // groundwork    eight jobs that come after it    the lane
  //               are cancelled, and leave the lane
  //                                                is released
  // finishes
  @Test func `a cancelled job needn't be retained when its lane is released`() throws {
    let groundwork = Operation()
    let begun = SharedCounter()
    try mustReturn("add, eight times,") {
      let own = PriorityLane(name: "com.example.own")
      own.open()
      let jobs = (1...8).map { _ in own.add(after: [groundwork]) { begun.increment() } }
      for job in jobs { job.cancel() }
    }
    runUntilQuiet()
    groundwork.start()
    runUntilQuiet()
    #expect(
      begun.value == 0,
      "Eight jobs were cancelled while they waited, and \(begun.value) of them ran.")
  }

  // Only the answer's lock orders the two calls.
  @Test func `two threads may add at once`() throws {
    try add("first")
    try RelaxedRendezvous.meet(
      "add", { [lane, timeline] in lane.add { timeline.visit("second") {} } },
      { [lane, timeline] in lane.add { timeline.visit("third") {} } })
    try open()
    expectOrder(
      ["first", "second", "third"],
      "Two threads have added a job each, besides the first.")
  }

  // MARK: - Priorities

  @Test func `the most urgent goes first`() throws {
    try add("low", -4)
    try add("normal")
    try add("very low", -8)
    try add("high", 4)
    try add("normal too", 0)
    try add("very high", 8)
    try add("high too", 4)
    try open()
    expectOrder(
      ["very high", "high", "high too", "normal", "normal too", "low", "very low"],
      """
      All jobs were ready when the lane was opened: the higher priority goes first, and of equals \
      the one that was added first. Set queuePriority.
      """)
  }

  @Test func `a late job of higher priority overtakes those that wait`() throws {
    let release = Gate("release the running job")
    try add("running", until: release)
    try open()
    try add("waiting")
    try add("unimportant", -8)
    try add("late and urgent", 4)
    release.open()
    timeline.expect(
      """
      running          ┆┄┄┄┄├───────────────────┤
      waiting                    ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      unimportant                     ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      late and urgent                      ┆┄┄┄┄┄┄┄┄┄├────┤
      """,
      """
      A job of higher priority was added while another one was running, so it must run next. The \
      choice is made each time the lane is free, among the jobs that are ready then.
      """)
  }

  @Test(
    arguments: [
      (0, Operation.QueuePriority.normal), (4, .high), (8, .veryHigh), (-4, .low), (-8, .veryLow),
      (1, .normal), (2, .normal), (3, .normal), (5, .high), (6, .high), (7, .high), (9, .veryHigh),
      (100, .veryHigh), (Int.max, .veryHigh), (-1, .normal), (-2, .normal), (-3, .normal),
      (-5, .low), (-6, .low), (-7, .low), (-9, .veryLow), (-100, .veryLow), (Int.min, .veryLow),
    ])
  func `a number between the cases counts as the next case towards normal`(
    number: Int, priority: Operation.QueuePriority
  ) throws {
    let answer = try mustReturn("queuePriority(for:)") { PriorityLane.queuePriority(for: number) }
    #expect(
      answer == priority,
      """
      From \(number) towards 0 the first case is \(priority.rawValue), and queuePriority(for:) \
      returned \(answer.rawValue). The cases are -8, -4, 0, 4 and 8.
      """)
  }

  @Test func `numbers between the cases count in the lane`() throws {
    try add("-9", -9)
    try add("-8", -8)
    try add("0")
    try add("3", 3)
    try add("-3", -3)
    try add("1", 1)
    try add("4", 4)
    try add("7", 7)
    try add("8", 8)
    try add("100", 100)
    try open()
    expectOrder(
      ["8", "100", "4", "7", "0", "3", "-3", "1", "-9", "-8"],
      """
      8 and 100 are very high, 4 and 7 are high, 0, 3, -3 and 1 are normal, -9 and -8 are very \
      low; equals go in the order of adding. Convert the number to a priority when a job is added.
      """)
  }
}

extension PriorityLane: OpaqueMirror {}
