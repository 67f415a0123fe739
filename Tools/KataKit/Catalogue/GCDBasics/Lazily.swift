extension Kata {
  static let lazily = Kata(
    "Lazily", module: .gcdBasics,
    title: "A value that is computed once, from any thread",
    difficulty: 2, minutes: 20, needs: ["SerialLog"],
    hints: [
      """
      Two threads ask, both find nothing, both compute. Between looking and keeping nobody else may \
      look: make it one step that only one thread can be in.
      """,
      """
      Give each object a serial queue, or a lock, and a variable for the value. With sync a block \
      may return a value and may throw, so looking, computing and keeping fit into one. Keep only \
      values: when compute throws, the block is left before anything is kept.
      """,
      """
      private nonisolated(unsafe) var stored: Value? and private let queue = DispatchQueue(label: \
      "my.lazily"). value: try queue.sync { if let stored { return stored }; let value = try \
      compute(); stored = value; return value }.
      """,
    ],
    questions: [
      Question(
        "Why does `condition.wait()` stand in a loop that looks at the state again?",
        answer: """
          To be woken means only that something has changed: the attempt may have failed, another \
          waiter may have taken the next turn, and a condition may also wake for no reason at all.
          """),
      Question(
        """
        The computation throws while three others wait. Who gets the error, and what do the others \
        do?
        """,
        answer: """
          Only the caller whose attempt it was. The state is empty again, all three are woken, one \
          of them makes the next attempt and two go back to waiting.
          """),
      Question(
        "What does `static let` do that `lazy var` doesn't, and what can neither of them do?",
        answer: """
          `static let` is computed once whichever threads ask, and the others wait; a `lazy var` \
          has no such protection. Neither can fail and be tried again.
          """),
    ],
    mistakes: lazilyMistakes,
    rightAnswers: [
      RightAnswer("a serial queue", .file("SerialQueue.swift")),
      RightAnswer("a lock that is held meanwhile", .file("LockHeld.swift")),
      RightAnswer("an atomic flag before the lock", .file("DoubleChecked.swift")),
    ])

  // MARK: - Mistakes

  private static let broadcast = "      condition.broadcast()\n"
  private static let emptied = "        settle(.empty)\n"
  private static let waits = "        case .computing: condition.wait()\n"

  private static let lazilyMistakes = [
    Mistake(
      "check, then set", .file("CheckThenSet.swift"),
      rejectedBy: [
        "callers at the same moment compute it once",
        "callers at the same moment get the same value",
        "of those who waited for a failure, one tries again",
      ],
      advice: """
        Two threads can both find nothing before either has kept something: looking and keeping must \
        be one step, on a serial queue or under a lock.
        """),
    Mistake(
      "computes under no lock and overwrites", .file("Overwrites.swift"),
      rejectedBy: [
        "callers at the same moment compute it once",
        "callers at the same moment get the same value",
        "of those who waited for a failure, one tries again",
      ],
      advice: """
        Each access is safe, and still both compute, for the lock is free in between: hold others \
        off from the look until the value is kept.
        """),
    Mistake(
      "computes under no lock, and the first stays", .file("FirstStays.swift"),
      rejectedBy: [
        "callers at the same moment compute it once",
        "of those who waited for a failure, one tries again",
      ],
      advice: """
        All get the same value, but it's computed as often as threads came at once: the file is read \
        twice, the account opened twice. Let the others wait.
        """),
    Mistake(
      "caches the failure", .file("CachesTheFailure.swift"),
      rejectedBy: ["a failure isn't kept", "of those who waited for a failure, one tries again"],
      advice: "An attempt may fail today and succeed tomorrow: keep values, and let errors go."),
    Mistake(
      "those who waited get the failure", .file("WaitersGetTheFailure.swift"),
      rejectedBy: ["of those who waited for a failure, one tries again"],
      advice: """
        The error belongs to the caller whose attempt it was; who waited hasn't tried yet, so let it \
        look again.
        """),
    Mistake(
      "computed when it's made",
      .edits([
        Edit(
          "    self.compute = compute\n",
          """
              self.compute = compute
              if let value = try? compute() { state = .computed(value) }

          """)
      ]),
      rejectedBy: [
        "it's computed when it's first asked for, and only then", "a failure isn't kept",
      ],
      advice: "It may never be needed: keep the closure, and call it when the value is asked for."),
    Mistake(
      "keeps nothing", .edit("        settle(.computed(value))\n", "        settle(.empty)\n"),
      rejectedBy: [
        "it's computed when it's first asked for, and only then", "a failure isn't kept",
      ],
      advice: "What compute has returned must be kept, or every caller computes it anew."),
    Mistake(
      "still computing after a failure", .edit(emptied, ""),
      rejectedBy: ["a failure isn't kept", "of those who waited for a failure, one tries again"],
      verdict: .hung,
      advice: """
        The attempt has failed and the state still says that somebody computes, so everybody waits \
        for nobody: set it back on the way of the error too.
        """),
    Mistake(
      "nobody is woken", .edit(broadcast, ""),
      rejectedBy: ["callers at the same moment compute it once"], verdict: .hung,
      advice:
        "Who waits at a condition sleeps until somebody calls broadcast: do it at every change."),
    Mistake(
      "one of them is woken", .edit(broadcast, "      condition.signal()\n"),
      rejectedBy: ["callers at the same moment compute it once"], verdict: .hung,
      advice: """
        signal wakes one of those who wait, and the value is there for all of them: use broadcast.
        """),
    Mistake(
      "whoever wakes up doesn't look again",
      .edit(
        waits,
        """
                case .computing:
                  condition.wait()
                  if case .computed(let value) = state { return value }
                  state = .computing
                  return nil

        """),
      rejectedBy: ["of those who waited for a failure, one tries again"],
      advice: """
        Several wake up at once, and the first of them may have begun an attempt already: wait in a \
        loop that looks at the state again.
        """),
    Mistake(
      "one lock for all", .file("OneLockForAll.swift"),
      rejectedBy: ["one doesn't wait for another"],
      advice: "Values that have nothing to do with each other wait for each other: a lock for each."
    ),
    Mistake(
      "the flag before the lock isn't atomic",
      .edits([
        Edit(
          "  private let condition = NSCondition()\n",
          """
            private let condition = NSCondition()
            // Safe: it isn't; the look in `value` takes no lock.
            private nonisolated(unsafe) var isComputed = false

          """),
        Edit(
          "      if let value = valueUnlessMyTurn() { return value }\n",
          """
                if isComputed, case .computed(let value) = state { return value }
                if let value = valueUnlessMyTurn() { return value }

          """),
        Edit(
          "      self.state = state\n",
          "      self.state = state\n      if case .computed = state { isComputed = true }\n"),
      ]),
      rejectedBy: ["whoever comes later may ask as well"], verdict: .race,
      advice: """
        Looking without the lock saves nanoseconds and may see the flag before the value that it \
        speaks of: take the lock, or make the flag atomic with acquire and release.
        """),
    Mistake(
      "looks at the state before the lock",
      .edit(
        "      if let value = valueUnlessMyTurn() { return value }\n",
        """
              if case .computed(let value) = state { return value }
              if let value = valueUnlessMyTurn() { return value }

        """),
      rejectedBy: ["whoever comes later may ask as well"], verdict: .race,
      advice: """
        Another thread may be putting the value in while you look, and half of it is there: looking \
        again under the lock comes too late. Take the lock, or ask an atomic flag first.
        """),
  ]
}
