import Dispatch
import Foundation
import KataTesting
import Testing

/// Proves that as many downloads are in flight as the limit allows and never more; that each end or failure
/// frees one slot for the first in line; and that downloads block neither their caller nor a thread each.
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
        \(downloads.timeline.inside.count) of them are in flight, and no thread runs that could \
        start another. While a slot is free, the next download in line must be started.
        """)
    ) { Set(downloads.timeline.inside) == Set(names) }
  }

  @Test func `submit returns while every slot is taken`() throws {
    let downloads = Downloads(limit: 1)
    try downloads.submit("in flight")
    try downloads.submit(
      "in line",
      advice: """
        The only slot is taken, and submit blocks its caller until it's free: on the main thread, \
        that is a frozen app. Wait for the slot elsewhere.
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
      "The limit is 2, so the first two downloads must have started, and the third must be in line."
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
        A download was submitted to a limiter whose slot is free, but it never started. Another \
        limiter's slot is taken, and a download waits for it. Limiters mustn't share what waits for \
        slots.
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
      While one limiter was starting a slow download, a download was submitted to another limiter, \
      whose slot is free. It must have started by now. Limiters mustn't share what calls their \
      downloads: keep it in a property.
      """)
    goOn.open()
    try submitter.result()
    try other.result()
  }

  // What is in line must cost no thread: elements of an array, or blocks on one serial queue. Blocks
  // that wait on a concurrent queue use up the thread pool, and then no other work runs.
  @Test func `a thousand downloads in line block no threads`() throws {
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
      A thousand downloads wait in line, and other work on the global queues no longer runs: the \
      threads of the pool are blocked. Let one block at a time wait for a slot, or none.
      """
    ) { timeline.events.count { $0.who == "other work" } == classes.count }
    guard otherWorkRan else { return }
    if let threadsBefore, let threadsNow = processThreadCount() {
      #expect(
        threadsNow < threadsBefore + 100,
        """
        With a thousand downloads in line, the process has \(threadsNow - threadsBefore) threads \
        more than before. A blocked thread costs memory and does nothing, so keep downloads in \
        line, not threads.
        """)
    }

    try downloads.finish("first")?.result()
    eventually("One slot is free again, but not all of the thousand in line were started.") {
      timeline.events.count { $0.who == "in line" } == 1000
    }
  }

  @Test func `downloads in flight block no threads`() throws {
    let limit = 200
    let downloads = Downloads(limit: limit)
    let threadsBefore = processThreadCount()
    try mustReturn("submit, two hundred times,") {
      for number in 1...limit { downloads.add("download \(number)", .stays) }
    }
    let allStarted = eventually(
      """
      The limit is \(limit) and as many downloads were submitted, but not all of them were started, \
      and no thread runs that could start another. If a thread waits for the end of each download, \
      the threads may be used up.
      """
    ) { downloads.timeline.events.count == limit }
    guard allStarted else { return }
    if let threadsBefore, let threadsNow = processThreadCount() {
      #expect(
        threadsNow < threadsBefore + 100,
        """
        With \(limit) downloads in flight, the process has \(threadsNow - threadsBefore) threads \
        more than before. A download calls finished when it has ended, so no thread needs to wait \
        for that.
        """)
    }
  }
}

extension DownloadLimiter: OpaqueMirror {}
