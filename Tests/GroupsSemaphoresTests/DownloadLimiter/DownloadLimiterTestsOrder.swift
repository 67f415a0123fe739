import Dispatch
import Foundation
import KataTesting
import Testing

extension DownloadLimiterTests {
  // MARK: - In which order

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
          \(min(limit + index, names.count)) must have started, one after the other: whoever was \
          submitted first is started first.
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
  @Test func `what is submitted while a download is being started waits in line`() throws {
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
    // Whoever frees the slot may be the one that starts c, and stay there.
    timeline.leave("a")
    _ = TestThread("finished") { finishers[0]() }
    let isBeingStarted = eventually("a has called finished, and c never got its slot.") {
      timeline.isInside("c")
    }
    guard isBeingStarted else { return }

    let advice = """
      Another download is being started, and the caller was held until that has returned. Whatever \
      lock is held while a download is called, also one that the same thread may take again, \
      submit waits for it: decide under the lock, call out without it.
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
        d was submitted before e, and waited in line when b's slot was freed. Then e came and was \
        started first: a free slot is for whoever is first in line, not for whoever comes by.
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
        A download submitted another while it was being started, and the other never started. \
        submit mustn't wait for what calls the downloads: it may be called from there.
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
          The download called finished before it returned. Whatever lock was held when the \
          download was called, finished waits for it: decide under the lock, call out without it.
          """)
    }
    try downloads.submit("next")
    eventually(
      downloads.timeline.showing(
        """
        Two downloads called finished before they returned (what they wanted was in a cache), but \
        the next one never got the slot.
        """)
    ) { downloads.timeline.isInside("next") }

    // Each may end within the start of the one before it: a thousand deep must be no trouble.
    try mustReturn("submit, a thousand times,") {
      for _ in 0..<1000 {
        downloads.limiter.submit { finished in
          downloads.timeline.mark("cached", "started")
          finished()
        }
      }
    }
    try downloads.finish("next")?.result()
    eventually("A thousand downloads that finish at once were in line, and some never started.") {
      downloads.timeline.events.count { $0.who == "cached" } == 1000
    }
  }

  @Test func `a download that throws frees its slot`() throws {
    let downloads = Downloads(limit: 1)
    for name in ["broken 1", "broken 2"] { try downloads.submit(name, .throwsAtOnce) }
    try downloads.submit("next")
    eventually(
      downloads.timeline.showing(
        """
        A download threw when it was started, so it will never call finished, and the next one \
        waits for its slot for ever. Free the slot when download throws.
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
      The limit is 1. The first download called finished twice, as careless callbacks do, and that \
      must let the second start, and nobody else: the second call freed a slot that somebody else has.
      """)
    try downloads.finish("second")?.result()
    downloads.timeline.expect(
      """
      first   ├────┤
      second            ├────┤
      third                       ├────…
      """, "The third download never got the slot.")
  }

  @Test(arguments: [DownloadCourse.throwsAtOnce, .finishesAndThrows])
  func `a download that throws and calls finished frees one slot`(course: DownloadCourse) throws {
    let downloads = Downloads(limit: 1)
    try downloads.submit("broken", course)
    for name in ["first", "second"] { try downloads.submit(name) }
    let hasStarted = eventually("A download threw, and the next one never got its slot.") {
      downloads.timeline.isInside("first")
    }
    guard hasStarted else { return }
    try downloads.finish("broken", again: true)?.result()
    runUntilQuiet()
    #expect(
      downloads.timeline.inside == ["first"],
      downloads.timeline.showing(
        """
        The limit is 1. A download \(course.rawValue), and called finished once more after that. \
        Its slot was freed more than once: now these are in flight: \(downloads.timeline.inside). \
        Both ways to free it must go through the same guard.
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
        The limit is 2, and these are in flight: \(timeline.inside). One of them has let go of its \
        finished without calling it, so it may still be under way: it keeps its slot.
        """))
    try downloads.finish("first")?.result()
    eventually(timeline.showing("A slot is free again, and the next download never got it.")) {
      timeline.isInside("next")
    }
  }
}
