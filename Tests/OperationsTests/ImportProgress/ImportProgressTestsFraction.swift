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
}
