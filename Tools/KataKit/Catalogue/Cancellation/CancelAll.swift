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
      queue. It goes into another queue, which stays alive, so that no cancelAll ever meets it. And \
      count, for each queue, the calls that are telling: the last one resumes it.
      """,
      """
      Under a lock: counts[ObjectIdentifier(self), default: 0] += 1; isSuspended = true. Then let \
      operations = operations; for operation in operations { \
      operation.cancel() }; let notice = BlockOperation { noticeQueue.async(execute: onEmpty) }; for \
      operation in operations { notice.addDependency(operation) }; notices.addOperation(notice); \
      Under the lock: count one down, and where nobody is left, isSuspended = false. And a private \
      global let notices = OperationQueue().
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
      Question(
        "Two threads empty the same queue. Why isn't it enough that each suspends and resumes it?",
        answer: """
          The first to be done resumes the queue while the other is still telling, and what was \
          added in between begins without having been told.
          """),
    ],
    mistakes: cancelAllMistakes,
    rightAnswers: [
      RightAnswer("a follower each, and a group", .file("GroupOfFollowers.swift")),
      RightAnswer("a thread that waits", .file("WaitingThread.swift")),
      RightAnswer("a standstill that calls share", .file("SharedStandstill.swift")),
    ],
    unproven: [Unproven("Who sets `isSuspended` meanwhile", "asks something of the caller")],
    equivalents: [
      Equivalent(
        "swapped with the next: calls.begin(on: self)",
        "Whoever begins between the two is among the operations, and is cancelled."),
      Equivalent(
        "swapped with the next: notices.addOperation(notice)",
        "It waits for all of them wherever it stands."),
      Equivalent(
        "swapped with the next: counts[ObjectIdentifier(queue), default: 0] += 1",
        "Both are done under the lock."),
      Equivalent(
        "another constant: let others = counts[ObjectIdentifier(queue), default: 1] - 1",
        "Whoever ends has begun, so there is a count."),
      Equivalent(
        "another constant: let others = counts[ObjectIdentifier(queue), default: 1] - 1 (3)",
        "Whoever ends has begun, so there is a count."),
      Equivalent(
        "sync for async: let notice = BlockOperation { noticeQueue.async(execute: onEmpty) }",
        "The notice has a thread of its own to wait on."),
      Equivalent(
        "moved by one: counts[ObjectIdentifier(queue)] = others > 0 ? others : nil",
        "A count of zero is as good as none, and of one is written again."),
      Equivalent(
        "swapped with the next: let operations = operations",
        "Whoever has left between the two has ended."),
      Equivalent(
        "another constant: counts[ObjectIdentifier(queue)] = others > 0 ? others : nil",
        "A count that is missing reads as one."),
    ],
    elusive: [
      Elusive(
        "the last statement behind the section: lock.withLock { …",
        "A call that begins while another ends may be resumed; no order can be forced between the two lines."
      ),
      Elusive("split before queue.isSuspended = true: lock.withLock { …", "As above."),
      Elusive(
        "the first statement before the section: lock.withLock { … (2)",
        "Two calls that end at the same moment may count once; the begin before it has ordered all others."
      ),
    ])

  // MARK: - Mistakes

  private static let suspend = "    calls.begin(on: self)\n"
  private static let resume = "    calls.end(on: self)\n"
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
      breaks: ["**A suspended queue is resumed**"],
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
      breaks: [
        "their dependents go on, in this queue and in others",
        "What's added after this call is none of its business",
      ],
      rejectedBy: [
        "in a busy queue the running one is told and the waiting ones never begin",
        "a suspended queue empties", "work that is added later runs",
      ],
      advice: "Nobody leaves a suspended queue, and nobody who comes later begins: resume it."),
    Mistake(
      "suspends it again, as it was",
      .edits([
        Edit(suspend, "    let wasSuspended = isSuspended\n" + suspend),
        Edit(resume, resume + "    isSuspended = wasSuspended\n"),
      ]),
      breaks: ["and it stays so"],
      rejectedBy: [
        "an empty queue that was suspended runs", "work that is added later runs",
      ],
      advice: """
        Cancelled operations leave by being started, one after another and later: leave the queue \
        running.
        """),
    Mistake(
      "doesn't suspend it meanwhile", .edit(suspend, ""),
      breaks: [
        "Operations that wait never begin.", "None of them begins while the others are being told",
      ],
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
      breaks: ["even where a running one ends at that moment and makes room"],
      rejectedBy: ["nobody begins while the others are being told"],
      advice: """
        A running operation may come to its end by itself while you tell the others: suspend the \
        queue.
        """),
    Mistake(
      "resumes it first",
      .edits([Edit(suspend, "    isSuspended = false\n"), Edit(tell + "\n", tell)]),
      breaks: [
        "Operations that wait never begin.", "None of them begins while the others are being told",
      ],
      rejectedBy: ["nobody begins while the others are being told"],
      advice: "What is resumed before it's cancelled begins: cancel first, then resume."),
    Mistake(
      "spares the running ones",
      .edit(
        tell,
        "    for operation in operations where !operation.isExecuting { operation.cancel() }\n"),
      breaks: ["Operations that run are told"],
      rejectedBy: ["in a busy queue the running one is told and the waiting ones never begin"],
      advice: "Only an operation that has been told can stop early: cancel those that run as well."),
    Mistake(
      "only those that are ready",
      .edit(
        tell, "    for operation in operations where operation.isReady { operation.cancel() }\n"),
      breaks: ["Cancels everything that is in the queue now"],
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
          resume + "    waitUntilAllOperationsAreFinished()\n    notice.start()\n"),
      ]),
      breaks: ["Returns at once"],
      rejectedBy: ["the notice comes when the last has left"], verdict: .hung,
      advice: """
        Who empties a queue is often the main thread, and what runs may need it: return, and give a \
        notice later.
        """),
    Mistake(
      "gives the notice at once",
      .edit(seeToNotice, "    noticeQueue.async(execute: onEmpty)\n"),
      breaks: [
        "tells when all of that has left it",
        "Called once when everything that was in the queue has left it",
      ],
      rejectedBy: ["the notice comes when the last has left"],
      advice: "cancel() stops nothing: what ran still runs, so wait for its end with the notice."),
    Mistake(
      "the notice is in the queue itself", .edit(notify, "    addOperation(notice)\n"),
      breaks: ["each call has its notice"],
      rejectedBy: ["each call has its notice"],
      advice: """
        The next cancelAll finds the notice among the operations and cancels it: put it into another \
        queue.
        """),
    Mistake(
      "a barrier as the notice",
      .edit(seeToNotice, "    addBarrierBlock { noticeQueue.async(execute: onEmpty) }\n"),
      breaks: ["nor held up"],
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
      breaks: ["`onEmpty` doesn't wait for it"],
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
      breaks: ["it is neither cancelled"],
      rejectedBy: ["neither cancels nor waits for work that is added later"],
      advice: "By then others have put their work into the queue: cancel once, at the call."),
    Mistake(
      "a notice each",
      .edit(
        seeToNotice,
        """
            for operation in operations {
              let notice = \(noticeBlock)
              notice.addDependency(operation)
              notices.addOperation(notice)
            }

        """),
      breaks: ["Called once when everything that was in the queue has left it"],
      rejectedBy: [
        "the notice comes when the last has left", "the notice of an empty queue comes too",
      ],
      advice: "One notice tells of all of them: let it depend on each operation."),
    Mistake(
      "the notice on any thread", .edit(noticeBlock, "BlockOperation(block: onEmpty)"),
      breaks: ["The queue that `onEmpty` is called on"],
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
      breaks: ["their completion blocks are called"],
      rejectedBy: ["their completion blocks are called"],
      advice: """
        The completion block belongs to whoever made the operation: depend on its end instead.
        """),
    Mistake(
      "no notice for an empty queue",
      .edit(suspend, "    guard operationCount > 0 else { return }\n" + suspend),
      breaks: ["each call has its notice"],
      rejectedBy: ["the notice of an empty queue comes too"],
      advice: "Who waits for the notice waits for ever: an empty queue is empty, so say so."),
    Mistake(
      "leaves an empty queue as it is",
      .edit(
        suspend,
        """
            guard operationCount > 0 else { return noticeQueue.async(execute: onEmpty) }

        """ + suspend),
      breaks: ["**A suspended queue is resumed**"],
      rejectedBy: ["an empty queue that was suspended runs"],
      advice: """
        Nothing has to leave it, but whoever empties a queue goes on with one that runs: resume it, \
        whatever is in it.
        """),
    Mistake(
      "one notice after another",
      .edits([
        Edit(noticeBlock, "BlockOperation { noticeQueue.sync(execute: onEmpty) }"),
        Edit(
          "  queue.name = \"katas.cancellation.cancel-all\"\n",
          """
            queue.name = "katas.cancellation.cancel-all"
            queue.maxConcurrentOperationCount = 1

          """),
      ]),
      breaks: ["Called once when everything that was in the queue has left it"],
      rejectedBy: ["no notice waits until another has returned"],
      advice: """
        What a caller does in its notice may take long, and others wait for theirs: give each by async.
        """),
    Mistake(
      "each call resumes it",
      .edit(
        "      if others == 0 { queue.isSuspended = false }\n", "      queue.isSuspended = false\n"),
      breaks: ["Where calls overlap, nothing begins until the last of them has told everybody"],
      rejectedBy: ["where calls overlap, nobody begins before the last has told everybody"],
      advice: """
        Another call may still be telling, and what it hasn't told yet begins: count the calls that are \
        under way, and let the last one resume the queue.
        """),
    Mistake(
      "a call in another's midst does nothing",
      .edits([
        Edit(
          suspend, "    guard calls.begin(on: self) else { return calls.end(on: self) }\n"),
        Edit(
          "  func begin(on queue: OperationQueue) {\n",
          "  func begin(on queue: OperationQueue) -> Bool {\n"),
        Edit(
          "      queue.isSuspended = true\n",
          "      queue.isSuspended = true\n      return counts[ObjectIdentifier(queue)] == 1\n"),
      ]),
      breaks: ["Cancels everything that is in the queue now", "each call has its notice"],
      rejectedBy: ["where calls overlap, nobody begins before the last has told everybody"],
      advice: """
        The call that is under way doesn't know what was added since, nor of the second notice: do \
        everything in each call.
        """),
    Mistake(
      "one count for all queues",
      .edits([
        Edit(
          "[ObjectIdentifier: Int] = [:]\n",
          "[ObjectIdentifier: Int] = [:]\n  private nonisolated(unsafe) var waiting: [OperationQueue] = []\n"
        ),
        Edit(
          "      counts[ObjectIdentifier(queue), default: 0] += 1\n",
          "      counts[ObjectIdentifier(Self.self), default: 0] += 1\n      waiting.append(queue)\n"
        ),
        Edit(
          """
                let others = counts[ObjectIdentifier(queue), default: 1] - 1
                counts[ObjectIdentifier(queue)] = others > 0 ? others : nil

          """,
          """
                let others = counts[ObjectIdentifier(Self.self), default: 1] - 1
                counts[ObjectIdentifier(Self.self)] = others > 0 ? others : nil

          """),
        Edit(
          "      if others == 0 { queue.isSuspended = false }\n",
          """
                guard others == 0 else { return }
                for queue in waiting { queue.isSuspended = false }
                waiting.removeAll()

          """),
      ]),
      breaks: ["nor held up"],
      rejectedBy: ["no queue is held up because another one is told"],
      advice: """
        A queue that is emptied stands still until the operations of another have been told: keep a \
        count for each queue.
        """),
    Mistake(
      "nothing guards the count",
      .edits([
        Edit(
          "    lock.withLock {\n      counts[ObjectIdentifier(queue), default: 0] += 1\n",
          "    do {\n      counts[ObjectIdentifier(queue), default: 0] += 1\n"),
        Edit("    lock.withLock {\n      let others", "    do {\n      let others"),
      ]),
      breaks: ["Safe to call from every thread"],
      rejectedBy: ["two calls may come from two threads"], verdict: .race,
      advice:
        "Two threads may empty two queues at once, and both count: guard the counts with a lock."),
    Mistake(
      "waits for the notice queue where nothing has to leave",
      .edit(
        noticeBlock,
        """
        BlockOperation { noticeQueue.async(execute: onEmpty) }
            guard !operations.isEmpty else {
              \(resume.trimmingPrefix("    "))      return noticeQueue.sync(execute: onEmpty)
            }
        """),
      breaks: ["Returns at once"],
      rejectedBy: ["an empty queue may be emptied on the notice queue"], verdict: .crashed,
      advice:
        "Whoever calls may be on the notice queue, and would wait for itself: give the notice by async."
    ),
    Mistake(
      "looks now and then",
      .edit(
        seeToNotice,
        """
            @Sendable func look() {
              DispatchQueue.global().asyncAfter(deadline: .now() + 60) {
                guard operations.allSatisfy(\\.isFinished) else { return look() }
                noticeQueue.async(execute: onEmpty)
              }
            }
            look()

        """),
      breaks: ["nothing looks again and again whether they have left"],
      rejectedBy: ["the notice comes when the last has left"],
      advice: """
        Between two looks the notice is late, and each look is for nothing but the last: let an \
        operation depend on those that leave.
        """),
  ]
}
