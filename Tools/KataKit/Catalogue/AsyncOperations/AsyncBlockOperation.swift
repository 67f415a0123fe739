extension Kata {
  static let asyncBlockOperation = Kata(
    "AsyncBlockOperation", module: .asyncOperations,
    title: "An operation from a closure that says when it is done",
    difficulty: 3, minutes: 30, needs: ["AsyncOperation", "AsyncSumOperation"],
    buildsOn: ["AsyncOperation"],
    hints: [
      """
      Two may end the operation, `done` and the timer, and they may come together. Who decides \
      which was first, and where is that written down before anybody hears of the end?
      """,
      """
      Keep an optional `ending` (done or timed out) behind a lock, and write one method that both \
      call: under the lock, go on only if there is no ending yet, write it down and take the \
      timer's cancel closure; without the lock, cancel the timer and call finish(). Both closures \
      capture self weakly, and the block is taken out of its property when it's called.
      """,
      """
      main: if let deadline { let cancel = schedule(deadline) { [weak self] in \
      self?.end(.timedOut) }; lock.withLock { cancelTimer = cancel } }; let block = lock.withLock \
      { defer { self.block = nil }; return self.block }; block? { [weak self] in self?.end(.done) \
      }. end(_ ending): let isFirst = lock.withLock { guard self.ending == nil else { return false \
      }; self.ending = ending; return true }; guard isFirst; cancelTimer?(); finish().
      """,
    ],
    questions: [
      Question(
        """
        `done` and the deadline come at the same moment. How is it settled that `hasTimedOut` \
        tells the truth?
        """,
        answer: """
          Both go through `end`, where the first to write `ending` under the lock wins, and only \
          the winner calls `finish()`. So the answer is settled before anybody can hear of the \
          end.
          """),
      Question(
        "Why is the block taken out of the operation when it is called?",
        answer: """
          It may have captured the operation that it belongs to. Kept, the two would keep each \
          other alive after the end.
          """),
      Question(
        "Why is the timer set before the block is called?",
        answer: """
          The block may call `done` at once, and has to find the timer to cancel it. Set \
          afterwards, it would be left running for an operation that is over.
          """),
    ],
    mistakes: doneMistakes + deadlineMistakes + lockMistakes + memoryMistakes,
    rightAnswers: [
      RightAnswer("decided on a serial queue", .file("SerialQueue.swift")),
      RightAnswer("an atomic number", .file("AtomicEnding.swift")),
      RightAnswer("a ticket that the first one takes", .file("Ticket.swift")),
    ],
    unproven: [
      Unproven("`BlockOperation` is over", "told of another class"),
      Unproven("What a call of `done` does:", "a heading"),
      Unproven("may keep its block for as long as it lives", "permits, and promises nothing"),
      Unproven("The work: it calls `done`", "what the caller's block does"),
      Unproven("It returns at once.", "what the handed-in scheduler does"),
      Unproven("To be called by `start()` alone.", "asked of the caller"),
      Unproven("Given: the scheduler", "what something is, and given with the stub"),
    ],
    equivalents: [
      Equivalent(
        "swapped with the next: let block = lock.withLock { …",
        "Only main() touches the block, which is called once."),
      Equivalent(
        "the first statement before the section: let block = lock.withLock { …",
        "Only main() touches the block, which is called once."),
      Equivalent(
        "left out: if isLate { cancel() }",
        "Only the timer itself ends it before it is kept, and it has gone off by then."),
      Equivalent("swapped with the next: self.ending = ending", "Both are done under the lock."),
      Equivalent(
        "left out: defer { self.cancelTimer = nil }",
        "It is called once all the same, and goes with the operation."),
      Equivalent(
        "swapped with the next: defer { self.cancelTimer = nil }",
        "What is returned is read before."),
      Equivalent(
        "left out: guard isFirst else { return }",
        "Whoever is second finds no timer, and finish() has no effect then."),
      Equivalent(
        "swapped with the next: guard isFirst else { return }",
        "Whoever is second finds no timer, and finish() has no effect then."),
      Equivalent("made twice: cancelTimer?()", "A timer that is cancelled can be cancelled again."),
      Equivalent(
        "another constant: guard self.ending == nil else { return (false, self.cancelTimer) }",
        "Whoever is second finds no timer, and finish() has no effect then."),
    ])

  private static let settingOfTimer = """
        if let deadline {
          // Before the block: that may be done at once, and has to find the timer.
          keep(schedule(deadline) { [weak self] in self?.end(.timedOut) })
        }

    """
  private static let takingOfBlock = """
        let block = lock.withLock {
          defer { self.block = nil }
          return self.block
        }

    """
  private static let callOfBlock = "    block? { [weak self] in self?.end(.done) }\n"
  private static let ending = """
        guard isFirst else { return }
        cancelTimer?()
        finish()

    """

  // MARK: - Done

  private static let doneMistakes = [
    Mistake(
      "done twice traps",
      .edit(
        "    guard isFirst else { return }\n",
        """
            guard isFirst else { preconditionFailure("done was called twice") }

        """),
      breaks: ["only the first call counts"],
      rejectedBy: [
        "done called twice does no harm", "done called by several threads at once ends it once",
      ],
      verdict: .crashed,
      advice: """
        Callbacks are called twice, and a timer goes off beside `done`: a second end has no \
        effect, rather than stopping the program.
        """),
    Mistake(
      "finished when the block returns",
      .edit(callOfBlock, callOfBlock + "    end(.done)\n"),
      breaks: [
        "This one is over when its block has called",
        "An operation made from a closure",
      ],
      rejectedBy: [
        "it calls its block, and done ends it", "a dependent waits for done, not for the block",
      ],
      advice: "The work goes on after the block has returned: only `done` or the deadline ends it."),
    Mistake(
      "the block is called on another thread",
      .edit(
        callOfBlock,
        """
            let called = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [self] in
              block? { [weak self] in self?.end(.done) }
              called.signal()
            }
            called.wait()

        """),
      breaks: ["Called once when the operation starts, on the thread"],
      rejectedBy: ["it calls its block, and done ends it"],
      advice: "The queue has given the operation a thread for that: call the block in main()."),
    Mistake(
      "never calls its block", .edit(callOfBlock, "    _ = block\n"),
      breaks: ["Begins the work.", "Called once when the operation starts, on the thread"],
      rejectedBy: ["it calls its block, and done ends it"],
      advice: "Taking the block out isn't calling it: give it a closure that ends the operation."),
    Mistake(
      "main waits for done",
      .edit(callOfBlock, callOfBlock + "    waitUntilFinished()\n"),
      breaks: ["it ends the operation.", "Until then no thread is held."],
      rejectedBy: ["it calls its block, and done ends it"], verdict: .hung,
      advice: """
        The thread is held until somebody calls `done`, which may take hours: return, and let \
        `done` finish it.
        """),
    Mistake(
      "done counts after the block alone",
      .edits([
        Edit(
          callOfBlock,
          """
              block? { [weak self] in
                guard let self, lock.withLock({ hasReturned }) else { return }
                end(.done)
              }
              lock.withLock { hasReturned = true }

          """),
        Edit(
          "  private var ending: Ending?\n",
          "  private var ending: Ending?\n  private var hasReturned = false\n"),
      ]),
      breaks: [
        "inside the block: it ends the operation as well", "at any time and on any thread",
      ],
      rejectedBy: ["done inside the block ends it too"],
      advice:
        "A block that has its answer at once calls `done` before it returns: that counts, too."),
    Mistake(
      "the block is skipped where the time is up",
      .edit(
        takingOfBlock,
        takingOfBlock.replacing(
          "return self.block", with: "return ending == nil ? self.block : nil")
      ),
      breaks: ["also where the deadline passes while the timer is set"],
      rejectedBy: ["the timer may go off while it is set"],
      advice: """
        The deadline ends the operation, not its work: a block that is never called can't clean \
        up, either.
        """),
    Mistake(
      "the block is called once more at the deadline",
      .edits([
        Edit(
          "self?.end(.timedOut) })",
          """
          guard let self else { return }
                  lock.withLock { again }?({})
                  end(.timedOut)
                })
          """),
        Edit(
          "  private var ending: Ending?\n",
          "  private var ending: Ending?\n  private var again: Block?\n"),
        Edit(
          callOfBlock,
          "    lock.withLock { again = block }\n" + callOfBlock),
      ]),
      breaks: ["Called once when the operation starts, on the thread"],
      rejectedBy: ["it ends when the deadline has passed, and says so"],
      advice:
        "The block was called when the operation started, and is under way: never call it twice."
    ),
    Mistake(
      "cancel ends it",
      .edit(
        "  /// Begins the work.\n",
        """
          public override func cancel() {
            super.cancel()
            end(.done)
          }

          /// Begins the work.

        """),
      breaks: ["Cancelled later, it goes on until"],
      rejectedBy: ["cancelled while it works, it goes on"],
      advice: """
        cancel() is a request: dependents would start beside work that still runs. Let the work \
        see isCancelled and call `done`.
        """),
  ]

  // MARK: - The deadline

  private static let deadlineMistakes = [
    Mistake(
      "the deadline doesn't finish it",
      .edit(ending, ending.replacing("    finish()", with: "    if ending == .done { finish() }")),
      breaks: ["with a deadline, the operation ends when that has passed"],
      rejectedBy: ["it ends when the deadline has passed, and says so"],
      advice: "It isn't enough to note that the time has passed: the operation must finish then."),
    Mistake(
      "the deadline cancels instead",
      .edit("self?.end(.timedOut)", "self?.cancel()"),
      breaks: ["with a deadline, the operation ends when that has passed"],
      rejectedBy: ["it ends when the deadline has passed, and says so"],
      advice: """
        cancel() only asks, and work that never calls `done` doesn't listen: finish it yourself.
        """),
    Mistake(
      "a deadline that nobody asked for",
      .edit("    if let deadline {\n", "    do {\n      let deadline = self.deadline ?? 60\n"),
      breaks: ["nil for any time", "Without one it stays in its queue for ever."],
      rejectedBy: ["without a deadline no timer is set"],
      advice: "Without a deadline the work may take any time: set no timer."),
    Mistake(
      "the timer is set after the block",
      .edits([
        Edit(settingOfTimer, ""),
        Edit(callOfBlock, callOfBlock + settingOfTimer),
      ]),
      breaks: ["counted from just before it's called"],
      rejectedBy: ["the timer is set before the block is called"],
      advice: """
        The block may take long before it returns, and that counts: set the timer first.
        """),
    Mistake(
      "the timer is set when it is made",
      .edits([
        Edit(settingOfTimer, ""),
        Edit("    super.init()\n", "    super.init()\n" + settingOfTimer),
      ]),
      breaks: [
        "counted from just before it's called",
        "never calls its block and sets no timer",
        "Creates an operation that waits to be started.",
      ],
      rejectedBy: [
        "the timer is set before the block is called",
        "cancelled before its start, it calls no block and sets no timer",
      ],
      advice: """
        The time that it waits in a queue would count too, and a cancelled operation would keep a \
        timer: set it in main().
        """),
    Mistake(
      "the timer is never cancelled", .edit("    cancelTimer?()\n    finish()\n", "    finish()\n"),
      breaks: ["the timer is cancelled before the end is announced"],
      rejectedBy: ["done cancels the timer"],
      advice: """
        A timer that nobody needs any more holds its place until its time has come: cancel it at \
        the end.
        """),
    Mistake(
      "the last one decides",
      .edit("      guard self.ending == nil else { return (false, self.cancelTimer) }\n", ""),
      breaks: ["the other has no effect"],
      rejectedBy: ["done after the deadline has no effect", "done cancels the timer"],
      advice: "Whoever reported a time-out can't take it back: the first ending stays."),
    Mistake(
      "the timer is cancelled after the end",
      .edit("    cancelTimer?()\n    finish()\n", "    finish()\n    cancelTimer?()\n"),
      breaks: ["the timer is cancelled before the end is announced"],
      rejectedBy: ["done cancels the timer before the end is announced"],
      advice: """
        Whoever hears of the end may count the timers that are left: cancel it first, then call \
        finish().
        """),
    Mistake(
      "cancel stops the timer",
      .edit(
        "  /// Begins the work.\n",
        """
          public override func cancel() {
            super.cancel()
            lock.withLock { cancelTimer }?()
          }

          /// Begins the work.

        """),
      breaks: ["Cancelled later, it goes on until"],
      rejectedBy: ["cancelled while it works, it goes on"],
      advice: """
        Work that doesn't listen to cancel() may never call `done`: its deadline must stay, or it \
        never ends.
        """),
    Mistake(
      "a cancelled operation doesn't time out",
      .edit(
        "    guard isFirst else { return }\n",
        "    guard isFirst, !(ending == .timedOut && isCancelled) else { return }\n"),
      breaks: ["Cancelled later, it goes on until"],
      rejectedBy: ["cancelled while it works, it goes on"],
      advice: "Cancelled or not, it ends when its deadline has passed: don't ask isCancelled there."
    ),
    Mistake(
      "a deadline of zero is none",
      .edit("    if let deadline {\n", "    if let deadline, deadline > 0 {\n"),
      breaks: ["with a deadline, the operation ends when that has passed"],
      rejectedBy: ["the timer may go off while it is set"],
      advice: "nil means no deadline; zero is one, which has passed at once."),
    Mistake(
      "the timer is set on another thread",
      .edit(
        "      keep(schedule(deadline) { [weak self] in self?.end(.timedOut) })\n",
        """
              let isSet = DispatchSemaphore(value: 0)
              Thread.detachNewThread { [self] in
                keep(schedule(deadline) { [weak self] in self?.end(.timedOut) })
                isSet.signal()
              }
              isSet.wait()

        """),
      breaks: ["Sets the timer, on the thread that starts the operation"],
      rejectedBy: ["the timer is set before the block is called"],
      advice: "main() runs on a thread that the queue has given it: call the scheduler there."),
    Mistake(
      "seconds taken for thousands",
      .edit("deadline: .now() + seconds)", "deadline: .now() + seconds * 1000)"),
      breaks: [
        "a timer of Dispatch by default", "Calls `action` when a number of seconds has passed",
      ],
      rejectedBy: ["the timer of Dispatch ends it"],
      advice: "A DispatchTime plus a Double counts in seconds: don't convert."),
    Mistake(
      "asks isFinished who was first",
      .edit("guard self.ending == nil else", "guard !isFinished else"),
      breaks: ["even if it comes at once"],
      rejectedBy: ["the first decides, even while the end is announced"],
      advice: """
        It isn't finished yet while its end is on the way: keep an ending of your own and decide \
        by that, under the lock.
        """),
    Mistake(
      "settles after the end",
      .edits([
        Edit("      self.ending = ending\n", ""),
        Edit(
          "    cancelTimer?()\n    finish()\n",
          """
              cancelTimer?()
              finish()
              lock.withLock { self.ending = ending }

          """),
      ]),
      breaks: ["`hasTimedOut` is settled"],
      rejectedBy: ["who hears of the end knows whether it timed out"],
      advice: """
        finish() announces the end, and dependents ask hasTimedOut there and then: write it down \
        first.
        """),
  ]

  // MARK: - The lock

  private static let lockMistakes = [
    Mistake(
      "the block is called with the lock held",
      .edits([
        Edit(takingOfBlock, "    lock.lock()\n    defer { lock.unlock() }\n"),
        Edit(callOfBlock, callOfBlock + "    block = nil\n"),
      ]),
      breaks: ["inside the block: it ends the operation as well"],
      rejectedBy: ["done inside the block ends it too"], verdict: .hung,
      advice: """
        The block may call `done` at once, which needs the lock that you hold: take the block out \
        under the lock and call it without.
        """),
    Mistake(
      "finishes with the lock held",
      .edit(
        ending,
        """
            guard isFirst else { return }
            cancelTimer?()
            lock.withLock { finish() }

        """),
      breaks: ["even if it comes at once"],
      rejectedBy: ["the first decides, even while the end is announced"], verdict: .hung,
      advice: """
        finish() calls out: whoever hears of the end may ask hasTimedOut, or be done once more, \
        and waits for the lock that you hold.
        """),
    Mistake(
      "cancels the timer with the lock held",
      .edits([
        Edit(
          "      defer { self.cancelTimer = nil }\n",
          "      defer { self.cancelTimer = nil }\n      self.cancelTimer?()\n"),
        Edit("    cancelTimer?()\n    finish()\n", "    finish()\n"),
        Edit("let (isFirst, cancelTimer) = lock", "let (isFirst, _) = lock"),
      ]),
      breaks: ["even if it comes at once"],
      rejectedBy: ["nobody has to wait for the timer to be cancelled"],
      advice: """
        To cancel a timer may mean to wait for its action, which needs the lock that you hold: take the \
        closure out under the lock and call it without.
        """),
    Mistake(
      "sets the timer with the lock held",
      .edits([
        Edit(
          "      keep(schedule(deadline) { [weak self] in self?.end(.timedOut) })\n",
          """
                lock.withLock {
                  cancelTimer = schedule(deadline) { [weak self] in self?.end(.timedOut) }
                }

          """)
      ]),
      breaks: ["even before this has returned"],
      rejectedBy: ["the timer may go off while it is set"], verdict: .hung,
      advice: """
        The scheduler may call the timer's action before it returns, and that needs the lock that \
        you hold: set the timer first, and keep its cancel closure under the lock.
        """),
    Mistake(
      "looks without the lock who was first",
      .edit(
        "    let (isFirst, cancelTimer) = lock",
        """
            guard self.ending == nil else { return }
            let (isFirst, cancelTimer) = lock
        """),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["done and the timer may come from two threads"], verdict: .race,
      advice:
        "A look beside somebody else's write is a race, even if you look again: take the lock."),
    Mistake(
      "looks without the lock whether it's late",
      .edit(
        """
            let isLate = lock.withLock {
              if ending == nil { cancelTimer = cancel }

        """,
        """
            if ending == nil { cancelTimer = cancel }
            let isLate = lock.withLock {

        """),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["the timer may go off on another thread while it is set"], verdict: .race,
      advice: """
        The timer may go off before the scheduler has returned, on a thread of its own: look and keep \
        under the lock.
        """),
    Mistake(
      "hasTimedOut without protection",
      .edit("lock.withLock { ending == .timedOut }", "ending == .timedOut"),
      breaks: ["Safe to use from every thread.", "Whether the deadline has passed before"],
      rejectedBy: ["hasTimedOut may be read while it ends"], verdict: .race,
      advice: "The timer's thread writes while another reads: take the lock in the getter too."),
  ]

  // MARK: - Who keeps whom

  private static let memoryMistakes = [
    Mistake(
      "done keeps the operation",
      .edit("block? { [weak self] in self?.end(.done) }", "block? { self.end(.done) }"),
      breaks: ["doesn't keep the operation with it"],
      rejectedBy: ["who keeps done doesn't keep it"],
      advice: """
        Somebody may keep `done` for ever, a delegate or a table of callbacks: capture the \
        operation weakly.
        """),
    Mistake(
      "keeps a closure that captures itself",
      .edits([
        Edit(
          callOfBlock,
          """
              let done: @Sendable () -> Void = { self.end(.done) }
              lock.withLock { self.done = done }
              block?(done)

          """),
        Edit(
          "  private var ending: Ending?\n",
          "  private var ending: Ending?\n  private var done: (@Sendable () -> Void)?\n"),
      ]),
      breaks: ["doesn't keep the operation with it"],
      rejectedBy: ["who keeps done doesn't keep it", "a cancelled timer doesn't keep it"],
      advice: """
        The operation keeps the closure and the closure the operation, so neither ever goes: \
        capture self weakly.
        """),
    Mistake(
      "keeps its block",
      .edit("      defer { self.block = nil }\n      return self.block\n", "      self.block\n"),
      breaks: ["has let go of it, so the block may capture"],
      rejectedBy: ["its block may capture it"],
      advice: """
        A block that looks at its operation keeps it, and the operation keeps the block: let go of \
        the block when it was called.
        """),
    Mistake(
      "keeps its block after a deadline",
      .edits([
        Edit("      defer { self.block = nil }\n      return self.block\n", "      self.block\n"),
        Edit(
          "      self.ending = ending\n",
          "      self.ending = ending\n      if ending == .done { block = nil }\n"),
      ]),
      breaks: ["has let go of it, so the block may capture"],
      rejectedBy: ["a finished operation has let go of its block"],
      advice: """
        A block whose time is up keeps what it has captured as well: let go of it when it's \
        called, and no path is forgotten.
        """),
    Mistake(
      "the timer keeps the operation",
      .edit("{ [weak self] in self?.end(.timedOut) }", "{ self.end(.timedOut) }"),
      breaks: ["doesn't keep the operation with it"],
      rejectedBy: ["a cancelled timer doesn't keep it"],
      advice: """
        Many timers let go of their action only when its time has come, even if they are \
        cancelled: capture the operation weakly.
        """),
  ]
}
