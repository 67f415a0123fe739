import Dispatch
import Foundation
import KataTesting
import Testing

extension DownloadLimiterTests {
  // MARK: - Order

  @Test(arguments: [1, 2]) func `downloads start in the order of submission`(limit: Int) throws {
    let downloads = Downloads(limit: limit)
    let names = (1...6).map { "download \($0)" }
    for name in names { try downloads.submit(name) }
    for (index, name) in names.enumerated() {
      runUntilQuiet()
      let started = downloads.timeline.orderOfEntry
      try #require(
        started == Array(names.prefix(limit + index)),
        downloads.timeline.showing(
          """
          The limit is \(limit) and \(index) downloads have finished. So those numbered 1 to \
          \(min(limit + index, names.count)) must have started, in the order in which they were \
          submitted, and no others.
          """))
      try downloads.finish(name)?.result()
    }
  }

  // a, b         c              d, e
  // in flight    in line
  // a finished
  //              is started
  //              stays there    d is submitted
  // b finished
  //                             e is submitted
  //              has started
  //                             start, d first
  @Test func `a download submitted while another is being started waits in line`() throws {
    let downloads = Downloads(limit: 2)
    let timeline = downloads.timeline
    for name in ["a", "b"] { try downloads.submit(name) }
    let bothStarted = eventually("The limit is 2, and the first two downloads never started.") {
      timeline.inside.count == 2
    }
    guard bothStarted else { return }
    let hasStarted = Gate("c has started")
    try mustReturn("submit") {
      downloads.limiter.submit { finished in
        timeline.visit("c", until: hasStarted)
        finished()
      }
    }
    let finishers = try ["a", "b"].map { try #require(downloads.finisher(of: $0)) }
    // The thread that frees the slot may be the one that starts c, and stay there.
    timeline.leave("a")
    _ = TestThread("finished") { finishers[0]() }
    let isBeingStarted = eventually("a has called finished, but c never got its slot.") {
      timeline.isInside("c")
    }
    guard isBeingStarted else { return }

    let advice = """
      Another download is being started, and submit waits until that returns. If a lock is held \
      while a download is called, even a recursive one, submit waits for the lock: decide under the \
      lock, then call the download without it.
      """
    try downloads.submit("d", advice: advice)
    runUntilQuiet()
    timeline.leave("b")
    _ = TestThread("finished") { finishers[1]() }
    runUntilQuiet()
    try downloads.submit("e", advice: advice)
    runUntilQuiet()
    hasStarted.open()
    eventually(
      timeline.showing(
        """
        Two slots were freed while a third download was being started: b called finished, and then \
        c did. So both downloads in line must start.
        """)
    ) { timeline.orderOfEntry.count == 5 }
    #expect(
      timeline.orderOfEntry == ["a", "b", "c", "d", "e"],
      timeline.showing(
        """
        d was submitted before e, and was in line when b's slot was freed, so d must be started \
        before e. A free slot goes to the first download in line, not to the one that comes by.
        """))
  }

  @Test func `a download may submit another`() throws {
    let downloads = Downloads(limit: 1)
    let timeline = downloads.timeline
    try mustReturn("submit") {
      downloads.limiter.submit { finished in
        timeline.visit("outer") { downloads.add("inner", .stays) }
        finished()
      }
    }
    eventually(
      timeline.showing(
        """
        A download submitted another while it was being started, but the other never started. \
        submit may be called from inside a download, so it mustn't wait for what calls downloads.
        """)
    ) { timeline.isInside("inner") }
  }

  // MARK: - Slots

  @Test func `a download that finishes at once frees its slot`() throws {
    let downloads = Downloads(limit: 1)
    for name in ["at once 1", "at once 2"] {
      try downloads.submit(
        name, .finishesAtOnce,
        advice: """
          The download called finished before it returned. If a lock is held while a download is \
          called, finished waits for it: decide under the lock, then call the download without it.
          """)
    }
    try downloads.submit("next")
    eventually(
      downloads.timeline.showing(
        """
        Two downloads called finished before they returned (their data was cached), but the next \
        one never got the slot.
        """)
    ) { downloads.timeline.isInside("next") }

    // Each may end while the one before it is being started: that must work a thousand levels deep.
    try mustReturn("submit, a thousand times,") {
      for _ in 0..<1000 {
        downloads.limiter.submit { finished in
          downloads.timeline.mark("cached", "started")
          finished()
        }
      }
    }
    try downloads.finish("next")?.result()
    eventually("A thousand downloads that finish at once were in line, but some never started.") {
      downloads.timeline.events.count { $0.who == "cached" } == 1000
    }

    // Another thread calls finished, and the download returns when that call has.
    let hasFinished = Gate("the call of finished has returned")
    try mustReturn("submit") {
      downloads.limiter.submit { finished in
        _ = TestThread("finished") {
          finished()
          hasFinished.open()
        }
        hasFinished.wait()
      }
    }
    try downloads.submit("last")
    eventually(
      """
      Another thread called finished for a download, which waited for that call before it \
      returned. That must free the slot, but the next download never got it.
      """
    ) { downloads.timeline.isInside("last") }
  }

  @Test func `a download that throws frees its slot`() throws {
    let downloads = Downloads(limit: 1)
    for name in ["broken 1", "broken 2"] { try downloads.submit(name, .throwsAtOnce) }
    try mustReturn("submit") { downloads.limiter.submit { _ in throw CancellationError() } }
    try downloads.submit("next")
    eventually(
      downloads.timeline.showing(
        """
        A download threw when it was started, and the next one never got its slot. A download that \
        throws need not call finished, so free its slot when it throws.
        """)
    ) { downloads.timeline.isInside("next") }
  }

  @Test func `finished called twice frees one slot`() throws {
    let downloads = Downloads(limit: 1)
    for name in ["first", "second", "third"] { try downloads.submit(name) }
    eventually("The first download never started.") { downloads.timeline.isInside("first") }
    try downloads.finish("first")?.result()
    try downloads.finish("first", again: true)?.result()
    downloads.timeline.expect(
      """
      first   ├────┤
      second            ├────…
      """,
      """
      The limit is 1. The first download called finished twice, as careless callbacks do, so the second \
      download must start, and no other. By the second call, the slot belongs to another download.
      """)
    try downloads.finish("second")?.result()
    downloads.timeline.expect(
      """
      first   ├────┤
      second            ├────┤
      third                       ├────…
      """, "The second download has finished, so the third must get the slot now.")
  }

  @Test(arguments: [DownloadCourse.throwsAtOnce, .finishesAndThrows])
  func `a download that throws and calls finished frees one slot`(course: DownloadCourse) throws {
    let downloads = Downloads(limit: 1)
    try downloads.submit("broken", course)
    for name in ["first", "second"] { try downloads.submit(name) }
    let hasStarted = eventually("A download threw, but the next one never got its slot.") {
      downloads.timeline.isInside("first")
    }
    guard hasStarted else { return }
    try downloads.finish("broken", again: true)?.result()
    runUntilQuiet()
    #expect(
      downloads.timeline.inside == ["first"],
      downloads.timeline.showing(
        """
        The limit is 1. A download \(course.rawValue), and called finished once more after that; \
        now these are in flight: \(downloads.timeline.inside). Its slot must be freed once, so both \
        ways to free it need the same check.
        """))
  }

  @Test func `a download that never ends keeps its slot`() throws {
    let downloads = Downloads(limit: 2)
    let timeline = downloads.timeline
    // It neither calls finished nor keeps it.
    try mustReturn("submit") { downloads.limiter.submit { _ in timeline.enter("endless") } }
    for name in ["first", "next"] { try downloads.submit(name) }
    runUntilQuiet()
    #expect(
      timeline.inside == ["endless", "first"],
      timeline.showing(
        """
        The limit is 2, and these are in flight: \(timeline.inside). The one named endless released \
        its finished without calling it, so it may still be running, and it must keep its slot.
        """))
    try downloads.finish("first")?.result()
    eventually(timeline.showing("A slot is free again, but the next download never got it.")) {
      timeline.isInside("next")
    }
  }
}
