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
      rejectedBy: ["cancelled between its delivery and its end, its outcome stays"],
      advice: """
        Between the delivery and the end somebody may cancel: decide when the work delivers, and \
        keep it.
        """),
    Mistake(
      "outcome reads isCancelled",
      .edit(ask, "{ isCancelled ? .cancelled : isFinished ? decision.outcome : nil }"),
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
      rejectedBy: [
        "cancelled in vain, it is completed", "cancelled after its end, its outcome stays",
      ],
      advice: """
        Foundation ignores a cancellation after the end, and so must you: what counts is how things \
        stood when the work delivered.
        """),
    Mistake(
      "outcome before the end", .edit(ask, "{ decision.outcome }"),
      rejectedBy: ["nothing is said before the work has delivered"],
      advice: "As long as the work goes on nobody knows how it ends: outcome is nil until then."),
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
      rejectedBy: ["cancelled before its start, it is reported as cancelled"],
      advice: "No decision means that the work never began: that is an outcome too, .cancelled."),
    Mistake(
      "an error is an error",
      .edit(wasCancelled, "where error is CancellationError: .cancelled"),
      rejectedBy: ["cancelled while it works, it goes on until the work delivers"],
      advice: """
        Connections break because somebody cancelled, and nobody wants to read about it: an error \
        after a cancellation is .cancelled.
        """),
    Mistake(
      "a CancellationError is a failure",
      .edit(wasCancelled, "where wasCancelled: .cancelled"),
      rejectedBy: ["a CancellationError is cancelled"],
      advice:
        "The work may have been cancelled by somebody else, and says so by its error: look at it."),
    Mistake(
      "throws the value away",
      .edit(
        "case .success(let value): .completed(value)",
        "case .success(let value): wasCancelled ? .cancelled : .completed(value)"),
      rejectedBy: ["cancelled in vain, it is completed"],
      advice: """
        The work was done, and its effects are there: say .completed, and let the caller throw the \
        value away.
        """),
    Mistake(
      "no finish on an error",
      .edit(finish, "      if isFirst, case .success = result { finish() }\n"),
      rejectedBy: ["an error is failed", "a CancellationError is cancelled"],
      advice: "Work that fails has ended too: finish on every path."),
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
      rejectedBy: ["whoever sees it finished finds its outcome"],
      advice: "Dependents and the completion block come as soon as it's finished: decide first."),
    Mistake(
      "the last delivery counts",
      .edit("      guard decided == nil else { return false }\n", ""),
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
      rejectedBy: ["of two deliveries the first counts"],
      advice: "One operation has one end: report from the completion block, which is called once."),
    Mistake(
      "the completion block keeps the operation",
      .edit(report, "completionBlock = { report(self.outcome ?? .cancelled) }"),
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
      rejectedBy: ["two threads may deliver"], verdict: .race,
      advice: """
        Two threads may both find the flag unset: look and set it in one step, behind a lock.
        """),
  ]
}
