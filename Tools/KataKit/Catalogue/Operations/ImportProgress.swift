extension Kata {
  static let importProgress = Kata(
    "ImportProgress", module: .operations,
    title: "A progress bar that never goes back",
    difficulty: 3, minutes: 30, needs: ["DataPassing"],
    hints: [
      """
      Two questions. How do you hear of the end of a job that knows nothing of you, may have been \
      cancelled, and may have ended before you were asked? And what may a bar show while nobody knows how \
      much there will be?
      """,
      """
      An operation that depends on the job runs when the job has ended, in whatever way; put one for each \
      job into a queue of your own, and count there, under a lock. For the bar remember the last report: \
      show the larger fraction, and tell nothing twice. As long as the import is open, divide by one more \
      than there are.
      """,
      """
      change { tally.total += jobs.count }; for each job: let follower = BlockOperation { self.change { \
      $0.finished += 1 } }; follower.addDependency(job); followers.addOperation(follower). change: \
      lock.withLock { count(&tally); expected = isClosed ? total : total + 1; share = expected == 0 ? 1 : \
      finished / expected; report with max(share, told.fraction); guard report != told; told = report; \
      noticeQueue.async { onChange(report) } }.
      """,
    ],
    questions: [
      Question(
        "Three of three jobs have ended, and the import is still open. Why isn't the bar full?",
        answer: """
          There may be more to come, and then a full bar would have to go back. So as long as it's \
          open one more job is expected.
          """),
      Question(
        """
        The reports are put on the notice queue with the lock held. Why doesn't that break the \
        rule to call nobody under a lock?
        """,
        answer: """
          `async` only puts a block in line and calls nobody. And it has to be there: put in line \
          outside the lock, two reports could change places, and the bar would go back.
          """),
      Question(
        "How does a cancelled job come to be counted, although it never ran?",
        answer: """
          A follower depends on the job, and a dependency asks for *finished*, which a cancelled \
          job is once it has left its queue. Counting in the job's own work would miss it.
          """),
    ],
    mistakes: barMistakes + countMistakes + noticeMistakes + holdMistakes,
    rightAnswers: [
      RightAnswer("tells the newest only", .file("NewestOnly.swift")),
      RightAnswer(
        "a queue keeps the count",
        .edits([
          Edit(
            "  private let lock = NSLock()\n  // Safe: guarded by `lock`.\n",
            """
              private let ledger = DispatchQueue(label: "katas.answers.import-progress")
              // Safe: used on `ledger` alone.

            """),
          Edit("lock.withLock { tally.told }", "ledger.sync { tally.told }"),
          Edit(lock, "    ledger.sync {\n      count(&tally)\n"),
        ])),
      RightAnswer(
        "a thread waits for each job",
        .edits([
          Edit(
            follow,
            """
                  Thread.detachNewThread {
                    job.waitUntilFinished()
                    self.change { $0.finished += 1 }
                  }

            """),
          Edit(
            """
              /// Where an operation for each job waits for the job's end; waiting there holds no thread.
              private let followers = OperationQueue()

            """, ""),
          Edit(
            """
                followers.name = "katas.operations.import-progress"
                followers.maxConcurrentOperationCount = 1

            """, ""),
        ])),
    ])

  // MARK: - Pieces of the reference

  private static let lock = "    lock.withLock {\n      count(&tally)\n"
  private static let grow = "      tally.total += jobs.count\n"
  private static let follow = """
          let follower = BlockOperation { self.change { $0.finished += 1 } }
          follower.addDependency(job)
          followers.addOperation(follower)

    """
  private static let count = "self.change { $0.finished += 1 }"
  private static let expected = "isClosed ? total : total + 1"
  private static let share =
    "    let share = expected == 0 ? 1 : Double(finished) / Double(expected)\n"
  private static let news = "      guard report != tally.told else { return }\n"
  private static let tell = "      noticeQueue.async { [onChange] in onChange(report) }\n"
  private static let add = "  public func add(_ jobs: [Operation]) {\n"

  // MARK: - The bar

  private static let barMistakes = [
    Mistake(
      "total set once", .edit(grow, "      if tally.total == 0 { tally.total = jobs.count }\n"),
      rejectedBy: ["the total may grow, and the fraction never goes back"],
      advice: "People add photos while the first are still on their way: let the total grow."),
    Mistake(
      "the bar goes back", .edit("max(share, told.fraction)", "share"),
      rejectedBy: ["the total may grow, and the fraction never goes back"],
      advice: """
        More jobs make the share of those that have ended smaller: show the largest fraction so far.
        """),
    Mistake(
      "full before the end", .edit(expected, "total"),
      rejectedBy: [
        "it isn't at its end as long as more may come",
        "an import without jobs ends when it is closed",
      ],
      advice: """
        All that's known has ended, and then more comes: as long as the import is open, expect at least \
        one more.
        """),
    Mistake(
      "full when it's closed",
      .edit(share, "    let share = isClosed ? 1 : Double(finished) / Double(expected)\n"),
      rejectedBy: [
        "it tells how many of how many have ended", "it ends at 1, once",
      ],
      advice: "Closed means that nothing more is added; what there is has still to end."),
    Mistake(
      "empty until it's closed",
      .edit(
        share, share.replacing("expected == 0 ? 1 :", with: "expected == 0 ? 1 : !isClosed ? 0 :")),
      rejectedBy: ["each end adds to it, also while more may come"],
      advice: """
        A bar that doesn't move looks stuck: show a share of what's known, a little less than it is.
        """),
    Mistake(
      "nothing is never done",
      .edit(share, share.replacing("expected == 0 ? 1", with: "expected == 0 ? 0")),
      rejectedBy: ["an import without jobs ends when it is closed"],
      advice: "Zero of zero is all there is: a closed import without jobs is at its end."),
    Mistake(
      "the fraction in whole numbers",
      .edit(share, "    let share = expected == 0 ? 1 : Double(finished / expected)\n"),
      rejectedBy: [
        "it tells how many of how many have ended", "each end adds to it, also while more may come",
      ],
      advice: "2 / 4 is 0 among whole numbers: convert both before you divide."),
  ]

  // MARK: - What counts

  private static let countMistakes = [
    Mistake(
      "cancelled jobs don't count",
      .edit(count, "if !job.isCancelled { self.change { $0.finished += 1 } }"),
      rejectedBy: ["cancelled jobs count"],
      advice: "Then the bar never comes to its end: a cancelled job has ended too."),
    Mistake(
      "cancelled jobs leave the total",
      .edit(
        count,
        """
        if job.isCancelled {
                  self.change { $0.total -= 1 }
                } else {
                  self.change { $0.finished += 1 }
                }
        """),
      rejectedBy: ["cancelled jobs count"],
      advice:
        "\"3 of 5\" becomes \"3 of 4\" before people's eyes: count what has ended, in any way."),
    Mistake(
      "the completion block of the job",
      .edit(follow, "      job.completionBlock = { self.change { $0.finished += 1 } }\n"),
      rejectedBy: [
        "jobs that had ended before count too", "their completion blocks are called",
      ],
      advice: """
        The block belongs to whoever made the job, and one that has ended never calls it: let an \
        operation depend on the job.
        """),
    Mistake(
      "a block around the completion block",
      .edit(
        follow,
        """
              let former = job.completionBlock
              job.completionBlock = {
                former?()
                self.change { $0.finished += 1 }
              }

        """),
      rejectedBy: ["jobs that had ended before count too"],
      advice: """
        A job that has ended never calls it, and whoever sets the block later throws yours away: let an \
        operation depend on the job.
        """),
    Mistake(
      "those that had ended don't count",
      .edit(
        "    for job in jobs {\n      let follower",
        "    for job in jobs where !job.isFinished {\n      let follower"),
      rejectedBy: ["jobs that had ended before count too"],
      advice:
        "They're in the total, so they must be counted as well: a dependency on them is met at once."
    ),
    Mistake(
      "one after another",
      .edit(
        "    for job in jobs {\n" + follow + "    }\n",
        """
            Thread.detachNewThread {
              for job in jobs {
                job.waitUntilFinished()
                self.change { $0.finished += 1 }
              }
            }

        """),
      rejectedBy: ["it tells how many of how many have ended"],
      advice: """
        Jobs end in any order, and the first may be the slowest: wait for each on its own, without a \
        thread.
        """),
    Mistake(
      "waits for the jobs",
      .edit(
        follow,
        """
              job.waitUntilFinished()
              change { $0.finished += 1 }

        """),
      rejectedBy: ["it tells how many of how many have ended"], verdict: .hung,
      advice: "Who adds the jobs is who has to start them, or the main thread: return at once."),
  ]

  // MARK: - Who is told

  private static let noticeMistakes = [
    Mistake(
      "callback on the worker", .edit(tell, "      onChange(report)\n"),
      rejectedBy: ["reports come on the notice queue"],
      advice: """
        Jobs end on any thread, and a bar may be moved on one alone: hand each report to the notice \
        queue.
        """),
    Mistake(
      "waits for whoever watches", .edit(tell, "      noticeQueue.sync { onChange(report) }\n"),
      rejectedBy: ["nobody is held while the notice queue is busy"], verdict: .hung,
      advice: """
        The main queue may be busy, or wait for you: put the report in line with async, and go on.
        """),
    Mistake(
      "tells what is newest when it's heard",
      .edit(tell, "      noticeQueue.async { self.onChange(self.current) }\n"),
      rejectedBy: ["it ends at 1, once"],
      advice: """
        When several notices were in line, each of them tells the last report: hand over the report that \
        belongs to the notice.
        """),
    Mistake(
      "tells it again", .edit(news, ""),
      rejectedBy: ["it ends at 1, once"],
      advice: "Whoever celebrates at 1 does so twice: tell a report only if it says something new."),
    Mistake(
      "says nothing of new jobs",
      .edit(
        news,
        """
              guard report != tally.told else { return }
              if report.total > tally.told.total { return tally.told = report }

        """),
      rejectedBy: ["it tells how many of how many have ended"],
      advice: "\"0 of 4\" is news too: tell it when jobs are added."),
    Mistake(
      "count unguarded",
      .edits([
        Edit("lock.withLock { tally.told }", "tally.told"),
        Edit(lock, "    do {\n      count(&tally)\n"),
      ]),
      rejectedBy: ["the newest report may be read while jobs end"], verdict: .race,
      advice: """
        Jobs end on many threads, and += is a read and a write: count under a lock, and read under it \
        too.
        """),
  ]

  // MARK: - Who is held

  private static let holdMistakes = [
    Mistake(
      "nobody there to count",
      .edit(count, "[weak self] in self?.change { $0.finished += 1 }"),
      rejectedBy: ["it goes on when nobody holds it"],
      advice: """
        The bar is on the screen as long as jobs are under way, whoever holds the progress: let what \
        counts hold it.
        """),
    Mistake(
      "keeps the jobs",
      .edits([
        Edit(grow, grow + "      tally.jobs += jobs\n"),
        Edit("  var finished = 0\n", "  var jobs: [Operation] = []\n  var finished = 0\n"),
      ]),
      rejectedBy: ["it holds neither jobs nor itself in the end"],
      advice: "Each job holds its photo: let go of it when it has ended, not when all have."),
    Mistake(
      "keeps itself",
      .edits([
        Edit(grow, grow + "      tally.keep = self\n"),
        Edit("  var finished = 0\n", "  var keep: ImportProgress?\n  var finished = 0\n"),
      ]),
      rejectedBy: ["it holds neither jobs nor itself in the end"],
      advice: "What holds itself never goes away: let the operations that wait hold it, they end."),
  ]
}
