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
        breaks: [
          "Work that can be cancelled at any time", "But only its turn may end it",
          "The operation isn't finished by it.",
        ],
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
        breaks: ["and still it has to end", "and ``start()`` finishes it at once"],
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
        breaks: ["So ``cancel()`` only says that it's cancelled"],
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
        breaks: ["since a cancelled operation waits for no dependency"],
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
        breaks: [
          "it never works, and still", "or finishes at once, without it",
          "unless it's cancelled by then",
        ],
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
        breaks: ["or finishes at once, without it"],
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
        breaks: [
          "**Cancelled while it works**",
          "Whether the work has ended, or was cancelled before it began",
        ],
        rejectedBy: ["cancelled while it works, it goes on until finish is called"],
        advice: """
          Dependents would start beside work that still runs: tell the work by onCancel, and let \
          it call finish.
          """),
      Mistake(
        "passed on at every cancel",
        .edit("guard state != .finished, !isPassedOn", "guard state != .finished"),
        breaks: [
          "passes that on to `onCancel` the first time",
          "Called once when the operation is cancelled before it's finished",
        ],
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
        breaks: ["when `isCancelled` is true already"],
        rejectedBy: ["cancel is passed on once, on the thread that cancels"],
        advice: "Whoever is told may look at isCancelled: call super.cancel() first."),
      Mistake(
        "passed on by another thread",
        .edit(
          "if isFirst { onCancel() }",
          "if isFirst { DispatchQueue.global().async(execute: onCancel) }"),
        breaks: ["on the thread that cancels it"],
        rejectedBy: ["cancel is passed on once, on the thread that cancels"],
        advice: """
          Who cancels relies on it that everybody has been told when cancel() returns: call \
          onCancel directly.
          """),
      Mistake(
        "passed on only while it works",
        .edit("guard state != .finished, !isPassedOn", "guard state == .executing, !isPassedOn"),
        breaks: ["from a callback that passes a cancellation on", "also where it hasn't started"],
        rejectedBy: ["cancel is passed on once, on the thread that cancels"],
        advice: """
          Before the start there may be something to stop as well: pass it on until the end.
          """),
      Mistake(
        "passed on after the end",
        .edit("guard state != .finished, !isPassedOn", "guard !isPassedOn"),
        breaks: ["Has no effect on an operation that is finished"],
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
        breaks: ["It may call the operation."],
        rejectedBy: ["onCancel may call the operation"], verdict: .hung,
        advice: """
          Who is told may ask the operation for its state, and waits for the lock that you hold: \
          call out when you have let go of it.
          """),
      Mistake(
        "passed on with a recursive lock held",
        .edits([
          Edit("lock = NSLock()", "lock = NSRecursiveLock()"),
          Edit("if isFirst { onCancel() }", "if isFirst { lock.withLock { onCancel() } }"),
        ]),
        breaks: ["It may call the operation."],
        rejectedBy: ["nobody has to wait for onCancel"],
        advice: """
          A recursive lock lets only its own thread in again; a request that answers on another one \
          waits until onCancel returns: call out without a lock.
          """),
      Mistake(
        "cancel waits for the start",
        .edits([
          Edit(
            "  private let lock = NSLock()\n",
            "  private let lock = NSLock()\n  private let turn = NSRecursiveLock()\n"),
          Edit(
            "    guard !isCancelled else {\n",
            "    turn.lock()\n    defer { turn.unlock() }\n    guard !isCancelled else {\n"),
          Edit("    // Decided first", "    turn.lock()\n    // Decided first"),
          Edit("    super.cancel()\n", "    super.cancel()\n    turn.unlock()\n"),
        ]),
        breaks: ["Work that can be cancelled at any time", "Safe to use from every thread"],
        rejectedBy: ["work that runs in its start can be stopped"], verdict: .hung,
        advice: """
          The start calls the work, which may do all of it there until onCancel stops it; and cancel() \
          waits for the lock that the start holds: call main() without one.
          """),
      Mistake(
        "a start after the cancellation ends it",
        .edit(
          "      change(from: .waiting, to: .finished)\n      return\n",
          """
                change(from: .waiting, to: .finished)
                change(from: .executing, to: .finished)
                return

          """),
        breaks: ["Another call has no effect.", "it goes on until the work calls `finish`"],
        rejectedBy: ["cancelled while it works, another start doesn't end it"],
        advice: """
          A cancelled operation may be at work: finish it in start() only where it was waiting.
          """),
      Mistake(
        "says that it's synchronous",
        .edit(
          "public override var isAsynchronous: Bool { true }",
          "public override var isAsynchronous: Bool { false }"),
        breaks: ["True: the work may go on after"],
        rejectedBy: ["it says that its work goes on after start"],
        advice: "Whoever starts it by hand reads there whether the work may go on after start()."),
      Mistake(
        "a second start works again",
        .edit(
          "    guard change(from: .waiting, to: .executing) else { return }\n",
          "    change(from: .waiting, to: .executing)\n"),
        breaks: ["Another call has no effect.", "Called once when the operation starts"],
        rejectedBy: ["started a second time, it doesn't work again"],
        advice: """
          change(from:to:) says whether it has made the change: call main() only then, or the work \
          runs twice.
          """),
      Mistake(
        "works when it's made",
        .edit("    super.init()\n", "    super.init()\n    main()\n"),
        breaks: ["Creates an operation that waits to be started.", "Begins the work."],
        rejectedBy: ["cancelled and then started, it finishes without its work"],
        advice: "Its queue starts it when there's room: an operation that is made only waits."),
      Mistake(
        "a cancelled start executes first",
        .edit(
          """
              guard !isCancelled else {
                change(from: .waiting, to: .finished)
                return
              }
              guard change(from: .waiting, to: .executing) else { return }

          """,
          """
              guard change(from: .waiting, to: .executing) else { return }
              guard !isCancelled else {
                change(from: .executing, to: .finished)
                return
              }

          """),
        breaks: ["Whether the work has begun and hasn't called `finish`."],
        rejectedBy: ["the end of a cancelled operation is announced"],
        advice: """
          Whoever watches it sees work begin that never does: look at isCancelled before you change \
          the state.
          """),
      Mistake(
        "the second finish is announced too",
        .edit(
          "    work { [self] in _ = change(from: .executing, to: .finished) }\n",
          """
              work { [self] in
                for key in ["isFinished", "isExecuting"] { willChangeValue(forKey: key) }
                lock.withLock { state = .finished }
                for key in ["isExecuting", "isFinished"] { didChangeValue(forKey: key) }
              }

          """),
        breaks: ["a second call has no effect"],
        rejectedBy: ["its start and its end are announced, once each"],
        advice: "Work may call finish twice, and an operation ends once: use change(from:to:)."),
      Mistake(
        "its start isn't announced",
        .edit(
          "    guard change(from: .waiting, to: .executing) else { return }\n",
          """
              let isMine = lock.withLock {
                defer { if state == .waiting { state = .executing } }
                return state == .waiting
              }
              guard isMine else { return }

          """),
        breaks: ["Every change of `isExecuting` and `isFinished` is announced"],
        rejectedBy: ["its start and its end are announced, once each"],
        advice: "Nobody hears of a state that is set in silence: use change(from:to:)."),
      Mistake(
        "a cancelled end isn't announced",
        .edit(
          "      change(from: .waiting, to: .finished)\n      return\n",
          "      lock.withLock { state = .finished }\n      return\n"),
        breaks: ["Every change of `isExecuting` and `isFinished` is announced"],
        rejectedBy: ["the end of a cancelled operation is announced"],
        advice: "Nobody hears of a state that is set in silence: use change(from:to:)."),
      Mistake(
        "start trusts an unguarded flag",
        .edits([
          Edit("guard !isCancelled else {", "guard !wasCancelled else {"),
          Edit("    // Decided first", "    wasCancelled = true\n    // Decided first"),
          Edit("  private let work:", "  private var wasCancelled = false\n  private let work:"),
        ]),
        breaks: ["Safe to use from every thread"],
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
    ],
    unproven: [
      Unproven("A queue traps when it's given an operation", "what Foundation does"),
      Unproven("may be passed on just before `work` is called", "leaves something open"),
      Unproven("Whether a thread has decided on a change", "of a private part that is given"),
      Unproven("A queue calls it.", "what Foundation does"),
      Unproven("Call it by hand only on an operation", "asks it of whoever calls"),
      Unproven("To be called by ``start()`` alone.", "asks it of whoever calls"),
      Unproven("The property that is true in this state", "of a private part that is given"),
      Unproven("Makes a change and announces it, unless", "of a private part that is given"),
      Unproven("Whether this call has made the change.", "of a private part that is given"),
    ],
    equivalents: [
      Equivalent(
        "made twice: change(from: .waiting, to: .finished)",
        "The second finds another state, and changes nothing.")
    ])
}
