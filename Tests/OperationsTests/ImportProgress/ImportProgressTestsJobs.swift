import Foundation
import KataTesting
import Testing

extension ImportProgressTests {
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
    let called = SharedCounter()
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
}
