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
      job into a queue of your own, and count there, under a lock. Those that have ended already are \
      counted while you add them. For the bar remember the last report: show the larger fraction, and tell \
      nothing twice. As long as the import is open, divide by one more than there are, and let each end \
      add a part of what is left of the bar at least.
      """,
      """
      underWay = jobs.filter { !$0.isFinished }; change { total += jobs.count; finished += jobs.count - \
      underWay.count }; for each job under way: let follower = BlockOperation { self.change { $0.finished \
      += 1 } }; follower.addDependency(job); followers.addOperation(follower). change: lock.withLock { \
      count(&tally); expected = isClosed ? total : total + 1; share = expected == 0 ? 1 : finished / \
      expected; step = open and finished > told.finished ? (1 - told.fraction) / (total + 1) : 0; report \
      with max(share, told.fraction + step); guard report != told; told = report; noticeQueue.async { \
      onChange(report) } }.
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
        "smaller steps", .edit("/ Double(total + 1)\n", "/ Double(3 * total + 100)\n")),
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
    ],
    unproven: [
      Unproven("How far an import has come.", "says what a report is"),
      Unproven("none of which was added before", "a demand on the caller"),
      Unproven("The import is open.", "a demand on the caller"),
    ],
    equivalents: [
      Equivalent(
        #"left out: followers.name = "katas.operations.import-progress""#, "For the debugger."),
      Equivalent(
        #"swapped with the next: followers.name = "katas.operations.import-progress""#,
        "Neither depends on the other."),
      Equivalent("left out: followers.maxConcurrentOperationCount = 1", "It saves threads."),
      Equivalent(
        "another constant: followers.maxConcurrentOperationCount = 1 (2)", "It saves threads."),
      Equivalent(
        "swapped with the next: tally.total += jobs.count", "Both are done under the lock."),
      Equivalent(
        "another constant: let expected = isClosed ? total : total + 1 (2)",
        "How far the bar stands on its way is left open."),
      Equivalent(
        "another constant: return (1 - told.fraction) / Double(total + 1) (4)",
        "How far the bar stands on its way is left open."),
      Equivalent(
        "swapped with the next: self.onChange = onChange",
        "Nobody has the object before its initialiser ends."),
    ],
    elusive: [
      Elusive(
        "swapped with the next: change { tally in …",
        "A job that ends between the two counts before it is added."),
      Elusive(
        "split before let report = tally.report: lock.withLock { …",
        "Two ends between the two bring one report."),
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
  private static let ended = "      tally.finished += jobs.count - underWay.count\n"
  private static let step = "told.fraction + step"
  private static let news = "      guard report != tally.told else { return }\n"
  private static let tell = "      noticeQueue.async { [onChange] in onChange(report) }\n"
  private static let add = "  public func add(_ jobs: [Operation]) {\n"

  // MARK: - The bar

  private static let barMistakes = [
    Mistake(
      "total set once", .edit(grow, "      if tally.total == 0 { tally.total = jobs.count }\n"),
      breaks: ["How many jobs there are, as far as is known.", "Adds jobs to the import."],
      rejectedBy: ["the total may grow, and the fraction never goes back"],
      advice: "People add photos while the first are still on their way: let the total grow."),
    Mistake(
      "the bar goes back", .edit("max(share, told.fraction + step)", "share"),
      breaks: ["The bar never goes back", "is never less than in an earlier report"],
      rejectedBy: ["the total may grow, and the fraction never goes back"],
      advice: """
        More jobs make the share of those that have ended smaller: show the largest fraction so far.
        """),
    Mistake(
      "stands still until the share has caught up", .edit(step, "told.fraction"),
      breaks: ["each job that ends adds to it, however many"],
      rejectedBy: ["each end adds to it, also after more were added"],
      advice: """
        After more jobs were added many end and the bar doesn't move: let each end add a part of what is \
        left of it.
        """),
    Mistake(
      "adds to it also when it's closed",
      .edit("    guard !isClosed, finished > told.finished", "    guard finished > told.finished"),
      breaks: ["Once it's closed it is `finished / total`"],
      rejectedBy: ["once it's closed, the share counts, or what it was"],
      advice: """
        Nothing more will come, so the share is known: the bar waits until that has caught up, and \
        stays exact from then on.
        """),
    Mistake(
      "tells a new fraction alone",
      .edit(
        news,
        """
              guard report.fraction != tally.told.fraction || report.total != tally.told.total else {
                return
              }

        """),
      breaks: ["Called with each new report", "How many jobs have ended"],
      rejectedBy: ["once it's closed, the share counts, or what it was"],
      advice: """
        The bar may stand still while the label counts on: a report is new where anything in it is.
        """),
    Mistake(
      "half of what is left, each time",
      .edit(
        "(1 - told.fraction) / Double(total + 1)",
        "(1 - told.fraction) / Double(total - finished + 2)"),
      breaks: ["and less until then"],
      rejectedBy: ["many small additions don't fill it"],
      advice: """
        Where photos are added one by one that's a half each time, and after 54 halves a Double says 1: \
        share what is left among all that there are.
        """),
    Mistake(
      "current counts for itself",
      .edit(
        "public var current: Report { lock.withLock { tally.told } }",
        """
        public var current: Report {
            lock.withLock {
              Report(
                finished: tally.finished, total: tally.total,
                fraction: Double(tally.finished) / Double(tally.total))
            }
          }
        """),
      breaks: [
        "How much of a bar to fill, from 0 to 1.", "It begins at 0",
        "The newest report, whether it has been told yet or not.",
        "Creates the progress of an import that is open and has no jobs yet.",
      ],
      rejectedBy: ["a new import is open and has no jobs"],
      advice: """
        Nothing divided by nothing is no number, and who asks is told of another bar than who watches: \
        return the report that was made last.
        """),
    Mistake(
      "close turns round",
      .edit("change { $0.isClosed = true }", "change { $0.isClosed.toggle() }"),
      breaks: ["To close it again does nothing."],
      rejectedBy: ["it ends at 1, once"],
      advice: "Whoever closes it a second time opens it again: set it to true."),
    Mistake(
      "full before the end", .edit(expected, "total"),
      breaks: ["It's full at the end, and not before", "and less until then"],
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
      breaks: ["Once it's closed it is `finished / total`", "when all have ended it's at its end"],
      rejectedBy: [
        "it tells how many of how many have ended", "it ends at 1, once",
      ],
      advice: "Closed means that nothing more is added; what there is has still to end."),
    Mistake(
      "empty until it's closed",
      .edits([
        Edit(
          share,
          share.replacing("expected == 0 ? 1 :", with: "expected == 0 ? 1 : !isClosed ? 0 :")),
        Edit(step, "told.fraction"),
      ]),
      breaks: ["each job that ends adds to it, however many"],
      rejectedBy: ["each end adds to it, also while more may come"],
      advice: """
        A bar that doesn't move looks stuck: show a share of what's known, a little less than it is.
        """),
    Mistake(
      "nothing is never done",
      .edit(share, share.replacing("expected == 0 ? 1", with: "expected == 0 ? 0")),
      breaks: ["It's 1 when the import is closed and all jobs have ended", "It's full at the end"],
      rejectedBy: ["an import without jobs ends when it is closed"],
      advice: "Zero of zero is all there is: a closed import without jobs is at its end."),
    Mistake(
      "the fraction in whole numbers",
      .edit(share, "    let share = expected == 0 ? 1 : Double(finished / expected)\n"),
      breaks: ["Once it's closed it is `finished / total`"],
      rejectedBy: ["it tells how many of how many have ended"],
      advice: "2 / 4 is 0 among whole numbers: convert both before you divide."),
  ]

  // MARK: - What counts

  private static let countMistakes = [
    Mistake(
      "cancelled jobs don't count",
      .edit(count, "if !job.isCancelled { self.change { $0.finished += 1 } }"),
      breaks: [
        "whoever waits for a cancelled job would wait for ever", "cancelled ones among them",
      ],
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
      breaks: ["How many jobs there are", "cancelled ones among them"],
      rejectedBy: ["cancelled jobs count"],
      advice:
        "\"3 of 5\" becomes \"3 of 4\" before people's eyes: count what has ended, in any way."),
    Mistake(
      "the completion block of the job",
      .edit(follow, "      job.completionBlock = { self.change { $0.finished += 1 } }\n"),
      breaks: ["Their completion blocks aren't touched."],
      rejectedBy: ["their completion blocks are called"],
      advice: """
        The block belongs to whoever made the job: let an operation depend on the job.
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
      breaks: [
        "Their completion blocks aren't touched.",
        "A job counts when it has ended, in one way or another",
      ],
      rejectedBy: ["their completion blocks are called"],
      advice: """
        Whoever sets the block later throws yours away, and the job is never counted: let an operation \
        depend on the job.
        """),
    Mistake(
      "those that had ended don't count",
      .edit(ended, ""),
      breaks: ["those that have ended by now are counted"],
      rejectedBy: ["jobs that had ended before count too"],
      advice:
        "They're in the total, so they must be counted as well: a dependency on them is met at once."
    ),
    Mistake(
      "those that had ended count a little later",
      .edits([
        Edit(ended, ""),
        Edit("    for job in underWay {\n", "    for job in jobs {\n"),
      ]),
      breaks: ["are counted when it returns"],
      rejectedBy: ["jobs that had ended count when add returns"],
      advice: """
        Whoever reads current after add finds none of them: count those that have ended while you add \
        them.
        """),
    Mistake(
      "starts the jobs",
      .edit(
        "      followers.addOperation(follower)\n",
        "      followers.addOperations([job, follower], waitUntilFinished: false)\n"),
      breaks: ["in none and started by hand"],
      rejectedBy: ["it tells how many of how many have ended"],
      advice: "Whose jobs they are says where they run, and when: only wait for their end."),
    Mistake(
      "one after another",
      .edit(
        "    for job in underWay {\n" + follow + "    }\n",
        """
            Thread.detachNewThread {
              for job in jobs {
                job.waitUntilFinished()
                self.change { $0.finished += 1 }
              }
            }

        """),
      breaks: ["Counts the jobs of an import as they end"],
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
      breaks: ["Call it before or after they're added to a queue"],
      rejectedBy: ["it tells how many of how many have ended"], verdict: .hung,
      advice: "Who adds the jobs is who has to start them, or the main thread: return at once."),
  ]

  // MARK: - Who is told

  private static let noticeMistakes = [
    Mistake(
      "callback on the worker", .edit(tell, "      onChange(report)\n"),
      breaks: ["The serial queue that `onChange` is called on."],
      rejectedBy: ["reports come on the notice queue"],
      advice: """
        Jobs end on any thread, and a bar may be moved on one alone: hand each report to the notice \
        queue.
        """),
    Mistake(
      "waits for whoever watches", .edit(tell, "      noticeQueue.sync { onChange(report) }\n"),
      breaks: ["Nobody is held, however long the notice queue is busy."],
      rejectedBy: ["nobody is held while the notice queue is busy"], verdict: .hung,
      advice: """
        The main queue may be busy, or wait for you: put the report in line with async, and go on.
        """),
    Mistake(
      "current waits for whoever watches",
      .edit(
        "public var current: Report { lock.withLock { tally.told } }",
        "public var current: Report { noticeQueue.sync { lock.withLock { tally.told } } }"),
      breaks: ["Doesn't wait for the notice queue."],
      rejectedBy: ["nobody is held while the notice queue is busy"], verdict: .hung,
      advice: "Whoever asks may be in a hurry, or on that queue: the lock alone guards the report."),
    Mistake(
      "tells with the lock held",
      .edit(
        tell, "      noticeQueue.async { [self] in lock.withLock { onChange(report) } }\n"),
      breaks: ["Nobody is held, however long"],
      rejectedBy: ["nobody is held while somebody is told"], verdict: .hung,
      advice: """
        Who is told may take long, or ask for current, and then waits for itself: call nobody with the \
        lock held.
        """),
    Mistake(
      "the newest first",
      .edits([
        Edit(
          "  var isClosed = false\n",
          "  var isClosed = false\n  var line: [ImportProgress.Report] = []\n"),
        Edit(
          tell,
          """
                tally.line.append(report)
                noticeQueue.async { [self] in
                  if let next = lock.withLock({ tally.line.popLast() }) { onChange(next) }
                }

          """),
      ]),
      breaks: ["in the order of counting"],
      rejectedBy: ["it ends at 1, once"],
      advice: """
        What was put in last comes out first, and the bar goes back: hand each report over with its \
        notice.
        """),
    Mistake(
      "none while one stands in line",
      .edits([
        Edit("  var isClosed = false\n", "  var isClosed = false\n  var isInLine = false\n"),
        Edit(
          tell,
          """
                guard !tally.isInLine else { return }
                tally.isInLine = true
                noticeQueue.async { [self] in
                  lock.withLock { tally.isInLine = false }
                  onChange(report)
                }

          """),
      ]),
      breaks: ["the last one never is"],
      rejectedBy: ["it ends at 1, once"],
      advice: """
        What comes while one is in line is never told, not even the end: tell the newest when its turn \
        comes, or each.
        """),
    Mistake(
      "tells what is newest when it's heard",
      .edit(tell, "      noticeQueue.async { self.onChange(self.current) }\n"),
      breaks: ["Nothing is told twice"],
      rejectedBy: ["it ends at 1, once"],
      advice: """
        When several notices were in line, each of them tells the last report: hand over the report that \
        belongs to the notice.
        """),
    Mistake(
      "tells it again", .edit(news, ""),
      breaks: ["so a full bar is told once"],
      rejectedBy: ["it ends at 1, once"],
      advice: "Whoever celebrates at 1 does so twice: tell a report only if it says something new."),
    Mistake(
      "tells it again as long as it isn't full",
      .edit(news, "      guard report != tally.told || report.fraction < 1 else { return }\n"),
      breaks: ["Nothing is told twice"],
      rejectedBy: ["nothing new isn't told"],
      advice: "That nothing was added is no news: compare the whole report with what was told last."
    ),
    Mistake(
      "nobody there to tell",
      .edit(tell, "      noticeQueue.async { [weak self] in self?.onChange(report) }\n"),
      breaks: ["even if nobody holds the progress any more", "the last one never is"],
      rejectedBy: ["what stands in line is told though nobody holds it"],
      advice: """
        When its turn comes, the progress may be gone, and the bar never gets to its end: let the notice \
        hold what it calls.
        """),
    Mistake(
      "says nothing of new jobs",
      .edit(
        news,
        """
              guard report != tally.told else { return }
              if report.total > tally.told.total { return tally.told = report }

        """),
      breaks: ["Called with each new report"],
      rejectedBy: ["it tells how many of how many have ended"],
      advice: "\"0 of 4\" is news too: tell it when jobs are added."),
    Mistake(
      "count unguarded",
      .edits([
        Edit("lock.withLock { tally.told }", "tally.told"),
        Edit(lock, "    do {\n      count(&tally)\n"),
      ]),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["the newest report may be read while jobs end"], verdict: .race,
      advice: """
        Jobs end on many threads, and += is a read and a write: count under a lock, and read under it \
        too.
        """),
    Mistake(
      "current unguarded", .edit("lock.withLock { tally.told }", "tally.told"),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["the newest report may be read while jobs end"], verdict: .race,
      advice: "A report is three numbers, and one may be old: read under the lock as well."),
    Mistake(
      "adds unguarded",
      .edits([
        Edit("    change { tally in\n", "    tally.total += jobs.count\n    change { tally in\n"),
        Edit(grow, ""),
      ]),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["two threads may add and close at once"], verdict: .race,
      advice: "Two threads may add at once, and jobs end meanwhile: count under the lock."),
    Mistake(
      "closes unguarded",
      .edit(
        "    change { $0.isClosed = true }\n", "    tally.isClosed = true\n    change { _ in }\n"),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["two threads may add and close at once"], verdict: .race,
      advice: "Jobs may be counted at that moment: close it under the lock."),
  ]

  // MARK: - Who is held

  private static let holdMistakes = [
    Mistake(
      "nobody there to count",
      .edit(count, "[weak self] in self?.change { $0.finished += 1 }"),
      breaks: ["even if nobody holds the progress any more"],
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
      breaks: ["it holds neither them nor itself"],
      rejectedBy: ["it holds neither jobs nor itself in the end"],
      advice: "Each job holds its photo: let go of it when it has ended, not when all have."),
    Mistake(
      "keeps itself",
      .edits([
        Edit(grow, grow + "      tally.keep = self\n"),
        Edit("  var finished = 0\n", "  var keep: ImportProgress?\n  var finished = 0\n"),
      ]),
      breaks: ["it holds neither them nor itself"],
      rejectedBy: ["it holds neither jobs nor itself in the end"],
      advice: "What holds itself never goes away: let the operations that wait hold it, they end."),
    Mistake(
      "keeps itself until it's closed",
      .edits([
        Edit(grow, grow + "      tally.keep = self\n"),
        Edit("  var isClosed = false\n", "  var isClosed = false\n  var keep: ImportProgress?\n"),
        Edit(
          "      count(&tally)\n",
          """
                count(&tally)
                if tally.isClosed, tally.finished == tally.total { tally.keep = nil }

          """),
      ]),
      breaks: ["it holds neither them nor itself"],
      rejectedBy: ["it holds neither jobs nor itself in the end"],
      advice: """
        Whoever wanted to close it may be gone, and then it never goes: let the operations that wait hold \
        it.
        """),
  ]
}
