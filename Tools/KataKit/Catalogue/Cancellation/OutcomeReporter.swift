extension Kata {
  static let outcomeReporter = Kata(
    "OutcomeReporter", module: .cancellation,
    title: "Completed, failed or cancelled: which one was it?",
    difficulty: 3, minutes: 25, needs: ["CancelBeforeStart"],
    hints: [
      """
      The completion block is called on every path, isCancelled may become true at any time. At \
      which moment is the outcome certain, and who must remember it until the block is called?
      """,
      """
      Make an object with a lock and an outcome that is nil at first. In main(), call the work; when \
      it delivers, make the outcome of the result and of isCancelled at that moment, keep it unless \
      there is one already, and finish. The completion block holds that object, not self, and \
      reports its outcome; where there is none, the work never began.
      """,
      """
      init: let decision = Decision<Value>(); …; super.init(); completionBlock = { \
      report(decision.outcome) }. main: work { [self] result in if decision.make(wasCancelled: \
      isCancelled, result) { finish() } }. outcome: isFinished ? decision.outcome : nil. Decision's \
      outcome: lock.withLock { decided } ?? .cancelled.
      """,
    ],
    questions: [
      Question(
        "The completion block finds `isCancelled` true. What is known by that?",
        answer: """
          That somebody has asked, and no more. The work may have been done before, or have been \
          done all the same.
          """),
      Question(
        """
        A value that comes after `cancel()` counts as completed. Why does an error that comes then \
        not count as failed?
        """,
        answer: """
          A value is work that was done, whatever anybody asked. An error after a cancellation \
          mostly follows from it, and nobody wants to be told that what they cancelled has failed.
          """),
      Question(
        "Why does the completion block capture the decision, and not the operation?",
        answer: """
          The operation keeps its completion block, so a block that keeps the operation makes a \
          cycle. The decision knows neither of them.
          """),
    ],
    mistakes: outcomeMistakes,
    rightAnswers: [
      RightAnswer("result and cancellation on a serial queue", .file("SerialQueue.swift")),
      RightAnswer("atomics and a mutex", .file("AtomicAndMutex.swift")),
    ],
    unproven: [
      Unproven("How an operation has come to its end.", "a name"),
      Unproven("An operation's completion block is called on every path", "what Foundation does"),
      Unproven("And `isCancelled` doesn't either", "what Foundation does"),
      Unproven("To be called by `start()` alone.", "asks it of whoever calls"),
    ],
    equivalents: [
      Equivalent(
        "another constant: guard decided == nil else { return false }",
        "The second finish() has no effect."),
      Equivalent(
        "swapped with the next: let decision = Decision<Value>()",
        "Nobody has the object before its initialiser ends."),
    ],
    elusive: [
      Elusive(
        "the first statement before the section: return lock.withLock { …",
        "Two deliveries at the same moment may both count; the sanitizer sees no generic storage here."
      )
    ])

  // MARK: - Mistakes

  private static let report = "completionBlock = { report(decision.outcome) }"
  private static let finish = "      if isFirst { finish() }\n"
  private static let ask = "{ isFinished ? decision.outcome : nil }"
  private static let wasCancelled = "where wasCancelled || error is CancellationError: .cancelled"

  private static let outcomeMistakes = [
    Mistake(
      "reads isCancelled in the completion block",
      .edit(
        report,
        """
        completionBlock = { [weak self] in
              report(self?.isCancelled == true ? .cancelled : decision.outcome)
            }
        """),
      breaks: ["The outcome says what has happened"],
      rejectedBy: [
        "cancelled in vain, it is completed",
        "cancelled between its delivery and its end, its outcome stays",
      ],
      advice: """
        isCancelled tells that somebody asked, perhaps when the work had delivered: report what it \
        delivered.
        """),
    Mistake(
      "decides in the completion block",
      .edits([
        Edit(
          report,
          """
          completionBlock = { [weak self] in
                if case .failed = decision.outcome, self?.isCancelled == true { report(.cancelled) }
                else { report(decision.outcome) }
              }
          """),
        Edit("wasCancelled || error", "error"),
      ]),
      breaks: ["is decided when the work delivers"],
      rejectedBy: ["cancelled between its delivery and its end, its outcome stays"],
      advice: """
        Between the delivery and the end somebody may cancel: decide when the work delivers, and \
        keep it.
        """),
    Mistake(
      "outcome reads isCancelled",
      .edit(ask, "{ isCancelled ? .cancelled : isFinished ? decision.outcome : nil }"),
      breaks: ["no cancellation, and no second delivery"],
      rejectedBy: [
        "cancelled while it works, it goes on until the work delivers",
        "cancelled between its delivery and its end, its outcome stays",
      ],
      advice: "A cancellation that comes too late changes nothing: answer with what was decided."),
    Mistake(
      "remembers every cancellation",
      .edits([
        Edit(
          ask,
          """
          {
              guard isFinished else { return nil }
              return lock.withLock { wasAsked } ? .cancelled : decision.outcome
            }
          """),
        Edit(
          "  /// Begins the work.\n",
          """
            private var wasAsked = false
            private let lock = NSLock()

            public override func cancel() {
              lock.withLock { wasAsked = true }
              super.cancel()
            }

            /// Begins the work.

          """),
      ]),
      breaks: ["no cancellation, and no second delivery"],
      rejectedBy: [
        "cancelled in vain, it is completed", "cancelled after its end, its outcome stays",
      ],
      advice: """
        Foundation ignores a cancellation after the end, and so must you: what counts is how things \
        stood when the work delivered.
        """),
    Mistake(
      "outcome before the end", .edit(ask, "{ decision.outcome }"),
      breaks: ["or nil as long as it isn't finished"],
      rejectedBy: ["nothing is said before the work has delivered"],
      advice: "As long as the work goes on nobody knows how it ends: outcome is nil until then."),
    Mistake(
      "the outcome as soon as it's decided",
      .edits([
        Edit(ask, "{ isFinished ? decision.outcome : decision.made }"),
        Edit(
          "  /// Decides, unless that has been done.\n",
          """
            var made: Outcome<Value>? { lock.withLock { decided } }

            /// Decides, unless that has been done.

          """),
      ]),
      breaks: ["or nil as long as it isn't finished"],
      rejectedBy: ["the outcome is there when it's finished, and not before"],
      advice: """
        It's decided a moment before the end is announced, and until then others may not rely on it: ask \
        isFinished first.
        """),
    Mistake(
      "cancelled as soon as it's asked to be",
      .edit(
        ask,
        """
        {
            guard !isExecuting else { return nil }
            return isFinished || isCancelled ? decision.outcome : nil
          }
        """),
      breaks: ["or nil as long as it isn't finished"],
      rejectedBy: ["cancelled before its start, it is reported as cancelled"],
      advice: """
        Cancelled in its queue it isn't finished: its turn must come first, and until then outcome is nil.
        """),
    Mistake(
      "reports in main",
      .edits([
        Edit("    \(report)\n", ""),
        Edit("    super.init()\n", "    self.report = report\n    super.init()\n"),
        Edit(
          "  private let decision:",
          "  private let report: @Sendable (Outcome<Value>) -> Void\n  private let decision:"),
        Edit(
          finish,
          "      guard isFirst else { return }\n      finish()\n      report(decision.outcome)\n"),
      ]),
      breaks: ["The report is made by the `completionBlock`"],
      rejectedBy: ["cancelled before its start, it is reported as cancelled"],
      advice: """
        main() is never called where the operation was cancelled before: the completion block is, on \
        every path.
        """),
    Mistake(
      "reports before it's finished",
      .edits([
        Edit(
          "    \(report)\n",
          "    completionBlock = { if !decision.isMade { report(.cancelled) } }\n"),
        Edit("    super.init()\n", "    self.report = report\n    super.init()\n"),
        Edit(
          "  private let decision:",
          "  private let report: @Sendable (Outcome<Value>) -> Void\n  private let decision:"),
        Edit(
          "  /// Decides, unless",
          "  var isMade: Bool { lock.withLock { decided != nil } }\n\n  /// Decides, unless"),
        Edit(
          finish,
          "      guard isFirst else { return }\n      report(decision.outcome)\n      finish()\n"),
      ]),
      breaks: ["The report comes after that.", "Called once when the operation is finished"],
      rejectedBy: ["a value is completed", "nothing is said before the work has delivered"],
      advice: """
        Whoever hears of the end relies on it: finish first, and let the completion block report.
        """),
    Mistake(
      "says nothing of what never began",
      .edits([
        Edit(
          "completionBlock = { report(decision.outcome) }",
          "completionBlock = { if decision.isMade { report(decision.outcome) } }"),
        Edit(
          "  /// Decides, unless",
          "  var isMade: Bool { lock.withLock { decided != nil } }\n\n  /// Decides, unless"),
      ]),
      breaks: ["nothing, since it never began", "The operation was cancelled before it began"],
      rejectedBy: ["cancelled before its start, it is reported as cancelled"],
      advice: "No decision means that the work never began: that is an outcome too, .cancelled."),
    Mistake(
      "an error is an error",
      .edit(wasCancelled, "where error is CancellationError: .cancelled"),
      breaks: ["errors follow from being cancelled", "and nobody had cancelled it."],
      rejectedBy: ["cancelled while it works, it goes on until the work delivers"],
      advice: """
        Connections break because somebody cancelled, and nobody wants to read about it: an error \
        after a cancellation is .cancelled.
        """),
    Mistake(
      "a CancellationError is a failure",
      .edit(wasCancelled, "where wasCancelled: .cancelled"),
      breaks: ["or the work gave up because of it", "a `CancellationError`"],
      rejectedBy: ["a CancellationError is cancelled"],
      advice:
        "The work may have been cancelled by somebody else, and says so by its error: look at it."),
    Mistake(
      "takes other errors for a cancellation",
      .edit(
        wasCancelled,
        """
        where wasCancelled || error is CancellationError
              || (error as? CocoaError)?.code == .userCancelled: .cancelled
        """),
      breaks: ["another error"],
      rejectedBy: ["an error that only looks like a cancellation is failed"],
      advice: """
        What an error means to Foundation is for the caller to judge: only a CancellationError says that \
        the work gave up.
        """),
    Mistake(
      "throws the value away",
      .edit(
        "case .success(let value): .completed(value)",
        "case .success(let value): wasCancelled ? .cancelled : .completed(value)"),
      breaks: ["The work has delivered a value.", "it was done all the same"],
      rejectedBy: ["cancelled in vain, it is completed"],
      advice: """
        The work was done, and its effects are there: say .completed, and let the caller throw the \
        value away.
        """),
    Mistake(
      "works when it's made",
      .edits([
        Edit(
          """
              work { [self] result in
                let isFirst = decision.make(wasCancelled: isCancelled, result)
          \(finish)    }

          """, "    if decision.isMade { finish() }\n"),
        Edit(
          "    \(report)\n",
          """
              \(report)
              work { [self] result in
                let isFirst = decision.make(wasCancelled: isCancelled, result)
                if isFirst { finish() }
              }

          """),
        Edit(
          "  /// Decides, unless",
          "  var isMade: Bool { lock.withLock { decided != nil } }\n\n  /// Decides, unless"),
      ]),
      breaks: [
        "Creates an operation that waits to be added", "Begins the work.",
        "unless it's cancelled by then",
      ],
      rejectedBy: ["cancelled before its start, it is reported as cancelled"],
      advice: """
        An operation that waits costs nothing: begin the work in main(), when its queue has room for it.
        """),
    Mistake(
      "tries again after an error",
      .edit(
        "    work { [self] result in\n",
        """
            work { [self] result in
              if case .failure = result, !isCancelled {
                return work { [self] result in
                  if decision.make(wasCancelled: isCancelled, result) { finish() }
                }
              }

        """),
      breaks: ["Called once when the operation starts"],
      rejectedBy: ["the work is called once, whatever it delivers"],
      advice: "Whether to try again is for whoever hears of the failure to say: call the work once."
    ),
    Mistake(
      "a lock is held while the work is called",
      .edits([
        Edit(
          "    work { [self] result in\n",
          "    beginning.lock()\n    work { [self] result in\n      beginning.lock()\n      defer { beginning.unlock() }\n"
        ),
        Edit(
          finish + "    }\n", finish + "    }\n    beginning.unlock()\n"),
        Edit(
          "  private let decision: Decision<Value>\n",
          "  private let decision: Decision<Value>\n  private let beginning = NSLock()\n"),
      ]),
      breaks: ["and delivers what has come of it, from any thread"],
      rejectedBy: ["the work may deliver before it returns"],
      advice: """
        Work that has its value at hand delivers at once, and waits for the lock that you hold: call \
        work without it.
        """),
    Mistake(
      "no finish on an error",
      .edit(finish, "      if isFirst, case .success = result { finish() }\n"),
      breaks: ["The operation is finished when the work has delivered"],
      rejectedBy: ["an error is failed", "a CancellationError is cancelled"],
      advice: "Work that fails has ended too: finish on every path."),
    Mistake(
      "the delivery doesn't keep the operation",
      .edit(
        """
            work { [self] result in
              let isFirst = decision.make(wasCancelled: isCancelled, result)

        """,
        """
            work { [weak self] result in
              guard let self else { return }
              let isFirst = decision.make(wasCancelled: isCancelled, result)

        """),
      breaks: ["While it works the closure that delivers keeps the operation"],
      rejectedBy: ["nobody need keep it while it works"],
      advice: """
        Started by hand, it's in no queue that would keep it, and its outcome is lost: let the closure \
        that delivers keep the operation.
        """),
    Mistake(
      "cancel finishes it",
      .edit(
        "  /// Begins the work.\n",
        """
          public override func cancel() {
            super.cancel()
            finish()
          }

          /// Begins the work.

        """),
      breaks: ["and not by `cancel()`"],
      rejectedBy: [
        "cancelled while it works, it goes on until the work delivers",
        "cancelled in vain, it is completed",
      ],
      advice: """
        The work goes on, and nobody waits for what it does: let it deliver, and finish then.
        """),
    Mistake(
      "finishes before it decides",
      .edit(
        "      let isFirst = decision.make(wasCancelled: isCancelled, result)\n\(finish)",
        """
              let wasCancelled = isCancelled
              finish()
              _ = decision.make(wasCancelled: wasCancelled, result)

        """),
      breaks: ["How the operation has ended"],
      rejectedBy: ["whoever sees it finished finds its outcome"],
      advice: "Dependents and the completion block come as soon as it's finished: decide first."),
    Mistake(
      "the last delivery counts",
      .edit("      guard decided == nil else { return false }\n", ""),
      breaks: ["a second delivery has no effect"],
      rejectedBy: ["of two deliveries the first counts"],
      advice: "What was reported can't be taken back: keep the first decision."),
    Mistake(
      "reports every delivery",
      .edits([
        Edit(
          "    \(report)\n",
          "    completionBlock = { if !decision.isMade { report(.cancelled) } }\n"),
        Edit("    super.init()\n", "    self.report = report\n    super.init()\n"),
        Edit(
          "  private let decision:",
          "  private let report: @Sendable (Outcome<Value>) -> Void\n  private let decision:"),
        Edit(
          "  /// Decides, unless",
          "  var isMade: Bool { lock.withLock { decided != nil } }\n\n  /// Decides, unless"),
        Edit(finish, "      if isFirst { finish() }\n      report(decision.outcome)\n"),
      ]),
      breaks: ["An operation that reports once how it has ended"],
      rejectedBy: ["of two deliveries the first counts"],
      advice: "One operation has one end: report from the completion block, which is called once."),
    Mistake(
      "the completion block keeps the operation",
      .edit(report, "completionBlock = { report(self.outcome ?? .cancelled) }"),
      breaks: ["the completion block doesn't"],
      rejectedBy: ["nothing of it remains"],
      advice: """
        An operation keeps its completion block, so that one mustn't mention self: let it keep a \
        small object with the decision.
        """),
    Mistake(
      "an unguarded flag for the first delivery",
      .edits([
        Edit(
          "      let isFirst = decision",
          "      guard !isDelivered else { return }\n      isDelivered = true\n      let isFirst = decision"
        ),
        // In a word of its own, away from the state of the superclass.
        Edit(
          "  private let decision: Decision<Value>\n",
          "  private let decision: Decision<Value>\n  private var isDelivered = false\n"),
      ]),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["two threads may deliver"], verdict: .race,
      advice: """
        Two threads may both find the flag unset: look and set it in one step, behind a lock.
        """),
  ]
}
