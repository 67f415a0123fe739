import Dispatch
import Foundation
import KataTesting
import Testing

/// Proves that the limit holds, that a paused queue begins nothing until each pause has its resume, that
/// operations run on the underlying queue, and that the main queue and limits below one are refused.
@Suite(.serialized, .kata) struct ThrottledQueueTests {
  let timeline = Timeline()

  // MARK: - What it was asked for

  @Test(arguments: [QualityOfService.userInitiated, .utility, .background])
  func `it has the name and the quality of service that were asked for`(
    quality: QualityOfService
  ) throws {
    let queue = try ThrottledQueue(
      name: "com.example.uploads", limit: 3, qualityOfService: quality)
    #expect(
      queue.name == "com.example.uploads",
      """
      It was asked to be called com.example.uploads, and is called \(queue.name ?? "nothing"). In \
      init, set what an OperationQueue has properties for.
      """)
    #expect(
      queue.qualityOfService == quality,
      "Its operations must have the quality of service that it was asked for: set it in init.")
  }

  @Test(arguments: [0, -1]) func `a limit below one is refused`(limit: Int) {
    #expect(
      throws: ThrottledQueue.Refusal.limit(limit),
      """
      With the limit 0 no operation would ever start, and Foundation takes -1 for "as many as you \
      like". Refuse it: throw .limit(\(limit)).
      """
    ) { try ThrottledQueue(name: "com.example.spec", limit: limit) }
  }

  @Test(arguments: [-2, .min]) func `a limit far below one is refused as well`(limit: Int) {
    #expect(
      throws: ThrottledQueue.Refusal.limit(limit),
      """
      The limit \(limit) is below one and means nothing, not even to Foundation. Refuse whatever is \
      below one: throw .limit(\(limit)).
      """
    ) { try ThrottledQueue(name: "com.example.spec", limit: limit) }
  }

  // MARK: - The limit

  @Test(arguments: [1, 3]) func `never more than the limit execute at once`(limit: Int) throws {
    let queue = try throttled(limit: limit)
    let jobs = timeline.jobs("first", "second", "third", "fourth", "fifth")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    #expect(
      timeline.inside.count <= limit,
      timeline.showing(
        """
        The limit is \(limit), and \(timeline.inside.count) operations execute at once. Set \
        maxConcurrentOperationCount.
        """))
  }

  @Test(arguments: [1, 3]) func `as many execute at once as the limit allows`(limit: Int) throws {
    let queue = try throttled(limit: limit)
    let jobs = timeline.jobs("first", "second", "third", "fourth", "fifth")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    #expect(
      timeline.inside.count >= limit,
      timeline.showing(
        """
        The limit is \(limit) and five operations are ready, and \(timeline.inside.count) execute. \
        Nobody has paused the queue.
        """))
  }

  @Test func `a large limit is a limit like any other`() throws {
    let limit = 200
    let queue = try throttled(limit: limit)
    let jobs = (0...limit).map { StagedOperation("operation \($0 + 1)", on: timeline) }
    defer { clear(queue, of: jobs) }
    queue.addOperations(jobs, waitUntilFinished: false)
    runUntilQuiet()
    let count = timeline.inside.count
    #expect(
      count == limit,
      """
      The limit is \(limit), one more is ready, and \(count) execute. None of them holds a thread: \
      whoever asks for many knows why. Hand the limit on as it is.
      """)
  }

  @Test func `the next begins when one has ended`() throws {
    let queue = try throttled(limit: 2)
    let jobs = timeline.jobs("first", "second", "third", "fourth")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    jobs[0].end()
    timeline.expect(
      """
      first   ┆┄┄┄┄├────────────────────────┤
      second            ┆┄┄┄┄├────────────────────────…
      third                       ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────…
      fourth                           ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      """,
      """
      The limit is 2, four were added and the first has ended: the second and the third must execute \
      now, no more and no less.
      """)
  }

  @Test func `without an underlying queue, blocks run side by side`() throws {
    let queue = try throttled(limit: 2)
    let release = Gate("let both end")
    for label in ["first", "second"] {
      queue.addOperation { [timeline] in timeline.visit(label, until: release) }
    }
    eventually(
      timeline.showing(
        """
        The limit is 2, no underlying queue was given, and two blocks don't run side by side. A serial \
        queue underneath lets one run at a time, whatever the limit: leave the choice to the system.
        """)
    ) { timeline.inside.count == 2 }
    release.open()
    runUntilQuiet()
  }

  // MARK: - Pauses

  @Test func `paused, it lets run what runs, and begins nothing`() throws {
    let queue = try throttled(limit: 2)
    let jobs = timeline.jobs("running", "waiting", "also waiting")
    defer { clear(queue, of: jobs) }
    add([jobs[0]], to: queue)
    try pause(queue)
    #expect(
      timeline.isInside("running") && !jobs[0].isCancelled,
      timeline.showing(
        "Paused while an operation executed, the queue has cancelled it: it must go on and end."))
    add([jobs[1], jobs[2]], to: queue)
    timeline.expect(
      """
      running       ┆┄┄┄┄├───────────────────…
      pause                   ●  called
      waiting                      ┆┄┄┄┄┄┄┄┄┄…
      also waiting                      ┆┄┄┄┄…
      """, "The queue is paused and has room, and an operation began.")
    jobs[0].end()
    timeline.expect(
      """
      running       ┆┄┄┄┄├───────────────────┤
      pause                   ●  called
      waiting                      ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      also waiting                      ┆┄┄┄┄┄┄┄┄┄…
      """, "The queue is paused, the running one has ended, and another began.")
    #expect(
      jobs[0].isFinished,
      timeline.showing("What executed when the queue was paused has ended; it must be finished."))
  }

  @Test func `resumed, it begins what waited`() throws {
    let queue = try throttled(limit: 2)
    let jobs = timeline.jobs("first", "second", "third")
    defer { clear(queue, of: jobs) }
    try pause(queue)
    add(jobs, to: queue)
    try resume(queue)
    #expect(
      Set(timeline.inside) == ["first", "second"],
      timeline.showing(
        """
        Three operations waited in a paused queue with the limit 2. It was resumed: two of them must \
        execute now.
        """))
  }

  @Test func `two pauses want two resumes`() throws {
    let queue = try throttled(limit: 1)
    let jobs = timeline.jobs("waiting")
    defer { clear(queue, of: jobs) }
    try pause(queue)
    try pause(queue)
    add(jobs, to: queue)
    try resume(queue)
    timeline.expect(
      """
      pause    ●    ●  called, called
      waiting            ┆┄┄┄┄┄┄┄┄┄…
      resume                  ●  called
      """,
      """
      Two have paused the queue and one has resumed it, and an operation began: the other still wants \
      it to rest. isSuspended is yes or no; count the pauses.
      """)
    try resume(queue)
    timeline.expect(
      """
      pause    ●    ●  called, called
      waiting            ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────…
      resume                  ●    ●  called, called
      """, "Two have paused the queue and both have resumed it: it must run again.")
  }

  @Test func `whoever waits for a paused queue waits for the resume`() throws {
    let queue = try throttled(limit: 1)
    try pause(queue)
    timeline.ask("added")
    queue.addOperation { [timeline] in timeline.visit("added") {} }
    runUntilQuiet()
    let waiter = timeline.asks("whoever waits") { [timeline] in
      queue.waitUntilAllOperationsAreFinished()
      timeline.visit("whoever waits") {}
    }
    let isThere = queue.operationCount == 1
    let sentence = """
      An operation was added to a paused queue. It's in the queue and waits, and so must whoever waits \
      until the queue is empty.
      """
    #expect(isThere, timeline.showing(sentence))
    timeline.expect(
      """
      pause          ●  called
      added               ┆┄┄┄┄┄┄┄┄┄…
      whoever waits            ┆┄┄┄┄…
      """, sentence)
    try resume(queue)
    try waiter.result("The queue was resumed, and its only operation has ended.")
    timeline.expect(
      """
      pause          ●  called
      added               ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      whoever waits            ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      resume                        ●  called
      """, "The queue was resumed: what was added meanwhile must run.")
  }

  @Test func `a resume too many does nothing`() throws {
    let queue = try throttled(limit: 1)
    let jobs = timeline.jobs("first", "second")
    defer { clear(queue, of: jobs) }
    try resume(queue)
    add([jobs[0]], to: queue)
    #expect(
      timeline.isInside("first"),
      timeline.showing("Nobody has paused the queue, it was resumed, and it begins nothing."))
    jobs[0].end()
    try pause(queue)
    add([jobs[1]], to: queue)
    #expect(
      timeline.orderOfEntry == ["first"],
      timeline.showing(
        """
        The queue was resumed without a pause, then paused, and an operation began: the resume too \
        many has eaten the pause. The count mustn't fall below zero.
        """))
    try resume(queue)
    #expect(
      timeline.orderOfEntry == ["first", "second"],
      timeline.showing(
        """
        Resumed without a pause, then paused and resumed, the queue begins nothing any more: the \
        resume too many was counted. The count mustn't fall below zero.
        """))
  }

  @Test func `it can be paused again`() throws {
    let queue = try throttled(limit: 1)
    let jobs = timeline.jobs("first", "second")
    defer { clear(queue, of: jobs) }
    try pause(queue)
    add(jobs, to: queue)
    try resume(queue)
    try pause(queue)
    jobs[0].end()
    #expect(
      timeline.orderOfEntry == ["first"],
      timeline.showing(
        """
        Paused, resumed and paused again: the first was begun in between, and the second must wait.
        """))
    try resume(queue)
    #expect(
      timeline.isInside("second"),
      timeline.showing("The queue was resumed for the second time, and nothing begins."))
  }

  @Test func `paused and resumed, it drains`() throws {
    let queue = try throttled(limit: 2)
    try pause(queue)
    for number in 1...40 {
      queue.addOperation { [timeline] in timeline.visit("operation \(number)") {} }
    }
    try resume(queue)
    try mustReturn(
      "waitUntilAllOperationsAreFinished", "Forty operations waited, and the queue was resumed."
    ) { queue.waitUntilAllOperationsAreFinished() }
    runUntilQuiet()
    #expect(
      timeline.orderOfLeaving.count == 40,
      "Forty operations waited in a paused queue, which was resumed; each must run once.")
    #expect(
      timeline.largestNumberInside <= 2,
      timeline.showing("The limit is 2, and more than two operations executed at once."))
  }

  // Nothing but a lock of the answer's orders the two.
  @Test func `two threads may pause it at once`() throws {
    let queue = try throttled(limit: 1)
    try meet("pause", { queue.pause() }, { queue.pause() })
    let jobs = timeline.jobs("waiting")
    defer { clear(queue, of: jobs) }
    try resume(queue)
    add(jobs, to: queue)
    #expect(
      timeline.orderOfEntry.isEmpty,
      timeline.showing("Two threads have paused the queue, and one resume let it run."))
  }

  // Nothing but a lock of the answer's orders the two, whoever is first.
  @Test(arguments: [false, true])
  func `one thread may resume it while another pauses it`(isPauseFirst: Bool) throws {
    let queue = try throttled(limit: 1)
    try pause(queue)
    if isPauseFirst {
      try meet("pause, then resume", { queue.pause() }, { queue.resume() })
    } else {
      try meet("resume, then pause", { queue.resume() }, { queue.pause() })
    }
    let jobs = timeline.jobs("waiting")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    #expect(
      timeline.orderOfEntry.isEmpty,
      timeline.showing(
        "The queue was paused; then one thread has resumed it, and another has paused it again."))
  }

  // MARK: - The underlying queue

  @Test func `its operations run on the underlying queue`() throws {
    let underlying = DispatchQueue(label: "com.example.database")
    let places = Places(["there": underlying])
    let queue = try throttled(limit: 2, underlyingQueue: underlying)
    queue.addOperation { [timeline] in timeline.mark("operation", places.current) }
    runUntilQuiet()
    #expect(
      timeline.events.map(\.kind) == [.mark("there")],
      timeline.showing("An underlying queue was given: the operations must run on that one."))
  }

  @Test func `on a serial underlying queue blocks run one at a time`() throws {
    let underlying = DispatchQueue(label: "com.example.database")
    let queue = try throttled(limit: 2, underlyingQueue: underlying)
    let release = Gate("let the first end")
    for label in ["first", "second"] {
      timeline.ask(label)
      queue.addOperation { [timeline] in timeline.visit(label, until: release) }
      eventually("The first of two blocks never begins.") { timeline.inside.count > 0 }
    }
    timeline.expect(
      """
      first   ┆┄┄┄┄├─────────…
      second            ┆┄┄┄┄…
      """,
      """
      The underlying queue is serial and guards what its blocks use, and two run at once: run them on \
      that queue itself.
      """)
    release.open()
    timeline.expect(
      """
      first   ┆┄┄┄┄├─────────┤
      second            ┆┄┄┄┄┄┄┄┄┄├────┤
      """, "Both blocks must have run.")
  }

  @Test func `the limit holds on a concurrent underlying queue`() throws {
    let underlying = DispatchQueue(label: "com.example.database", attributes: .concurrent)
    let queue = try throttled(limit: 2, underlyingQueue: underlying)
    let jobs = timeline.jobs("first", "second", "third", "fourth")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    #expect(
      timeline.inside.count == 2,
      timeline.showing("The limit is 2, whatever queue the operations run on."))
  }

  @Test func `the main queue is refused`() {
    for main in [DispatchQueue.main, OperationQueue.main.underlyingQueue].compactMap(\.self) {
      #expect(
        throws: ThrottledQueue.Refusal.mainQueue,
        """
        The main queue was given as the underlying queue, and wasn't refused. It belongs to \
        OperationQueue.main: throw .mainQueue. (On Linux each use of DispatchQueue.main is another \
        object, so `===` doesn't tell; a mark that you have put on it with setSpecific does.)
        """
      ) { try ThrottledQueue(name: "com.example.spec", limit: 1, underlyingQueue: main) }
    }
  }

  @Test func `a queue that is only called like the main queue is taken`() {
    let namesake = DispatchQueue(label: DispatchQueue.main.label)
    #expect(
      throws: Never.self,
      """
      A private queue was refused because it bears the main queue's label. Any queue may be called \
      so: put a mark on the main queue, and look for that.
      """
    ) { try ThrottledQueue(name: "com.example.spec", limit: 1, underlyingQueue: namesake) }
  }
}
