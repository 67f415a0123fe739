extension Kata {
  static let semaphoreLedger = Kata(
    "SemaphoreLedger", module: .groupsSemaphores,
    title: "A semaphore's arithmetic, by hand",
    difficulty: 2, minutes: 20,
    hints: [
      """
      Play it with three coins and two friends. Everybody who waits takes a coin, and who finds none \
      owes one. What is the number of coins when two owe one? And when somebody brings a coin back, \
      whose is it?
      """,
      """
      wait: count down, then look; who finds the counter below zero goes to the end of the line. \
      signal: count up, always, and if anybody sleeps, the first in line is woken. giveUp: out of the \
      line, wherever it stands, and count up; nobody is woken.
      """,
      """
      wait: counter -= 1; let sleeps = counter < 0; if sleeps { sleepers.append(who) }. signal: \
      counter += 1; let woken = sleepers.isEmpty ? nil : sleepers.removeFirst(). giveUp: guard let \
      place = sleepers.firstIndex(of: who) else { return nil }; sleepers.remove(at: place); counter \
      += 1. Each ends with: let line = Line(counter, event); lines.append(line); return line.
      """,
    ],
    questions: [
      Question(
        "What does the counter tell at 2, at 0 and at -2?",
        answer: """
          At 2 two may go on without sleeping; at 0 nobody sleeps and the next who waits will; at \
          -2 two sleep.
          """),
      Question(
        """
        `signal` wakes a sleeper. Why does it count up even so, and why doesn't the sleeper count \
        down when it wakes?
        """,
        answer: """
          The sleeper has counted down when it fell asleep: it took one that wasn't there. The \
          signal pays that debt, so nothing is left to take.
          """),
      Question(
        "What does this ledger promise that `DispatchSemaphore` doesn't?",
        answer: """
          The order of waking. The documentation of `DispatchSemaphore` names none, so code that \
          needs first come, first served keeps its own line.
          """),
    ],
    mistakes: semaphoreLedgerMistakes,
    rightAnswers: [
      RightAnswer("free places and a line", .file("FreePlaces.swift")),
      RightAnswer("nothing but the lines", .file("OnlyLines.swift")),
    ])

  // MARK: - Mistakes

  private static let takeAndLook = "    counter -= 1\n    let sleeps = counter < 0\n"
  private static let wake = "    let woken = sleepers.isEmpty ? nil : sleepers.removeFirst()\n"
  private static let countAndWake = "    counter += 1\n\(wake)"
  private static let leaveLine = "    sleepers.remove(at: place)\n"
  private static let leave = "\(leaveLine)    counter += 1\n"
  private static let open = "    counter = value\n"
  private static let stories = ["three kids and one iPad", "fifteen songs, three at a time"]

  private static let semaphoreLedgerMistakes = [
    Mistake(
      "tests before it decrements",
      .edit(takeAndLook, "    let sleeps = counter < 0\n    counter -= 1\n"),
      rejectedBy: stories,
      advice: """
        With the counter at zero nothing is left, but zero isn't below zero yet: count down first, \
        then look.
        """),
    Mistake(
      "sleeps at zero", .edit("let sleeps = counter < 0", "let sleeps = counter <= 0"),
      rejectedBy: stories,
      advice: "Zero after counting down means that the last one was just taken, by who goes on now."
    ),
    Mistake(
      "the line tells the counter before",
      .edit(takeAndLook, "    defer { counter -= 1 }\n    let sleeps = counter <= 0\n"),
      rejectedBy: stories + ["each move returns the line that it adds"],
      advice: "A line shows what the counter stands at after its event: count, then write."),
    Mistake(
      "never below zero",
      .edits([
        Edit(takeAndLook, "    let sleeps = counter == 0\n    if !sleeps { counter -= 1 }\n"),
        Edit(countAndWake, "    if sleepers.isEmpty { counter += 1 }\n\(wake)"),
      ]),
      rejectedBy: stories + ["the counter tells how many sleep"],
      advice: "This counter goes on below zero: there it tells how many sleep."),
    Mistake(
      "wakes who fell asleep last",
      .edit("sleepers.isEmpty ? nil : sleepers.removeFirst()", "sleepers.popLast()"),
      rejectedBy: stories + ["whoever signals, the longest sleeper is woken"],
      advice: """
        Last in, first out: who came first may sleep for ever. Take from the front of the line.
        """),
    Mistake(
      "wakes when nobody waits",
      .edit("sleepers.isEmpty ? nil : sleepers.removeFirst()", "sleepers.removeFirst()"),
      rejectedBy: ["three kids and one iPad", "a signal that nobody waits for is kept"],
      verdict: .crashed,
      advice: "Where nobody sleeps, signal counts up and wakes nobody; look before you take."),
    Mistake(
      "looks for sleepers after it has counted",
      .edit(
        "sleepers.isEmpty ? nil : sleepers.removeFirst()",
        "counter < 0 ? sleepers.removeFirst() : nil"),
      rejectedBy: stories,
      advice: """
        At -1 one sleeps, and the signal takes the counter to 0: who looks only then leaves the last \
        sleeper asleep. Look at the line, or at the counter before.
        """),
    Mistake(
      "counts up only when nobody sleeps",
      .edit(countAndWake, "    if sleepers.isEmpty { counter += 1 }\n\(wake)"),
      rejectedBy: stories + ["the counter tells how many sleep"],
      advice: """
        The sleeper's wait took one away, so the signal that wakes it must add one: count up every \
        time.
        """),
    Mistake(
      "never above its value",
      .edits([
        Edit(
          "  public private(set) var counter: Int\n",
          "  public private(set) var counter: Int\n  private let limit: Int\n"),
        Edit(open, "\(open)    limit = value\n"),
        Edit(countAndWake, "    counter = min(counter + 1, limit)\n\(wake)"),
      ]),
      rejectedBy: ["a signal that nobody waits for is kept"],
      advice: """
        A semaphore doesn't know its limit, and a signal is never lost: it is there for whoever \
        waits next.
        """),
    Mistake(
      "who gives up puts nothing back", .edit(leave, leaveLine),
      rejectedBy: ["who gives up leaves no trace"],
      advice: """
        wait took one, and the time-out must put it back; otherwise the counter tells of a sleeper \
        who has left.
        """),
    Mistake(
      "who gives up stays in line", .edit(leave, "    _ = place\n    counter += 1\n"),
      rejectedBy: ["who gives up leaves no trace"],
      advice:
        "A signal that wakes somebody who has left is lost: take who gives up out of the line."),
    Mistake(
      "the first in line gives up", .edit(leaveLine, "    _ = place\n    sleepers.removeFirst()\n"),
      rejectedBy: ["who gives up leaves no trace"],
      advice: "The time is over for one of them, wherever it stands; the others keep their places."),
    Mistake(
      "a time-out wakes the next",
      .edit(leave, "\(leave)    if !sleepers.isEmpty { sleepers.removeFirst() }\n"),
      rejectedBy: ["who gives up leaves no trace"],
      advice: """
        Who gives up gives back only what it never got; nothing is free now, so nobody may be woken.
        """),
    Mistake(
      "who was woken gives up too",
      .edit(
        "    guard let place = sleepers.firstIndex(of: who) else { return nil }\n\(leaveLine)",
        "    sleepers.removeAll { $0 == who }\n"),
      rejectedBy: ["who doesn't sleep can't give up"],
      advice: """
        A time-out that comes just after the wake is too late: who doesn't sleep any more has what it \
        waited for and puts nothing back.
        """),
    Mistake(
      "copies share one book", .file("SharedBook.swift"),
      rejectedBy: ["a copy is a ledger of its own"],
      advice: """
        A struct around a class is copied with its reference: keep counter, sleepers and lines in the \
        struct itself.
        """),
  ]
}
