import Foundation
import KataTesting
import Testing

extension AsyncOperationTests {
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
        By the time "isFinished" is announced, isExecuting must be false: an observer of the end \
        may read both.
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
        It was cancelled before its start, so it never works: isExecuting must not become true \
        before the end.
        """))
  }

  // starting thread      an observer
  // changes the state
  // sends did            calls finish()
  // goes on
  @Test(.observesKVO, arguments: [true, false])
  func `inside the notice of its start it may be finished`(onStartingThread: Bool) throws {
    let work = Work("work", on: timeline)
    let (ends, isEndKnown) = (SharedCounter(), LockedValue<[Bool]>([]))
    let finish: @Sendable () -> Void = {
      work.finish()
      isEndKnown.append(work.isFinished && ends.value > 0)
    }
    let probe = KVOProbe(work) { announcement in
      if announcement == .did(.isFinished), work.isFinished { ends.increment() }
      guard announcement == .did(.isExecuting), work.isExecuting else { return }
      if onStartingThread { finish() } else { onAnotherThread("finish()", finish) }
    }
    let starter = TestThread("start()") { work.start() }
    eventually(
      """
      Inside "did isExecuting" finish() was called, but start() never returned: a lock is held, or \
      its queue occupied, while notices are sent.
      """
    ) { starter.hasReturned }
    withExtendedLifetime(probe) {}
    #expect(
      work.isFinished && !work.isExecuting,
      """
      Inside "did isExecuting" the operation executes, so finish(), called there, must end it; it \
      had no effect. Clear the flag that a change is being made together with the change, not \
      after the last notice.
      """)
    #expect(
      !work.isFinished || !isEndKnown.value.contains(false),
      """
      Inside "did isExecuting" finish() was called, and it returned before the end was announced. \
      The call that ends the operation must return when the end has been announced.
      """)
    #expect(
      timeline.entries(of: "work") == 0,
      """
      Inside "did isExecuting" finish() was called, and main() after that, but an operation that \
      has ended has nothing to begin. Check isExecuting again before you call main().
      """)
  }

  // notifying thread   another thread
  // sends a notice
  // waits inside it    reads the state
  //                    has read it
  // goes on
  @Test(.observesKVO) func `no lock is held while it notifies`() throws {
    let work = Work("work", on: timeline)
    let current = LockedValue("none")
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
        Inside the notice "\(current.value)", which \(name) sends, another thread read isExecuting \
        and isFinished, and the call didn't return: a lock is held, or its queue occupied, while \
        the notice is sent. Decide and change under the lock, and send notices only when you have \
        released it.
        """
      ) { caller.hasReturned }
      guard returned else { return }
    }
    #expect(!probe.notices.isEmpty, "Nothing was announced.")
  }

  // one operation       another one
  // sends a will
  //                     starts: independent of the first
  // changes the state
  @Test(.observesKVO) func `another operation may start meanwhile`() throws {
    let (work, other) = (SilentWork(), SilentWork())
    let wills = SharedCounter()
    let probe = KVOProbe(work) { if case .will = $0, wills.increment() == 1 { other.start() } }
    try mustReturn("start()") { work.start() }
    withExtendedLifetime(probe) {}
    #expect(
      other.isExecuting && !other.isFinished,
      """
      While one operation announced its start another one was started, but it doesn't execute. \
      Each operation has a state of its own: keep it, and the flag that a change is being made, in \
      the operation and not in a place that all share.
      """)
  }

  // MARK: - Many threads

  // working thread            another thread
  // changes the state
  // begins to announce it     reads the state: only a lock in the answer orders the two
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
  // begins to announce it     calls finish: only a lock in the answer orders the two
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

  @Test func `three operations follow the rules, in random orders of calls`() {
    playScripts(of: LifeOfOperations.self)
  }

  @Test func `finish before the start has no effect, in random orders of calls`() {
    playScripts(of: LivesWithEarlyEnds.self)
  }
}
