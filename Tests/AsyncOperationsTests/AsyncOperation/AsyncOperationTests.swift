import Foundation
import KataTesting
import Testing

/// Proves that the operation executes from its start until finish, on whatever thread, that neither counts
/// too early or twice, that each change is announced around it with no lock held, and that a cancelled one
/// ends too, but not before its start.
@Suite(.serialized, .kata) struct AsyncOperationTests {
  let timeline = Timeline()

  // MARK: - Started by hand

  @Test func `it goes on executing after main has returned`() throws {
    let work = Work("work", on: timeline)
    #expect(
      !work.isExecuting && !work.isFinished,
      "A new operation waits to be started: it neither executes nor is finished.")

    try start(work)
    #expect(
      timeline.entries(of: "work") == 1,
      "start() must call main(), once: that is where a subclass begins its work.")
    #expect(
      !work.isFinished,
      """
      main() has returned and the operation says that it is finished, though nobody has called \
      finish(): whoever waits for its result would come too early. Answer isFinished from a state \
      of your own, which main()'s return doesn't change; and write start() without super.start().
      """)
    #expect(
      work.isExecuting,
      """
      main() has returned and finish() hasn't been called, so the work is under way: isExecuting \
      must be true from start() until finish().
      """)
    #expect(
      work.isAsynchronous,
      "isAsynchronous must be true: it tells that the work goes on after start() has returned.")
  }

  @Test func `finish ends it`() throws {
    let work = Work("work", on: timeline)
    try start(work)
    try end(work)
    #expect(work.isFinished, "finish() was called, and still isFinished is false.")
    #expect(
      !work.isExecuting,
      "finish() was called, and still isExecuting is true: an operation that is over doesn't work.")
  }

  @Test func `it executes while main runs`() throws {
    let inside = Locked<[Reading]>([])
    let work = Work("work", on: timeline) { inside.append(Reading($0)) }
    try start(work)
    #expect(
      inside.value == [Reading(isExecuting: true, isFinished: false)],
      """
      Read inside main(), the operation must be executing and not finished. start() has to change \
      the state before it calls main(): "main(), then executing" is backwards.
      """)
  }

  @Test func `work that ends before main returns leaves it finished`() throws {
    let work = Work("work", on: timeline) { $0.end() }
    try start(work)
    #expect(
      work.isFinished && !work.isExecuting,
      """
      The work ended at once: finish() was called inside main(). After start() the operation must \
      be finished and not executing; finished is the last state, and nothing may overwrite it.
      """)
  }

  @Test func `main is called on the thread that starts it`() throws {
    let (starter, onStartingThread) = (ThreadMark(), Counter())
    let work = Work("work", on: timeline) { _ in
      if starter.isCurrent { onStartingThread.increment() }
    }
    try mustReturn("start()") {
      starter.note()
      work.start()
    }
    eventually("start() must call main().") { timeline.isInside("work") }
    #expect(
      onStartingThread.value == 1,
      "main() was called on another thread; start() has to call it on the thread that it runs on.")
  }

  @Test func `the inherited main does nothing`() throws {
    let operation = AsyncOperation()
    try mustReturn("start()") { operation.start() }
    runUntilQuiet()
    #expect(
      operation.isExecuting && !operation.isFinished,
      """
      The operation has no main() of its own, and the inherited one must do nothing: a subclass \
      may call super.main(). It must be executing until finish(); here \
      isExecuting=\(operation.isExecuting), isFinished=\(operation.isFinished).
      """)
    try mustReturn("finish()") { operation.finish() }
    #expect(operation.isFinished, "finish() was called, and still isFinished is false.")
  }

  // MARK: - Started too often

  @Test(.observesKVO, arguments: Moment.allCases)
  func `a second start has no effect`(moment: Moment) throws {
    let work = Work("work", on: timeline)
    if moment == .afterItsCancelledEnd { try cancel(work) }
    try start(work)
    if moment == .whileItWorksCancelled { try cancel(work) }
    if moment == .afterItsEnd { try end(work) }
    let before = Reading(work)
    let probe = KVOProbe(work)
    try mustReturn("start(), the second time") { work.start() }
    runUntilQuiet()
    let mains = timeline.entries(of: "work")
    #expect(
      mains == (moment == .afterItsCancelledEnd ? 0 : 1),
      """
      start() was called a second time \(moment.rawValue), and main() has been called \(mains) \
      times in all. Only the start of a waiting operation may call it.
      """)
    #expect(
      Reading(work) == before && probe.notices.isEmpty,
      probe.showing(
        """
        start() was called a second time \(moment.rawValue). It must change nothing and announce \
        nothing: look whether the operation is still waiting.
        """))
  }

  @Test(.observesKVO) func `start called while another is announced has no effect`() throws {
    let work = Work("work", on: timeline)
    guard let first = parked(at: .will(.isExecuting), work, "start()", { work.start() })
    else { return }
    try mustReturn("start(), beside the first", "It must not wait for the first.") { [timeline] in
      timeline.visit("another start()") { work.start() }
    }
    try goOn(first)
    let mains = timeline.entries(of: "work")
    let sentence = """
      One thread was on its way to start it when another called start(). The operation must be \
      started once, and main() be called once; here it was called \(mains) times. Note under the \
      lock that a change is on its way.
      """
    timeline.expect(
      """
      start()          ├─────────────────────────────┤
      its notice            ├──────────────┤
      another start()            ├────┤
      work                                      ├─────────…
      """, sentence)
    #expect(
      first.probe.notices(of: .did(.isExecuting)).count == 1, first.probe.showing(sentence))
  }

  // MARK: - In a queue

  // queue         work          whoever waits for the queue
  // starts it
  //               begins
  //               main returns  waits
  //               finish
  // lets go                     goes on
  @Test func `its queue lets go of it after finish, not after main`() throws {
    let work = Work("work", on: timeline)
    let queue = try queue([work])
    let drained = TestThread("waitUntilAllOperationsAreFinished()") {
      queue.waitUntilAllOperationsAreFinished()
    }
    let ended = TestThread("waitUntilFinished()") { work.waitUntilFinished() }
    expectAtWork()
    runUntilQuiet()
    #expect(
      !drained.hasReturned && !ended.hasReturned && completions == 0,
      timeline.showing(
        "main() has returned, the work goes on, and the queue takes the operation for finished."))

    try end(work)
    eventually(
      """
      finish() has returned, and whoever waits for the operation or its queue still waits. \
      Foundation doesn't look by itself; it hears of the end when didChangeValue(forKey: \
      "isFinished") is called after the change.
      """
    ) { ended.hasReturned && drained.hasReturned }
    expectOneCompletion()
  }

  @Test func `its queue lets go of work that ends before main returns`() throws {
    let work = Work("work", on: timeline) { $0.end() }
    let queue = try queue([work])
    expectDrained(queue, "finish() was called inside main(), which counts.")
    eventually("It is finished, but its completionBlock was never called.") { completions > 0 }
    runUntilQuiet()
    #expect(
      work.isFinished && !work.isExecuting && completions == 1,
      """
      The work ended inside main(). It must be finished, not executing, and its completionBlock \
      called once; here isFinished=\(work.isFinished), isExecuting=\(work.isExecuting), completed \
      \(completions) times.
      """)
  }

  @Test(arguments: [Queues.same, .different])
  func `a dependent waits for finish`(queues: Queues) throws {
    let first = Work("first", on: timeline)
    let second = Work("second", on: timeline)
    second.addDependency(first)
    let one = try queue([first])
    let other = try queues == .same ? one : queue([])
    try add(second, to: other)
    expectAtWork("first")
    runUntilQuiet()
    #expect(
      timeline.entries(of: "second") == 0,
      timeline.showing(
        """
        The second operation depends on the first, and began when the first one's main() had \
        returned: its work still goes on. A dependent must wait for finish().
        """))

    try end(first)
    eventually(timeline.showing("The first has ended, but its dependent never began.")) {
      timeline.isInside("second")
    }
    try end(second)
  }

  @Test func `a queue one wide runs the next after finish`() throws {
    let works = (1...3).map { Work("work \($0)", on: timeline) }
    _ = try queue(works, width: 1)
    for (index, work) in works.enumerated() {
      eventually(timeline.showing("\(work.label) has its turn, but its main() is never called.")) {
        timeline.isInside(work.label)
      }
      runUntilQuiet()
      #expect(
        timeline.orderOfEntry.count == index + 1,
        timeline.showing(
          """
          The queue may run one operation at a time and started another while the work of \
          \(work.label) was still going on.
          """))
      try end(work)
    }
    #expect(timeline.largestNumberInside == 1, timeline.showing("Two operations overlapped."))
  }

  // MARK: - Cancelled

  @Test func `cancelled before its start, it finishes without main when it is started`() throws {
    let work = Work("work", on: timeline)
    try cancel(work)
    #expect(
      work.isCancelled,
      "isCancelled must be true as soon as cancel() is called: call super.cancel().")
    #expect(
      !work.isFinished,
      "cancel() has finished an operation that was never started. Only start() may do that.")
    try start(work)
    #expect(
      timeline.entries(of: "work") == 0,
      "It was cancelled before it was started, so start() must not call main().")
    #expect(
      work.isFinished && !work.isExecuting,
      """
      start() was called on a cancelled operation. There is nothing to do and nobody else to end \
      it, so start() must leave it finished and not executing.
      """)
  }

  @Test func `cancelled before it is added, it finishes in its queue`() throws {
    let work = Work("work", on: timeline)
    try cancel(work)
    let after = Work("after", on: timeline)
    after.addDependency(work)
    let queue = try queue([work, after])
    eventually("It was cancelled, so its dependent should have its turn, but never began.") {
      timeline.isInside("after")
    }
    try end(after)
    expectDrained(queue)
    expectCancelledEnd(of: work)
  }

  // blocker       work          after (depends on work)
  // begins
  //               waits         waits
  //               cancelled
  //               must wait     must wait
  // ends
  //               is finished
  //                             begins
  @Test func `cancelled while it waits in a queue, it finishes when its turn comes`() throws {
    let blocker = Work("blocker", on: timeline)
    let work = Work("work", on: timeline)
    let after = Work("after", on: timeline)
    after.addDependency(work)
    let queue = try queue([blocker, work, after], width: 1)
    expectAtWork("blocker")
    try cancel(work)
    #expect(
      work.isCancelled,
      "isCancelled must be true as soon as cancel() is called: call super.cancel().")
    runUntilQuiet()
    #expect(
      !work.isFinished,
      """
      It is finished before its queue has started it. cancel() only asks; the operation's end is \
      start()'s business, when its turn comes.
      """)
    #expect(timeline.entries(of: "after") == 0, timeline.showing("Its dependent came too early."))

    try end(blocker)
    eventually(
      timeline.showing(
        "A cancelled operation's turn has come, and its dependent never begins. Is it finished?")
    ) { timeline.isInside("after") || timeline.isInside("work") }
    expectCancelledEnd(of: work)
    try end(after)
    expectDrained(queue)
  }

  @Test func `cancelled while it waits for a dependency, it leaves its queue`() throws {
    let dependency = Work("dependency", on: timeline)
    let work = Work("work", on: timeline)
    work.addDependency(dependency)
    let queue = try queue([work])
    runUntilQuiet()
    #expect(timeline.entries(of: "work") == 0, "It began before its dependency was finished.")
    try cancel(work)
    expectDrained(
      queue,
      """
      A cancelled operation doesn't wait for its dependencies any more, but Foundation must know \
      that it is cancelled: don't keep a flag of your own, and call super.cancel().
      """)
    expectCancelledEnd(of: work)
  }

  @Test func `cancelled while it works, it goes on until finish`() throws {
    let work = Work("work", on: timeline)
    let queue = try queue([work])
    expectAtWork()
    try cancel(work)
    runUntilQuiet()
    #expect(
      work.isCancelled, "The work must be able to see isCancelled, so that it can stop early.")
    #expect(
      !work.isFinished && work.isExecuting,
      """
      It was cancelled while its work was going on, and says that it is over: dependents would \
      start beside work that still runs. Only finish() ends work that has begun.
      """)

    try end(work)
    expectDrained(queue, "finish() must end a cancelled operation too.")
    expectOneCompletion()
  }

  // MARK: - Finished too often, or too early

  @Test func `finish has no effect before the start`() throws {
    let work = Work("work", on: timeline)
    try mustReturn("finish()") { work.finish() }
    #expect(
      !work.isFinished && !work.isExecuting,
      "finish() was called on an operation that was never started, and must have no effect.")
    let queue = try queue([work])
    eventually("finish() was called too early; main() must still run when its turn comes.") {
      timeline.isInside("work")
    }
    try end(work)
    expectDrained(queue)
  }

  @Test(.observesKVO) func `finish called twice does no harm`() throws {
    let work = Work("work", on: timeline)
    let queue = try queue([work])
    expectAtWork()
    try end(work)
    let probe = KVOProbe(work)
    try mustReturn("finish(), the second time") { work.finish() }
    expectDrained(queue)
    runUntilQuiet()
    #expect(
      work.isFinished && !work.isExecuting && completions == 1,
      """
      finish() was called twice. The operation must stay finished and be completed once; here \
      isFinished=\(work.isFinished), isExecuting=\(work.isExecuting), completed \
      \(completions) times.
      """)
    #expect(
      probe.notices.isEmpty,
      probe.showing("The second finish() changes nothing, and still it announces something."))
  }

  // first thread       second thread
  // finishes it
  // sends a notice
  // waits inside it    finishes it
  //                    returns
  // goes on
  @Test(.observesKVO) func `finish called while another is announced has no effect`() throws {
    let work = SilentWork()
    try start(work)
    guard let first = parked(at: .will(.isFinished), work, "finish()", { work.finish() })
    else { return }
    let probe = first.probe
    try mustReturn("finish(), beside the first", "It must not wait for the first.") {
      work.finish()
    }
    try goOn(first)
    #expect(
      work.isFinished && probe.notices(of: .will(.isFinished)).count == 1
        && probe.notices(of: .did(.isFinished)).count == 1,
      probe.showing(
        """
        One thread was on its way to end it when another called finish(). One of them ends it and \
        announces that, once: note under the lock that a change is on its way.
        """))
  }

  @Test(.observesKVO) func `finish returns when the end is announced`() throws {
    let work = SilentWork()
    try start(work)
    guard let finisher = parked(at: .did(.isFinished), work, "finish()", { work.finish() })
    else { return }
    timeline.expect(
      """
      finish()    ├─────────…
      its notice       ├────…
      """,
      """
      finish() has returned while the end is still being announced: whoever has called it takes \
      the operation for finished. Make the change, and announce it, on the calling thread.
      """)
    try goOn(finisher)
    #expect(
      work.isFinished && !finisher.probe.notices.isEmpty,
      "finish() has returned, so isFinished must be true and announced.")
  }

  @Test func `finish called by several threads at once ends it once`() throws {
    let work = Work("work", on: timeline)
    let after = Work("after", on: timeline)
    after.addDependency(work)
    _ = try queue([work, after])
    expectAtWork()
    try race("finish() by thread", threads: 4) { _ in work.finish() }
    runUntilQuiet()
    #expect(
      work.isFinished && !work.isExecuting && completions == 1,
      """
      Four threads called finish() at once. The operation must be finished and completed once; \
      here isFinished=\(work.isFinished), isExecuting=\(work.isExecuting), completed \
      \(completions) times.
      """)
    #expect(
      timeline.entries(of: "after") == 1,
      timeline.showing("Its dependent must begin once, when it is finished."))
    try end(after)
  }

  // MARK: - Notices

  @Test(.observesKVO) func `its start is announced around the change`() throws {
    let work = Work("work", on: timeline)
    let probe = KVOProbe(work)
    try start(work)
    expectChange(of: .isExecuting, from: false, to: true, in: probe, during: "start()")
    expectBalance(in: probe)
  }

  @Test(.observesKVO) func `its end is announced around the change`() throws {
    let work = Work("work", on: timeline)
    try start(work)
    let probe = KVOProbe(work)
    try end(work)
    expectChange(of: .isExecuting, from: true, to: false, in: probe, during: "finish()")
    expectChange(of: .isFinished, from: false, to: true, in: probe, during: "finish()")
    #expect(
      probe.notices(of: .did(.isFinished)).allSatisfy { !$0.isExecuting },
      probe.showing(
        """
        By the time "isFinished" is announced, isExecuting must be false: who hears of the end may \
        look at both.
        """))
    expectBalance(in: probe)
  }

  @Test(.observesKVO)
  func `a cancelled operation's end is announced by its start, not before`() throws {
    let work = Work("work", on: timeline)
    let probe = KVOProbe(work)
    let queue = try queue([], suspended: true)
    try add(work, to: queue)
    try cancel(work)
    runUntilQuiet()
    #expect(
      probe.notices(of: .did(.isFinished)).isEmpty && probe.notices(of: .will(.isFinished)).isEmpty,
      probe.showing(
        "\"isFinished\" was announced while the cancelled operation still waited for its start."))

    queue.isSuspended = false
    expectDrained(queue)
    expectChange(
      of: .isFinished, from: false, to: true, in: probe,
      during: "the start of a cancelled operation")
    expectBalance(in: probe)
    #expect(
      probe.notices.allSatisfy { !$0.isExecuting },
      probe.showing(
        """
        It was cancelled before its start, so it never works: isExecuting mustn't become true on \
        the way to the end.
        """))
  }

  // starting thread      an observer
  // changes the state
  // sends did            calls finish()
  // goes on
  @Test(.observesKVO, arguments: [true, false])
  func `inside the notice of its start it may be finished`(onStartingThread: Bool) throws {
    let work = Work("work", on: timeline)
    let probe = KVOProbe(work) { announcement in
      guard announcement == .did(.isExecuting), work.isExecuting else { return }
      if onStartingThread { work.finish() } else { onAnotherThread("finish()") { work.finish() } }
    }
    let starter = TestThread("start()") { work.start() }
    eventually(
      """
      Inside "did isExecuting" finish() was called, and start() never returned: a lock is held, or \
      its queue occupied, while notices are sent.
      """
    ) { starter.hasReturned }
    withExtendedLifetime(probe) {}
    #expect(
      work.isFinished && !work.isExecuting,
      """
      Inside "did isExecuting" the operation executes, so finish(), called there, must end it; it \
      had no effect. The note that a change is on its way has to go with the change, not after the \
      last notice.
      """)
    #expect(
      timeline.entries(of: "work") == 0,
      """
      Inside "did isExecuting" finish() was called, and then main(): an operation that is over has \
      nothing to begin. Look at isExecuting once more before you call main().
      """)
  }

  // notifying thread   another thread
  // sends a notice
  // waits inside it    reads the state
  //                    has read it
  // goes on
  @Test(.observesKVO) func `no lock is held while it notifies`() throws {
    let work = Work("work", on: timeline)
    let current = Locked("none")
    let probe = KVOProbe(work) { announcement in
      current.set("\(announcement)")
      onAnotherThread("reader") { _ = (work.isExecuting, work.isFinished) }
      current.set("none")
    }
    let start: @Sendable () -> Void = { work.start() }
    let finish: @Sendable () -> Void = { work.finish() }
    for (name, call) in [("start()", start), ("finish()", finish)] {
      let caller = TestThread(name, call)
      let returned = eventually(
        """
        Inside the notice "\(current.value)", which \(name) sends, another thread asked for \
        isExecuting and isFinished and got no answer: a lock is held, or its queue occupied, while \
        the notice is sent. Decide and change under the lock; notify when you have let go of it.
        """
      ) { caller.hasReturned }
      guard returned else { return }
    }
    #expect(!probe.notices.isEmpty, "Nothing was announced.")
  }

  // one operation       another one
  // sends a will
  //                     starts: nothing to do with the first
  // changes the state
  @Test(.observesKVO) func `another operation starts meanwhile`() throws {
    let (work, other) = (SilentWork(), SilentWork())
    let wills = Counter()
    let probe = KVOProbe(work) { if case .will = $0, wills.increment() == 1 { other.start() } }
    try mustReturn("start()") { work.start() }
    withExtendedLifetime(probe) {}
    #expect(
      other.isExecuting && !other.isFinished,
      """
      While one operation announced its start another one was started, and it doesn't execute. Each \
      operation has a state of its own: keep it, and the note that a thread is on its way to change it, \
      in the operation and not where all share it.
      """)
  }

  // MARK: - Many threads

  // working thread            another thread
  // changes the state
  // begins to announce it     reads the state: nothing but a lock of the answer's orders the two
  // goes on
  @Test(.observesKVO) func `its state may be read while it starts`() throws {
    let work = SilentWork()
    try meetInsideNotice(
      of: work, where: { $0 == .did(.isExecuting) }, "start()", { work.start() },
      "isExecuting", { _ = work.isExecuting })
    #expect(work.isExecuting, "start() has returned, so isExecuting must be true.")
  }

  @Test(.observesKVO) func `its state may be read while it finishes`() throws {
    let work = SilentWork()
    try call("isFinished", whileItFinishes: work) { _ = work.isFinished }
  }

  // working thread            another thread
  // ends it
  // begins to announce it     calls finish: nothing but a lock of the answer's orders the two
  // goes on
  @Test(.observesKVO) func `finish may be called while it finishes`() throws {
    let work = SilentWork()
    try call("the second finish()", whileItFinishes: work) { work.finish() }
  }

  private func call(
    _ name: String, whileItFinishes work: SilentWork, _ look: @escaping @Sendable () -> Void
  ) throws {
    try mustReturn("start()") { work.start() }
    try meetInsideNotice(
      of: work, where: { $0 == .did(.isExecuting) }, "finish()", { work.finish() }, name, look)
    #expect(work.isFinished, "finish() has returned, so isFinished must be true.")
  }

  @Test func `lives of three operations go as their rules say`() {
    playScripts(of: LifeOfOperations.self)
  }
}
