import Foundation
import KataTesting
import Testing

extension ImportProgressTests {
  // MARK: - The fraction

  @Test func `the total may grow, and the fraction never goes back`() throws {
    let first = jobs(2)
    let more = jobs(8)
    let progress = try progress(of: first)
    end(first[0])
    let before = watcher.reports.last?.fraction ?? 0
    try add(more, to: progress)
    expectLast(1, of: 10, "One of two jobs had ended when eight more were added.")
    #expect(
      watcher.reports.last?.fraction ?? 0 >= before,
      watcher.showing(
        """
        Eight jobs were added to two, and the bar went back. The fraction must never be smaller \
        than before.
        """))
    end(first[1])
    for job in more.prefix(4) { end(job) }
    let shown = watcher.reports.last?.fraction ?? 0
    try close(progress)
    expectLast(6, of: 10, fraction: max(0.6, shown), "Six of ten jobs have ended.")
    for job in more.suffix(4) { end(job) }
    expectLast(10, of: 10, fraction: 1, "All jobs have ended.")
    expectNeverBack()
  }

  @Test func `the bar isn't full while the import is open`() throws {
    let jobs = jobs(3)
    let progress = try progress(of: Array(jobs.prefix(2)))
    for job in jobs.prefix(2) { end(job) }
    expectLast(2, of: 2, "Both jobs have ended.")
    #expect(
      watcher.ends == 0,
      watcher.showing(
        """
        All jobs have ended, but the import is open and more may be added, and a report says that \
        it's complete. Until it's closed, the fraction must be less than 1.
        """))
    try add([jobs[2]], to: progress)
    end(jobs[2])
    #expect(
      watcher.ends == 0,
      watcher.showing("The import is still open, and a report says that it's complete."))
    try close(progress)
    expectLast(3, of: 3, fraction: 1, "All jobs have ended, and no more will be added.")
  }

  @Test func `each end adds to the fraction while the import is open`() throws {
    let jobs = jobs(4)
    let progress = watcher.progress()
    try add(jobs, to: progress)
    var fraction = watcher.reports.last?.fraction ?? 0
    #expect(fraction == 0, watcher.showing("No job has ended yet, so the fraction must be 0."))
    for job in jobs {
      end(job)
      let next = watcher.reports.last?.fraction ?? 0
      #expect(
        next > fraction,
        watcher.showing(
          """
          A job has ended, and the bar didn't move. Each end must add to the fraction, which \
          needn't be exact while the import is open.
          """))
      fraction = next
    }
  }

  @Test func `each end adds to the fraction after more jobs were added`() throws {
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
          One of two jobs had ended when eight more were added, and now another one has ended. \
          Each end must add to the fraction without filling the bar. As long as the share is \
          behind the last fraction, add a part of what is left.
          """))
      fraction = next
    }
    try close(progress)
    expectLast(10, of: 10, fraction: 1, "All jobs have ended.")
  }

  @Test func `once it's closed, the fraction is the share, or what it was before`() throws {
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
        Eight jobs were added when one of two had ended, so the bar was ahead of the share when \
        the import was closed, at \(shown). The bar must wait there until the share has caught up. \
        Each end is reported all the same, because its count is new.
        """)
    }
    expectNeverBack()
  }

  // If each step is half of what is left, a Double is 1 after 54 steps.
  @Test func `many small additions don't fill the bar`() throws {
    let progress = watcher.progress()
    var fraction = 0.0
    for number in 1...60 {
      let job = BlockOperation {}
      try add([job], to: progress)
      job.start()
      eventually(
        "A job has ended, and it was never counted."
      ) { progress.current.finished == number }
      let next = progress.current.fraction
      try #require(
        next > fraction && next < 1,
        """
        Jobs are added one by one, and each ends before the next is added. After number \(number) \
        the fraction went from \(fraction) to \(next): each end must add to it, and it must stay \
        below 1. Divide what is left of the bar by one more than all jobs.
        """)
      fraction = next
    }
    runUntilQuiet()
  }

  // The bar is ahead of the share all the time, and each end adds a part of what is left. That
  // changes nothing more from the 54th end on if it's a half, from the 91st if it's a third, and
  // from the 263rd if it's an eighth.
  @Test func `many ends don't fill the bar while other jobs are under way`() throws {
    let progress = watcher.progress()
    // Few at a time: an answer may give a thread to each.
    var underWay = jobs(2)
    defer {
      for job in underWay { job.start() }
      runUntilQuiet()
    }
    try add(underWay, to: progress)
    underWay.removeFirst().start()
    eventually("A job has ended, and it was never counted.") { progress.current.finished == 1 }
    let more = jobs(4)
    try add(more, to: progress)
    underWay += more
    var fraction = progress.current.fraction
    for number in 2...400 {
      let job = BlockOperation {}
      progress.add([job])
      underWay.append(job)
      underWay.removeFirst().start()
      eventually(
        "A job has ended, and it was never counted."
      ) { progress.current.finished == number }
      let next = progress.current.fraction
      try #require(
        next > fraction && next < 1,
        """
        One of two jobs had ended when more were added, and since then one is added for each that \
        ends, so five are always under way. After number \(number) the fraction went from \
        \(fraction) to \(next): each end must add to it, and it must stay below 1. Divide what is \
        left of the bar by one more than all jobs.
        """)
      fraction = next
    }
  }

  @Test(arguments: ImportEnding.allCases)
  func `the fraction reaches 1 at the end, once`(ending: ImportEnding) throws {
    let jobs = jobs(2)
    let progress = try progress(of: jobs)
    switch ending {
    case .closedFirst:
      try close(progress)
      #expect(
        watcher.ends == 0,
        watcher.showing(
          "The import was closed before its jobs began, and a report says that it's complete."))
      for job in jobs { end(job) }
    case .closedTwice:
      try close(progress)
      try close(progress)
      for job in jobs { end(job) }
      expectLast(
        2, of: 2, fraction: 1,
        "It was closed twice, which must have no effect, and all jobs have ended.")
    case .closedLast:
      for job in jobs { end(job) }
      try close(progress)
    case .whileQueueIsBusy:
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
        Exactly one report must say that the import is complete, and \(watcher.ends) did \
        (\(ending.rawValue)). Code that reacts to it must run once.
        """))
    expectNeverBack()
  }

  @Test func `an import without jobs is complete when it is closed`() throws {
    let progress = try progress(of: [])
    #expect(
      watcher.ends == 0,
      watcher.showing(
        "No job was added yet and the import is open, so it isn't complete."))
    try close(progress)
    expectLast(0, of: 0, fraction: 1, "The import has no jobs, and none will be added.")
  }
}
