import Foundation
import KataTesting
import Testing

extension ImportProgressTests {
  // MARK: - Many threads, and nobody

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
    // More than once where that can be: on a busy machine Thread Sanitizer missed one of a hundred.
    let meetings = call == .add ? 3 : 1
    let jobs = jobs(1 + 2 * meetings)
    let progress = try progress(of: [jobs[0]])
    // Nobody is told meanwhile: a third thread's locks would put the two in order.
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
}
