extension Kata {
  static let cancelAll = Kata(
    "CancelAll", module: .cancellation,
    title: "Empty a queue: nothing that waits may begin",
    difficulty: 3, minutes: 25, needs: ["CancelBeforeStart"],
    hints: [
      """
      Operations are told one after another. What may the queue do between the first and the second, \
      where the first one runs and ends at once? And what keeps it from doing so?
      """,
      """
      Suspend the queue, keep a copy of its operations, cancel each of them, resume the queue. For \
      the notice make a BlockOperation that depends on all of them and calls onEmpty on the notice \
      queue. It goes into another queue, which stays alive, so that no cancelAll ever meets it.
      """,
      """
      isSuspended = true; let operations = operations; for operation in operations { \
      operation.cancel() }; let notice = BlockOperation { noticeQueue.async(execute: onEmpty) }; for \
      operation in operations { notice.addDependency(operation) }; notices.addOperation(notice); \
      isSuspended = false. And a private global let notices = OperationQueue().
      """,
    ],
    questions: [
      Question(
        "Why is the queue suspended while its operations are told?",
        answer: """
          They are told one after another. A running one may end as soon as it is told and make \
          room, and one that hasn't been told yet would begin.
          """),
      Question(
        "The queue was suspended before. Why must it be resumed for everything to leave?",
        answer: """
          A cancelled operation leaves by being started, and a suspended queue starts nobody.
          """),
      Question(
        "Why is the notice put in another queue?",
        answer: """
          In this one the next `cancelAll` would cancel it, and whoever waits for the first notice \
          would never hear.
          """),
    ],
    mistakes: cancelAllMistakes,
    rightAnswers: [
      RightAnswer("a follower each, and a group", .file("GroupOfFollowers.swift")),
      RightAnswer("a thread that waits", .file("WaitingThread.swift")),
    ])

  // MARK: - Mistakes

  private static let suspend = "    isSuspended = true\n"
  private static let resume = "    isSuspended = false\n"
  private static let tell = "    for operation in operations { operation.cancel() }\n"
  private static let notify = "    notices.addOperation(notice)\n"
  private static let noticeBlock = "BlockOperation { noticeQueue.async(execute: onEmpty) }"

  /// All that sees to the notice.
  private static let seeToNotice = """
        let notice = \(noticeBlock)
        for operation in operations { notice.addDependency(operation) }
        // Not in this queue: the next call would cancel it.
        notices.addOperation(notice)

    """

  private static let cancelAllMistakes = [
    Mistake(
      "cancels without resuming", .edits([Edit(suspend, ""), Edit(resume, "")]),
      rejectedBy: [
        "a suspended queue empties", "nobody begins while the others are being told",
        "work that is added later runs",
      ],
      advice: """
        A cancelled operation leaves by being started, and a suspended queue starts nothing: resume \
        it.
        """),
    Mistake(
      "leaves the queue suspended", .edit(resume, ""),
      rejectedBy: [
        "in a busy queue the running one is told and the waiting ones never begin",
        "a suspended queue empties", "work that is added later runs",
      ],
      advice: "Nobody leaves a suspended queue, and nobody who comes later begins: resume it."),
    Mistake(
      "suspends it again, as it was",
      .edits([
        Edit(suspend, "    let wasSuspended = isSuspended\n    isSuspended = true\n"),
        Edit(resume, "    isSuspended = wasSuspended\n"),
      ]),
      rejectedBy: ["a suspended queue empties"],
      advice: """
        Cancelled operations leave by being started, one after another and later: leave the queue \
        running.
        """),
    Mistake(
      "doesn't suspend it meanwhile", .edit(suspend, ""),
      rejectedBy: ["nobody begins while the others are being told"],
      advice: """
        A running operation that ends when it's told makes room, and one that hasn't been told yet \
        begins: suspend the queue until everybody has been.
        """),
    Mistake(
      "from the back, without suspending it",
      .edits([
        Edit(suspend, ""),
        Edit(tell, "    for operation in operations.reversed() { operation.cancel() }\n"),
      ]),
      rejectedBy: ["nobody begins while the others are being told"],
      advice: """
        A running operation may come to its end by itself while you tell the others: suspend the \
        queue.
        """),
    Mistake(
      "resumes it first",
      .edits([Edit(suspend, "    isSuspended = false\n"), Edit(tell + "\n", tell)]),
      rejectedBy: ["nobody begins while the others are being told"],
      advice: "What is resumed before it's cancelled begins: cancel first, then resume."),
    Mistake(
      "spares the running ones",
      .edit(
        tell,
        "    for operation in operations where !operation.isExecuting { operation.cancel() }\n"),
      rejectedBy: ["in a busy queue the running one is told and the waiting ones never begin"],
      advice: "Only an operation that has been told can stop early: cancel those that run as well."),
    Mistake(
      "only those that are ready",
      .edit(
        tell, "    for operation in operations where operation.isReady { operation.cancel() }\n"),
      rejectedBy: ["whoever waits for a dependency leaves too"],
      advice: """
        Whoever waits for a dependency is in the queue as well; cancelled, it waits no longer.
        """),
    Mistake(
      "waits for the end",
      .edits([
        Edit(notify, ""),
        Edit(
          resume,
          "    isSuspended = false\n    waitUntilAllOperationsAreFinished()\n    notice.start()\n"),
      ]),
      rejectedBy: ["the notice comes when the last has left"], verdict: .hung,
      advice: """
        Who empties a queue is often the main thread, and what runs may need it: return, and give a \
        notice later.
        """),
    Mistake(
      "gives the notice at once",
      .edit(seeToNotice, "    noticeQueue.async(execute: onEmpty)\n"),
      rejectedBy: ["the notice comes when the last has left"],
      advice: "cancel() stops nothing: what ran still runs, so wait for its end with the notice."),
    Mistake(
      "the notice is in the queue itself", .edit(notify, "    addOperation(notice)\n"),
      rejectedBy: ["each call has its notice"],
      advice: """
        The next cancelAll finds the notice among the operations and cancels it: put it into another \
        queue.
        """),
    Mistake(
      "a barrier as the notice",
      .edit(seeToNotice, "    addBarrierBlock { noticeQueue.async(execute: onEmpty) }\n"),
      rejectedBy: ["work that is added later doesn't wait for what still ends"],
      advice: """
        A barrier holds up everything that is added behind it: let an operation in another queue \
        depend on those that leave.
        """),
    Mistake(
      "the notice waits for later work too",
      .edit(
        seeToNotice,
        """
            Thread.detachNewThread { [self] in
              waitUntilAllOperationsAreFinished()
              noticeQueue.async(execute: onEmpty)
            }

        """),
      rejectedBy: ["neither cancels nor waits for work that is added later"],
      advice: """
        A queue that is used is never empty: wait for the operations that were in it at the time of \
        the call.
        """),
    Mistake(
      "cancels again at the end",
      .edit(
        noticeBlock,
        "BlockOperation {\n      self.cancelAllOperations()\n      noticeQueue.async(execute: onEmpty)\n    }"
      ),
      rejectedBy: ["neither cancels nor waits for work that is added later"],
      advice: "By then others have put their work into the queue: cancel once, at the call."),
    Mistake(
      "the notice on any thread", .edit(noticeBlock, "BlockOperation(block: onEmpty)"),
      rejectedBy: ["the notice comes when the last has left"],
      advice: "The caller has chosen a queue for the notice: call onEmpty there."),
    Mistake(
      "counts by completion blocks",
      .edits([
        Edit(notify, ""),
        Edit(
          "    for operation in operations { notice.addDependency(operation) }\n",
          """
              let group = DispatchGroup()
              for operation in operations {
                group.enter()
                operation.completionBlock = { group.leave() }
              }
              group.notify(queue: noticeQueue) { notice.start() }

          """),
      ]),
      rejectedBy: ["their completion blocks are called"],
      advice: """
        The completion block belongs to whoever made the operation: depend on its end instead.
        """),
    Mistake(
      "no notice for an empty queue",
      .edit(suspend, "    guard operationCount > 0 else { return }\n    isSuspended = true\n"),
      rejectedBy: ["the notice of an empty queue comes too"],
      advice: "Who waits for the notice waits for ever: an empty queue is empty, so say so."),
  ]
}
