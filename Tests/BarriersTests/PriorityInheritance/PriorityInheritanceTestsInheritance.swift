import KataTesting
import Testing

extension PriorityInheritanceTests {
  // MARK: - Inversion and inheritance

  @Test func `without inheritance the medium job goes first`() throws {
    try expectTrace(
      of: Self.pathfinder, inheriting: false, "LHMMMMLLHHHL",
      """
      H waits for the bus, which L holds. M needs no bus and is more urgent than L, so M works, \
      and both L and H wait for it. That's priority inversion, and without inheritance the trace \
      must show it.
      """)
  }

  @Test func `with inheritance the urgent job waits only for the critical section`() throws {
    try expectTrace(
      of: Self.pathfinder, inheriting: true, "LHLLHHHMMMML",
      """
      H waits for the bus, which L holds. As long as H waits, L must have H's priority, and go \
      before M.
      """)
  }

  @Test func `an inherited priority ends with the lock`() throws {
    try expectTrace(
      of: [
        ScheduledJob("L", 1, "+bus 2 -bus 3"), ScheduledJob("H", 3, from: 1, "+bus 1 -bus"),
        ScheduledJob("M", 2, from: 1, "2"),
      ],
      inheriting: true, "LLHMMLLL",
      """
      L worked with H's priority while H waited. L has released the bus, and must have its own \
      priority again: both H and M go before it.
      """)
  }

  @Test func `only the lock's holder inherits`() throws {
    try expectTrace(
      of: [
        ScheduledJob("J", 2, from: 1, "+b 3 -b"), ScheduledJob("L", 1, "+a 3 -a"),
        ScheduledJob("M", 3, from: 3, "2"),
        ScheduledJob("H", 4, from: 2, "+a 1 -a"),
      ],
      inheriting: true, "LJLLHMMJJ",
      "H waits for lock a, which L holds. J holds another lock, so it must not inherit."
    )
  }

  @Test func `a chain of two locks passes the priority on`() throws {
    let jobs = [
      ScheduledJob("L", 1, "+b 3 -b 1"), ScheduledJob("K", 2, from: 1, "+a 1 +b 1 -b 1 -a 1"),
      ScheduledJob("M", 3, from: 3, "3"), ScheduledJob("H", 4, from: 3, "+a 1 -a"),
    ]
    try expectTrace(
      of: jobs, inheriting: false, "LKLMMMLKKHKL",
      "H waits for K, and K for L. Without inheritance M goes before all three of them.")
    try expectTrace(
      of: jobs, inheriting: true, "LKLLKKHMMMKL",
      """
      H waits for lock a, which K holds; K waits for lock b, which L holds. So L must have H's \
      priority, too, and go before M. A job passes on even an inherited priority.
      """)
  }

  @Test func `a chain of four locks passes the priority on`() throws {
    try expectTrace(
      of: [
        ScheduledJob("A", 1, "+a 6 -a 1"), ScheduledJob("B", 2, from: 1, "+b +a 1 -a -b"),
        ScheduledJob("C", 3, from: 2, "+c +b 1 -b -c"),
        ScheduledJob("D", 4, from: 3, "+d +c 1 -c -d"), ScheduledJob("M", 5, from: 4, "2"),
        ScheduledJob("H", 6, from: 4, "+d 1 -d"),
      ],
      inheriting: true, "AAAAAABCDHMMA",
      """
      H waits for D, D for C, C for B, and B for A. All of them must have H's priority, and go \
      before M, however long the chain is.
      """)
  }

  @Test func `a priority passes along the whole chain`() throws {
    try expectTrace(
      of: [
        ScheduledJob("D", 0, "+a 4 -a"), ScheduledJob("B", 1, from: 1, "+c 1 +b 1 -b -c"),
        ScheduledJob("C", 3, from: 2, "+b +a 1 -a -b"), ScheduledJob("H", 9, from: 3, "+c 1 -c"),
        ScheduledJob("M", 5, from: 3, "1"),
      ],
      inheriting: true, "DBDDDCBHM",
      """
      H waits for B, B for C, and C for D, so all three must have H's priority, and go before M. \
      B, in the middle, has a lower priority of its own than C, which comes after it in the chain. \
      Whatever order you visit the jobs in, repeat it until no priority rises any more.
      """)
  }

  @Test func `a lock's new holder inherits from the jobs that still wait`() throws {
    try expectTrace(
      of: [
        ScheduledJob("L", 1, "+a 4 -a"), ScheduledJob("K", 2, from: 1, "+b +a 1 -b 1 -a"),
        ScheduledJob("G", 5, from: 2, "+a 1 -a"), ScheduledJob("H", 9, from: 3, "+b 1 -b"),
        ScheduledJob("M", 3, from: 3, "2"),
      ],
      inheriting: true, "LLLLKHKGMM",
      """
      K and G wait for lock a, which L holds. K gets it first, because H waits for K; then K \
      releases b for H, and still holds a. G goes on waiting for a, now for K, so K must have G's \
      priority, and go before M.
      """)
  }

  @Test func `a job with two locks keeps what it inherits through the other`() throws {
    let ends = [
      (steps: "+a +b 3 -b 2 -a 1", expected: "LLLHMMLLGNNL", first: "b"),
      (steps: "+a +b 3 -a 2 -b 1", expected: "LLLLLHMMGNNL", first: "a"),
    ]
    for end in ends {
      try expectTrace(
        of: [
          ScheduledJob("L", 1, end.steps), ScheduledJob("N", 2, from: 2, "2"),
          ScheduledJob("G", 3, from: 1, "+a 1 -a"),
          ScheduledJob("M", 4, from: 2, "2"), ScheduledJob("H", 5, from: 2, "+b 1 -b"),
        ],
        inheriting: true, end.expected,
        """
        L holds two locks: G waits for a, and H for b. L releases \(end.first) first, and from \
        then on has the priority of the job that still waits: not more, and not less.
        """)
    }
  }

  @Test func `an inherited priority decides which job gets a lock`() throws {
    let jobs = [
      ScheduledJob("X", 1, "+a 4 -a"), ScheduledJob("B", 2, from: 1, "+b 1 +a 1 -a -b"),
      ScheduledJob("C", 3, from: 2, "+a 2 -a"), ScheduledJob("H", 5, from: 3, "+b 1 -b"),
    ]
    try expectTrace(
      of: jobs, inheriting: false, "XBXXXCCBH",
      "B and C wait for lock a, which X holds. Without inheritance C is more urgent than B.")
    try expectTrace(
      of: jobs, inheriting: true, "XBXXXBHCC",
      """
      B and C wait for lock a, which X holds; and H waits for b, which B holds. So B has H's \
      priority, and must get lock a before C.
      """)
  }

  // MARK: - The end

  @Test(arguments: [false, true]) func `a deadlock ends the trace`(inheriting: Bool) throws {
    try expectTrace(
      of: [
        ScheduledJob("A", 1, "+a 1 +b 1 -b -a"), ScheduledJob("B", 2, from: 1, "+b 1 +a 1 -a -b"),
        ScheduledJob("C", 1, from: 5, "2"),
      ],
      inheriting: inheriting, "AB...CC",
      """
      A holds lock a and waits for b; B holds b and waits for a: a deadlock. They never work \
      again, but C, which starts later, does, and then the trace must end. Follow the chain of \
      waiting jobs only until it reaches a job that was visited.
      """)
  }

  @Test func `any list of jobs is done as the rules say`() throws {
    let trial = JobTrial()
    var first: WrongTrace?
    // In batches: mustReturn's timeout is for each batch alone.
    for _ in 1...40 where first == nil {
      first = try mustReturn("trace, of jobs that were made up,", "\(trial.question)") {
        trial.firstWrong(among: 25)
      }
    }
    guard let wrong = first else { return }
    try expectTrace(
      of: wrong.jobs, inheriting: wrong.inheriting, wrong.expected,
      "These jobs were made up at random, and reduced to a few whose trace is still wrong.")
  }
}
