import Foundation
import KataTesting
import Testing

/// Proves that the progress counts every end once, never goes back, and is at its end only when nothing
/// more can come.
@Suite(.serialized, .kata) struct ImportProgressTests {
  let watcher = ProgressWatcher()

  // MARK: - What is told

  @Test func `a new import is open and has no jobs`() throws {
    let progress = watcher.progress()
    let report = try mustReturn("current") { progress.current }
    #expect(
      report.finished == 0 && report.total == 0 && report.fraction == 0,
      """
      An import without jobs says \(report.finished) of \(report.total), fraction \(report.fraction). It \
      begins with 0 of 0 and an empty bar: nothing divided by nothing is no number.
      """)
  }

  @Test func `it tells how many of how many have ended`() throws {
    let jobs = jobs(4)
    let progress = try progress(of: jobs)
    try #require(
      !watcher.reports.isEmpty,
      """
      Four jobs were added, and onChange was never called: tell it on the notice queue that 0 of 4 \
      have ended.
      """)
    expectLast(0, of: 4, "Four jobs were added, and none has ended.")
    try close(progress)
    // Not in the order in which they were added.
    for (index, job) in [2, 0, 3, 1].enumerated() {
      end(jobs[job])
      expectLast(
        index + 1, of: 4, fraction: Double(index + 1) / 4,
        "Job \(job + 1) has ended as number \(index + 1), whatever the others do.")
    }
    expectNeverBack()
  }

  @Test func `reports come on the notice queue`() throws {
    let job = BlockOperation {}
    let progress = try progress(of: [job])
    end(job)
    try close(progress)
    try #require(!watcher.reports.isEmpty, "A job was added and has ended, and nothing was told.")
    #expect(
      watcher.heardElsewhere == 0,
      watcher.showing(
        """
        \(watcher.heardElsewhere) of \(watcher.reports.count) reports came on another thread than the \
        notice queue's. Whoever watches moves a bar, which may be done on one queue alone.
        """))
  }

  // notice queue   caller         a job
  // busy
  //                adds
  //                               ends
  //                reads: 1 of 2
  //                closes
  // free: told
  @Test func `nobody is held while the notice queue is busy`() throws {
    let jobs = jobs(2)
    let progress = watcher.progress()
    watcher.noticeQueue.suspend()
    defer {
      watcher.noticeQueue.resume()
      runUntilQuiet()
    }
    try add(jobs, to: progress)
    try mustReturn("the end of a job") { jobs[0].start() }
    runUntilQuiet()
    let report = try mustReturn(
      "current", "It waits for a lock: whoever holds it mustn't wait for the notice queue."
    ) { progress.current }
    #expect(
      report.finished == 1 && report.total == 2,
      """
      The notice queue is busy, and one of two jobs has ended: current must say so, and says \
      \(report.finished) of \(report.total).
      """)
    try close(progress)
    try mustReturn("the end of a job") { jobs[1].start() }
  }

  // a person              the import
  // hears of two jobs,
  // thinks it over
  //                       a job ends, current is read, it's closed
  // reads current
  @Test func `nobody is held while somebody is told`() throws {
    let jobs = jobs(2)
    let isThought = Gate("thinking it over")
    let asked = Locked<ImportProgress?>(nil)
    defer { asked.set(nil) }
    let isAnswered = Gate("what current says to who is told")
    let progress = watcher.progress { _ in
      isThought.wait()
      _ = asked.value?.current
      isAnswered.open()
    }
    asked.set(progress)
    try add(jobs, to: progress)
    try mustReturn(
      "the end of a job", "Somebody thinks over a report: call onChange without a lock."
    ) { jobs[0].start() }
    runUntilQuiet()
    try mustReturn(
      "current", "Somebody thinks over a report: call onChange without a lock."
    ) { _ = progress.current }
    try close(progress)
    isThought.open()
    eventually(
      """
      Who is told of a report reads current, and never comes back: whoever calls onChange must hold \
      nothing.
      """
    ) { isAnswered.isOpen }
    end(jobs[1])
    expectLast(2, of: 2, fraction: 1, "Both jobs have ended.")
  }

  // a person            the import
  // hears of one job,
  // thinks it over
  //                     two more are added
  // has heard it
  // hears of three
  @Test(arguments: [false, true])
  func `what changes while somebody is told is told as well`(byWhoeverIsTold: Bool) throws {
    let first = jobs(1)
    let more = jobs(2)
    let calls = Counter()
    let isThought = Gate("thinking it over")
    let asked = Locked<ImportProgress?>(nil)
    defer { asked.set(nil) }
    let progress = watcher.progress { _ in
      guard calls.increment() == 1 else { return }
      if byWhoeverIsTold { asked.value?.add(more) } else { isThought.wait() }
    }
    asked.set(progress)
    try add(first, to: progress)
    if !byWhoeverIsTold { try add(more, to: progress) }
    isThought.open()
    runUntilQuiet()
    expectLast(
      0, of: 3,
      """
      While somebody was told of one job, \(byWhoeverIsTold ? "and in that very call" : "on another thread"), \
      two more were added. The last report is never left out: if you keep a mark that a notice \
      stands in line, take it off before you read what is newest, not when onChange has returned.
      """)
  }

  @Test func `nothing new isn't told`() throws {
    let jobs = jobs(2)
    let progress = try progress(of: jobs)
    try add([], to: progress)
    try add([], to: progress)
    #expect(
      watcher.reports.count == 1,
      watcher.showing(
        """
        Two jobs were added, and then twice none. There was one thing to tell, and \
        \(watcher.reports.count) were told.
        """))
    expectNeverBack()
  }

  // MARK: - The fraction

  @Test func `the total may grow, and the fraction never goes back`() throws {
    let first = jobs(2)
    let more = jobs(8)
    let progress = try progress(of: first)
    end(first[0])
    let before = watcher.reports.last?.fraction ?? 0
    try add(more, to: progress)
    expectLast(1, of: 10, "One of two had ended when eight more were added.")
    #expect(
      watcher.reports.last?.fraction ?? 0 >= before,
      watcher.showing("Eight jobs were added to two, and the bar went back."))
    end(first[1])
    for job in more.prefix(4) { end(job) }
    let shown = watcher.reports.last?.fraction ?? 0
    try close(progress)
    expectLast(6, of: 10, fraction: max(0.6, shown), "Six of ten have ended.")
    for job in more.suffix(4) { end(job) }
    expectLast(10, of: 10, fraction: 1, "All have ended.")
    expectNeverBack()
  }

  @Test func `it isn't at its end as long as more may come`() throws {
    let jobs = jobs(3)
    let progress = try progress(of: Array(jobs.prefix(2)))
    for job in jobs.prefix(2) { end(job) }
    expectLast(2, of: 2, "Both jobs have ended.")
    #expect(
      watcher.ends == 0,
      watcher.showing(
        """
        All jobs that are known have ended, but the import is open: more may come. A bar that's full \
        now will have been wrong.
        """))
    try add([jobs[2]], to: progress)
    end(jobs[2])
    #expect(
      watcher.ends == 0,
      watcher.showing("The import is still open, and was said to be at its end."))
    try close(progress)
    expectLast(3, of: 3, fraction: 1, "All have ended, and no more will come.")
  }

  @Test func `each end adds to it, also while more may come`() throws {
    let jobs = jobs(4)
    let progress = watcher.progress()
    try add(jobs, to: progress)
    var fraction = watcher.reports.last?.fraction ?? 0
    #expect(fraction == 0, watcher.showing("No job has ended yet, so the bar is empty."))
    for job in jobs {
      end(job)
      let next = watcher.reports.last?.fraction ?? 0
      #expect(
        next > fraction,
        watcher.showing(
          """
          A job has ended, and the bar doesn't move: whoever watches thinks that it's stuck. It needn't \
          be exact while the import is open.
          """))
      fraction = next
    }
  }

  @Test func `each end adds to it, also after more were added`() throws {
    let first = jobs(2)
    let more = jobs(8)
    let progress = try progress(of: first)
    end(first[0])
    try add(more, to: progress)
    var fraction = watcher.reports.last?.fraction ?? 0
    for job in first.suffix(1) + more {
      end(job)
      let next = watcher.reports.last?.fraction ?? 0
      #expect(
        next > fraction && next < 1,
        watcher.showing(
          """
          One of two had ended when eight more were added, and now another one has ended. Each end must \
          add to the bar, and none may fill it: add a part of what is left, where the share hasn't \
          caught up with what was told.
          """))
      fraction = next
    }
    try close(progress)
    expectLast(10, of: 10, fraction: 1, "All have ended.")
  }

  @Test func `once it's closed, the share counts, or what it was`() throws {
    let jobs = jobs(10)
    let progress = try progress(of: Array(jobs.prefix(2)))
    end(jobs[0])
    try add(Array(jobs.suffix(8)), to: progress)
    end(jobs[1])
    let shown = watcher.reports.last?.fraction ?? 0
    try close(progress)
    for (index, job) in jobs.suffix(8).enumerated() {
      end(job)
      let finished = index + 3
      expectLast(
        finished, of: 10, fraction: max(Double(finished) / 10, shown),
        """
        Eight jobs were added when the first of two had ended, so the bar was ahead of the share when \
        the import was closed, at \(shown). Now it waits there until the share has caught up, and each \
        end is told all the same: its count is new.
        """)
    }
    expectNeverBack()
  }

  // A share of what is left that's always a half comes to 1 after 54 of them, in a Double.
  @Test func `many small additions don't fill it`() throws {
    let progress = watcher.progress()
    var fraction = 0.0
    for number in 1...60 {
      let job = BlockOperation {}
      try add([job], to: progress)
      job.start()
      eventually("A job has ended, and isn't counted.") { progress.current.finished == number }
      let next = progress.current.fraction
      try #require(
        next > fraction && next < 1,
        """
        Photos are chosen one by one, and each has ended before the next is added. After number \
        \(number) the fraction went from \(fraction) to \(next): each end must add to it, and it mustn't \
        be full. What is left of the bar has to be shared among all that ever come: divide by \
        total + 1.
        """)
      fraction = next
    }
    runUntilQuiet()
  }

  // The bar is ahead of the share all the time, and each end adds a part of what is left. A half of that
  // comes to 1 after 54 ends, in a Double, and a third after 93.
  @Test func `many ends don't fill it while others are under way`() throws {
    let progress = watcher.progress()
    // Few at a time: an answer may give a thread to each.
    var underWay = jobs(2)
    defer {
      for job in underWay { job.start() }
      runUntilQuiet()
    }
    try add(underWay, to: progress)
    underWay.removeFirst().start()
    eventually("A job has ended, and isn't counted.") { progress.current.finished == 1 }
    let more = jobs(4)
    try add(more, to: progress)
    underWay += more
    var fraction = progress.current.fraction
    for number in 2...100 {
      let job = BlockOperation {}
      progress.add([job])
      underWay.append(job)
      underWay.removeFirst().start()
      eventually("A job has ended, and isn't counted.") { progress.current.finished == number }
      let next = progress.current.fraction
      try #require(
        next > fraction && next < 1,
        """
        One of two had ended when more were added, and since then one is added for each that ends: \
        five are always under way. After number \(number) the fraction went from \(fraction) to \
        \(next): each end must add to it, and it mustn't be full. What is left of the bar has to be \
        shared among all that there are: divide by total + 1.
        """)
      fraction = next
    }
  }

  @Test(arguments: ImportEnding.allCases)
  func `it ends at 1, once`(ending: ImportEnding) throws {
    let jobs = jobs(2)
    let progress = try progress(of: jobs)
    switch ending {
    case .closedFirst:
      try close(progress)
      #expect(
        watcher.ends == 0,
        watcher.showing(
          "The import was closed while its jobs had still to begin: it isn't at its end."))
      for job in jobs { end(job) }
    case .closedTwice:
      try close(progress)
      try close(progress)
      for job in jobs { end(job) }
      expectLast(
        2, of: 2, fraction: 1,
        "It was closed twice, which is no more than closed, and all have ended.")
    case .closedLast:
      for job in jobs { end(job) }
      try close(progress)
    case .whileNobodyHears:
      watcher.noticeQueue.suspend()
      defer { watcher.noticeQueue.resume() }
      end(jobs[0])
      try close(progress)
      end(jobs[1])
    }
    try close(progress)
    expectLast(2, of: 2, fraction: 1, "Both jobs have ended, and the import is closed.")
    #expect(
      watcher.ends == 1,
      watcher.showing(
        """
        That the import is at its end must be told once, and was told \(watcher.ends) times \
        (\(ending.rawValue)): somebody plays a sound then.
        """))
    expectNeverBack()
  }

  @Test func `an import without jobs ends when it is closed`() throws {
    let progress = try progress(of: [])
    #expect(
      watcher.ends == 0, watcher.showing("No job was added yet, and the import is open."))
    try close(progress)
    expectLast(0, of: 0, fraction: 1, "There was nothing to import, and nothing will come.")
  }

  // MARK: - Which jobs count

  // a        cancelled before its start
  // b        cancelled at work
  // c, d     cancelled in the line of a suspended queue
  @Test func `cancelled jobs count`() throws {
    let queue = OperationQueue()
    queue.isSuspended = true
    let button = RedButton()
    let atWork = BlockOperation { button.press() }
    button.cancels(atWork)
    let byHand = [BlockOperation {}, atWork]
    let inLine = jobs(2)
    let progress = try progress(of: byHand + inLine)
    try close(progress)
    queue.addOperations(inLine, waitUntilFinished: false)

    byHand[0].cancel()
    end(byHand[0])
    expectLast(1, of: 4, fraction: 0.25, "One was cancelled, and has left without having worked.")
    end(byHand[1])
    expectLast(2, of: 4, fraction: 0.5, "Another one was cancelled while it worked, and has ended.")
    for job in inLine { job.cancel() }
    queue.isSuspended = false
    eventually(
      watcher.showing(
        """
        The last jobs were cancelled in their queue, and have left it. A bar that doesn't count them \
        stays where it is for ever.
        """)
    ) { watcher.ends > 0 }
    runUntilQuiet()
    expectLast(4, of: 4, fraction: 1, "All four were cancelled.")
  }

  // one       is cancelled, and in no queue yet
  // other     is cancelled at work, and goes on
  //           both are added
  // one       is started, and leaves
  // other     leaves
  @Test func `a cancelled job counts when it has ended, not before`() throws {
    let stays = Gate("the cancelled job goes on")
    let one = BlockOperation {}
    let other = BlockOperation { stays.wait() }
    let worker = TestThread("the cancelled job at work") { other.start() }
    runUntilQuiet()
    for job in [one, other] { job.cancel() }
    let progress = try progress(of: [one, other])
    try close(progress)
    expectLast(
      0, of: 2, fraction: 0,
      """
      Two jobs were cancelled before they were added: one has still to be started, the other is still at \
      work. A job counts when it has ended, so ask isFinished, not isCancelled.
      """)
    end(one)
    expectLast(1, of: 2, fraction: 0.5, "One was started, and has left without having worked.")
    stays.open()
    try worker.result()
    runUntilQuiet()
    expectLast(2, of: 2, fraction: 1, "The other one has ended as well.")
  }

  @Test func `jobs that had ended before count too`() throws {
    let jobs = jobs(3)
    jobs[0].start()
    jobs[1].cancel()
    jobs[1].start()
    runUntilQuiet()
    let progress = try progress(of: jobs)
    expectLast(2, of: 3, "Two of three had ended before they were added to the progress.")
    end(jobs[2])
    try close(progress)
    expectLast(3, of: 3, fraction: 1, "The third has ended as well.")
  }

  @Test func `jobs that had ended count when add returns`() throws {
    for _ in 0..<10 {
      let ended = jobs(20)
      for job in ended { job.start() }
      let other = BlockOperation {}
      let progress = ProgressWatcher().progress()
      let report = try mustReturn("add") {
        progress.add(ended + [other])
        return progress.current
      }
      try #require(
        report.finished == 20 && report.total == 21,
        """
        Twenty of 21 jobs had ended before they were added, and when add has returned, current says \
        \(report.finished) of \(report.total). A follower runs a little later: count those that have \
        ended while you add them.
        """)
      other.start()
      runUntilQuiet()
    }
  }

  @Test func `jobs of several queues count`() throws {
    let queues = [OperationQueue(), OperationQueue()]
    let progress = watcher.progress()
    for queue in queues {
      let jobs = jobs(4)
      try add(jobs, to: progress)
      queue.addOperations(jobs, waitUntilFinished: false)
    }
    try close(progress)
    eventually(watcher.showing("Eight jobs have ended, in two queues.")) { watcher.ends > 0 }
    runUntilQuiet()
    expectLast(8, of: 8, fraction: 1, "Eight jobs were added, four to each queue.")
    expectNeverBack()
  }

  @Test func `their completion blocks are called`() throws {
    let called = Counter()
    let jobs = jobs(2)
    jobs[0].completionBlock = { called.increment() }
    let progress = try progress(of: jobs)
    // Whoever made a job may set its block when it's known to the progress already.
    jobs[1].completionBlock = { called.increment() }
    for job in jobs { end(job) }
    try close(progress)
    expectLast(2, of: 2, fraction: 1, "Both jobs have ended.")
    #expect(
      called.value == 2,
      """
      Two jobs with completion blocks have ended, and \(called.value) blocks were called. They belong \
      to whoever made the jobs: don't put others in their place.
      """)
  }

  // MARK: - Many threads, and nobody

  @Test func `jobs that end on many threads are all counted`() throws {
    // Few enough that an answer may give a thread to each.
    let jobs = (0..<4).map { _ in self.jobs(3) }
    let progress = try progress(of: Array(jobs.joined()))
    try close(progress)
    try race("a thread that works off jobs", threads: jobs.count) { [jobs] thread in
      for job in jobs[thread] { job.start() }
    }
    runUntilQuiet()
    expectLast(12, of: 12, fraction: 1, "Twelve jobs have ended, on four threads.")
    #expect(watcher.ends == 1, watcher.showing("The end must be told once."))
    expectNeverBack()
  }

  // the counting thread      another thread
  // counts a job
  // tells
  //                          reads: nothing but a lock of the answer's orders the two
  @Test func `the newest report may be read while jobs end`() throws {
    let meeting = RelaxedRendezvous()
    let progress = watcher.progress { if $0.finished == 1 { meeting.changed() } }
    let job = BlockOperation {}
    // Before the reader comes, so that it is unordered with one thread alone: Thread Sanitizer says
    // nothing where the first that it finds has ended.
    try add([job], to: progress)
    let reader = meeting.looker("current") { _ = progress.current }
    job.start()
    try reader.result(timersInPlay: true)
    runUntilQuiet()
    #expect(
      progress.current == watcher.reports.last && progress.current.finished == 1,
      watcher.showing(
        """
        One job has ended, and current says \(progress.current.finished) of \
        \(progress.current.total): it must be the report that was told last.
        """))
  }

  // Nothing but a lock of the answer's orders the two.
  @Test(arguments: ImportCall.allCases)
  func `two threads may add and close at once`(call: ImportCall) throws {
    let jobs = jobs(3)
    let progress = try progress(of: [jobs[0]])
    // Nobody is told meanwhile: a third thread's locks would put the two in order.
    watcher.noticeQueue.suspend()
    try {
      defer { watcher.noticeQueue.resume() }
      try meet(
        "add or close", { progress.add([jobs[1]]) }, { call.make(progress, jobs[2]) })
    }()
    try close(progress)
    for job in jobs { end(job) }
    let total = call == .add ? 3 : 2
    expectLast(total, of: total, fraction: 1, "Two threads were at it, and all jobs have ended.")
  }

  @Test func `it goes on when nobody holds it`() throws {
    let jobs = jobs(2)
    try {
      let progress = try progress(of: jobs)
      try close(progress)
    }()
    for job in jobs { end(job) }
    expectLast(
      2, of: 2, fraction: 1,
      "Nobody holds the progress any more, but the jobs do end, and the bar is still on the screen."
    )
  }

  // notice queue      the import
  // busy
  //                   all jobs end, nobody holds the progress
  // free: told
  @Test func `what stands in line is told though nobody holds it`() throws {
    let jobs = jobs(2)
    watcher.noticeQueue.suspend()
    try {
      defer { watcher.noticeQueue.resume() }
      let progress = try progress(of: jobs)
      try close(progress)
      for job in jobs { end(job) }
    }()
    runUntilQuiet()
    expectLast(
      2, of: 2, fraction: 1,
      """
      The notice queue was busy until all jobs had ended and nobody held the progress any more. What \
      stands in line there has to hold what it needs.
      """)
  }

  @Test func `it holds neither jobs nor itself in the end`() throws {
    let progress = watcher.progress()
    let job = try endJob(of: progress)
    runUntilQuiet()
    #expect(watcher.reports.last?.finished == 1, watcher.showing("A job has ended."))
    #expect(
      job.isGone,
      "A job has ended and was counted, and is still held: with its photo, until the import is over."
    )

    for isClosed in [true, false] {
      let progress = try endProgress(closed: isClosed)
      runUntilQuiet()
      #expect(
        progress.isGone,
        """
        All jobs have ended, nobody uses the progress, and it's still held\(
          isClosed ? "" : ". It was never closed: whoever wanted to has gone").
        """)
    }
  }

  // MARK: - Fixtures

  /// Lets a job live to its end, and watches whether it's still there.
  private func endJob(of progress: ImportProgress) throws -> WeakReference<BlockOperation> {
    let job = BlockOperation {}
    try add([job], to: progress)
    // On a thread that ends: on Apple's platforms its autorelease pool goes with it.
    try mustReturn("the end of a job") { job.start() }
    runUntilQuiet()
    return WeakReference(job)
  }

  /// Lets the jobs of an import come to their end, and watches whether its progress is still there.
  private func endProgress(closed: Bool) throws -> WeakReference<ImportProgress> {
    let progress = ProgressWatcher().progress()
    _ = try endJob(of: progress)
    if closed { try close(progress) }
    return WeakReference(progress)
  }
}

/// In which order an import is closed, and its jobs end.
enum ImportEnding: String, CaseIterable, Sendable {
  case closedFirst = "closed, then the jobs ended"
  case closedTwice = "closed twice, then the jobs ended"
  case closedLast = "the jobs ended, then closed"
  case whileNobodyHears = "all while the notice queue was busy"
}

/// What the second of two threads does.
enum ImportCall: String, CaseIterable, Sendable {
  case add, close

  func make(_ progress: ImportProgress, _ job: Operation) {
    switch self {
    case .add: progress.add([job])
    case .close: progress.close()
    }
  }
}

extension ImportProgress: OpaqueMirror {}
