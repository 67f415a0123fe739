extension Kata {
  static let cancelRace = Kata(
    "CancelRace", module: .cancellation,
    title: "cancel and finish at the same moment: exactly one outcome",
    difficulty: 3, minutes: 25, needs: ["CancelInFlight"],
    hints: [
      """
      Two threads look, both see that nothing is settled, and both go on. When is a look out of \
      date? As soon as the lock is given back, unless the same hold of the lock has also settled it.
      """,
      """
      One method for both, settle(outcome): under the lock, where nothing is settled, keep the \
      outcome and say "I was first". Whoever was first goes on without the lock: super.cancel() if \
      it's a cancellation, report, finish(). complete looks before it makes the value, and settles \
      when it's made. And main() looks once more: cancel() may have come before it.
      """,
      """
      settle: let isFirst = lock.withLock { guard settled == nil else { return false }; settled = \
      outcome; return true }; guard isFirst else { return }; if case .cancelled = outcome { \
      super.cancel() }; report(outcome); finish(). cancel: settle(.cancelled). main: guard outcome \
      == nil else { return finish() }; work { [self] value in guard outcome == nil else { return }; \
      settle(.completed(value())) }.
      """,
    ],
    questions: [
      Question(
        "Which single step decides between `complete` and `cancel()`?",
        answer: """
          Looking whether the outcome is settled and settling it, under one lock. Everything that \
          follows is done by the winner, and after the lock is open.
          """),
      Question(
        "Why is `report` called without the lock?",
        answer: """
          It may ask for the `outcome` or call `cancel()`, and would then wait for a lock that its \
          own thread holds.
          """),
      Question(
        """
        `complete` looks whether the outcome is settled before it makes the value, and settling \
        looks again. Why twice?
        """,
        answer: """
          The first look only saves work: nobody decodes what nobody wants. It decides nothing, \
          since a cancellation may come while the value is made; the second, under the lock, does.
          """),
    ],
    mistakes: decisionMistakes + endMistakes + lockMistakes,
    rightAnswers: [
      RightAnswer("an atomic claim before the value is made", .file("AtomicClaim.swift")),
      RightAnswer("the outcome on a serial queue", .file("SerialQueue.swift")),
      RightAnswer("the standard library's mutex", .file("StandardMutex.swift")),
      RightAnswer("one state enum, and notices of its own", .file("OneStateEnum.swift")),
      RightAnswer("a flag and an optional behind one lock", .file("TwoFlags.swift")),
    ])

  // MARK: - Who is first

  private static let decisionMistakes = [
    Mistake(
      "check, then act",
      .edits([
        Edit(
          """
                guard settled == nil else { return false }
                settled = outcome
                return true
              }
              guard isFirst else { return }

          """,
          """
                settled = outcome
                return true
              }
              _ = isFirst

          """),
        Edit(
          "    settle(.cancelled)\n",
          "    guard outcome == nil else { return }\n    settle(.cancelled)\n"),
      ]),
      rejectedBy: ["cancelled while the value is made, it has one outcome"],
      advice: """
        Between the look at the outcome and the change another thread comes in: ask and settle \
        under one hold of the lock.
        """),
    Mistake(
      "trusts isCancelled",
      .edits([
        Edit(
          """
                guard settled == nil else { return false }
                settled = outcome

          """, "      settled = outcome\n"),
        Edit(
          "      guard outcome == nil else { return }\n      settle",
          "      guard !isCancelled else { return }\n      settle"),
      ]),
      rejectedBy: [
        "the second call has no effect", "report may call the operation",
        "cancelled while the value is made, it has one outcome",
        "a call in the midst of another has no effect",
      ],
      advice: """
        isCancelled tells whether it was cancelled, not whether it's over: the outcome must be \
        settled once, whoever comes.
        """),
    Mistake(
      "both outcomes reported",
      .edits([
        Edit("    guard isFirst else { return }\n", ""),
        Edit("    finish()\n  }\n}", "    if isFirst { finish() }\n  }\n}"),
      ]),
      rejectedBy: [
        "the second call has no effect", "cancelled while the value is made, it has one outcome",
        "one thread settles it, and another comes too late",
      ],
      advice: "Only the call that has settled the outcome may report one."),
    Mistake(
      "neither outcome",
      .edits([
        Edit("    settle(.cancelled)\n", "    super.cancel()\n"),
        Edit(
          "      guard outcome == nil else { return }\n      settle",
          "      guard !isCancelled else { return }\n      settle"),
      ]),
      rejectedBy: [
        "cancelled while it works, it is over at once", "the second call has no effect",
      ],
      advice: """
        cancel() leaves the end to complete, and complete leaves it to cancel(): whoever comes \
        first has to settle it.
        """),
    Mistake(
      "a value that nobody wants",
      .edit("      guard outcome == nil else { return }\n      settle", "      settle"),
      rejectedBy: ["nobody makes a value that nobody wants"],
      advice: "Look at the outcome before you call value, and settle it after."),
  ]

  // MARK: - How it ends

  private static let endMistakes = [
    Mistake(
      "no super.cancel", .edit("    if case .cancelled = outcome { super.cancel() }\n", ""),
      rejectedBy: [
        "cancelled while it works, it is over at once",
        "cancelled before its start, it is finished by its start",
      ],
      advice: """
        isCancelled is Foundation's, and so is the way past the dependencies: call super.cancel().
        """),
    Mistake(
      "main doesn't look again",
      .edit("    guard outcome == nil else { return finish() }\n", ""),
      rejectedBy: ["cancelled in the midst of its start, it comes to its end"],
      advice: """
        start() may have looked just before it was cancelled, and then finish() had no effect: look \
        once more in main().
        """),
    Mistake(
      "a cancelled main returns without finishing",
      .edit("else { return finish() }", "else { return }"),
      rejectedBy: ["cancelled in the midst of its start, it comes to its end"],
      advice: """
        When main() finds it cancelled, nobody else will finish it: call finish() before you return.
        """),
    Mistake(
      "cancellation before the start isn't reported",
      .edit(
        "    settle(.cancelled)\n",
        "    guard isExecuting else { return super.cancel() }\n    settle(.cancelled)\n"),
      rejectedBy: ["cancelled before its start, it is finished by its start"],
      advice: "An operation that never works has an outcome too: settle and report it in cancel()."),
    Mistake(
      "reported by another thread",
      .edit(
        "    report(outcome)\n",
        "    DispatchQueue.global().async { [report] in report(outcome) }\n"),
      rejectedBy: ["the call that settles it reports it"],
      advice: "When the call returns everybody must have been told: call report directly."),
    Mistake(
      "reported before the outcome is kept",
      .edits([
        Edit(
          "      guard settled == nil else { return false }\n      settled = outcome\n",
          "      guard !isClaimed else { return false }\n      isClaimed = true\n"),
        Edit("  private var settled:", "  private var isClaimed = false\n  private var settled:"),
        Edit(
          "    report(outcome)\n", "    report(outcome)\n    lock.withLock { settled = outcome }\n"),
      ]),
      rejectedBy: ["report may call the operation"],
      advice: """
        Whoever is told may ask the operation for its outcome: keep it before you report it.
        """),
    Mistake(
      "finished before the outcome is kept",
      .edits([
        Edit(
          "      guard settled == nil else { return false }\n      settled = outcome\n",
          "      guard !isClaimed else { return false }\n      isClaimed = true\n"),
        Edit("  private var settled:", "  private var isClaimed = false\n  private var settled:"),
        Edit(
          "    report(outcome)\n    finish()\n",
          "    finish()\n    lock.withLock { settled = outcome }\n    report(outcome)\n"),
      ]),
      rejectedBy: ["the outcome is there when the end is announced"],
      advice: """
        Whoever waits for the end looks for the outcome at once: keep it before you call finish().
        """),
    Mistake(
      "never finishes after a cancellation",
      .edit(
        "    report(outcome)\n    finish()\n",
        "    report(outcome)\n    if !isCancelled { finish() }\n"),
      rejectedBy: [
        "cancelled while it works, it is over at once", "the second call has no effect",
      ],
      advice: """
        What complete brings later is ignored, so nobody but cancel() will finish it: call finish().
        """),
    Mistake(
      "announces its end twice", .file("TwoNotices.swift"),
      rejectedBy: ["a call in the midst of another has no effect"],
      advice: """
        Between the look at isFinished and the change another thread comes to the same end: decide \
        under the lock who ends it, before the first notice.
        """),
  ]

  // MARK: - The lock

  private static let lockMistakes = [
    Mistake(
      "reports with the lock held",
      .edits([
        Edit("      settled = outcome\n", "      settled = outcome\n      report(outcome)\n"),
        Edit("    report(outcome)\n    finish()\n", "    finish()\n"),
      ]),
      rejectedBy: ["report may call the operation"], verdict: .hung,
      advice: """
        Whoever is told may ask the operation for its outcome, and waits for the lock that you \
        hold: call out when you have let go of it.
        """),
    Mistake(
      "reports with a recursive lock held",
      .edits([
        Edit("lock = NSLock()", "lock = NSRecursiveLock()"),
        Edit("      settled = outcome\n", "      settled = outcome\n      report(outcome)\n"),
        Edit("    report(outcome)\n    finish()\n", "    finish()\n"),
      ]),
      rejectedBy: ["nobody has to wait for report"],
      advice: """
        A recursive lock lets only its own thread in again; every other one waits until report \
        returns: call out without a lock.
        """),
    Mistake(
      "makes the value with the lock held",
      .edit(
        "      guard outcome == nil else { return }\n      settle(.completed(value()))\n",
        """
              let made = lock.withLock { settled == nil ? value() : nil }
              if let made { settle(.completed(made)) }

        """),
      rejectedBy: ["cancelled while the value is made, it has one outcome"], verdict: .hung,
      advice: """
        value may take long, and cancel() waits for it: look under the lock, make the value without \
        it, and settle under it again.
        """),
    Mistake(
      "nothing guards the decision",
      .edit(
        """
            let isFirst = lock.withLock {
              guard settled == nil else { return false }
              settled = outcome
              return true
            }
            guard isFirst else { return }

        """,
        """
            guard settled == nil else { return }
            settled = outcome

        """),
      rejectedBy: [
        "one thread settles it, and another comes too late",
        "the outcome may be read on any thread",
      ],
      verdict: .race,
      advice: """
        complete and cancel() come from different threads, and both can find nothing settled: \
        guard the decision with the lock.
        """),
    Mistake(
      "reads the outcome without the lock",
      .edit("{ lock.withLock { settled } }", "{ settled }"),
      rejectedBy: ["the outcome may be read on any thread"], verdict: .race,
      advice: "A lock protects only if everybody takes it, the getter too."),
  ]
}
