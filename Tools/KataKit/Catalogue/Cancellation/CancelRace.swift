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
    ],
    unproven: [
      Unproven("A reply arrives on one thread while another cancels.", "why it's wanted"),
      Unproven("What the operation came to.", "a name"),
      Unproven("A cancellation that comes while it runs may win or lose.", "leaves something open"),
      Unproven("It begins the work and calls `complete`", "asks it of the closure"),
      Unproven("To be called by `start()` alone.", "asks it of whoever calls"),
    ],
    equivalents: [
      Equivalent("made twice: settle(.cancelled)", "The second finds it settled."),
      Equivalent(
        "made twice: settle(.completed(value()))",
        "The second finds it settled; making a value again is not forbidden."),
      Equivalent(
        "swapped with the next: guard outcome == nil else { return finish() }",
        "Cancelled within its start, it may begin its work or not."),
      Equivalent(
        "swapped with the next: guard isFirst else { return }",
        "What isCancelled says after another outcome is left open."),
      Equivalent(
        "swapped with the next: report(outcome)", "Which of the two comes first is left open."),
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
      breaks: [
        "exactly one outcome, however close", "also when they come in the midst of the first one",
      ],
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
      breaks: [
        "one settles the ``outcome``, for good", "It was cancelled before the work had ended.",
      ],
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
      breaks: ["whoever waits must hear of one outcome only", "and nothing is reported; whether"],
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
      breaks: ["it's finished at once, without waiting for the work"],
      rejectedBy: [
        "cancelled while it works, it is over at once", "the second call has no effect",
      ],
      advice: """
        cancel() leaves the end to complete, and complete leaves it to cancel(): whoever comes \
        first has to settle it.
        """),
    Mistake(
      "a placeholder for the value",
      .edit(
        "      settle(.completed(value()))\n",
        """
              let isFirst = lock.withLock {
                guard settled == nil else { return false }
                settled = .completed(Data())
                return true
              }
              guard isFirst else { return }
              let made = Outcome.completed(value())
              lock.withLock { settled = made }
              report(made)
              finish()

        """),
      breaks: ["The work has ended with this value."],
      rejectedBy: ["cancelled while the value is made, it has one outcome"],
      advice: """
        Whoever looks while the value is made takes the placeholder for the work's value: settle the \
        outcome when the value is there.
        """),
    Mistake(
      "a value that nobody wants",
      .edit("      guard outcome == nil else { return }\n      settle", "      settle"),
      breaks: ["nobody decodes a picture that nobody wants"],
      rejectedBy: ["nobody makes a value that nobody wants"],
      advice: "Look at the outcome before you call value, and settle it after."),
    Mistake(
      "complete speaks for cancel",
      .edits([
        Edit(
          "  private var settled: Outcome?\n",
          """
            private var settled: Outcome?
            private var isMaking = false
            private var isCancelledMeanwhile = false

          """),
        Edit(
          "    settle(.cancelled)\n",
          """
              let isMine = lock.withLock {
                isCancelledMeanwhile = isMaking
                return !isMaking
              }
              if isMine { settle(.cancelled) }

          """),
        Edit(
          "      settle(.completed(value()))\n",
          """
                lock.withLock { isMaking = true }
                let made = value()
                let isWanted = lock.withLock {
                  isMaking = false
                  return !isCancelledMeanwhile
                }
                settle(isWanted ? .completed(made) : .cancelled)

          """),
      ]),
      breaks: ["Settles the outcome as cancelled", "by the call that settles it, on that thread"],
      rejectedBy: ["cancelled while the value is made, it has one outcome"],
      advice: """
        The value may take long, and whoever has cancelled is told nothing until it's made: let \
        cancel() settle the outcome and report it, and complete find it settled.
        """),
  ]

  // MARK: - How it ends

  private static let endMistakes = [
    Mistake(
      "no super.cancel", .edit("    if case .cancelled = outcome { super.cancel() }\n", ""),
      breaks: ["`isCancelled` is true before it calls anything else"],
      rejectedBy: [
        "cancelled while it works, it is over at once",
        "cancelled before its start, it is finished by its start",
      ],
      advice: """
        isCancelled is Foundation's, and so is the way past the dependencies: call super.cancel().
        """),
    Mistake(
      "tells Foundation last",
      .edits([
        Edit("    if case .cancelled = outcome { super.cancel() }\n", ""),
        Edit(
          "    report(outcome)\n    finish()\n",
          "    report(outcome)\n    if case .cancelled = outcome { super.cancel() }\n    finish()\n"
        ),
      ]),
      breaks: ["`isCancelled` is true before it calls anything else"],
      rejectedBy: ["when it's reported as cancelled, isCancelled is true"],
      advice: """
        Whoever hears of the cancellation looks at isCancelled: call super.cancel() before you report.
        """),
    Mistake(
      "works when it's made",
      .edits([
        Edit(
          "    super.init()\n",
          """
              super.init()
              work { [self] value in
                guard outcome == nil else { return }
                settle(.completed(value()))
              }

          """),
        Edit(
          """
              work { [self] value in
                guard outcome == nil else { return }
                settle(.completed(value()))
              }
            }

            /// Settles the outcome and
          """,
          """
            }

            /// Settles the outcome and
          """),
      ]),
      breaks: [
        "Creates an operation that waits to be started.", "Called once when the operation starts",
        "Begins the work.",
      ],
      rejectedBy: ["cancelled before its start, it is finished by its start"],
      advice: """
        An operation that waits costs nothing: begin the work in main(), when its queue has room for it.
        """),
    Mistake(
      "starts itself when it's cancelled",
      .edit(
        "    settle(.cancelled)\n", "    settle(.cancelled)\n    if !isExecuting { start() }\n"),
      breaks: ["the operation is finished by its start, as its queue expects"],
      rejectedBy: ["cancelled before its start, it is finished by its start"],
      advice: """
        Its queue starts it all the same, and is upset by an operation that has finished by then: leave \
        the end to the queue's start.
        """),
    Mistake(
      "main doesn't look again",
      .edit("    guard outcome == nil else { return finish() }\n", ""),
      breaks: ["the operation is finished by its start, as its queue expects"],
      rejectedBy: ["cancelled in the midst of its start, it comes to its end"],
      advice: """
        start() may have looked just before it was cancelled, and then finish() had no effect: look \
        once more in main().
        """),
    Mistake(
      "a cancelled main returns without finishing",
      .edit("else { return finish() }", "else { return }"),
      breaks: ["the operation is finished by its start, as its queue expects"],
      rejectedBy: ["cancelled in the midst of its start, it comes to its end"],
      advice: """
        When main() finds it cancelled, nobody else will finish it: call finish() before you return.
        """),
    Mistake(
      "cancellation before the start isn't reported",
      .edit(
        "    settle(.cancelled)\n",
        "    guard isExecuting else { return super.cancel() }\n    settle(.cancelled)\n"),
      breaks: [
        "the outcome is settled and reported at once too", "Settles the outcome as cancelled",
      ],
      rejectedBy: ["cancelled before its start, it is finished by its start"],
      advice: "An operation that never works has an outcome too: settle and report it in cancel()."),
    Mistake(
      "reported by another thread",
      .edit(
        "    report(outcome)\n",
        "    DispatchQueue.global().async { [report] in report(outcome) }\n"),
      breaks: ["by the call that settles it, on that thread"],
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
      breaks: ["It may call the operation."],
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
      breaks: ["which is before it's announced as finished"],
      rejectedBy: ["the outcome is there when the end is announced"],
      advice: """
        Whoever waits for the end looks for the outcome at once: keep it before you call finish().
        """),
    Mistake(
      "never finishes after a cancellation",
      .edit(
        "    report(outcome)\n    finish()\n",
        "    report(outcome)\n    if !isCancelled { finish() }\n"),
      breaks: ["it's finished at once, without waiting for the work"],
      rejectedBy: [
        "cancelled while it works, it is over at once", "the second call has no effect",
      ],
      advice: """
        What complete brings later is ignored, so nobody but cancel() will finish it: call finish().
        """),
    Mistake(
      "leaves the end to main while the work begins",
      .edits([
        Edit(
          "  private var settled: Outcome?\n",
          "  private var settled: Outcome?\n  private var hasBegun = false\n"),
        Edit(
          "      settle(.completed(value()))\n    }\n",
          """
                settle(.completed(value()))
              }
              let isOver = lock.withLock {
                hasBegun = true
                return settled != nil
              }
              if isOver { finish() }

          """),
        Edit(
          "    report(outcome)\n    finish()\n",
          "    report(outcome)\n    if lock.withLock({ hasBegun }) { finish() }\n"),
      ]),
      breaks: ["it's finished at once, without waiting for the work"],
      rejectedBy: ["nobody has to wait for the work to begin"],
      advice: """
        Work may do all of it before it returns, and until then the operation stays in its queue: \
        finish as soon as the outcome is settled.
        """),
    Mistake(
      "complete has only a weak reference",
      .edit(
        """
            work { [self] value in
              guard outcome == nil else { return }

        """,
        """
            work { [weak self] value in
              guard let self, outcome == nil else { return }

        """),
      breaks: ["While it works `complete` keeps the operation"],
      rejectedBy: ["nobody need keep it while it works"],
      advice: """
        Started by hand, it's in no queue that would keep it, and its outcome is lost: let complete \
        keep the operation.
        """),
    Mistake(
      "announces its end twice", .file("TwoNotices.swift"),
      breaks: ["and the operation finishes once"],
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
      breaks: ["It may call the operation."],
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
      breaks: ["No lock is held while `work`, `report` or a `value` is called"],
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
      breaks: ["`value` makes the result, and may take long."],
      rejectedBy: ["cancelled while the value is made, it has one outcome"], verdict: .hung,
      advice: """
        value may take long, and cancel() waits for it: look under the lock, make the value without \
        it, and settle under it again.
        """),
    Mistake(
      "begins the work with the lock held",
      .edits(worksUnderLock),
      breaks: ["No lock is held while `work`, `report` or a `value` is called"],
      rejectedBy: ["the work may complete before it returns"], verdict: .hung,
      advice: """
        Work that has its value at hand completes at once, and waits for the lock that you hold: call \
        work without it.
        """),
    Mistake(
      "begins the work with a recursive lock held",
      .edits([Edit("lock = NSLock()", "lock = NSRecursiveLock()")] + worksUnderLock),
      breaks: ["No lock is held while `work`, `report` or a `value` is called"],
      rejectedBy: ["nobody has to wait for the work to begin"],
      advice: """
        A recursive lock lets only its own thread in again; every other one waits until the work has \
        begun: call out without a lock.
        """),
    Mistake(
      "finishes with the lock held",
      .edit("    report(outcome)\n    finish()\n", finishUnderLock),
      breaks: ["nor while a notice is sent"],
      rejectedBy: ["the outcome is there when the end is announced"], verdict: .hung,
      advice: """
        finish() sends notices, and whoever hears them asks for the outcome: finish without the lock.
        """),
    Mistake(
      "finishes with a recursive lock held",
      .edits([
        Edit("lock = NSLock()", "lock = NSRecursiveLock()"),
        Edit("    report(outcome)\n    finish()\n", finishUnderLock),
      ]),
      breaks: ["nor while a notice is sent"],
      rejectedBy: ["nobody has to wait for a notice"],
      advice: """
        A recursive lock lets only its own thread in again; every other one waits until the notice is \
        sent: finish without a lock.
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
      breaks: [
        "Safe to use from every thread", "What the work calls when it has ended, on any thread.",
      ],
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
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["the outcome may be read on any thread"], verdict: .race,
      advice: "A lock protects only if everybody takes it, the getter too."),
  ]

  private static let worksUnderLock = [
    Edit(
      "    work { [self] value in\n",
      "    lock.lock()\n    defer { lock.unlock() }\n    work { [self] value in\n")
  ]

  private static let finishUnderLock = "    report(outcome)\n    lock.withLock { finish() }\n"
}
