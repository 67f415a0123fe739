import KataTesting
import Testing

/// Compares the traces of a scheduler on paper with those that its rules require, tick by tick.
@Suite(.serialized, .kata) struct PriorityInheritanceTests {
  // MARK: - Priorities

  @Test(arguments: [false, true]) func `the most urgent job works, and the others wait`(
    inheriting: Bool
  ) throws {
    try expectTrace(
      of: [
        ScheduledJob("L", 1, "4"), ScheduledJob("H", 3, from: 1, "2"),
        ScheduledJob("M", 2, from: 2, "2"),
      ],
      inheriting: inheriting, "LHHMMLLL",
      """
      There are no locks here. In every tick the job with the highest priority must work; one that \
      starts and is more urgent goes first at once. mostUrgent must compare the priorities.
      """)
  }

  @Test(arguments: [false, true]) func `among equal priorities the job that is listed first works`(
    inheriting: Bool
  ) throws {
    try expectTrace(
      of: [
        ScheduledJob("A", 1, from: 1, "2"), ScheduledJob("B", 1, "3"), ScheduledJob("C", 1, "1"),
      ],
      inheriting: inheriting, "BAABBC",
      "All priorities are equal: the job that is listed first goes first, whenever it starts.")
  }

  @Test(arguments: [[-3, -2, -1], [.min, -1, .max], [.min, .min + 1, 0]])
  func `priorities may be below zero`(priorities: [Int]) throws {
    let jobs = [
      ScheduledJob("L", priorities[0], "+a 2 -a 1"),
      ScheduledJob("H", priorities[2], from: 1, "+a 1 -a"),
      ScheduledJob("M", priorities[1], from: 1, "2"),
    ]
    let sentence = """
      The priorities are \(priorities.map(String.init).joined(separator: ", ")); the last is the \
      highest. Zero is a priority like any other: compare the jobs with each other and with \
      nothing else.
      """
    try expectTrace(of: jobs, inheriting: false, "LMMLHL", sentence)
    try expectTrace(of: jobs, inheriting: true, "LLHMML", sentence)
  }

  @Test(arguments: [false, true]) func `two jobs may have the same name`(inheriting: Bool) throws {
    try expectTrace(
      of: [
        ScheduledJob("A", 2, "+a 1 -a"), ScheduledJob("A", 1, "+a 2 -a"), ScheduledJob("B", 1, "1"),
      ],
      inheriting: inheriting, "AAAB",
      "Two jobs are called A, with one tick and two ticks of work. Identify jobs by their numbers.")
  }

  @Test func `a job's name may be empty`() throws {
    let trace = try mustReturn("trace(inheriting: true)") {
      PriorityInheritance([ScheduledJob("", 1, from: 1, "2"), ScheduledJob("A", 2, from: 2, "1")])
        .trace(inheriting: true)
    }
    #expect(
      trace == [nil, "", "A", ""],
      """
      A job with an empty name starts at tick 1, and the more urgent A at tick 2. Only tick 0 is \
      idle, and nil; the other elements are the names.
      """)
  }

  @Test(arguments: [false, true]) func `a tick in which no job can work is idle`(
    inheriting: Bool
  ) throws {
    try expectTrace(
      of: [ScheduledJob("B", 1, from: 4, "1"), ScheduledJob("A", 2, from: 2, "1")],
      inheriting: inheriting, "..A.B",
      "No job can work before tick 2, or in tick 3: these ticks pass, and are nil in the trace.")
  }

  // MARK: - Locks

  @Test(arguments: [false, true]) func `a lock excludes other jobs`(inheriting: Bool) throws {
    try expectTrace(
      of: [ScheduledJob("L", 1, "+bus 3 -bus 1"), ScheduledJob("H", 3, from: 1, "+bus 2 -bus")],
      inheriting: inheriting, "LLLHHL",
      """
      L holds the bus when H starts. However urgent H is, it must wait until L has released the \
      bus; then H goes first.
      """)
  }

  @Test(arguments: [false, true]) func `a released lock is free if no job waits for it`(
    inheriting: Bool
  ) throws {
    try expectTrace(
      of: [ScheduledJob("L", 1, "+bus 1 -bus"), ScheduledJob("H", 3, from: 2, "+bus 1 -bus")],
      inheriting: inheriting, "L.H",
      "L has released the bus, and no job waited for it. Then H starts, and must get it.")
  }

  @Test(arguments: [false, true]) func `a lock goes to the most urgent waiting job`(
    inheriting: Bool
  ) throws {
    try expectTrace(
      of: [
        ScheduledJob("L", 1, "+bus 3 -bus"), ScheduledJob("M", 2, from: 1, "+bus 1 -bus"),
        ScheduledJob("H", 3, from: 2, "+bus 1 -bus"),
      ],
      inheriting: inheriting, "LLLHM",
      "M waits for the bus, and then H does, too. When L releases it, H must get it.")
    try expectTrace(
      of: [
        ScheduledJob("A", 1, from: 1, "+bus 1 -bus"), ScheduledJob("L", 0, "+bus 3 -bus"),
        ScheduledJob("B", 1, from: 1, "+bus 1 -bus"),
      ],
      inheriting: inheriting, "LLLAB",
      "A and B wait for the bus with equal priority. A is listed first, so A must get it."
    )
  }

  @Test func `a lock that is handed over can't be taken by another job`() throws {
    let jobs = [
      ScheduledJob("L", 1, "+a 2 -a 1"), ScheduledJob("M", 3, from: 2, "3"),
      ScheduledJob("W", 3, from: 1, "+a 2 -a"),
      ScheduledJob("H", 5, from: 3, "+a 1 -a"),
    ]
    try expectTrace(
      of: jobs, inheriting: true, "LLMWWHMML",
      """
      L releases the lock in tick 2, and W, which waits, holds it from then on, though M works \
      first. H starts a tick later, and must wait for W.
      """)
  }

  // MARK: - Fixtures

  /// Mars Pathfinder's jobs: the weather, the bus check and the radio.
  static let pathfinder = [
    ScheduledJob("L", 1, "+bus 3 -bus 1"), ScheduledJob("H", 3, from: 1, "1 +bus 2 -bus 1"),
    ScheduledJob("M", 2, from: 2, "4"),
  ]
}
