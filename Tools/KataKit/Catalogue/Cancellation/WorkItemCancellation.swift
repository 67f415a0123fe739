extension Kata {
  static let workItemCancellation = Kata(
    "WorkItemCancellation", module: .cancellation,
    title: "What cancelling a DispatchWorkItem can and can't do",
    difficulty: 2, minutes: 25, needs: ["CooperativeLoop"],
    hints: [
      """
      Two questions, and one flag doesn't answer both: has somebody asked for a cancellation, and \
      was the work ever called? notify comes in any case; what must it know to say which end it was?
      """,
      """
      Make an object with a lock and two flags, cancelled and begun. The item's block sets begun and \
      calls the work with a closure that reads cancelled. notify, on the notice queue, tells .ran if \
      begun is set and .neverRan if it isn't. cancel() sets cancelled and calls item.cancel(). \
      Neither block may keep the item.
      """,
      """
      let progress = WorkProgress(); let item = DispatchWorkItem { progress.begin(); work { \
      progress.isCancelled } }; item.notify(queue: noticeQueue) { onEnd(progress.hasBegun ? .ran : \
      .neverRan) }; self.item = item; self.progress = progress; queue.async(execute: item). \
      cancel(): progress.cancel(); item.cancel().
      """,
    ],
    questions: [
      Question(
        "`cancel()` is called on an item whose block is running. What happens to the block?",
        answer: """
          Nothing. `isCancelled` becomes true, and the block goes on until it returns, unless it \
          looks.
          """),
      Question(
        "The item was cancelled before its turn. When does its `notify` come?",
        answer: """
          When its queue comes to it and passes it over: in its turn, and not at the moment of \
          `cancel()`. So an end is told for every item.
          """),
      Question(
        "Why does the block look at an object beside the item, and not at `item.isCancelled`?",
        answer: """
          The item keeps its block. A block that captures its item keeps itself, and neither ever \
          goes away.
          """),
    ],
    mistakes: workItemMistakes,
    rightAnswers: [
      RightAnswer("a plain block and an atomic flag", .file("PlainBlock.swift")),
      RightAnswer("the item in a box that is emptied", .file("ItemInABox.swift")),
      RightAnswer(
        "a group instead of notify",
        .edits([
          Edit("    item.notify(queue: noticeQueue)", "    group.notify(queue: noticeQueue)"),
          Edit(
            "    // Told of every end",
            "    let group = DispatchGroup()\n    group.enter()\n    // Told of every end"),
          Edit(
            "    queue.async(execute: item)\n",
            "    queue.async(group: group, execute: item)\n    group.leave()\n"),
        ])),
    ],
    unproven: [Unproven("How work has come to its end.", "a name")],
    equivalents: [
      Equivalent(
        "swapped with the next: item.notify(queue: noticeQueue) { "
          + "onEnd(progress.hasBegun ? .ran : .neverRan) }",
        "the item isn't submitted before both are done"),
      Equivalent("made twice: progress.begin()", "sets what is set"),
      Equivalent(
        "swapped with the next: progress.begin()",
        "it's read when the block has returned, and not before"),
      Equivalent(
        "swapped with the next: self.progress = progress",
        "nobody has the object before its initialiser ends"),
      Equivalent(
        "swapped with the next: progress.cancel()",
        "nothing is promised before cancel() has returned"),
    ])

  // MARK: - Mistakes

  private static let tellEnd =
    "    item.notify(queue: noticeQueue) { onEnd(progress.hasBegun ? .ran : .neverRan) }\n"
  private static let look = "work { progress.isCancelled }"

  private static let workItemMistakes = [
    Mistake(
      "forgets that notify comes for cancelled items too",
      .edit("onEnd(progress.hasBegun ? .ran : .neverRan)", "onEnd(.ran)"),
      breaks: [
        "and that tells whether it has ever run",
        "It was cancelled before its turn, and never called.",
      ],
      rejectedBy: [
        "cancelled before its turn, its end is told in its turn",
        "cancelled again before its turn, its end is told once",
      ],
      advice: """
        notify is called when an item was passed over, just as when it has run: remember whether \
        the block was called.
        """),
    Mistake(
      "cancelled means that it never ran",
      .edit("onEnd(progress.hasBegun ?", "onEnd(!progress.isCancelled ?"),
      breaks: [
        "Either way it has run", "whether or not it was cancelled meanwhile",
        "That says nothing about whether it has run.",
      ],
      rejectedBy: ["cancelled while it runs, it has run"],
      advice: """
        Work that is cancelled while it runs goes on, and has run: isCancelled tells what was asked \
        for, so remember whether the block was called.
        """),
    Mistake(
      "tells the end within the block",
      .edits([
        Edit(tellEnd, ""),
        Edit("      \(look)\n", "      \(look)\n      noticeQueue.async { onEnd(.ran) }\n"),
      ]),
      breaks: ["So whatever waits for the end gets it, exactly once"],
      rejectedBy: ["cancelled before its turn, its end is told in its turn"],
      advice: """
        The block of a cancelled item is never called, so nobody learns of its end: use notify, \
        which is.
        """),
    Mistake(
      "expects cancel to end it", .file("EndsAtCancel.swift"),
      breaks: [
        "Its end is told all the same, in its turn", "Nothing is told by it",
        "Work that has begun goes on",
      ],
      rejectedBy: [
        "cancelled before its turn, its end is told in its turn",
        "cancelled while it runs, it goes on until it looks",
        "cancelled while it runs, it has run",
      ],
      advice: """
        cancel() stops no thread, so what is told by it isn't true yet: wait for notify.
        """),
    Mistake(
      "looks once, before the work",
      .edit(look, "let isCancelled = progress.isCancelled\n      work { isCancelled }"),
      breaks: [
        "It can look, by calling the closure", "tells whether it has been cancelled by now",
      ],
      rejectedBy: [
        "cancelled while it runs, it goes on until it looks",
        "it can be cancelled by another thread",
      ],
      advice: "The work wants to know how things stand now: look when the closure is called."),
    Mistake(
      "the item isn't cancelled", .edit("    item.cancel()\n", ""),
      breaks: [
        "Cancelled before its turn, the work is never called.", "it isn't called if it hasn't been",
        "unless it's cancelled before its turn",
      ],
      rejectedBy: ["cancelled before its turn, it never runs"],
      advice:
        "A flag alone keeps nothing from running: call item.cancel(), or look before the work."),
    Mistake(
      "cancel waits for the end",
      .edit("    item.cancel()\n", "    item.cancel()\n    item.wait()\n"),
      breaks: ["Nothing here waits."],
      rejectedBy: [
        "cancelled before its turn, it never runs",
        "cancelled while it runs, it goes on until it looks",
      ], verdict: .hung,
      advice: """
        A cancelled item ends in its turn too, so wait() holds whoever cancels until then: return at \
        once.
        """),
    Mistake(
      "submitted with sync", .edit("queue.async(execute: item)", "queue.sync(execute: item)"),
      breaks: ["Returns at once."],
      rejectedBy: ["whoever submits it isn't held"], verdict: .hung,
      advice: "sync waits until the work is done, and there is nothing left to cancel: use async."),
    Mistake(
      "its queue waits for the notice",
      .edits([
        Edit(tellEnd, ""),
        Edit(
          "    queue.async(execute: item)\n",
          """
              queue.async {
                if !progress.isCancelled {
                  progress.begin()
                  work { progress.isCancelled }
                }
                noticeQueue.sync { onEnd(progress.hasBegun ? .ran : .neverRan) }
              }

          """),
      ]),
      breaks: ["Nothing here waits."],
      rejectedBy: ["its queue goes on while the notice waits"],
      advice: """
        The notice queue may be busy, and what is submitted behind the work has nothing to do with it: \
        tell the end by async, or by notify.
        """),
    Mistake(
      "cancelled only before its turn",
      .edit(
        "  public var isCancelled: Bool { progress.isCancelled }\n",
        "  public var isCancelled: Bool { progress.isCancelled && !progress.hasBegun }\n"),
      breaks: ["Whether somebody has cancelled the work."],
      rejectedBy: ["cancelled while it runs, it goes on until it looks"],
      advice: """
        isCancelled tells whether somebody has asked, and onEnd whether the work has run: don't mix \
        the two.
        """),
    Mistake(
      "runs on a global queue",
      .edit("queue.async(execute: item)", "DispatchQueue.global().async(execute: item)"),
      breaks: ["Submits work to a queue.", "The queue that the work runs on."],
      rejectedBy: ["it runs on its queue"],
      advice:
        "The caller has chosen a queue for the work, and relies on its order: submit it there."),
    Mistake(
      "the end is told on the work's queue",
      .edit("item.notify(queue: noticeQueue)", "item.notify(queue: queue)"),
      breaks: ["The queue that `onEnd` is called on."],
      rejectedBy: ["its end is told when it has returned"],
      advice: "The caller has chosen a queue for the notice: give that one to notify."),
    Mistake(
      "each cancel asks for a notice of its own",
      .edits([
        Edit(
          "{ onEnd(progress.hasBegun ? .ran : .neverRan) }",
          "{ if progress.hasBegun { onEnd(.ran) } }"),
        Edit(
          "    self.item = item\n",
          """
              passedOver = { item in item.notify(queue: noticeQueue) { onEnd(.neverRan) } }
              self.item = item

          """),
        Edit(
          "  private let progress: WorkProgress\n",
          """
            private let progress: WorkProgress
            private let passedOver: @Sendable (DispatchWorkItem) -> Void

          """),
        Edit("    item.cancel()\n", "    item.cancel()\n    passedOver(item)\n"),
      ]),
      breaks: [
        "or one after the end, changes nothing",
        "Called once, when the work has returned or was passed over",
      ],
      rejectedBy: [
        "cancelled again before its turn, its end is told once",
        "cancelled while it runs, it has run", "cancelled after its end, nothing more is told",
      ],
      advice: "cancel() may come at any time and again: ask for one notice, when you submit."),
    Mistake(
      "the block keeps its item",
      .edits([
        Edit(
          "    let item = DispatchWorkItem {\n",
          """
              // Safe: set before the item is submitted.
              nonisolated(unsafe) var itself: DispatchWorkItem?
              let item = DispatchWorkItem {

          """),
        Edit(look, "work { itself?.isCancelled ?? false }"),
        Edit("    self.item = item\n", "    itself = item\n    self.item = item\n"),
      ]),
      breaks: ["nothing of it remains"],
      rejectedBy: ["nothing of it remains after its end"],
      advice: """
        The item keeps its block and the block its item, for ever: let the block look at something \
        else.
        """),
    Mistake(
      "the block looks at its item by a weak reference",
      .edits([
        Edit(
          "    let item = DispatchWorkItem {\n",
          """
              // Safe: set before the item is submitted.
              nonisolated(unsafe) weak var itself: DispatchWorkItem?
              let item = DispatchWorkItem {

          """),
        Edit(look, "work { itself?.isCancelled ?? false }"),
        Edit("    self.item = item\n", "    itself = item\n    self.item = item\n"),
      ]),
      breaks: ["tells whether it has been cancelled by now"],
      rejectedBy: ["cancelled and let go, it still sees that it's cancelled"],
      advice: """
        A queue keeps the block and not the item, so the weak reference may be gone while the block \
        runs: let it keep a small object with the flag.
        """),
    Mistake(
      "it has to be kept", .file("WeakSelf.swift"),
      breaks: ["even if nobody keeps the `QueuedWork`"],
      rejectedBy: ["it runs and its end is told even if nobody keeps it"],
      advice: """
        Whoever submits work and waits for its end needn't keep it: what the block needs, the block \
        has to keep.
        """),
    Mistake(
      "the lock is held while the work runs",
      .edits([
        Edit("      progress.begin()\n      \(look)\n", "      progress.run(work)\n"),
        Edit(
          "  func begin() { lock.withLock { begun = true } }\n",
          """
            func run(_ work: (() -> Bool) -> Void) {
              lock.withLock {
                begun = true
                work { cancelled }
              }
            }

          """),
      ]),
      breaks: ["Nothing here waits."],
      rejectedBy: ["cancelled while it runs, it goes on until it looks"], verdict: .hung,
      advice: """
        Whoever cancels waits for the lock that you hold while the work runs: set the flag, let go, \
        then call the work.
        """),
    Mistake(
      "a recursive lock is held while the end is told",
      .edits([
        Edit(tellEnd, "    item.notify(queue: noticeQueue) { progress.tell(onEnd) }\n"),
        Edit("  private let lock = NSLock()\n", "  private let lock = NSRecursiveLock()\n"),
        Edit(
          "  func begin() { lock.withLock { begun = true } }\n",
          """
            func begin() { lock.withLock { begun = true } }

            func tell(_ onEnd: (QueuedWork.Ending) -> Void) {
              lock.withLock { onEnd(begun ? .ran : .neverRan) }
            }

          """),
      ]),
      breaks: ["Nothing here waits."],
      rejectedBy: ["nobody has to wait for the notice"],
      advice: """
        A recursive lock lets only its own thread in again; every other one waits until onEnd returns: \
        read the flag, let go, then tell the end.
        """),
    Mistake(
      "unguarded flag",
      .edits([
        Edit("lock.withLock { cancelled }", "cancelled"),
        Edit("lock.withLock { cancelled = true }", "cancelled = true"),
      ]),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["it can be cancelled by another thread"], verdict: .race,
      advice: "One thread cancels while another looks: guard the flag with a lock."),
  ]
}
