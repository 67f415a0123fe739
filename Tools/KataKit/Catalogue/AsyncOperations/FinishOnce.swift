extension Kata {
  static let finishOnce = Kata(
    "FinishOnce", module: .asyncOperations,
    title: "Finished by several threads, and finished once",
    difficulty: 3, minutes: 20, needs: ["AsyncOperation"],
    hints: [
      """
      A reply and a time-out call finish at the same moment. Both look, both find that it isn't \
      finished, and both finish it. What would the first have to leave behind, and when, so that \
      the second finds it?
      """,
      """
      "Is it still to be ended, and is nobody about to?" and "then I am" are one step: do both \
      inside one lock.withLock. What you note there is a Bool of its own, since the state changes \
      only later, between the notices.
      """,
      """
      Let change return a Bool: let isMine = lock.withLock { guard state == old, !isChanging else \
      { return false }; isChanging = true; return true }; guard isMine else { return false }; then \
      the notices and the change as they are, with isChanging = false beside state = new; return \
      true. finish returns what change returns.
      """,
    ],
    questions: [
      Question(
        "Why is `if !isFinished { … }` not enough of a guard?",
        answer: """
          Looking and setting are two steps. Two threads may both look before either has set, and \
          both finish the operation.
          """),
      Question(
        """
        Who comes second is told false at once, even while the first is still announcing. Why \
        doesn't it wait?
        """,
        answer: """
          There's nothing left for it to do, and the first may be inside an observer that waits \
          for this very thread. To be refused without waiting can't lock up.
          """),
      Question(
        "How many *isFinished* notices may there be, and whom does a second one hurt?",
        answer: """
          One. To a queue the notice is the end of the operation, and no documentation says what a \
          second end does; observers of your own count it twice.
          """),
    ],
    mistakes: decisionMistakes + noticeMistakes + answerMistakes + lifeMistakes + sharingMistakes,
    rightAnswers: [
      RightAnswer("an atomic number", .file("AtomicState.swift")),
      RightAnswer("a serial queue that keeps the first answer", .file("SerialQueue.swift")),
      RightAnswer("the standard library's mutex around an enum", .file("StandardMutex.swift")),
      RightAnswer("flags behind a pthread mutex", .file("TwoFlags.swift")),
      RightAnswer("a semaphore with one place", .file("OnePlace.swift")),
    ],
    unproven: [
      Unproven("A request is over when its reply comes", "the story"),
      Unproven("Each of them is told by another callback", "the story"),
      Unproven("A queue calls it.", "says who calls, not what the call does"),
      Unproven("Call it by hand only on", "asked of the caller"),
      Unproven("To be called by ``start()`` alone.", "asked of the caller"),
      Unproven("The property that is true in this state", "a private helper, given with the stub"),
      Unproven("Makes a change and announces it.", "a private helper, given with the stub"),
    ],
    equivalents: [
      Equivalent(
        "made twice: change(from: .waiting, to: .finished)",
        "The second finds another state, and changes nothing."),
      Equivalent("swapped with the next: state = new", "Both are done under the lock."),
      Equivalent("swapped with the next: kept = answer", "Both are done under the lock."),
    ],
    elusive: [
      Elusive(
        "the first statement before the section: lock.withLock { …",
        "Whoever reads at that very moment races; Foundation's own question, which takes the lock, orders all others."
      ),
      Elusive(
        "the last statement behind the section: lock.withLock { …",
        "Foundation asks for the state before it tells, which takes the lock; only a look at that very moment is not ordered."
      ),
      Elusive(
        "split before isChanging = false: lock.withLock { …",
        "Whoever comes between the two is refused, and has to be: only a moment later it would not."
      ),
      Elusive(
        "split before state = new: lock.withLock { …",
        "Whoever asks between the two finds what is kept and no end yet."),
    ])

  private static let finish = "    change(from: .executing, to: .finished, keeping: answer)\n"

  // MARK: - The decision

  private static let decisionMistakes = [
    Mistake(
      "no guard",
      .edit("      guard state == old, !isChanging else { return false }\n", ""),
      breaks: [
        "the first call ends the operation, and the others learn",
        "Ends the operation with an answer, unless",
        "An operation that several parties may end",
      ],
      rejectedBy: [
        "the second finish has no effect", "finish called twice inside the work ends it once",
        "the end is announced once", "finish has no effect while another announces the end",
        "who hears of the end may call finish", "of several threads one ends it",
        "its queue completes it once",
      ],
      advice: """
        Every call ends it again, with another answer: look whether somebody has ended it, and \
        note that you do, in one step under the lock.
        """),
    Mistake(
      "looks, then finishes", .edit("      isChanging = true\n", ""),
      breaks: ["also while the first is still announcing the end"],
      rejectedBy: [
        "finish has no effect while another announces the end",
        "who hears of the end may call finish",
      ],
      advice: """
        Between the look and the change the lock is free, and a second thread finds the same: \
        leave a note together with the look.
        """),
    Mistake(
      "a safe setter, looked at before", .file("BarrierSetter.swift"),
      breaks: ["also while the first is still announcing the end"],
      rejectedBy: [
        "finish has no effect while another announces the end",
        "who hears of the end may call finish",
      ],
      advice: """
        Reading is safe and writing is safe, and together they aren't one step: look and decide in \
        one block on the queue.
        """),
    Mistake(
      "two setters that notify", .file("TwoSetters.swift"),
      breaks: ["also while the first is still announcing the end"],
      rejectedBy: [
        "finish has no effect while another announces the end",
        "who hears of the end may call finish",
      ],
      advice: """
        isFinished is false until the second setter is done, and whoever looks until then finishes \
        it again: decide on a note of your own, before you announce.
        """),
    Mistake(
      "a note without protection",
      .edits([
        Edit(
          "  private let work:",
          "  private var hasFinished = false\n  private let work:"),
        Edit(
          finish,
          "    guard !hasFinished else { return false }\n    hasFinished = true\n"
            + "    return change(from: .executing, to: .finished, keeping: answer)\n"),
      ]),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["finish may be called while it finishes"], verdict: .race,
      advice: """
        Two threads may both find the flag false: look at it and set it under the lock, or use an \
        atomic exchange.
        """),
    Mistake(
      "traps when finished twice",
      .edit(
        finish,
        """
            precondition(!isFinished, "finished twice")
            return change(from: .executing, to: .finished, keeping: answer)

        """),
      breaks: ["Every other call has no effect"],
      rejectedBy: ["the second finish has no effect"], verdict: .crashed,
      advice: """
        The time-out can't know that the reply came just before: a second call is no mistake of \
        the caller's, so refuse it quietly.
        """),
    Mistake(
      "the same answer again counts",
      .edit(
        finish,
        """
            change(from: .executing, to: .finished, keeping: answer)
              || lock.withLock { state == .finished && kept == answer }

        """),
      breaks: ["Every other call has no effect", "Returns whether this call ends it."],
      rejectedBy: ["the second finish has no effect, whatever the answers"],
      advice: """
        Two parties may bring the same answer, and only one of them has ended the operation: \
        return what the decision under the lock was.
        """),
    Mistake(
      "an empty answer is none",
      .edit(
        finish,
        """
            change(from: .executing, to: .finished, keeping: answer)
              || lock.withLock {
                guard state == .finished, kept?.isEmpty == true else { return false }
                kept = answer
                return true
              }

        """),
      breaks: ["and never changes", "it may be empty"],
      rejectedBy: ["the second finish has no effect, whatever the answers"],
      advice: """
        Whoever was first had nothing to say, and it was first all the same: ask a note of your \
        own, not the answer.
        """),
    Mistake(
      "every call is told that it was first",
      .edit(
        finish, "    change(from: .executing, to: .finished, keeping: answer)\n    return true\n"),
      breaks: [
        "Returns whether this call ends it.",
        "and the others learn that they come too late",
      ],
      rejectedBy: [
        "the second finish has no effect", "finish called twice inside the work ends it once",
        "of several threads one ends it",
      ],
      advice: "Who comes too late must learn it, or it hangs up a request that was answered."),
  ]

  // MARK: - The notices

  private static let noticeMistakes = [
    Mistake(
      "announces before it decides",
      .edits([
        Edit("    for key in keys { willChangeValue(forKey: key) }\n", ""),
        Edit(
          "    guard isMine else { return false }\n\n    let keys = [new.key, old.key].compactMap(\\.self)\n",
          ""),
        Edit(
          "    let isMine = lock",
          """
              let keys = [new.key, old.key].compactMap(\\.self)
              for key in keys { willChangeValue(forKey: key) }
              let isMine = lock
          """),
        Edit(
          "    lock.withLock {\n      kept = answer\n",
          "    if isMine { lock.withLock {\n      kept = answer\n"),
        Edit("      isChanging = false\n    }\n", "      isChanging = false\n    } }\n"),
        Edit(
          "didChangeValue(forKey: key) }\n    return true\n",
          "didChangeValue(forKey: key) }\n    return isMine\n"),
      ]),
      breaks: ["`isFinished` is announced once"],
      rejectedBy: ["the end is announced once"],
      advice:
        "Whether anything ends is known only after you have decided: refuse first, then announce."),
    Mistake(
      "the end isn't announced",
      .edits([
        Edit("    for key in keys { willChangeValue(forKey: key) }\n", ""),
        Edit("    for key in keys.reversed() { didChangeValue(forKey: key) }\n", "    _ = keys\n"),
      ]),
      breaks: ["`isFinished` is announced once"],
      rejectedBy: ["the end is announced once", "its queue completes it once"],
      advice: "Its queue hears of the end only by didChangeValue: announce it, once."),
    Mistake(
      "notifies with the lock held", .edits(lockHeldMeanwhile),
      breaks: ["No lock is held while it notifies or calls out."],
      rejectedBy: ["finish ends it with its answer"], verdict: .hung,
      advice: """
        Whoever hears the notice asks for the state and waits for the lock that you hold: let go \
        of it before you notify.
        """),
    Mistake(
      "notifies with a recursive lock held",
      .edits([Edit("= NSLock()", "= NSRecursiveLock()")] + lockHeldMeanwhile),
      breaks: ["No lock is held while it notifies or calls out."],
      rejectedBy: ["finish has no effect while another announces the end"],
      advice: """
        A recursive lock lets the same thread in and stops every other one that asks inside the \
        notice: let go of it before you notify.
        """),
    Mistake(
      "a recursive lock in place of the note",
      .edits(
        [
          Edit("= NSLock()", "= NSRecursiveLock()"),
          Edit("      isChanging = true\n", ""),
        ] + lockHeldMeanwhile),
      breaks: ["also while the first is still announcing the end"],
      rejectedBy: ["who hears of the end may call finish"],
      advice: """
        The lock keeps other threads out, but an observer on the same thread comes in and finds it \
        unfinished: leave a note.
        """),
  ]

  private static let lockHeldMeanwhile = [
    Edit(
      "let isMine = lock.withLock {", "lock.lock()\n    defer { lock.unlock() }\n    let isMine = {"
    ),
    Edit("return true\n    }\n    guard isMine", "return true\n    }()\n    guard isMine"),
    Edit("    lock.withLock {\n      kept = answer", "    do {\n      kept = answer"),
  ]

  // MARK: - The answer

  private static let answerMistakes = [
    Mistake(
      "the last answer wins",
      .edits([
        Edit("      kept = answer\n", ""),
        Edit(
          finish,
          """
              lock.withLock { kept = answer }
              return change(from: .executing, to: .finished)

          """),
      ]),
      breaks: ["and never changes", "The answer of whoever has ended the operation"],
      rejectedBy: ["the second finish has no effect"],
      advice: """
        Dependents have read the first answer: keep an answer only if this call ends the operation.
        """),
    Mistake(
      "an empty answer before the end",
      .edit("  private var kept: String?\n", "  private var kept: String? = \"\"\n"),
      breaks: ["Nil before the end, and for good"],
      rejectedBy: ["its work begins once, on the thread that starts it"],
      advice: "An answer that is empty may be the answer: nil says that there's none yet."),
    Mistake(
      "finish captures it weakly",
      .edit(
        "work { [self] answer in finish(answer) }",
        "work { [weak self] answer in self?.finish(answer) ?? false }"),
      breaks: ["It is kept alive by the `finish` that it hands out"],
      rejectedBy: ["who keeps finish keeps it"],
      advice: """
        An operation that was started by hand is kept by nobody else, and would never end: let \
        finish keep it.
        """),
    Mistake(
      "it keeps the finish that it has handed out",
      .edits([
        Edit(
          "  private var kept: String?\n",
          "  private var kept: String?\n  private var handedOut: Finish?\n"),
        Edit(
          "    work { [self] answer in finish(answer) }\n",
          """
              let end: Finish = { [self] answer in finish(answer) }
              handedOut = end
              work(end)

          """),
      ]),
      breaks: ["for as long as somebody keeps that"],
      rejectedBy: ["when it has ended and nobody keeps finish, it goes"],
      advice: """
        finish keeps the operation, so an operation that keeps its own finish keeps itself, for ever: \
        hand it out and forget it, or let go of it at the end.
        """),
    Mistake(
      "completes once more by hand",
      .edit(
        finish,
        """
            guard change(from: .executing, to: .finished, keeping: answer) else { return false }
            completionBlock?()
            return true

        """),
      breaks: ["and the completion block is called once"],
      rejectedBy: ["its queue completes it once", "in its queue it ends inside the work"],
      advice: "Foundation calls the completion block when it hears of the end: leave it alone."),
    Mistake(
      "finished before the answer is kept",
      .edits([
        Edit("      kept = answer\n", ""),
        Edit(
          finish,
          """
              guard change(from: .executing, to: .finished) else { return false }
              lock.withLock { kept = answer }
              return true

          """),
      ]),
      breaks: ["``answer`` is there by the time"],
      rejectedBy: ["the answer is there when the end is announced"],
      advice: """
        A dependent may begin before the next line runs, and finds nothing: keep the answer first.
        """),
  ]

  // MARK: - The rest of its life

  private static let lifeMistakes = [
    Mistake(
      "the backwards start",
      .edit(
        "    guard change(from: .waiting, to: .executing) else { return }\n    main()\n",
        "    main()\n    change(from: .waiting, to: .executing)\n"),
      breaks: ["they call it at once or later"],
      rejectedBy: [
        "finish called twice inside the work ends it once", "in its queue it ends inside the work",
      ],
      advice: """
        finish may be called inside the work, when there is nothing to end yet: change to \
        executing first, then call main().
        """),
    Mistake(
      "the work begins when it is made",
      .edits([
        Edit(
          "    super.init()\n", "    super.init()\n    work { [self] answer in finish(answer) }\n"),
        Edit(
          "  public override func main() {\n    work { [self] answer in finish(answer) }\n",
          "  public override func main() {\n"),
      ]),
      breaks: [
        "Creates an operation that waits to be started.", "Called once when the operation starts",
        "Begins the work.",
      ],
      rejectedBy: [
        "cancelled before its start, it ends when its turn comes",
        "finish called twice inside the work ends it once",
      ],
      advice:
        "An operation works when its queue starts it, and not at all if it's cancelled before."),
    Mistake(
      "the work on a thread of its own",
      .edit(
        "    work { [self] answer in finish(answer) }\n",
        """
            let returned = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [self] in
              work { [self] answer in finish(answer) }
              returned.signal()
            }
            returned.wait()

        """),
      breaks: ["on the thread that starts it"],
      rejectedBy: ["its work begins once, on the thread that starts it"],
      advice: "The queue has given start() a thread for the work: begin it there."),
    Mistake(
      "the work begins again until somebody has ended it",
      .edit(
        "    work { [self] answer in finish(answer) }\n",
        """
            for _ in 1...2 where !isFinished {
              work { [self] answer in finish(answer) }
            }

        """),
      breaks: ["Called once when the operation starts"],
      rejectedBy: ["its work begins once, on the thread that starts it"],
      advice: """
        The answer may come long after the work has returned, so there is no reason to begin it \
        again.
        """),
    Mistake(
      "isExecuting stays true", .edit("{ state == .executing }", "{ state != .waiting }"),
      breaks: ["Whether the work has begun and nobody has ended it."],
      rejectedBy: ["finish ends it with its answer"],
      advice: "What is over doesn't execute: isExecuting is true in one state only."),
    Mistake(
      "isAsynchronous left as it is",
      .edit("isAsynchronous: Bool { true }", "isAsynchronous: Bool { super.isAsynchronous }"),
      breaks: ["True: the work may go on after"],
      rejectedBy: ["finish ends it with its answer"],
      advice: "Answer isAsynchronous with true: the work outlives start()."),
    Mistake(
      "a cancelled start returns without finishing",
      .edit("      change(from: .waiting, to: .finished)\n      return\n", "      return\n"),
      breaks: [
        "it is finished, without an answer, when it's started",
        "or finishes at once, without it",
        "Whether somebody has ended it, or it was cancelled",
      ],
      rejectedBy: ["cancelled before its start, it ends when its turn comes"],
      advice: "Nobody was given finish, so nobody else can end it: finish it before you return."),
    Mistake(
      "start ignores cancellation",
      .edit(
        """
            guard !isCancelled else {
              change(from: .waiting, to: .finished)
              return
            }

        """, ""),
      breaks: [
        "An operation that is cancelled before its start never works",
        "unless it's cancelled by then",
      ],
      rejectedBy: ["cancelled before its start, it ends when its turn comes"],
      advice: "A queue starts cancelled operations too: look at isCancelled first thing in start()."
    ),
    Mistake(
      "cancel finishes what never started",
      cancelling("super.cancel()\n    change(from: .waiting, to: .finished)"),
      breaks: ["it is finished, without an answer, when it's started"],
      rejectedBy: ["cancelled before its start, it ends when its turn comes"],
      advice: """
        cancel() isn't one of those that may end it: its queue hasn't started it, and complains or \
        traps.
        """),
    Mistake(
      "cancel finishes it while it works",
      cancelling("super.cancel()\n    change(from: .executing, to: .finished)"),
      breaks: ["`cancel()` doesn't end an operation that works"],
      rejectedBy: ["cancelled while it works, finish ends it"],
      advice: """
        The work goes on, and dependents would begin beside it: let whoever does the work call \
        finish.
        """),
    Mistake(
      "finish after cancel is ignored",
      .edit(
        finish,
        "    guard !isCancelled else { return false }\n    return change(from: .executing, to: .finished, keeping: answer)\n"
      ),
      breaks: ["let whoever hears of the cancellation call"],
      rejectedBy: ["cancelled while it works, finish ends it"],
      advice: "A cancelled operation has to end too: finish mustn't ask whether it's cancelled."),
  ]

  private static func cancelling(_ body: String) -> Answer {
    .edit(
      "  /// Begins the work.\n",
      """
        public override func cancel() {
          \(body)
        }

        /// Begins the work.

      """)
  }

  // MARK: - Who sees what

  private static let sharingMistakes = [
    Mistake(
      "the state is read without the lock",
      .edits([
        Edit("lock.withLock { state == .executing }", "state == .executing"),
        Edit("lock.withLock { state == .finished }", "state == .finished"),
      ]),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["its state may be read while it finishes"], verdict: .race,
      advice: """
        A queue's thread reads what the finishing thread writes: take the lock in the getters too.
        """),
    Mistake(
      "the answer is read without the lock", .edit("{ lock.withLock { kept } }", "{ kept }"),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["its answer may be read while it finishes"], verdict: .race,
      advice: "The answer is shared like the state: guard it with the same lock."),
  ]
}
