extension Kata {
  static let diningPhilosophers = Kata(
    "DiningPhilosophers", module: .groupsSemaphores,
    title: "Five forks, five who need two each, and no deadlock",
    difficulty: 4, minutes: 40, needs: ["BoundedBuffer"],
    hints: [
      """
      Left, right, eat, and both back in a defer: that passes the first tests. In a deadlock all \
      have one fork and wait for the next one's, once around the table. It takes only one of them \
      to do something else. What could that be?
      """,
      """
      Forks have numbers. If everybody picks up the lower number first, whoever waits holds lower \
      forks than the one that is waited for. Follow who waits for whom: the numbers grow, so it \
      never comes back to where it began. Whose order changes by that? And no lock around it all, \
      or nobody eats beside anybody.
      """,
      """
      let left = philosopher; let right = (philosopher + 1) % forks.count; let (first, second) = \
      left < right ? (left, right) : (right, left); forks[first].pickUp(for: philosopher); \
      forks[second].pickUp(for: philosopher); defer { forks[second].putDown(); \
      forks[first].putDown() }; return try meal().
      """,
    ],
    questions: [
      Question(
        """
        Deadlock takes four things: exclusion, holding while waiting, no taking away, and a \
        circle. Which of them does the lower number first remove?
        """,
        answer: """
          The circle. Whoever waits holds only lower forks than the one waited for, so a chain of \
          those who wait only ever climbs, and never comes back to its start.
          """),
      Question(
        "There is no deadlock. Why does nobody starve either?",
        answer: """
          The forks are given in the order of asking. Ahead of whoever waits is a line that only \
          gets shorter, as long as meals end; with a lock that promises no order that wouldn't \
          follow.
          """),
      Question(
        """
        Take the second fork if it is free, else put the first one back and try again: what's \
        wrong with that?
        """,
        answer: """
          It can't lock up, but it can go on for ever: all may pick up and put back in step, and \
          one between two hungry neighbours may never find both forks free.
          """),
    ],
    mistakes: [
      Mistake(
        "one fork is enough",
        .edits([
          Edit("    forks[second].pickUp(for: philosopher)\n", ""),
          Edit("      forks[second].putDown()\n", ""),
        ]),
        breaks: ["where every meal takes two forks", "Picks up both forks of `philosopher`"],
        rejectedBy: ["whoever eats has both forks"],
        advice: "With one fork each all five eat at once; a meal takes both."),
      Mistake(
        "forks of its own",
        .edit("    self.forks = forks\n", "    self.forks = forks.map { _ in TableFork() }\n"),
        breaks: ["Lays the table with `forks`"], rejectedBy: ["whoever eats has both forks"],
        advice: "Whoever lays the table chose these forks; put them there, and no others."),
      Mistake(
        "the last seat has no fork on the right",
        .edit("(philosopher + 1) % forks.count", "philosopher + 1"),
        breaks: ["the last one has fork 0 on the right"],
        rejectedBy: ["whoever eats has both forks"], verdict: .crashed,
        advice: "The table is round: on the right of the last philosopher lies fork 0."),
      Mistake(
        "puts the forks down before the meal", .edit("    defer {\n", "    do {\n"),
        breaks: ["Picks up both forks of `philosopher`"],
        rejectedBy: ["whoever eats has both forks"],
        advice: "The forks have to stay in hand during the meal: put them down in a defer."),
      Mistake(
        "keeps a fork", .edit("      forks[second].putDown()\n", ""),
        breaks: ["and puts them down"],
        rejectedBy: ["the forks are back on the table after the meal"], verdict: .hung,
        advice: "Whoever has eaten puts both forks down, or the neighbour waits for ever."),
      Mistake(
        "keeps the forks when the meal throws",
        .edit(
          """
              defer {
                forks[second].putDown()
                forks[first].putDown()
              }
              return try meal()

          """,
          """
              let result = try meal()
              forks[second].putDown()
              forks[first].putDown()
              return result

          """),
        breaks: ["also where `meal` throws"],
        rejectedBy: ["the forks are back on the table after the meal"],
        advice: "What stands after a call that throws may never run; a defer does."),
      Mistake(
        "serves the meal again",
        .edit(
          "    return try meal()\n", "    do { return try meal() } catch { return try meal() }\n"),
        breaks: ["What `meal` throws."], rejectedBy: ["a meal that throws isn't served again"],
        advice:
          "An error is for the caller, who knows whether it helps to try again; just throw it."),
      Mistake(
        "a helper picks up the forks",
        .edit(
          """
              forks[first].pickUp(for: philosopher)
              forks[second].pickUp(for: philosopher)

          """,
          """
              let bothAreThere = DispatchSemaphore(value: 0)
              Thread.detachNewThread { [forks] in
                forks[first].pickUp(for: philosopher)
                forks[second].pickUp(for: philosopher)
                bothAreThere.signal()
              }
              bothAreThere.wait()

          """),
        breaks: ["Forks are picked up, and `meal` is called, on the calling thread."],
        rejectedBy: ["forks are picked up and the meal is eaten on the calling thread"],
        advice: """
          A lock belongs to the thread that took it, and the caller waits anyway: pick up the \
          forks where eat is called.
          """),
      Mistake(
        "eats with what is there",
        .edits([
          Edit("forks[first].pickUp(for:", "_ = forks[first].pickUpIfFree(for:"),
          Edit("forks[second].pickUp(for:", "_ = forks[second].pickUpIfFree(for:"),
        ]),
        breaks: [
          "So neighbours share a fork, and never eat at the same time.",
          "Blocks until both forks are there.",
          "holds the calling thread until both forks are there",
        ],
        rejectedBy: ["neighbours don't eat at the same time"],
        advice: "A fork that somebody has is one to wait for; look at what pickUpIfFree returns."),
      Mistake(
        "keeps its own book of the forks",
        .edits([
          Edit(
            "  private let forks: [any Fork]\n",
            "  private let forks: [any Fork]\n  private let book: [TableFork]\n"),
          Edit(
            "    self.forks = forks\n",
            "    self.forks = forks\n    book = forks.map { _ in TableFork() }\n"),
          Edit(
            """
                forks[first].pickUp(for: philosopher)
                forks[second].pickUp(for: philosopher)

            """,
            """
                book[first].pickUp(for: philosopher)
                _ = forks[first].pickUpIfFree(for: philosopher)
                book[second].pickUp(for: philosopher)
                _ = forks[second].pickUpIfFree(for: philosopher)

            """),
          Edit(
            """
                  forks[second].putDown()
                  forks[first].putDown()

            """,
            """
                  forks[second].putDown()
                  book[second].putDown()
                  forks[first].putDown()
                  book[first].putDown()

            """),
        ]),
        breaks: ["Blocks until both forks are there."],
        rejectedBy: ["a fork that somebody else has is waited for"],
        advice: """
          The table knows what its own philosophers do, and nobody else's hands: ask the forks, and \
          wait until they are there.
          """),
      Mistake(
        "one big lock",
        .edits([
          Edit(
            "  private let forks: [any Fork]\n",
            "  private let forks: [any Fork]\n  private let oneAtATime = NSLock()\n"),
          Edit(
            "    forks[first].pickUp(",
            "    oneAtATime.lock()\n    defer { oneAtATime.unlock() }\n    forks[first].pickUp("),
        ]),
        breaks: ["can eat at the same time"],
        rejectedBy: ["two who aren't neighbours eat together"],
        advice: """
          A lock that is held during a meal lets one philosopher eat at a time; two who share no \
          fork must be able to eat together.
          """),
      Mistake(
        "a doorkeeper who lets two in",
        .edits([
          Edit(
            "  private let forks: [any Fork]\n",
            """
              private let forks: [any Fork]
              private let chairs = DispatchSemaphore(value: 0)

            """),
          Edit(
            "    self.forks = forks\n",
            "    self.forks = forks\n    for _ in 1...2 { chairs.signal() }\n"),
          Edit(
            "    forks[first].pickUp(",
            "    chairs.wait()\n    defer { chairs.signal() }\n    forks[first].pickUp("),
        ]),
        breaks: ["can eat at the same time"], rejectedBy: ["all who share no fork eat together"],
        advice: """
          At a larger table more than two can eat; the doorkeeper needs to keep out no more than one.
          """),
      Mistake(
        "four chairs at every table",
        .edits([
          Edit(
            "  private let forks: [any Fork]\n",
            """
              private let forks: [any Fork]
              private let chairs = DispatchSemaphore(value: 0)

            """),
          Edit(
            "    self.forks = forks\n",
            "    self.forks = forks\n    for _ in 1...4 { chairs.signal() }\n"),
          Edit(
            "    forks[first].pickUp(",
            "    chairs.wait()\n    defer { chairs.signal() }\n    forks[first].pickUp("),
        ]),
        breaks: ["can eat at the same time, all of them"],
        rejectedBy: ["at a large table twelve eat together"],
        advice: """
          One chair less than seats, that's four where there are five of them; count the forks that \
          the table was laid with.
          """),
      Mistake(
        "counts meals without a lock",
        .edits([
          Edit(
            "  private let forks: [any Fork]\n",
            """
              private let forks: [any Fork]
              // Safe: it isn't, and that is the mistake.
              private nonisolated(unsafe) var meals = 0

            """),
          Edit("    return try meal()\n", "    meals += 1\n    return try meal()\n"),
        ]),
        breaks: ["Safe to use from every thread, by several at once"],
        rejectedBy: ["philosophers may eat on any thread"], verdict: .race,
        advice: """
          Forks keep neighbours apart, and nobody else: what belongs to the whole table needs a \
          lock of its own.
          """),
      Mistake(
        "left, then right", .edit("left < right ? (left, right) : (right, left)", "(left, right)"),
        breaks: ["Nobody waits for ever"],
        rejectedBy: ["dinner ends though everybody has stopped with one fork in hand"],
        advice: """
          When all have the left fork, each waits for the next, once around; let everybody pick up \
          the lower number first, and the last one breaks the circle.
          """),
      Mistake(
        "gives up forks and starves one", .file("GivesUpForks.swift"),
        breaks: ["Nobody starves"],
        rejectedBy: ["nobody starves between two who eat in turns"],
        advice: """
          Whoever puts the first fork back has to begin again, and the neighbour was quicker; keep \
          it while you wait for the second, and pick them up in an order that can't lock up.
          """),
      Mistake(
        "both forks at once, whoever is quicker", .file("BothAtOnce.swift"),
        breaks: ["Nobody starves"],
        rejectedBy: ["nobody starves between two who eat in turns"],
        advice: """
          Nobody locks up, but two neighbours can keep both forks from ever being free at once; \
          give whoever waits a place in a line.
          """),
      Mistake(
        "one plain fork for all seats",
        .edit(
          "self.init(forks: (0..<seats).map { _ in TableFork() })",
          "self.init(forks: Array(repeating: TableFork(), count: seats))"),
        breaks: ["Lays the table for `seats` philosophers, with plain forks."],
        rejectedBy: ["five philosophers eat a hundred times with plain forks"],
        advice: """
          Array(repeating:) makes one object and names it five times; map makes a new fork for each \
          seat.
          """),
      Mistake(
        "a plain fork for everybody",
        .edit("      while ticketsServed != ticket { condition.wait() }\n", "      _ = ticket\n"),
        breaks: [
          "A fork on the table, which one philosopher at a time has in hand.",
          "Takes the fork for `philosopher`.", "Blocks until nobody else has it.",
          "Takes the fork; blocks until nobody else has it.",
        ],
        rejectedBy: ["a plain fork is in one hand at a time"],
        advice: "A ticket is a place in line: whoever has it waits until it's served."),
      Mistake(
        "a plain fork without a line",
        .edits([
          Edit("      while ticketsServed != ticket { condition.wait() }\n", ""),
          Edit(
            "      let ticket = ticketsGiven\n",
            "      while ticketsServed != ticketsGiven { condition.wait() }\n"),
        ]),
        breaks: [
          "Those who wait get it in the order of asking.",
          "who waits gets it in the order of asking",
        ],
        rejectedBy: ["a plain fork goes to whoever asked first"],
        advice: """
          Whoever comes by while a sleeper is still waking up is quicker; take a ticket first, and \
          wait until it's served.
          """),
      Mistake(
        "waits though it's only asked whether it's free",
        .edit(
          "      guard ticketsServed == ticketsGiven else { return false }\n",
          "      while ticketsServed != ticketsGiven { condition.wait() }\n"),
        breaks: [
          "Returns at once.", "if nobody has it, and returns whether it has",
          "Takes the fork, if nobody has it.",
        ],
        rejectedBy: ["a plain fork is in one hand at a time"], verdict: .hung,
        advice: "Whoever asks whether it's free wants to do something else if it isn't: say no."),
      Mistake(
        "puts a plain fork down without a sound",
        .edit(
          "      ticketsServed += 1\n      condition.broadcast()\n", "      ticketsServed += 1\n"),
        breaks: ["Puts the fork back on the table."],
        rejectedBy: ["a plain fork is in one hand at a time"], verdict: .hung,
        advice: "Whoever sleeps at a condition doesn't see that something changed; signal it."),
    ],
    rightAnswers: [
      RightAnswer("one who picks up the left fork first", .file("OneLeftHander.swift")),
      RightAnswer("a doorkeeper", .file("Doorkeeper.swift")),
      RightAnswer("both forks at once, in turn", .file("BothInTurn.swift")),
    ],
    unproven: [
      Unproven("What it stands for", "What the story means."),
      Unproven(
        "A meal during which its own philosopher", "What comes of using it in the wrong place."),
      Unproven("There are two forks at least.", "What the caller must see to."),
      Unproven("There are two seats at least.", "What the caller must see to."),
      Unproven("There is such a seat at the table.", "What the caller must see to."),
      Unproven("What `meal` returns.", "Of a generic type there's nothing else to return."),
      Unproven("Puts a new fork on the table.", "What a new one is."),
    ],
    equivalents: [
      Equivalent(
        "swapped with the next: let left = philosopher",
        "Neither depends on the other."),
      Equivalent(
        "swapped with the next: forks[first].pickUp(for: philosopher)",
        "The higher number first, for everybody, is an order as well."),
      Equivalent(
        "swapped with the next: forks[second].pickUp(for: philosopher)",
        "Nothing ends between the two."),
      Equivalent(
        "swapped with the next: forks[second].putDown()",
        "Neither depends on the other."),
      Equivalent(
        "moved by one: let (first, second) = left < right ? (left, right) : (right, left)",
        "The two are never equal."),
    ])
}
