import Foundation
import KataTesting
import Testing

extension ImportProgressTests {
  // MARK: - Which jobs count

  // a        cancelled before its start
  // b        cancelled while it executes
  // c, d     cancelled while they wait in a suspended queue
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
    expectLast(
      1, of: 4, fraction: 0.25,
      "One job was cancelled and has finished without executing.")
    end(byHand[1])
    expectLast(
      2, of: 4, fraction: 0.5,
      "Another job was cancelled while it executed, and has ended.")
    for job in inLine { job.cancel() }
    queue.isSuspended = false
    eventually(
      watcher.showing(
        """
        The last jobs were cancelled in their queue and have left it, and the import isn't \
        complete. Cancelled jobs must count, or the bar is never full.
        """)
    ) { watcher.ends > 0 }
    runUntilQuiet()
    expectLast(4, of: 4, fraction: 1, "All four jobs were cancelled.")
  }

  // one       is cancelled, and in no queue yet
  // other     is cancelled while it executes, and goes on
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
      Two jobs were cancelled before they were added: one hasn't been started, the other still \
      executes. A job counts when it has ended: check isFinished, not isCancelled.
      """)
    end(one)
    expectLast(1, of: 2, fraction: 0.5, "One job was started and has finished without executing.")
    stays.open()
    try worker.result()
    runUntilQuiet()
    expectLast(2, of: 2, fraction: 1, "The other job has ended too.")
  }

  @Test func `jobs that had ended before count too`() throws {
    let jobs = jobs(3)
    jobs[0].start()
    jobs[1].cancel()
    jobs[1].start()
    runUntilQuiet()
    let progress = try progress(of: jobs)
    expectLast(2, of: 3, "Two of three jobs had ended before they were added.")
    end(jobs[2])
    try close(progress)
    expectLast(3, of: 3, fraction: 1, "The third job has ended too.")
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
        Twenty of 21 jobs had ended before they were added, and when add has returned, current \
        says \(report.finished) of \(report.total). Jobs that have ended must be counted when add \
        returns. A follower runs a little later, so count them in add itself.
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
    eventually(
      watcher.showing(
        "Eight jobs have ended, in two queues, so the import must be complete.")
    ) { watcher.ends > 0 }
    runUntilQuiet()
    expectLast(8, of: 8, fraction: 1, "Eight jobs were added, four to each queue.")
    expectNeverBack()
  }

  @Test func `the completion blocks of the jobs are called`() throws {
    let called = SharedCounter()
    let jobs = jobs(2)
    jobs[0].completionBlock = { called.increment() }
    let progress = try progress(of: jobs)
    // The caller may set a job's block after the job was added to the progress.
    jobs[1].completionBlock = { called.increment() }
    for job in jobs { end(job) }
    try close(progress)
    expectLast(2, of: 2, fraction: 1, "Both jobs have ended.")
    #expect(
      called.value == 2,
      """
      Two jobs with completion blocks have ended, and \(called.value) blocks were called. They \
      must stay as they are: don't replace the completion blocks of jobs.
      """)
  }
}
