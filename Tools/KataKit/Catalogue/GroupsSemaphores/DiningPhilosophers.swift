extension Kata {
  static let diningPhilosophers = Kata(
    "DiningPhilosophers", module: .groupsSemaphores,
    title: "Five forks, five who need two each, and no deadlock",
    difficulty: 4, minutes: 40, needs: ["BoundedBuffer"],
    hints: [
      """
      Left, right, eat, and both back in a defer: that passes the first tests. In a deadlock all have \
      one fork and wait for the next one's, once around the table. It takes only one of them to do \
      something else. What could that be?
      """,
      """
      Forks have numbers. If everybody picks up the lower number first, whoever waits holds lower forks \
      than the one that is waited for. Follow who waits for whom: the numbers grow, so it never comes \
      back to where it began. Whose order changes by that? And no lock around it all, or nobody eats \
      beside anybody.
      """,
      """
      let left = philosopher; let right = (philosopher + 1) % forks.count; let (first, second) = left < \
      right ? (left, right) : (right, left); forks[first].pickUp(for: philosopher); \
      forks[second].pickUp(for: philosopher); defer { forks[second].putDown(); forks[first].putDown() \
      }; return try meal().
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
        rejectedBy: ["whoever eats has both forks"],
        advice: "With one fork each all five eat at once; a meal takes both."),
      Mistake(
        "the last seat has no fork on the right",
        .edit("(philosopher + 1) % forks.count", "philosopher + 1"),
        rejectedBy: ["whoever eats has both forks"], verdict: .crashed,
        advice: "The table is round: on the right of the last philosopher lies fork 0."),
      Mistake(
        "puts the forks down before the meal", .edit("    defer {\n", "    do {\n"),
        rejectedBy: ["whoever eats has both forks"],
        advice: "The forks have to stay in hand during the meal: put them down in a defer."),
      Mistake(
        "keeps a fork", .edit("      forks[second].putDown()\n", ""),
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
        rejectedBy: ["the forks are back on the table after the meal"],
        advice: "What stands after a call that throws may never run; a defer does."),
      Mistake(
        "eats with what is there",
        .edits([
          Edit("forks[first].pickUp(for:", "_ = forks[first].pickUpIfFree(for:"),
          Edit("forks[second].pickUp(for:", "_ = forks[second].pickUpIfFree(for:"),
        ]),
        rejectedBy: ["neighbours don't eat at the same time"],
        advice: "A fork that somebody has is one to wait for; look at what pickUpIfFree returns."),
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
        rejectedBy: ["two who aren't neighbours eat together"],
        advice: """
          A lock that is held during a meal lets one philosopher eat at a time; two who share no fork \
          must be able to eat together.
          """),
      Mistake(
        "left, then right", .edit("left < right ? (left, right) : (right, left)", "(left, right)"),
        rejectedBy: ["dinner ends though everybody has stopped with one fork in hand"],
        advice: """
          When all have the left fork, each waits for the next, once around; let everybody pick up the \
          lower number first, and the last one breaks the circle.
          """),
      Mistake(
        "gives up forks and starves one", .file("GivesUpForks.swift"),
        rejectedBy: ["nobody starves between two who eat in turns"],
        advice: """
          Whoever puts the first fork back has to begin again, and the neighbour was quicker; keep it \
          while you wait for the second, and pick them up in an order that can't lock up.
          """),
      Mistake(
        "both forks at once, whoever is quicker", .file("BothAtOnce.swift"),
        rejectedBy: ["nobody starves between two who eat in turns"],
        advice: """
          Nobody locks up, but two neighbours can keep both forks from ever being free at once; give \
          whoever waits a place in a line.
          """),
    ],
    rightAnswers: [
      RightAnswer("one who picks up the left fork first", .file("OneLeftHander.swift")),
      RightAnswer("a doorkeeper", .file("Doorkeeper.swift")),
      RightAnswer("both forks at once, in turn", .file("BothInTurn.swift")),
    ])
}
