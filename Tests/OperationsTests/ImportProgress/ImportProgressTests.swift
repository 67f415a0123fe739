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
    let asked = LockedValue<ImportProgress?>(nil)
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
  func `what changes while somebody is told is told as well`(byItsObserver: Bool) throws {
    let first = jobs(1)
    let more = jobs(2)
    let calls = SharedCounter()
    let isThought = Gate("thinking it over")
    let asked = LockedValue<ImportProgress?>(nil)
    defer { asked.set(nil) }
    let progress = watcher.progress { _ in
      guard calls.increment() == 1 else { return }
      if byItsObserver { asked.value?.add(more) } else { isThought.wait() }
    }
    asked.set(progress)
    try add(first, to: progress)
    if !byItsObserver { try add(more, to: progress) }
    isThought.open()
    runUntilQuiet()
    expectLast(
      0, of: 3,
      """
      While somebody was told of one job, \(byItsObserver ? "and in that very call" : "on another thread"), \
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

  // MARK: - Fixtures

  /// Lets a job live to its end, and watches whether it's still there.
  func endJob(of progress: ImportProgress) throws -> WeakReference<BlockOperation> {
    let job = BlockOperation {}
    try add([job], to: progress)
    // On a thread that ends: on Apple's platforms its autorelease pool goes with it.
    try mustReturn("the end of a job") { job.start() }
    runUntilQuiet()
    return WeakReference(job)
  }

  /// Lets the jobs of an import come to their end, and watches whether its progress is still there.
  func endProgress(closed: Bool) throws -> WeakReference<ImportProgress> {
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
  case whileQueueIsBusy = "all while the notice queue was busy"
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
