import Foundation
import KataTesting
import Testing

/// Proves that the progress counts every job once, never goes back, and is complete only when no
/// more jobs can be added and all have ended.
@Suite(.serialized, .kata) struct ImportProgressTests {
  let watcher = ProgressWatcher()

  // MARK: - Reports

  @Test func `a new import is open and has no jobs`() throws {
    let progress = watcher.progress()
    let report = try mustReturn("current") { progress.current }
    #expect(
      report.finished == 0 && report.total == 0 && report.fraction == 0,
      """
      An import without jobs reports \(report.finished) of \(report.total), fraction \
      \(report.fraction). It must begin with 0 of 0 and the fraction 0; 0 divided by 0 isn't a \
      number.
      """)
  }

  @Test func `it reports finished and total counts`() throws {
    let jobs = jobs(4)
    let progress = try progress(of: jobs)
    try #require(
      !watcher.reports.isEmpty,
      """
      Four jobs were added, and onChange was never called. It must be called with 0 of 4, on the \
      notice queue.
      """)
    expectLast(0, of: 4, "Four jobs were added, and none has ended.")
    try close(progress)
    // Not in the order of adding.
    for (index, job) in [2, 0, 3, 1].enumerated() {
      end(jobs[job])
      expectLast(
        index + 1, of: 4, fraction: Double(index + 1) / 4,
        """
        Job \(job + 1) has ended as number \(index + 1). Each job counts as it ends, in whatever \
        order.
        """)
    }
    expectNeverBack()
  }

  @Test func `reports are delivered on the notice queue`() throws {
    let job = BlockOperation {}
    let progress = try progress(of: [job])
    end(job)
    try close(progress)
    try #require(
      !watcher.reports.isEmpty,
      "A job was added and has ended, and onChange was never called.")
    #expect(
      watcher.heardElsewhere == 0,
      watcher.showing(
        """
        \(watcher.heardElsewhere) of \(watcher.reports.count) reports were delivered elsewhere \
        than on the notice queue. The progress bar may be changed only there. Submit each report \
        to the notice queue.
        """))
  }

  // notice queue   caller         a job
  // busy
  //                adds
  //                               ends
  //                reads: 1 of 2
  //                closes
  // free: reports arrive
  @Test func `no call waits while the notice queue is busy`() throws {
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
      "current",
      """
      Reading it must not wait for the notice queue, and a thread that holds a lock must not \
      either.
      """
    ) { progress.current }
    #expect(
      report.finished == 1 && report.total == 2,
      """
      The notice queue is busy and one of two jobs has ended, and current says \(report.finished) \
      of \(report.total). It must be the newest report, even if that hasn't been delivered.
      """)
    try close(progress)
    try mustReturn("the end of a job") { jobs[1].start() }
  }

  // onChange              the import
  // is called with two jobs,
  // stays
  //                       a job ends, current is read, it's closed
  // reads current
  @Test func `no call waits while onChange runs`() throws {
    let jobs = jobs(2)
    let isThought = Gate("onChange may go on")
    let asked = LockedValue<ImportProgress?>(nil)
    defer { asked.set(nil) }
    let isAnswered = Gate("onChange has read current")
    let progress = watcher.progress { _ in
      isThought.wait()
      _ = asked.value?.current
      isAnswered.open()
    }
    asked.set(progress)
    try add(jobs, to: progress)
    try mustReturn(
      "the end of a job",
      """
      onChange is running, and this call must not wait for it to return: call onChange without a \
      lock.
      """
    ) { jobs[0].start() }
    runUntilQuiet()
    try mustReturn(
      "current",
      """
      onChange is running, and this call must not wait for it to return: call onChange without a \
      lock.
      """
    ) { _ = progress.current }
    try close(progress)
    isThought.open()
    eventually(
      """
      onChange reads current, and the call never returns. No lock may be held while onChange is \
      called.
      """
    ) { isAnswered.isOpen }
    end(jobs[1])
    expectLast(2, of: 2, fraction: 1, "Both jobs have ended.")
  }

  // onChange            the import
  // is called with one job,
  // stays
  //                     two more are added
  // returns
  // is called with three
  @Test(arguments: [false, true])
  func `a change while onChange runs is reported too`(byItsObserver: Bool) throws {
    let first = jobs(1)
    let more = jobs(2)
    let calls = SharedCounter()
    let isThought = Gate("onChange may go on")
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
      While onChange ran for one job, \(byItsObserver ? "and in that very call" : "on another thread"), \
      two more were added. The last report must never be left out. If a flag says that a report is \
      enqueued, clear it before you read the newest report, not when onChange has returned.
      """)
  }

  @Test func `an equal report isn't sent`() throws {
    let jobs = jobs(2)
    let progress = try progress(of: jobs)
    let before = watcher.reports.count
    for _ in 1...2 { try add([], to: progress) }
    #expect(
      watcher.reports.count == before,
      watcher.showing(
        """
        Two jobs were added, and a report was sent \(times(before)). Then no jobs were added, twice, \
        and \(watcher.reports.count - before) more were sent. Send a report only if it differs from \
        the last one.
        """))
    expectNeverBack()
  }

  // MARK: - Fixtures

  /// Runs a job to its end, and returns a weak reference to it.
  func endJob(of progress: ImportProgress) throws -> WeakReference<BlockOperation> {
    let job = BlockOperation {}
    try add([job], to: progress)
    // On a thread that ends: on Apple's platforms its autorelease pool is drained then.
    try mustReturn("the end of a job") { job.start() }
    runUntilQuiet()
    return WeakReference(job)
  }

  /// Runs the job of an import to its end, and returns a weak reference to the progress.
  func endProgress(closed: Bool) throws -> WeakReference<ImportProgress> {
    let progress = ProgressWatcher().progress()
    _ = try endJob(of: progress)
    if closed { try close(progress) }
    return WeakReference(progress)
  }
}

/// The order in which an import is closed and its jobs end.
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
