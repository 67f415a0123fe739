import KataTesting
import Testing

extension PriorityInheritanceTests {
  // MARK: - Inversion, and inheritance

  @Test func `without inheritance medium work goes first`() throws {
    try expectTrace(
      of: Self.pathfinder, inheriting: false, "LHMMMMLLHHHL",
      """
      H waits for the bus, which L has. M needs no bus and is more urgent than L, so M works, and with \
      L also H waits for M. That's the inversion, and without inheritance it must be seen.
      """)
  }

  @Test func `with inheritance the high job waits for the locked section only`() throws {
    try expectTrace(
      of: Self.pathfinder, inheriting: true, "LHLLHHHMMMML",
      """
      H waits for the bus, which L has. As long as that is so, L must count with H's priority, and \
      goes before M.
      """)
  }

  @Test func `the priority is given back with the lock`() throws {
    try expectTrace(
      of: [
        ScheduledJob("L", 1, "+bus 2 -bus 3"), ScheduledJob("H", 3, from: 1, "+bus 1 -bus"),
        ScheduledJob("M", 2, from: 1, "2"),
      ],
      inheriting: true, "LLHMMLLL",
      """
      L worked with H's priority while H waited. It has given the bus back, and has its own priority \
      again: both H and M go before it.
      """)
  }

  @Test func `only who has the lock inherits`() throws {
    try expectTrace(
      of: [
        ScheduledJob("J", 2, from: 1, "+b 3 -b"), ScheduledJob("L", 1, "+a 3 -a"),
        ScheduledJob("M", 3, from: 3, "2"),
        ScheduledJob("H", 4, from: 2, "+a 1 -a"),
      ],
      inheriting: true, "LJLLHMMJJ",
      "H waits for lock a, which L has. J has another lock, for which nobody waits: it inherits nothing."
    )
  }

  @Test func `a chain of two locks hands the priority on`() throws {
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
      H waits for lock a, which K has; K waits for lock b, which L has. So L must count with H's \
      priority, too, and go before M. What somebody has inherited, others inherit.
      """)
  }

  @Test func `a chain of four locks does so as well`() throws {
    try expectTrace(
      of: [
        ScheduledJob("A", 1, "+a 6 -a 1"), ScheduledJob("B", 2, from: 1, "+b +a 1 -a -b"),
        ScheduledJob("C", 3, from: 2, "+c +b 1 -b -c"),
        ScheduledJob("D", 4, from: 3, "+d +c 1 -c -d"), ScheduledJob("M", 5, from: 4, "2"),
        ScheduledJob("H", 6, from: 4, "+d 1 -d"),
      ],
      inheriting: true, "AAAAAABCDHMMA",
      """
      H waits for D, D for C, C for B, and B for A. All of them must count with H's priority, and go \
      before M, however long the chain is.
      """)
  }

  @Test func `what comes in at the end of a chain goes all the way`() throws {
    try expectTrace(
      of: [
        ScheduledJob("D", 0, "+a 4 -a"), ScheduledJob("B", 1, from: 1, "+c 1 +b 1 -b -c"),
        ScheduledJob("C", 3, from: 2, "+b +a 1 -a -b"), ScheduledJob("H", 9, from: 3, "+c 1 -c"),
        ScheduledJob("M", 5, from: 3, "1"),
      ],
      inheriting: true, "DBDDDCBHM",
      """
      H waits for B, B for C, and C for D, so all three must count with H's priority, and go before M. \
      Of itself B, in the middle, is less urgent than C, which comes after it in the chain: whatever \
      order you look at them in, go over them again until nothing rises any more.
      """)
  }

  @Test func `whoever is handed a lock inherits from those who go on waiting`() throws {
    try expectTrace(
      of: [
        ScheduledJob("L", 1, "+a 4 -a"), ScheduledJob("K", 2, from: 1, "+b +a 1 -b 1 -a"),
        ScheduledJob("G", 5, from: 2, "+a 1 -a"), ScheduledJob("H", 9, from: 3, "+b 1 -b"),
        ScheduledJob("M", 3, from: 3, "2"),
      ],
      inheriting: true, "LLLLKHKGMM",
      """
      K and G wait for lock a, which L has. K gets it first, because H waits for K; then K gives H what \
      it waits for, and still has lock a. G goes on waiting for that, now for K: so K must count with \
      G's priority, and go before M.
      """)
  }

  @Test func `whoever has two locks keeps what is due to the other`() throws {
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
        L has two locks: G waits for a, and H for b. L gives back \(end.first) first, and from then on \
        counts with the priority of the one who still waits: not more, and not less.
        """)
    }
  }

  @Test func `whoever waits with an inherited priority gets the lock first`() throws {
    let jobs = [
      ScheduledJob("X", 1, "+a 4 -a"), ScheduledJob("B", 2, from: 1, "+b 1 +a 1 -a -b"),
      ScheduledJob("C", 3, from: 2, "+a 2 -a"), ScheduledJob("H", 5, from: 3, "+b 1 -b"),
    ]
    try expectTrace(
      of: jobs, inheriting: false, "XBXXXCCBH",
      "B and C wait for lock a, which X has. Without inheritance C is the more urgent one.")
    try expectTrace(
      of: jobs, inheriting: true, "XBXXXBHCC",
      """
      B and C wait for lock a, which X has; and H waits for b, which B has. So B counts with H's \
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
      A has lock a and waits for b; B has b and waits for a. They never work again, and C, which starts \
      later, does. Then the trace must end. Follow who waits for whom only as long as it leads to \
      somebody new.
      """)
  }

  @Test func `any jobs are done as the rules say`() throws {
    let trial = JobTrial()
    var first: WrongTrace?
    // Some at a time: each time there is a timeout for these alone.
    for _ in 1...40 where first == nil {
      first = try mustReturn("trace, of jobs that were made up,", "\(trial.question)") {
        trial.firstWrong(among: 25)
      }
    }
    guard let wrong = first else { return }
    try expectTrace(
      of: wrong.jobs, inheriting: wrong.inheriting, wrong.expected,
      "Jobs were made up until a trace was wrong, and left out again as long as it stayed so.")
  }
}
