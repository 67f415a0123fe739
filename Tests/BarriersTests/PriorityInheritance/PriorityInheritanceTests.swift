import KataTesting
import Testing

/// Compares the traces of a scheduler on paper with what its rules say, tick by tick.
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
      There are no locks here. In every tick the job with the highest priority works; one that starts \
      and is more urgent comes first at once. mostUrgent must look at the priorities.
      """)
  }

  @Test(arguments: [false, true]) func `among equals the one that is listed first works`(
    inheriting: Bool
  ) throws {
    try expectTrace(
      of: [
        ScheduledJob("A", 1, from: 1, "2"), ScheduledJob("B", 1, "3"), ScheduledJob("C", 1, "1"),
      ],
      inheriting: inheriting, "BAABBC",
      "All have the same priority: whoever is listed first goes first, whenever it starts.")
  }

  @Test func `priorities may be below zero`() throws {
    let jobs = [
      ScheduledJob("L", -3, "+a 2 -a 1"), ScheduledJob("H", -1, from: 1, "+a 1 -a"),
      ScheduledJob("M", -2, from: 1, "2"),
    ]
    let sentence = """
      All priorities are below zero, and -1 is the highest of them. Zero is a number like others: compare \
      the jobs with each other and with nothing else.
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
      "Two jobs are called A, and have a tick and two ticks to work. Tell jobs by their numbers.")
  }

  @Test(arguments: [false, true]) func `a tick in which nobody can work is idle`(
    inheriting: Bool
  ) throws {
    try expectTrace(
      of: [ScheduledJob("B", 1, from: 4, "1"), ScheduledJob("A", 2, from: 2, "1")],
      inheriting: inheriting, "..A.B",
      "Nobody can work before tick 2, or in tick 3: these ticks pass, and are nil in the trace.")
  }

  // MARK: - Locks

  @Test(arguments: [false, true]) func `a lock keeps others out`(inheriting: Bool) throws {
    try expectTrace(
      of: [ScheduledJob("L", 1, "+bus 3 -bus 1"), ScheduledJob("H", 3, from: 1, "+bus 2 -bus")],
      inheriting: inheriting, "LLLHHL",
      """
      L has the bus when H comes. However urgent H is, it has to wait until L has given it back; then \
      it goes first.
      """)
  }

  @Test(arguments: [false, true]) func `a lock that nobody waits for is free again`(
    inheriting: Bool
  ) throws {
    try expectTrace(
      of: [ScheduledJob("L", 1, "+bus 1 -bus"), ScheduledJob("H", 3, from: 2, "+bus 1 -bus")],
      inheriting: inheriting, "L.H",
      "L has given the bus back, and nobody waited for it. Then H comes, and can take it.")
  }

  @Test(arguments: [false, true]) func `a lock goes to the most urgent of those who wait`(
    inheriting: Bool
  ) throws {
    try expectTrace(
      of: [
        ScheduledJob("L", 1, "+bus 3 -bus"), ScheduledJob("M", 2, from: 1, "+bus 1 -bus"),
        ScheduledJob("H", 3, from: 2, "+bus 1 -bus"),
      ],
      inheriting: inheriting, "LLLHM",
      "M waits for the bus, and then H does. When L gives it back, H must get it.")
    try expectTrace(
      of: [
        ScheduledJob("A", 1, from: 1, "+bus 1 -bus"), ScheduledJob("L", 0, "+bus 3 -bus"),
        ScheduledJob("B", 1, from: 1, "+bus 1 -bus"),
      ],
      inheriting: inheriting, "LLLAB",
      "A and B wait for the bus and are as urgent. When L gives it back, A must get it: it's listed first."
    )
  }

  @Test func `a lock that is handed over can't be taken on the way`() throws {
    let jobs = [
      ScheduledJob("L", 1, "+a 2 -a 1"), ScheduledJob("M", 3, from: 2, "3"),
      ScheduledJob("W", 3, from: 1, "+a 2 -a"),
      ScheduledJob("H", 5, from: 3, "+a 1 -a"),
    ]
    try expectTrace(
      of: jobs, inheriting: true, "LLMWWHMML",
      """
      L gives the lock back in tick 2, and W, who waits, has it from then on, though M works first. H \
      comes a tick later: it has to wait for W.
      """)
  }

  // MARK: - Fixtures

  /// What happened on Mars: the weather, the bus check and the radio.
  static let pathfinder = [
    ScheduledJob("L", 1, "+bus 3 -bus 1"), ScheduledJob("H", 3, from: 1, "1 +bus 2 -bus 1"),
    ScheduledJob("M", 2, from: 2, "4"),
  ]
}
