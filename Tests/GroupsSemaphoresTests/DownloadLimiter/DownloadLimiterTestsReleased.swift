import Dispatch
import Foundation
import KataTesting
import Testing

extension DownloadLimiterTests {
  // MARK: - Released

  @Test func `downloads in line start even if the limiter is released`() throws {
    let timeline = Timeline()
    let names = ["first", "second", "third"]
    let ends = names.map { Gate("the \($0) download ends") }
    try mustReturn("submit") {
      let limiter = DownloadLimiter(limit: 1)
      for (name, end) in zip(names, ends) {
        limiter.submit { finished in
          timeline.enter(name)
          Thread.detachNewThread {
            end.wait()
            timeline.leave(name)
            finished()
          }
        }
      }
    }
    for (index, end) in ends.enumerated() {
      let hasStarted = eventually(
        timeline.showing(
          """
          The limiter was released while two downloads were in line, and not all of the three have \
          started. Their caller still expects them: what starts them mustn't depend on the limiter's \
          lifetime.
          """)
      ) { timeline.orderOfEntry.count > index }
      guard hasStarted else { return }
      runUntilQuiet()
      #expect(
        timeline.inside == [names[index]],
        timeline.showing(
          """
          The limit is 1, the limiter was released, and of its three downloads \(index) have ended. So \
          only the \(names[index]) must be in flight, and these are: \(timeline.inside). Limit and order \
          must hold as if the limiter were still there.
          """))
      end.open()
    }
  }

  @Test func `a limiter may be released with downloads in flight`() throws {
    let timeline = Timeline()
    try mustReturn("submit") {
      let limiter = DownloadLimiter(limit: 2)
      // This one never calls finished, and doesn't retain the closure.
      limiter.submit { _ in timeline.enter("download") }
    }
    eventually("The download never started.") { timeline.isInside("download") }
    // Dispatch traps if a semaphore is destroyed while its value is smaller than its initial value.
    runUntilQuiet()
    #expect(timeline.inside == ["download"], "It never called finished, so it is still in flight.")
  }

  // MARK: - Many threads

  // thread 1      thread 2
  // submits       submits        nothing orders the two
  // finished      finished       of the same download, likewise
  @Test func `submit and finished may be called on any thread`() throws {
    let downloads = Downloads(limit: 1)
    let names = (1...4).map { "download \($0)" }
    let submitters = names.map { name in TestThread("submit") { downloads.add(name, .stays) } }
    for submitter in submitters { try submitter.result() }
    // Three times, because Thread Sanitizer misses a pair of accesses now and then.
    for ended in 1...3 {
      runUntilQuiet()
      let name = try #require(
        downloads.timeline.inside.first, "Downloads are in line, but none is in flight.")
      let finished = try #require(downloads.finisher(of: name))
      downloads.timeline.leave(name)
      try TestThread.race("finished", threads: 2) { _ in finished() }
      runUntilQuiet()
      try #require(
        downloads.timeline.orderOfEntry.count == ended + 1
          && downloads.timeline.inside.count == 1,
        downloads.timeline.showing(
          """
          The limit is 1. Four downloads were submitted from four threads, and \(ended) of them \
          called finished, on two threads at once. So \(ended) must have ended, and one must be in flight.
          """))
    }
    // Again with none in line: a third thread that is woken takes locks, and may have ordered the two.
    let roomy = Downloads(limit: names.count)
    for name in names { try roomy.submit(name) }
    runUntilQuiet()
    for name in names {
      let finished = try #require(
        roomy.finisher(of: name), "There are as many slots as downloads, but \(name) never began.")
      roomy.timeline.leave(name)
      try TestThread.race("finished", threads: 2) { _ in finished() }
    }
  }

  // its start     another thread
  //               calls finished
  // throws        nothing but a lock of the answer's orders the two
  @Test func `finished may be called on another thread while the download throws`() throws {
    // Several times: the first rendezvous of two threads may be ordered by the runtime's own locks.
    for _ in 1...4 {
      let downloads = Downloads(limit: 1)
      let meeting = RelaxedRendezvous()
      let isOver = Gate("the meeting is over")
      try mustReturn("submit") {
        downloads.limiter.submit { finished in
          _ = TestThread("finished") {
            finished()
            meeting.changed()
            isOver.open()
          }
          meeting.look {}
          throw BrokenDownload()
        }
      }
      try #require(
        eventually("A slot was free, but a download never started.", timersInPlay: true) {
          isOver.isOpen
        })
      for name in ["first", "second"] { try downloads.submit(name) }
      runUntilQuiet()
      try #require(
        downloads.timeline.inside == ["first"],
        downloads.timeline.showing(
          """
          The limit is 1. While a download threw, it called finished on another thread: that frees its \
          slot, once, so the first of the next two must be in flight, and only that one.
          """))
    }
  }

  @Test func `random scripts end as they must`() {
    playScripts(of: LimiterScript.self)
  }
}
