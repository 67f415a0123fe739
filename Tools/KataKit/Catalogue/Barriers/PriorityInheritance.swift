extension Kata {
  static let priorityInheritance = Kata(
    "PriorityInheritance", module: .barriers,
    title: "A scheduler on paper, and how the urgent came to wait for the rest",
    difficulty: 4, minutes: 45, needs: ["SemaphoreLedger"],
    hints: [
      """
      Do the first two places by the rules: mostUrgent compares priorities, and numbers where those are \
      equal; lock takes what is free and otherwise notes what the job waits for; unlock picks one of \
      those who wait. Then look at who waits and for whom: whose priority should the holder of a lock \
      have?
      """,
      """
      Keep no inherited priority anywhere. Work all of them out whenever they are asked for: begin with \
      the jobs' own; for every job that waits, raise the holder of its lock to the same, if that's \
      higher; and go over them again until nothing changes. So chains come out right, nothing has to be \
      given back, and a ring of waiting jobs comes to an end.
      """,
      """
      mostUrgent: candidates.min { (-priorities[$0], $0) < (-priorities[$1], $1) }. lock: if \
      holders[lock] == nil { holders[lock] = job; next[job] += 1 } else { wanted[job] = lock }. unlock: \
      next[job] += 1; let heir = mostUrgent(of: wanted.keys.filter { wanted[$0] == lock }); \
      holders[lock] = heir; and of the heir wanted is nil and next one more. priorities: while something \
      has risen, for (waiter, lock) in wanted raise priorities[holders[lock]].
      """,
    ],
    questions: [
      Question(
        "Without inheritance, who keeps the bus check waiting, and for how long?",
        answer: """
          Not only the weather job that holds the lock, but the radio, which needs no lock at all: \
          it goes before the weather job, which so can't give the lock back. That lasts as long as \
          there is work of medium priority.
          """),
      Question(
        "A job holds two locks and gives one back. Which priority does it have then?",
        answer: """
          The highest among its own and those of all who wait for the lock that it still has. \
          Computed anew each time, it needs no memory of what was lent.
          """),
      Question(
        "For which of Dispatch's tools can a system do this, and for which not?",
        answer: """
          It has to know who to boost. A serial queue that somebody waits for with `sync` knows \
          who is inside; a semaphore doesn't, since anybody may signal it, and nor does a group.
          """),
    ],
    mistakes: priorityInheritanceMistakes,
    rightAnswers: [
      RightAnswer("raised at once, and settled when a lock is given back", .file("Eager.swift")),
      RightAnswer(
        "recursion that knows where it has been",
        .edits([
          Edit(
            workedOut,
            """
              private var priorities: [Int] {
                jobs.indices.map { priority(of: $0, after: []) }
              }

              private func priority(of job: Int, after seen: Set<Int>) -> Int {
                let seen = seen.union([job])
                let waiting = wanted.filter { inherits && holders[$0.value] == job }.keys
                return waiting.filter { !seen.contains($0) }.map { priority(of: $0, after: seen) }
                  .reduce(jobs[job].priority, max)
              }
            }

            """)
        ])),
    ],
    unproven: [
      Unproven("A processor on paper", "what it is"),
      Unproven("Nothing runs here.", "what it is"),
      Unproven("so a schedule that takes a week", "story"),
      Unproven("These are the rules", "introduces them"),
      Unproven("Something that a job does.", "what it is"),
      Unproven("A list of steps, with a name", "what it is"),
      Unproven("What it does, in this order.", "what it is"),
      Unproven("Creates a job.", "the stub does it"),
      Unproven("It starts at tick 0 or later", "asks something of the caller"),
      Unproven("Creates a processor with", "the stub does it"),
      Unproven("The state of a processor", "explains private code"),
      Unproven("For each job the number of its next step.", "explains private code"),
      Unproven("For each job how long it has worked", "explains private code"),
      Unproven("Who has a lock.", "explains private code"),
      Unproven("The lock that a job waits for.", "explains private code"),
    ],
    equivalents: [
      Equivalent(
        "swapped with the next: trace.append(jobs[job].name)", "Neither depends on the other."),
      Equivalent("swapped with the next: worked[job] = 0", "Neither depends on the other."),
      Equivalent("swapped with the next: holders[lock] = job", "Neither depends on the other."),
      Equivalent("swapped with the next: next[job] += 1", "Neither depends on the other."),
      Equivalent("swapped with the next: holders[lock] = heir", "Neither depends on the other."),
      Equivalent("swapped with the next: wanted[heir] = nil", "Neither depends on the other."),
      Equivalent(
        "swapped with the next: priorities[holder] = priorities[waiter]",
        "Neither depends on the other."),
      Equivalent(
        "moved by one: return candidates.min { (-priorities[$0], $0) < (-priorities[$1], $1) }",
        "No two are equal."),
    ])

  // MARK: - Mistakes

  private static let medium = "without inheritance medium work goes first"
  private static let section = "with inheritance the high job waits for the locked section only"
  private static let givenBack = "the priority is given back with the lock"
  private static let chain = "a chain of two locks hands the priority on"
  private static let keepsOut = "a lock keeps others out"

  /// How the reference works out priorities, to the end of the file.
  private static let workedOut = """
      private var priorities: [Int] {
        var priorities = jobs.map(\\.priority)
        // Along chains of waiting jobs, a link each time. Where they form a ring it ends as well, since
        // priorities only rise.
        var hasRisen = inherits
        while hasRisen {
          hasRisen = false
          for (waiter, lock) in wanted {
            guard let holder = holders[lock], priorities[holder] < priorities[waiter] else { continue }
            priorities[holder] = priorities[waiter]
            hasRisen = true
          }
        }
        return priorities
      }
    }

    """
  private static let rises = "    var hasRisen = inherits\n"
  private static let ranks = "(-priorities[$0], $0) < (-priorities[$1], $1)"
  private static let raise = """
            guard let holder = holders[lock], priorities[holder] < priorities[waiter] else { continue }
            priorities[holder] = priorities[waiter]

    """
  private static let heir =
    "      let heir = mostUrgent(of: wanted.keys.filter { wanted[$0] == lock })\n"
  private static let handOver = """
          holders[lock] = heir
          if let heir {
            wanted[heir] = nil
            next[heir] += 1
          }

    """

  private static let priorityInheritanceMistakes = [
    Mistake(
      "no inheritance", .edit(rises, "    var hasRisen = false\n"),
      breaks: [
        "A job that has locks counts with the highest priority", "Whether jobs inherit",
        "The priority that each job counts with now",
      ],
      rejectedBy: [section, givenBack, chain],
      advice: """
        The job that the urgent one waits for counts with its own priority, so everybody in between goes \
        first: let it inherit while somebody waits.
        """),
    Mistake(
      "inherits always", .edit(rises, "    var hasRisen = true\n"),
      breaks: ["Whether jobs inherit"],
      rejectedBy: [medium, chain],
      advice: "Without inheritance the trace must show what goes wrong: look at what was asked for."
    ),
    Mistake(
      "one level only",
      .edit(
        raise,
        """
                let own = jobs[waiter].priority
                guard let holder = holders[lock], priorities[holder] < own else { continue }
                priorities[holder] = own

        """),
      breaks: ["A job that has locks counts with the highest priority"],
      rejectedBy: [chain],
      advice: """
        The one who waits may have inherited, too, and then that is what the holder inherits: go on \
        along the chain.
        """),
    Mistake(
      "looks at everybody once, the most urgent first",
      .edit(
        workedOut,
        """
          private var priorities: [Int] {
            var priorities = jobs.map(\\.priority)
            guard inherits else { return priorities }
            for waiter in wanted.keys.sorted(by: { \(ranks) }) {
              guard let lock = wanted[waiter], let holder = holders[lock] else { continue }
              priorities[holder] = max(priorities[holder], priorities[waiter])
            }
            return priorities
          }
        }

        """),
      breaks: ["A job that has locks counts with the highest priority"],
      rejectedBy: ["what comes in at the end of a chain goes all the way"],
      advice: """
        One who stands further along the chain may have been looked at before somebody's priority came \
        to it: go over all of them until nothing rises any more.
        """),
    Mistake(
      "forgets those who go on waiting",
      .edits([
        Edit(
          "  private var wanted: [Int: String] = [:]\n",
          """
            private var wanted: [Int: String] = [:]
            private var lenders: [Int: String] = [:]

          """),
        Edit(
          "        wanted[job] = lock\n",
          "        wanted[job] = lock\n        lenders[job] = lock\n"),
        Edit(handOver, "\(handOver)      lenders = lenders.filter { $0.value != lock }\n"),
        Edit("in wanted {\n", "in lenders {\n"),
      ]),
      breaks: ["A job that has locks counts with the highest priority"],
      rejectedBy: ["whoever is handed a lock inherits from those who go on waiting"],
      advice: """
        A lock that changes hands takes along those who still wait for it: from then on the new holder \
        counts with their priorities.
        """),
    Mistake(
      "boosts for ever", .file("BoostsForEver.swift"),
      breaks: ["What it has inherited it has only as long as"],
      rejectedBy: [section, givenBack],
      advice: """
        A job that has given the lock back is as unimportant as before; if it keeps the priority, the \
        urgent one waits for it again.
        """),
    Mistake(
      "gives everything back with the first lock", .file("GivesAllBack.swift"),
      breaks: ["A job that has locks counts with the highest priority"],
      rejectedBy: ["whoever has two locks keeps what is due to the other"],
      advice: """
        Somebody may still wait for another lock that it has: work its priority out from those who wait \
        now.
        """),
    Mistake(
      "everybody with a lock inherits",
      .edit(
        raise,
        """
                guard let holder = holders.first(where: { priorities[$0.value] < priorities[waiter] })?
                  .value, holders[lock] != nil
                else { continue }
                priorities[holder] = priorities[waiter]

        """),
      breaks: ["A job that has locks counts with the highest priority"],
      rejectedBy: ["only who has the lock inherits"],
      advice:
        "Only the holder of the lock that is waited for can end the wait: raise that one alone."),
    Mistake(
      "who came first gets the lock",
      .edits([
        Edit(
          "  private var wanted: [Int: String] = [:]\n",
          "  private var wanted: [Int: String] = [:]\n  private var line: [Int] = []\n"),
        Edit(
          "        wanted[job] = lock\n", "        wanted[job] = lock\n        line.append(job)\n"),
        Edit(
          heir,
          """
                let heir = line.first { wanted[$0] == lock }
                line.removeAll { $0 == heir }

          """),
      ]),
      breaks: ["goes at once to one of those who wait for it"],
      rejectedBy: ["a lock goes to the most urgent of those who wait"],
      advice:
        "First come, first served is fair, and here it isn't asked for: the most urgent goes first."
    ),
    Mistake(
      "the lock goes by own priorities",
      .edit(
        heir,
        """
              let heir = wanted.keys.filter { wanted[$0] == lock }
                .min { (-jobs[$0].priority, $0) < (-jobs[$1].priority, $1) }

        """),
      breaks: ["goes at once to one of those who wait for it"],
      rejectedBy: ["whoever waits with an inherited priority gets the lock first"],
      advice: """
        Behind a job that waits may stand a more urgent one: compare what they count with now.
        """),
    Mistake(
      "the lock is left for whoever comes",
      .edit(
        heir + handOver,
        """
              holders[lock] = nil
              for waiter in wanted.keys where wanted[waiter] == lock { wanted[waiter] = nil }

        """),
      breaks: ["goes at once to one of those who wait for it"],
      rejectedBy: ["a lock that is handed over can't be taken on the way"],
      advice: """
        Somebody who comes later can take it away from those who wait: give it to one of them at once.
        """),
    Mistake(
      "asks for what it was given", .edit("        next[heir] += 1\n", ""),
      breaks: ["That one doesn't ask again"],
      rejectedBy: [keepsOut],
      advice: """
        A job that is handed the lock it waits for has made that step; if it asks again, it waits for \
        itself.
        """),
    Mistake(
      "the last one in the list", .edit(ranks, "(-priorities[$0], -$0) < (-priorities[$1], -$1)"),
      breaks: [
        "where two are equal, the first goes first",
        "have steps left and don't wait for a lock, the one with the highest priority",
      ],
      rejectedBy: ["among equals the one that is listed first works"],
      advice: "Among equals the one that is listed first has the turn."),
    Mistake(
      "the lowest number is the most urgent",
      .edit(ranks, "(priorities[$0], $0) < (priorities[$1], $1)"),
      breaks: [
        "the highest goes first",
        "have steps left and don't wait for a lock, the one with the highest priority",
      ],
      rejectedBy: ["the most urgent job works, and the others wait"],
      advice: "Some systems count that way; here the highest number goes first."),
    Mistake(
      "lets a job finish",
      .edit(
        "      if let job = mostUrgent(of: started.filter { wanted[$0] == nil }) {\n",
        """
              let ready = started.filter { wanted[$0] == nil }
              let running = ready.first { jobs[$0].name == trace.last }
              if let job = running ?? mostUrgent(of: ready) {

        """),
      breaks: ["It is decided anew after every step"],
      rejectedBy: ["the most urgent job works, and the others wait"],
      advice:
        "Whoever is more urgent comes first as soon as it starts: decide anew after every step."),
    Mistake(
      "stops where nobody can work", .edit("        trace.append(nil)\n", "        return trace\n"),
      breaks: [
        "is idle, if somebody is to start later", "The trace ends when nobody can ever work again",
      ],
      rejectedBy: ["a tick in which nobody can work is idle", "a deadlock ends the trace"],
      advice: "Somebody starts later: let idle ticks pass until then."),
    Mistake(
      "runs in circles",
      .edit(
        workedOut,
        """
          private var priorities: [Int] { jobs.indices.map { priority(of: $0) } }

          private func priority(of job: Int) -> Int {
            guard inherits else { return jobs[job].priority }
            let waiting = wanted.keys.filter { wanted[$0].flatMap { holders[$0] } == job }
            return waiting.map { priority(of: $0) }.reduce(jobs[job].priority, max)
          }
        }

        """),
      breaks: ["The trace ends when nobody can ever work again"],
      rejectedBy: ["a deadlock ends the trace"], verdict: .crashed,
      advice: """
        Who waits for whom can be a ring, and following it never ends: remember where you have been, or \
        stop when nothing rises any more.
        """),
    Mistake(
      "three links only",
      .edit(
        workedOut,
        """
          private var priorities: [Int] { jobs.indices.map { priority(of: $0, links: 3) } }

          private func priority(of job: Int, links: Int) -> Int {
            guard inherits, links > 0 else { return jobs[job].priority }
            let waiting = wanted.keys.filter { wanted[$0].flatMap { holders[$0] } == job }
            return waiting.map { priority(of: $0, links: links - 1) }.reduce(jobs[job].priority, max)
          }
        }

        """),
      breaks: ["A job that has locks counts with the highest priority"],
      rejectedBy: ["a chain of four locks does so as well"],
      advice: """
        A chain has as many links as there are jobs: follow it until nothing rises any more, or until you \
        come to somebody that you have seen.
        """),
    Mistake(
      "looks for a priority above -1",
      .edit(
        "    return candidates.min { \(ranks) }\n",
        """
            var (best, highest): (Int?, Int) = (nil, -1)
            for candidate in candidates.sorted() where priorities[candidate] > highest {
              (best, highest) = (candidate, priorities[candidate])
            }
            return best

        """),
      breaks: ["the highest goes first"],
      rejectedBy: ["priorities may be below zero"],
      advice: """
        Where all priorities are lower than what the search begins with nobody is found: begin with the \
        first candidate.
        """),
    Mistake(
      "finds jobs by their names",
      .edit(
        "        makeStep(job)\n",
        "        makeStep(jobs.firstIndex { $0.name == jobs[job].name } ?? job)\n"),
      breaks: ["others may be called the same"],
      rejectedBy: ["two jobs may have the same name"], verdict: .crashed,
      advice: "A name is for the trace; two jobs may share one: tell jobs by their numbers."),
    Mistake(
      "a lock is free only where it's handed on",
      .edits([
        Edit("      holders[lock] = heir\n", ""),
        Edit(
          "        wanted[heir] = nil\n",
          "        holders[lock] = heir\n        wanted[heir] = nil\n"),
      ]),
      breaks: ["that is free is taken", "It gives the lock of this name back"],
      rejectedBy: ["a lock that nobody waits for is free again"],
      advice: "Where nobody waits the lock has no holder any more: forget the old one in any case."),
    Mistake(
      "takes what another has", .edit("if holders[lock] == nil {", "if holders[lock] != job {"),
      breaks: ["Otherwise the job waits for it", "It takes the lock of this name"],
      rejectedBy: [keepsOut],
      advice: "A lock has one holder: look whether there is one, and wait for it."),
    Mistake(
      "a lock takes a tick",
      .edit(
        "        holders[lock] = job\n",
        "        holders[lock] = job\n        trace.append(jobs[job].name)\n"),
      breaks: ["Locking and unlocking take none"],
      rejectedBy: [keepsOut],
      advice: "Only work takes time; locking and unlocking come between two ticks."),
    Mistake(
      "works all its ticks in one go",
      .edit(
        """
              trace.append(jobs[job].name)
              worked[job] += 1
              if worked[job] == ticks {
                worked[job] = 0
                next[job] += 1
              }

        """,
        """
              trace += Array(repeating: jobs[job].name, count: ticks)
              next[job] += 1

        """),
      breaks: ["a step of `n` ticks is `n` turns", "It is decided anew after every step"],
      rejectedBy: ["the most urgent job works, and the others wait"],
      advice:
        "Somebody more urgent may start in the middle of it: a turn is one tick, then look again."
    ),
    Mistake(
      "works one tick a step", .edit("if worked[job] == ticks {", "if worked[job] <= ticks {"),
      breaks: ["It works for so many ticks", "a step of `n` ticks is `n` turns"],
      rejectedBy: ["the most urgent job works, and the others wait"],
      advice: "The step is done when as many ticks have passed as it says."),
    Mistake(
      "starts a tick late",
      .edit("jobs[$0].start <= trace.count", "jobs[$0].start < trace.count"),
      breaks: ["The tick in which it can work for the first time"],
      rejectedBy: ["the most urgent job works, and the others wait"],
      advice: "In the tick in which it starts a job can work already."),
    Mistake(
      "leaves idle ticks out",
      .edit("    return processor.run()\n", "    return processor.run().filter { $0 != nil }\n"),
      breaks: ["or nil in an idle one"],
      rejectedBy: ["a tick in which nobody can work is idle"],
      advice: "The trace is read by the tick, so an idle one needs its place: nil."),
    Mistake(
      "begins with the first to start",
      .edit(
        "    return processor.run()\n",
        "    return Array(processor.run().drop { $0 == nil })\n"),
      breaks: ["Who works in each tick, from tick 0 on"],
      rejectedBy: ["a tick in which nobody can work is idle"],
      advice: "Time begins at tick 0, whoever comes first: the ticks before are idle."),
  ]
}
