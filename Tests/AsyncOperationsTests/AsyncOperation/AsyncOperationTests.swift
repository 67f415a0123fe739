import Foundation
import KataTesting
import Testing

/// Proves that the operation executes from its start until finish, on any thread.
///
/// Neither takes effect too early or twice, and each change is announced around it, with no lock
/// held. A cancelled operation ends too, but not before its start.
@Suite(.serialized, .kata) struct AsyncOperationTests {
  let timeline = Timeline()

  // MARK: - Started by hand

  @Test func `it goes on executing after main has returned`() throws {
    let work = Work("work", on: timeline)
    #expect(
      !work.isExecuting && !work.isFinished,
      "A new operation waits to be started: it must be neither executing nor finished.")

    try start(work)
    #expect(
      timeline.entries(of: "work") == 1,
      "start() must call main(), once: a subclass begins its work there.")
    #expect(
      !work.isFinished,
      """
      main() has returned and the operation is finished, but finish() hasn't been called: a \
      dependent would start before there is a result. Return isFinished from a state of your own, \
      which doesn't change when main() returns, and write start() without super.start().
      """)
    #expect(
      work.isExecuting,
      """
      main() has returned and finish() hasn't been called, so the work is still running: \
      isExecuting must be true from start() until finish().
      """)
    #expect(
      work.isAsynchronous,
      "isAsynchronous must be true: the work continues after start() has returned.")
  }

  @Test func `finish ends it`() throws {
    let work = Work("work", on: timeline)
    try start(work)
    try end(work)
    #expect(work.isFinished, "finish() was called, but isFinished is false.")
    #expect(
      !work.isExecuting,
      "finish() was called, but isExecuting is true: a finished operation isn't executing.")
  }

  @Test func `it executes while main runs`() throws {
    let inside = LockedValue<[Reading]>([])
    let work = Work("work", on: timeline) { inside.append(Reading($0)) }
    try start(work)
    #expect(
      inside.value == [Reading(isExecuting: true, isFinished: false)],
      """
      Read inside main(), the operation must be executing and not finished. start() must change \
      the state before it calls main().
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
    let (starter, onStartingThread) = (ThreadMark(), SharedCounter())
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
      "main() was called on another thread; start() must call it on the thread that it runs on.")
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
    #expect(operation.isFinished, "finish() was called, but isFinished is false.")
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
      start() was called a second time \(moment.rawValue), and main() was called \(mains) times in \
      all. Only the start of a waiting operation may call it.
      """)
    #expect(
      Reading(work) == before && probe.notices.isEmpty,
      probe.showing(
        """
        start() was called a second time \(moment.rawValue). It must change nothing and announce \
        nothing: check whether the operation is still waiting.
        """))
  }

  @Test(.observesKVO) func `start called while another start is announced has no effect`() throws {
    let work = Work("work", on: timeline)
    guard let first = parked(at: .will(.isExecuting), work, "start()", { work.start() })
    else { return }
    try mustReturn("start(), beside the first", "It must not wait for the first.") { [timeline] in
      timeline.visit("another start()") { work.start() }
    }
    try goOn(first)
    let mains = timeline.entries(of: "work")
    let sentence = """
      One thread was starting it when another called start(). The operation must be started once, \
      and main() be called once; here it was called \(mains) times. Set a flag under the lock that \
      a change is being made.
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
}
