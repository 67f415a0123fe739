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
      self?.end(.timedOut) }; lock.withLock { cancelTimer = cancel } }; let block = lock.withLock { \
      defer { self.block = nil }; return self.block }; block? { [weak self] in self?.end(.done) }. \
      end(_ ending): let isFirst = lock.withLock { guard self.ending == nil else { return false }; \
      self.ending = ending; return true }; guard isFirst; cancelTimer?(); finish().
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
      rejectedBy: [
        "done called twice does no harm", "done called by several threads at once ends it once",
      ],
      verdict: .crashed,
      advice: """
        Callbacks are called twice, and a timer goes off beside `done`: a second end has no effect, \
        rather than stopping the program.
        """),
    Mistake(
      "finished when the block returns",
      .edit(callOfBlock, callOfBlock + "    end(.done)\n"),
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
      rejectedBy: ["it calls its block, and done ends it"],
      advice: "The queue has given the operation a thread for that: call the block in main()."),
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
      rejectedBy: ["cancelled while it works, it goes on"],
      advice: """
        cancel() is a request: dependents would start beside work that still runs. Let the work see \
        isCancelled and call `done`.
        """),
  ]

  // MARK: - The deadline

  private static let deadlineMistakes = [
    Mistake(
      "the deadline doesn't finish it",
      .edit(ending, ending.replacing("    finish()", with: "    if ending == .done { finish() }")),
      rejectedBy: ["it ends when the deadline has passed, and says so"],
      advice: "It isn't enough to note that the time has passed: the operation must finish then."),
    Mistake(
      "the deadline cancels instead",
      .edit("self?.end(.timedOut)", "self?.cancel()"),
      rejectedBy: ["it ends when the deadline has passed, and says so"],
      advice: """
        cancel() only asks, and work that never calls `done` doesn't listen: finish it yourself.
        """),
    Mistake(
      "a deadline that nobody asked for",
      .edit("    if let deadline {\n", "    do {\n      let deadline = self.deadline ?? 60\n"),
      rejectedBy: ["without a deadline no timer is set"],
      advice: "Without a deadline the work may take any time: set no timer."),
    Mistake(
      "the timer is set after the block",
      .edits([
        Edit(settingOfTimer, ""),
        Edit(callOfBlock, callOfBlock + settingOfTimer),
      ]),
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
      rejectedBy: ["done cancels the timer"],
      advice: """
        A timer that nobody needs any more holds its place until its time has come: cancel it at \
        the end.
        """),
    Mistake(
      "the last one decides",
      .edit("      guard self.ending == nil else { return (false, self.cancelTimer) }\n", ""),
      rejectedBy: ["done after the deadline has no effect", "done cancels the timer"],
      advice: "Whoever reported a time-out can't take it back: the first ending stays."),
    Mistake(
      "asks isFinished who was first",
      .edit("guard self.ending == nil else", "guard !isFinished else"),
      rejectedBy: ["the first decides, even while the end is announced"],
      advice: """
        It isn't finished yet while its end is on the way: keep an ending of your own and decide by \
        that, under the lock.
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
      rejectedBy: ["the first decides, even while the end is announced"], verdict: .hung,
      advice: """
        finish() calls out: whoever hears of the end may ask hasTimedOut, or be done once more, and \
        waits for the lock that you hold.
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
      rejectedBy: ["done and the timer may come from two threads"], verdict: .race,
      advice:
        "A look beside somebody else's write is a race, even if you look again: take the lock."),
    Mistake(
      "hasTimedOut without protection",
      .edit("lock.withLock { ending == .timedOut }", "ending == .timedOut"),
      rejectedBy: ["hasTimedOut may be read while it ends"], verdict: .race,
      advice: "The timer's thread writes while another reads: take the lock in the getter too."),
  ]

  // MARK: - Who keeps whom

  private static let memoryMistakes = [
    Mistake(
      "done keeps the operation",
      .edit("block? { [weak self] in self?.end(.done) }", "block? { self.end(.done) }"),
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
      rejectedBy: ["who keeps done doesn't keep it", "a cancelled timer doesn't keep it"],
      advice: """
        The operation keeps the closure and the closure the operation, so neither ever goes: \
        capture self weakly.
        """),
    Mistake(
      "keeps its block",
      .edit("      defer { self.block = nil }\n      return self.block\n", "      self.block\n"),
      rejectedBy: ["its block may capture it"],
      advice: """
        A block that looks at its operation keeps it, and the operation keeps the block: let go of \
        the block when it was called.
        """),
    Mistake(
      "the timer keeps the operation",
      .edit("{ [weak self] in self?.end(.timedOut) }", "{ self.end(.timedOut) }"),
      rejectedBy: ["a cancelled timer doesn't keep it"],
      advice: """
        Many timers let go of their action only when its time has come, even if they are cancelled: \
        capture the operation weakly.
        """),
  ]
}
