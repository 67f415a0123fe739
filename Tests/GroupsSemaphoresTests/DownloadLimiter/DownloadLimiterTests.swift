import Dispatch
import Foundation
import KataTesting
import Testing

/// Proves that as many downloads run as the limit allows and never more, that each end or failure frees one
/// slot for the first in line, and that downloads hold neither their caller nor a thread each.
@Suite(.serialized, .kata) struct DownloadLimiterTests {
  @Test(arguments: [1, 2, 3])
  func `as many downloads start as the limit allows`(limit: Int) throws {
    let downloads = Downloads(limit: limit)
    let names = (1...limit).map { "download \($0)" }
    for name in names { try downloads.submit(name) }
    eventually(
      downloads.timeline.showing(
        """
        The limit is \(limit), and as many downloads were submitted, but only \
        \(downloads.timeline.inside.count) of them are in flight, and nothing is under way that \
        could start another. While a slot is free, the next download in line must be called.
        """)
    ) { Set(downloads.timeline.inside) == Set(names) }
  }

  @Test func `submit returns while every slot is taken`() throws {
    let downloads = Downloads(limit: 1)
    try downloads.submit("in flight")
    try downloads.submit(
      "in line",
      advice: """
        The only slot was taken, and the caller was held until it is free: on the main thread, a \
        frozen app. Somebody else must wait for the slot.
        """)
    eventually("The download that was submitted first never started.") {
      downloads.timeline.isInside("in flight")
    }
  }

  @Test(arguments: [1, 2, 3]) func `no download starts above the limit`(limit: Int) throws {
    let downloads = Downloads(limit: limit)
    for number in 1...limit + 1 { try downloads.submit("download \(number)") }
    runUntilQuiet()
    #expect(
      downloads.timeline.inside.count <= limit,
      downloads.timeline.showing(
        """
        The limit is \(limit), and \(downloads.timeline.inside.count) downloads are in flight. A \
        slot is taken from a download's start until it calls finished.
        """))
  }

  @Test func `a freed slot goes to the next download`() throws {
    let downloads = Downloads(limit: 2)
    for name in ["first", "second", "third"] { try downloads.submit(name) }
    let bothStarted = downloads.timeline.expect(
      """
      first   ├─────────…
      second       ├────…
      """,
      "The limit is 2, and the first two downloads must have started, and the third must be in line."
    )
    guard bothStarted else { return }
    try downloads.finish("second")?.result()
    downloads.timeline.expect(
      """
      first   ├───────────────────…
      second       ├────┤
      third                  ├────…
      """,
      """
      The second download called finished, but the third, which waited for its slot, never \
      started.
      """)
  }

  @Test func `each limiter has a line of its own`() throws {
    let (busy, idle) = (Downloads(limit: 1), Downloads(limit: 1))
    for name in ["in flight", "in line"] { try busy.submit(name) }
    runUntilQuiet()
    try idle.submit("only")
    eventually(
      idle.timeline.showing(
        """
        A download was submitted to a limiter whose slot is free, and it never started. Another \
        limiter's slot is taken, and a download waits in line for it: whatever waits there must be \
        that limiter's own.
        """)
    ) { idle.timeline.isInside("only") }
  }

  @Test func `a limiter starts downloads while another one does`() throws {
    let goOn = Gate("the first limiter's download has started")
    let busy = DownloadLimiter(limit: 1)
    let idle = Downloads(limit: 1)
    let submitter = TestThread("submit") {
      busy.submit { finished in
        idle.timeline.visit("being started", until: goOn)
        finished()
      }
    }
    eventually("The first limiter's download never started.") { goOn.waiting == 1 }
    let other = TestThread("submit, to another limiter") { idle.add("another's", .stays) }
    idle.timeline.expect(
      """
      being started  ├─────────…
      another's           ├────…
      """,
      """
      While one limiter starts a download, which takes long, a download was submitted to another \
      limiter, whose slot is free, and it never started. Whatever calls the downloads must be that \
      limiter's own: keep it in a property.
      """)
    goOn.open()
    try submitter.result()
    try other.result()
  }

  // In line must be something that costs no thread: an array, or blocks on one serial queue. Blocks
  // that wait on a concurrent queue use up the pool, and then nobody else's work runs.
  @Test func `a thousand downloads in line hold no threads`() throws {
    let downloads = Downloads(limit: 2)
    let timeline = downloads.timeline
    try downloads.submit("first")
    try downloads.submit("second")
    let bothStarted = eventually("The limit is 2, and the first two downloads never started.") {
      timeline.inside.count == 2
    }
    guard bothStarted else { return }

    let threadsBefore = processThreadCount()
    let elsewhere = DispatchQueue(label: "katas.spec.network")
    try mustReturn("submit, a thousand times,") {
      for _ in 0..<1000 {
        downloads.limiter.submit { finished in
          timeline.mark("in line", "started")
          elsewhere.async { finished() }
        }
      }
    }
    let classes: [DispatchQoS.QoSClass] = [.userInitiated, .default, .utility, .background]
    for qos in classes {
      DispatchQueue.global(qos: qos).async { timeline.mark("other work", "ran") }
    }
    let otherWorkRan = eventually(
      """
      A thousand downloads wait in line, and work that others put on the global queues doesn't run \
      any more: every thread of the pool waits for a slot. Let one block at a time wait, or none.
      """
    ) { timeline.events.count { $0.who == "other work" } == classes.count }
    guard otherWorkRan else { return }
    if let threadsBefore, let threadsNow = processThreadCount() {
      #expect(
        threadsNow < threadsBefore + 100,
        """
        With a thousand downloads in line the process has \(threadsNow - threadsBefore) threads \
        more than before. A thread that waits costs half a megabyte and does nothing; keep the \
        downloads in line, not threads.
        """)
    }

    try downloads.finish("first")?.result()
    eventually("One slot is free again, but not all of the thousand in line were started.") {
      timeline.events.count { $0.who == "in line" } == 1000
    }
  }

  @Test func `downloads in flight hold no threads`() throws {
    let limit = 200
    let downloads = Downloads(limit: limit)
    let threadsBefore = processThreadCount()
    try mustReturn("submit, two hundred times,") {
      for number in 1...limit { downloads.add("download \(number)", .stays) }
    }
    let allStarted = eventually(
      """
      The limit is \(limit) and as many downloads were submitted; not all of them were started, \
      and nothing is under way that could start another. If something waits for the end of each, \
      it has used up the threads.
      """
    ) { downloads.timeline.events.count == limit }
    guard allStarted else { return }
    if let threadsBefore, let threadsNow = processThreadCount() {
      #expect(
        threadsNow < threadsBefore + 100,
        """
        With \(limit) downloads in flight the process has \(threadsNow - threadsBefore) threads \
        more than before. A download tells by itself that it has ended, by calling finished; \
        nobody needs to wait for that.
        """)
    }
  }

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

  @Test func `downloads in line start though the limiter is let go of`() throws {
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
          The limiter was let go of while two downloads were in line, and not all of the three have \
          started. Whoever submitted them waits for them: what starts them must not depend on the \
          limiter's life.
          """)
      ) { timeline.orderOfEntry.count > index }
      guard hasStarted else { return }
      runUntilQuiet()
      #expect(
        timeline.inside == [names[index]],
        timeline.showing(
          """
          The limit is 1, the limiter was let go of, and of its three downloads \(index) have ended. So \
          the \(names[index]) must be in flight, and here it's: \(timeline.inside). The limit and the \
          order hold for what is in line, as if the limiter were there.
          """))
      end.open()
    }
  }

  @Test func `a limiter may be let go of with downloads in flight`() throws {
    let timeline = Timeline()
    try mustReturn("submit") {
      let limiter = DownloadLimiter(limit: 2)
      // This one never calls finished, and nobody keeps the closure.
      limiter.submit { _ in timeline.enter("download") }
    }
    eventually("The download never started.") { timeline.isInside("download") }
    // A semaphore that dies below the value that it was made with takes the process with it.
    runUntilQuiet()
    #expect(timeline.inside == ["download"], "The download is still in flight.")
  }

  // thread 1      thread 2
  // submits       submits        nothing orders the two
  // finished      finished       of the same download, likewise
  @Test func `submit and finished may be called on any thread`() throws {
    let downloads = Downloads(limit: 1)
    let names = (1...4).map { "download \($0)" }
    let submitters = names.map { name in TestThread("submit") { downloads.add(name, .stays) } }
    for submitter in submitters { try submitter.result() }
    // Three times, for Thread Sanitizer misses one pair of accesses in a while.
    for ended in 1...3 {
      runUntilQuiet()
      let name = try #require(
        downloads.timeline.inside.first, "Downloads are in line, and none is in flight.")
      let finished = try #require(downloads.finisher(of: name))
      downloads.timeline.leave(name)
      try race("finished", threads: 2) { _ in finished() }
      runUntilQuiet()
      try #require(
        downloads.timeline.orderOfEntry.count == ended + 1
          && downloads.timeline.inside.count == 1,
        downloads.timeline.showing(
          """
          The limit is 1. Four downloads were submitted from four threads, and \(ended) of them \
          called finished, on two threads at once. So \(ended) must have ended and one be in flight.
          """))
    }
  }

  // its start     another thread
  //               calls finished
  // throws        nothing but a lock of the answer's orders the two
  @Test func `finished may be called on another thread while the download throws`() throws {
    // Several times: the first meeting of two threads may be ordered by the runtime's own locks.
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
        eventually("A slot was free, and a download never started.", timersInPlay: true) {
          isOver.isOpen
        })
      for name in ["first", "second"] { try downloads.submit(name) }
      runUntilQuiet()
      try #require(
        downloads.timeline.inside == ["first"],
        downloads.timeline.showing(
          """
          The limit is 1. While a download threw, it called finished on another thread: that frees one \
          slot, once, so the first of the next two must be in flight.
          """))
    }
  }

  @Test func `random scripts end as they must`() {
    playScripts(of: LimiterScript.self)
  }
}

extension DownloadLimiter: OpaqueMirror {}
