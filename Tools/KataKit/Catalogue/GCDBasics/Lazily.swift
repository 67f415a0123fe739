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
    ],
    equivalents: [
      Equivalent(
        "made twice: settle(.computed(value))", "Once it's computed nobody changes the state."),
      Equivalent(
        "swapped with the next: self.state = state",
        "Whoever is woken needs the lock, under which both are done."),
    ],
    elusive: [
      Elusive(
        "made twice: settle(.empty)",
        "Whoever has begun an attempt between the two is forgotten; the lock is free for a moment only."
      )
    ])

  // MARK: - Mistakes

  private static let broadcast = "      condition.broadcast()\n"
  private static let emptied = "        settle(.empty)\n"
  private static let waits = "        case .computing: condition.wait()\n"

  private static let lazilyMistakes = [
    Mistake(
      "check, then set", .file("CheckThenSet.swift"),
      breaks: ["one call at a time", "and gets the same value"],
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
      breaks: ["The value, the same for all who ask", "A value that is computed once"],
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
      breaks: [
        "A value that is computed once", "whoever asks meanwhile is blocked until that is over",
      ],
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
      breaks: ["and isn't kept: the next one who asks tries again"],
      rejectedBy: ["a failure isn't kept", "of those who waited for a failure, one tries again"],
      advice: "An attempt may fail today and succeed tomorrow: keep values, and let errors go."),
    Mistake(
      "those who waited get the failure", .file("WaitersGetTheFailure.swift"),
      breaks: [
        "What the computation has thrown, where it was this caller's attempt",
        "What it throws goes to the caller whose attempt it was",
      ],
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
      breaks: ["Nothing is computed before somebody asks.", "Keeps `compute` for later."],
      rejectedBy: [
        "it's computed when it's first asked for, and only then", "a failure isn't kept",
      ],
      advice: "It may never be needed: keep the closure, and call it when the value is asked for."),
    Mistake(
      "keeps nothing", .edit("        settle(.computed(value))\n", "        settle(.empty)\n"),
      breaks: [
        "Once the computation has returned it is never called again",
        "never again once it has returned",
      ],
      rejectedBy: [
        "it's computed when it's first asked for, and only then", "a failure isn't kept",
      ],
      advice: "What compute has returned must be kept, or every caller computes it anew."),
    Mistake(
      "still computing after a failure", .edit(emptied, ""),
      breaks: ["the next one who asks tries again"],
      rejectedBy: ["a failure isn't kept", "of those who waited for a failure, one tries again"],
      verdict: .hung,
      advice: """
        The attempt has failed and the state still says that somebody computes, so everybody waits \
        for nobody: set it back on the way of the error too.
        """),
    Mistake(
      "nobody is woken", .edit(broadcast, ""),
      breaks: ["is blocked until that is over"],
      rejectedBy: ["callers at the same moment compute it once"], verdict: .hung,
      advice:
        "Who waits at a condition sleeps until somebody calls broadcast: do it at every change."),
    Mistake(
      "one of them is woken", .edit(broadcast, "      condition.signal()\n"),
      breaks: ["waits for that, and gets the same value"],
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
      breaks: ["the others go on waiting"],
      rejectedBy: ["of those who waited for a failure, one tries again"],
      advice: """
        Several wake up at once, and the first of them may have begun an attempt already: wait in a \
        loop that looks at the state again.
        """),
    Mistake(
      "one lock for all", .file("OneLockForAll.swift"),
      breaks: ["Two values don't wait for each other."],
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
      breaks: ["by whichever thread that is"],
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
      breaks: ["by whichever thread that is"],
      rejectedBy: ["whoever comes later may ask as well"], verdict: .race,
      advice: """
        Another thread may be putting the value in while you look, and half of it is there: looking \
        again under the lock comes too late. Take the lock, or ask an atomic flag first.
        """),
    Mistake(
      "a relaxed flag before the lock",
      .edits([
        Edit("import Foundation\n", "import Foundation\nimport Synchronization\n"),
        Edit(
          "  private let condition = NSCondition()\n",
          """
            private let condition = NSCondition()
            private let isComputed = Atomic(false)

          """),
        Edit(
          "      if let value = valueUnlessMyTurn() { return value }\n",
          """
                if isComputed.load(ordering: .relaxed), case .computed(let value) = state {
                  return value
                }
                if let value = valueUnlessMyTurn() { return value }

          """),
        Edit(
          "      self.state = state\n",
          """
                self.state = state
                if case .computed = state { isComputed.store(true, ordering: .relaxed) }

          """),
      ]),
      breaks: ["by whichever thread that is"],
      rejectedBy: ["whoever comes later may ask as well"], verdict: .race,
      advice: """
        A relaxed atomic orders nothing but itself, so the flag may be seen before the value that it \
        speaks of: store it with releasing and load it with acquiring, or take the lock.
        """),
    Mistake(
      "waits before it looks",
      .edit(
        "      while true {\n",
        """
              if case .empty = state {} else { condition.wait() }
              while true {

        """),
      breaks: ["From then on it returns at once."],
      rejectedBy: ["it's computed when it's first asked for, and only then"], verdict: .hung,
      advice: """
        Who comes after the broadcast isn't woken by it: look first, and wait only while somebody \
        computes.
        """),
    Mistake(
      "a failure wakes nobody",
      .edit(broadcast, "      if case .computed = state { condition.broadcast() }\n"),
      breaks: ["So does one of those who waited meanwhile"],
      rejectedBy: ["of those who waited for a failure, one tries again"], verdict: .hung,
      advice: """
        Those who wait have something to do after a failure as well, for one of them has to try again: \
        broadcast at every change.
        """),
    Mistake(
      "wakes those whom it has noted",
      .edits([
        Edit(
          "  private let condition = NSCondition()\n",
          """
            private let condition = NSCondition()
            // Safe: guarded by `condition`.
            private nonisolated(unsafe) var isAwaited = false

          """),
        Edit(
          "      while true {\n",
          "      if case .computing = state { isAwaited = true }\n      while true {\n"),
        Edit(broadcast, "      if isAwaited { condition.broadcast() }\n      isAwaited = false\n"),
      ]),
      breaks: ["So does one of those who waited meanwhile"],
      rejectedBy: ["of those who waited for a failure, one tries again"], verdict: .hung,
      advice: """
        Who wakes up and has to wait again isn't noted a second time, and a second failure wakes \
        nobody: broadcast at every change, for it costs nothing where nobody waits.
        """),
    Mistake(
      "gives up after three attempts",
      .edits([
        Edit(
          "  private let condition = NSCondition()\n",
          """
            private let condition = NSCondition()
            // Safe: changed by the one who computes.
            private nonisolated(unsafe) var failures: [any Error] = []

          """),
        Edit(
          "        let value = try compute()\n",
          "        if failures.count == 3 { throw failures[2] }\n        let value = try compute()\n"
        ),
        Edit(emptied, "        failures.append(error)\n        settle(.empty)\n"),
      ]),
      breaks: ["and isn't kept: the next one who asks tries again"],
      rejectedBy: ["a failure isn't kept"],
      advice: """
        How often it's worth trying is for those who ask to decide: call compute for each attempt, \
        however many have failed.
        """),
    Mistake(
      "nil counts as nothing",
      .edit(
        "        settle(.computed(value))\n",
        """
                if case Optional<Any>.none = value as Any {
                  settle(.empty)
                } else {
                  settle(.computed(value))
                }

        """),
      breaks: ["Once the computation has returned it is never called again."],
      rejectedBy: ["a value that is nil is a value"],
      advice: """
        Value may be an optional, and nil what the computation has found: keep apart what was \
        returned and whether something was.
        """),
    Mistake(
      "computed on another thread", .file("OtherThread.swift"),
      breaks: ["The first to ask computes it, on its own thread"],
      rejectedBy: ["it's computed on the thread that asks"],
      advice: """
        One thread computes while the one that asked stands and waits, and where all workers ask \
        nobody is left to compute: call compute on the thread that is there already.
        """),
  ]
}
