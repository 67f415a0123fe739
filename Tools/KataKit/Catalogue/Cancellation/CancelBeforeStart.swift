extension Kata {
  static let cancelBeforeStart = Kata(
    "CancelBeforeStart", module: .cancellation,
    title: "Cancelled before its turn, and still it finishes",
    difficulty: 2, minutes: 20, needs: ["AsyncOperation"],
    hints: [
      """
      cancel() only says that nobody wants the result any more. Who ends the operation then, if \
      its work never runs? Somebody calls a method of it in any case: its queue.
      """,
      """
      start(): look at isCancelled first. If it's true, go from waiting to finished at once, \
      otherwise from waiting to executing and on to main(). cancel(): super.cancel() is what makes \
      isCancelled true and lets the queue start the operation early; then call onCancel, but only \
      the first time, and only if the operation isn't finished.
      """,
      """
      start: guard !isCancelled else { change(from: .waiting, to: .finished); return }; guard \
      change(from: .waiting, to: .executing) else { return }; main(). cancel: let isFirst = \
      lock.withLock { guard state != .finished, !isPassedOn else { return false }; isPassedOn = \
      true; return true }; super.cancel(); if isFirst { onCancel() }.
      """,
    ],
    questions: [
      Question(
        "Why doesn't `cancel()` finish an operation that hasn't started?",
        answer: """
          Its queue still has it in line and will start it. An operation that is finished without \
          having been started breaks the queue's bookkeeping: Foundation complains, or traps when \
          such a one is added.
          """),
      Question(
        "`start()` sees that the operation is cancelled and just returns. What's wrong?",
        answer: """
          It never finishes. It keeps its place in the queue, and everybody who depends on it \
          waits for ever; a cancelled operation has to finish like all others.
          """),
      Question(
        "The operation is cancelled while its dependencies are far from done. When does it leave?",
        answer: """
          As soon as its queue has room for it: a cancelled operation waits for no dependency, so \
          it is ready at once.
          """),
    ],
    mistakes: [
      Mistake(
        "cancel finishes it before its start",
        .edit(
          "    super.cancel()\n",
          "    super.cancel()\n    change(from: .waiting, to: .finished)\n"),
        rejectedBy: [
          "cancel is seen at once", "cancelled before it is added, it finishes in its queue",
          "cancelled in a suspended queue, it finishes when the queue goes on",
          "cancelled behind another, it finishes when its turn comes",
          "the end of a cancelled operation is announced",
        ],
        advice: """
          A queue traps on an operation that is finished before it was added, and complains about \
          one that it hasn't started: leave the end to start().
          """),
      Mistake(
        "a cancelled start returns without finishing",
        .edit("      change(from: .waiting, to: .finished)\n      return\n", "      return\n"),
        rejectedBy: [
          "cancelled and then started, it finishes without its work",
          "cancelled before it is added, it finishes in its queue",
          "cancelled in a suspended queue, it finishes when the queue goes on",
          "cancelled behind another, it finishes when its turn comes",
          "cancelled while it waits for a dependency, it leaves its queue",
        ],
        advice: """
          No work will ever call finish for it, so start() must finish it, or its queue and its \
          dependents wait for ever.
          """),
      Mistake(
        "no super.cancel", .edit("    super.cancel()\n", ""),
        rejectedBy: [
          "cancel is seen at once", "cancel is passed on once, on the thread that cancels",
          "cancelled and then started, it finishes without its work",
        ],
        advice: """
          isCancelled is Foundation's: without super.cancel() nobody learns of the cancellation.
          """),
      Mistake(
        "keeps the cancellation to itself",
        .edits([
          Edit("    super.cancel()\n", ""),
          Edit(
            "  /// True: the work may go on",
            """
              public override var isCancelled: Bool { lock.withLock { isPassedOn } }

              /// True: the work may go on
            """),
        ]),
        rejectedBy: ["cancelled while it waits for a dependency, it leaves its queue"],
        advice: """
          Foundation lets a cancelled operation go past its dependencies, but only if it knows: \
          call super.cancel() rather than answer isCancelled yourself.
          """),
      Mistake(
        "runs the work anyway",
        .edit(
          """
              guard !isCancelled else {
                change(from: .waiting, to: .finished)
                return
              }

          """, ""),
        rejectedBy: [
          "cancelled and then started, it finishes without its work",
          "cancelled before it is added, it finishes in its queue",
          "cancelled in a suspended queue, it finishes when the queue goes on",
          "cancelled behind another, it finishes when its turn comes",
          "cancelled while it waits for a dependency, it leaves its queue",
        ],
        advice: """
          A queue starts cancelled operations too: look at isCancelled first thing in start().
          """),
      Mistake(
        "looks at isCancelled after the work",
        .edits([
          Edit(
            """
                guard !isCancelled else {
                  change(from: .waiting, to: .finished)
                  return
                }

            """, ""),
          Edit(
            "else { return }\n    main()\n",
            """
            else { return }
                main()
                if isCancelled { change(from: .executing, to: .finished) }

            """),
        ]),
        rejectedBy: [
          "cancelled and then started, it finishes without its work",
          "cancelled before it is added, it finishes in its queue",
        ],
        advice: "When main() has been called it's too late: look at isCancelled before."),
      Mistake(
        "cancel finishes it while it works",
        .edit(
          "    super.cancel()\n",
          "    super.cancel()\n    change(from: .executing, to: .finished)\n"),
        rejectedBy: ["cancelled while it works, it goes on until finish is called"],
        advice: """
          Dependents would start beside work that still runs: tell the work by onCancel, and let \
          it call finish.
          """),
      Mistake(
        "passed on at every cancel",
        .edit("guard state != .finished, !isPassedOn", "guard state != .finished"),
        rejectedBy: [
          "cancel is passed on once, on the thread that cancels", "onCancel may call the operation",
          "cancelled by several threads at once, it is passed on once",
        ],
        advice: "cancel() may be called again and again: remember that onCancel was called."),
      Mistake(
        "passed on before it is cancelled",
        .edit(
          "    super.cancel()\n    if isFirst { onCancel() }\n",
          "    if isFirst { onCancel() }\n    super.cancel()\n"),
        rejectedBy: ["cancel is passed on once, on the thread that cancels"],
        advice: "Whoever is told may look at isCancelled: call super.cancel() first."),
      Mistake(
        "passed on by another thread",
        .edit(
          "if isFirst { onCancel() }",
          "if isFirst { DispatchQueue.global().async(execute: onCancel) }"),
        rejectedBy: ["cancel is passed on once, on the thread that cancels"],
        advice: """
          Who cancels relies on it that everybody has been told when cancel() returns: call \
          onCancel directly.
          """),
      Mistake(
        "passed on only while it works",
        .edit("guard state != .finished, !isPassedOn", "guard state == .executing, !isPassedOn"),
        rejectedBy: ["cancel is passed on once, on the thread that cancels"],
        advice: """
          Before the start there may be something to stop as well: pass it on until the end.
          """),
      Mistake(
        "passed on after the end",
        .edit("guard state != .finished, !isPassedOn", "guard !isPassedOn"),
        rejectedBy: ["cancelled after its end, nothing is passed on"],
        advice: """
          A finished operation has nothing to stop: look at the state before you pass it on.
          """),
      Mistake(
        "passed on with the lock held",
        .edits([
          Edit(
            "isPassedOn = true\n      return true",
            "isPassedOn = true\n      onCancel()\n      return true"),
          Edit("    let isFirst = lock", "    super.cancel()\n    let isFirst = lock"),
          Edit("    super.cancel()\n    if isFirst { onCancel() }\n", "    _ = isFirst\n"),
        ]),
        rejectedBy: ["onCancel may call the operation"], verdict: .hung,
        advice: """
          Who is told may ask the operation for its state, and waits for the lock that you hold: \
          call out when you have let go of it.
          """),
      Mistake(
        "a cancelled end isn't announced",
        .edit(
          "      change(from: .waiting, to: .finished)\n      return\n",
          "      lock.withLock { state = .finished }\n      return\n"),
        rejectedBy: ["the end of a cancelled operation is announced"],
        advice: "Nobody hears of a state that is set in silence: use change(from:to:)."),
      Mistake(
        "start trusts an unguarded flag",
        .edits([
          Edit("guard !isCancelled else {", "guard !wasCancelled else {"),
          Edit("    // Decided first", "    wasCancelled = true\n    // Decided first"),
          Edit("  private let work:", "  private var wasCancelled = false\n  private let work:"),
        ]),
        rejectedBy: ["cancelled by one thread and started by another, it never works"],
        verdict: .race,
        advice: """
          One thread cancels while another starts it: guard your flag with the lock, or use \
          isCancelled.
          """),
    ],
    rightAnswers: [
      RightAnswer("the decisions on a serial queue", .file("SerialQueue.swift")),
      RightAnswer("an atomic flag, and two flags for the state", .file("AtomicFlag.swift")),
      RightAnswer("start and cancel decide under one lock", .file("OneDecision.swift")),
    ])
}
