import Foundation
import KataTesting
import Testing

extension AsyncOperationTests {
  // MARK: - Finished too often, or too early

  @Test func `finish has no effect before the start`() throws {
    let work = Work("work", on: timeline)
    try mustReturn("finish()") { work.finish() }
    #expect(
      !work.isFinished && !work.isExecuting,
      "finish() was called on an operation that was never started, and must have no effect.")
    let queue = try queue([work])
    eventually("finish() was called too early; main() must still run when the queue starts it.") {
      timeline.isInside("work")
    }
    try end(work)
    expectDrained(queue)
  }

  @Test func `finish called twice does no harm`() throws {
    let work = Work("work", on: timeline)
    let queue = try queue([work])
    expectAtWork()
    try end(work)
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
  }

  @Test(.observesKVO) func `the second finish announces nothing`() throws {
    let work = SilentWork()
    try start(work)
    try mustReturn("finish()") { work.finish() }
    let probe = KVOProbe(work)
    try mustReturn("finish(), the second time") { work.finish() }
    #expect(
      probe.notices.isEmpty,
      probe.showing("The second finish() changes nothing, so it must announce nothing."))
  }

  // first thread       second thread
  // finishes it
  // sends a notice
  // waits inside it    finishes it
  //                    returns
  // goes on
  @Test(.observesKVO) func `finish called while the end is announced has no effect`() throws {
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
        One thread was ending it when another called finish(). One of them must end it and \
        announce that, once: set a flag under the lock that a change is being made.
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
      finish() has returned while the end is still being announced, but its caller relies on the \
      end. Make the change, and announce it, on the calling thread.
      """)
    try goOn(finisher)
    #expect(
      work.isFinished && !finisher.probe.notices.isEmpty,
      "finish() has returned, so isFinished must be true and its change announced.")
  }

  @Test func `finish called by several threads at once ends it once`() throws {
    let work = Work("work", on: timeline)
    let after = Work("after", on: timeline)
    after.addDependency(work)
    _ = try queue([work, after])
    expectAtWork()
    try TestThread.race("finish() by thread", threads: 4) { _ in work.finish() }
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
}
