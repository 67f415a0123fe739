extension Kata {
  static let semaphoreLedger = Kata(
    "SemaphoreLedger", module: .groupsSemaphores,
    title: "A semaphore's arithmetic, by hand",
    difficulty: 2, minutes: 20,
    hints: [
      """
      Play it with three coins and two friends. Everybody who waits takes a coin, and who finds \
      none owes one. What is the number of coins when two owe one? And when somebody brings a coin \
      back, whose is it?
      """,
      """
      wait: count down, then look; who finds the counter below zero goes to the end of the line. \
      signal: count up, always, and if anybody sleeps, the first in line is woken. giveUp: out of \
      the line, wherever it stands, and count up; nobody is woken.
      """,
      """
      wait: counter -= 1; let sleeps = counter < 0; if sleeps { sleepers.append(who) }. signal: \
      counter += 1; let woken = sleepers.isEmpty ? nil : sleepers.removeFirst(). giveUp: guard let \
      place = sleepers.firstIndex(of: who) else { return nil }; sleepers.remove(at: place); \
      counter += 1. Each ends with: let line = Line(counter, event); lines.append(line); return \
      line.
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
    ],
    unproven: [
      Unproven("A semaphore's arithmetic on paper", "What the type is."),
      Unproven("Nobody really sleeps here.", "The story."),
      Unproven("its documentation promises no order", "Of another type."),
      Unproven("Something that happened at the semaphore.", "What the type is."),
      Unproven("Creates a line.", "What an initializer is."),
      Unproven("`value` isn't negative.", "What the caller must see to."),
      Unproven("`who` doesn't sleep.", "What the caller must see to."),
    ],
    equivalents: [
      Equivalent("swapped with the next: counter += 1", "The line doesn't depend on the counter."),
      Equivalent("swapped with the next: sleepers.remove(at: place)", "Nor here."),
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
      breaks: [
        "This visitor waited, and either goes on or sleeps.",
        "or where there was none left, sleeps",
      ],
      rejectedBy: stories,
      advice: """
        With the counter at zero nothing is left, but zero isn't below zero yet: count down first, \
        then look.
        """),
    Mistake(
      "sleeps at zero", .edit("let sleeps = counter < 0", "let sleeps = counter <= 0"),
      breaks: ["or where there was none left, sleeps"],
      rejectedBy: stories,
      advice: "Zero after counting down means that the last one was just taken, by who goes on now."
    ),
    Mistake(
      "the line tells the counter before",
      .edit(takeAndLook, "    defer { counter -= 1 }\n    let sleeps = counter <= 0\n"),
      breaks: ["and what the counter stands at after it", "The counter after it."],
      rejectedBy: stories + ["each move returns the line that it adds"],
      advice: "A line shows what the counter stands at after its event: count, then write."),
    Mistake(
      "never below zero",
      .edits([
        Edit(takeAndLook, "    let sleeps = counter == 0\n    if !sleeps { counter -= 1 }\n"),
        Edit(countAndWake, "    if sleepers.isEmpty { counter += 1 }\n\(wake)"),
      ]),
      breaks: ["below zero, how many sleep"],
      rejectedBy: stories + ["the counter tells how many sleep"],
      advice: "This counter goes on below zero: there it tells how many sleep."),
    Mistake(
      "wakes who fell asleep last",
      .edit("sleepers.isEmpty ? nil : sleepers.removeFirst()", "sleepers.popLast()"),
      breaks: [
        "Sleepers are woken in the order in which they fell asleep",
        "wakes whoever has slept longest",
      ],
      rejectedBy: stories + ["whoever signals, the longest sleeper is woken"],
      advice: """
        Last in, first out: who came first may sleep for ever. Take from the front of the line.
        """),
    Mistake(
      "wakes when nobody waits",
      .edit("sleepers.isEmpty ? nil : sleepers.removeFirst()", "sleepers.removeFirst()"),
      breaks: ["if anybody sleeps"],
      rejectedBy: ["three kids and one iPad", "a signal that nobody waits for is kept"],
      verdict: .crashed,
      advice: "Where nobody sleeps, signal counts up and wakes nobody; look before you take."),
    Mistake(
      "looks for sleepers after it has counted",
      .edit(
        "sleepers.isEmpty ? nil : sleepers.removeFirst()",
        "counter < 0 ? sleepers.removeFirst() : nil"),
      breaks: ["This visitor signalled, and woke somebody or nobody.", "if anybody sleeps"],
      rejectedBy: stories,
      advice: """
        At -1 one sleeps, and the signal takes the counter to 0: who looks only then leaves the \
        last sleeper asleep. Look at the line, or at the counter before.
        """),
    Mistake(
      "counts up only when nobody sleeps",
      .edit(countAndWake, "    if sleepers.isEmpty { counter += 1 }\n\(wake)"),
      breaks: ["`who` adds one to the counter"],
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
      breaks: ["may rise above the value that it was made with"],
      rejectedBy: ["a signal that nobody waits for is kept"],
      advice: """
        A semaphore doesn't know its limit, and a signal is never lost: it is there for whoever \
        waits next.
        """),
    Mistake(
      "who gives up puts nothing back", .edit(leave, leaveLine),
      breaks: ["puts back what it took"],
      rejectedBy: ["who gives up leaves no trace"],
      advice: """
        wait took one, and the time-out must put it back; otherwise the counter tells of a sleeper \
        who has left.
        """),
    Mistake(
      "who gives up stays in line", .edit(leave, "    _ = place\n    counter += 1\n"),
      breaks: ["This sleeper's time was over", "it leaves the line of sleepers"],
      rejectedBy: ["who gives up leaves no trace"],
      advice:
        "A signal that wakes somebody who has left is lost: take who gives up out of the line."),
    Mistake(
      "the first in line gives up", .edit(leaveLine, "    _ = place\n    sleepers.removeFirst()\n"),
      breaks: ["The time of `who` is over"],
      rejectedBy: ["who gives up leaves no trace"],
      advice: "The time is over for one of them, wherever it stands; the others keep their places."),
    Mistake(
      "a time-out wakes the next",
      .edit(leave, "\(leave)    if !sleepers.isEmpty { sleepers.removeFirst() }\n"),
      breaks: ["Nobody is woken by that."],
      rejectedBy: ["who gives up leaves no trace"],
      advice: """
        Who gives up gives back only what it never got; nothing is free now, so nobody may be woken.
        """),
    Mistake(
      "who was woken gives up too",
      .edit(
        "    guard let place = sleepers.firstIndex(of: who) else { return nil }\n\(leaveLine)",
        "    sleepers.removeAll { $0 == who }\n"),
      breaks: ["it means nothing", "or nil where `who` doesn't sleep and nothing changed"],
      rejectedBy: ["who doesn't sleep can't give up"],
      advice: """
        A time-out that comes just after the wake is too late: who doesn't sleep any more has what \
        it waited for and puts nothing back.
        """),
    Mistake(
      "nothing is written when it's made", .edit("lines = [Line(value, .made)]", "lines = []"),
      breaks: ["It was made.", "What happened so far.", "its first line says so"],
      rejectedBy: stories,
      advice:
        "The first line says with what the semaphore was made; without it nobody can replay it."),
    Mistake(
      "returns the line before",
      .edit(
        "    let line = Line(counter, event)\n    lines.append(line)\n    return line\n",
        """
            defer { lines.append(Line(counter, event)) }
            return lines[lines.count - 1]

        """),
      breaks: ["What happened.", "The line that was added."],
      rejectedBy: ["each move returns the line that it adds"],
      advice: "What a defer does comes after the return value is made: append first, then return."),
    Mistake(
      "nobody is written as nil", .edit("woken ?? \"nobody\"", "woken ?? \"nil\""),
      breaks: ["The line as it is written on paper"], rejectedBy: ["a line reads as on paper"],
      advice: "The text is made in the stub; leave it as it is."),
    Mistake(
      "the line is kept backwards",
      .edits([
        Edit("sleepers.append(who)", "sleepers.insert(who, at: 0)"),
        Edit("sleepers.isEmpty ? nil : sleepers.removeFirst()", "sleepers.popLast()"),
      ]),
      breaks: ["Who sleeps, whoever has slept longest first."],
      rejectedBy: ["whoever signals, the longest sleeper is woken"],
      advice: "Others read the line, too: whoever has slept longest stands first."),
    Mistake(
      "only who has waited may signal",
      .edits([
        Edit(
          "  public private(set) var counter: Int\n",
          "  public private(set) var counter: Int\n  private var visitors: Set<String> = []\n"),
        Edit(takeAndLook, "    visitors.insert(who)\n\(takeAndLook)"),
        Edit(
          countAndWake,
          """
              guard visitors.contains(who) else { return write(.signals(who, wakes: nil)) }
          \(countAndWake)
          """),
      ]),
      breaks: ["Anybody may signal, also who never waited"],
      rejectedBy: [
        "a signal that nobody waits for is kept", "whoever signals, the longest sleeper is woken",
      ],
      advice: "A semaphore doesn't ask who gives; it counts up for everybody."),
    Mistake(
      "never wakes who signals",
      .edit(
        "sleepers.isEmpty ? nil : sleepers.removeFirst()",
        "sleepers.firstIndex { $0 != who }.map { sleepers.remove(at: $0) }"),
      breaks: ["wakes whoever has slept longest"], rejectedBy: ["a sleeper may signal, too"],
      advice: "Names mean nothing to a semaphore: the longest sleeper is woken, whoever signals."),
    Mistake(
      "nobody has more than one",
      .edits([
        Edit(
          "  public private(set) var counter: Int\n",
          "  public private(set) var counter: Int\n  private var owners: Set<String> = []\n"),
        Edit(
          takeAndLook,
          """
              guard owners.insert(who).inserted else { return write(.waits(who, sleeps: false)) }
          \(takeAndLook)
          """),
        Edit(countAndWake, "    owners.remove(who)\n\(countAndWake)"),
      ]),
      breaks: ["`who` takes one from the counter"],
      rejectedBy: ["a visitor may take more than one"],
      advice: "A semaphore doesn't know who has what: every wait takes one."),
    Mistake(
      "copies share one book", .file("SharedBook.swift"),
      breaks: ["so it can be read, copied and replayed"],
      rejectedBy: ["a copy is a ledger of its own"],
      advice: """
        A struct around a class is copied with its reference: keep counter, sleepers and lines in \
        the struct itself.
        """),
  ]
}
