import Foundation
import KataTesting
import Testing

extension ImportProgressTests {
  // MARK: - Threads and references

  @Test func `jobs that end on many threads are all counted`() throws {
    // Few enough that an answer may give a thread to each.
    let jobs = (0..<4).map { _ in self.jobs(3) }
    let progress = try progress(of: Array(jobs.joined()))
    try close(progress)
    try TestThread.race("a thread that works off jobs", threads: jobs.count) { [jobs] thread in
      for job in jobs[thread] { job.start() }
    }
    runUntilQuiet()
    expectLast(12, of: 12, fraction: 1, "Twelve jobs have ended, on four threads.")
    #expect(
      watcher.ends == 1,
      watcher.showing(
        "Exactly one report must say that the import is complete."))
    expectNeverBack()
  }

  // the counting thread      another thread
  // counts a job
  // calls onChange
  //                          reads: only the answer's lock orders the two
  @Test func `the newest report may be read while jobs end`() throws {
    let meeting = RelaxedRendezvous()
    let progress = watcher.progress { if $0.finished == 1 { meeting.changed() } }
    let job = BlockOperation {}
    // Before the reader begins, so that it's unordered with one thread only: Thread Sanitizer
    // reports nothing if the first thread that it finds has ended.
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
        \(progress.current.total). It must be the report that was delivered last.
        """))
  }

  // Only the answer's lock orders the two calls.
  @Test(arguments: ImportCall.allCases)
  func `two threads may add and close at once`(call: ImportCall) throws {
    // More than once if possible: on a busy machine Thread Sanitizer missed one of a hundred.
    let meetings = call == .add ? 3 : 1
    let jobs = jobs(1 + 2 * meetings)
    let progress = try progress(of: [jobs[0]])
    // No report is delivered meanwhile: a third thread's locks would order the two.
    watcher.noticeQueue.suspend()
    try {
      defer { watcher.noticeQueue.resume() }
      for number in 0..<meetings {
        let (first, second) = (jobs[2 * number + 1], jobs[2 * number + 2])
        try RelaxedRendezvous.meet(
          "add or close", { progress.add([first]) }, { call.make(progress, second) })
      }
    }()
    try close(progress)
    for job in jobs { end(job) }
    let total = call == .add ? jobs.count : 2
    expectLast(
      total, of: total, fraction: 1,
      "Two threads called the progress at once, and all jobs have ended.")
  }

  @Test func `it goes on when the caller has released it`() throws {
    let jobs = jobs(2)
    try {
      let progress = try progress(of: jobs)
      try close(progress)
    }()
    for job in jobs { end(job) }
    expectLast(
      2, of: 2, fraction: 1,
      """
      The caller has released the progress, and then the jobs have ended. They must be counted and \
      reported all the same.
      """
    )
  }

  // notice queue      the import
  // busy
  //                   all jobs end, the caller releases the progress
  // free: reports arrive
  @Test func `enqueued reports are delivered when the caller has released it`() throws {
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
      The notice queue was busy until all jobs had ended and the caller had released the progress. \
      Enqueued reports must be delivered all the same: let their blocks retain what they need.
      """)
  }

  @Test func `it retains neither jobs nor itself in the end`() throws {
    let progress = watcher.progress()
    let job = try endJob(of: progress)
    runUntilQuiet()
    #expect(watcher.reports.last?.finished == 1, watcher.showing("A job has ended."))
    #expect(
      job.isGone,
      """
      A job has ended and was counted, and it still exists. The progress must not retain a job \
      that has ended.
      """
    )

    for isClosed in [true, false] {
      let progress = try endProgress(closed: isClosed)
      runUntilQuiet()
      #expect(
        progress.isGone,
        """
        All jobs have ended, the caller has released the progress, and it still exists.\(
          isClosed ? "" : " It was never closed.") It must not retain itself then.
        """)
    }
  }
}
