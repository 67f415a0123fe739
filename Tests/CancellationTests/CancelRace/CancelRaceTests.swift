import AsyncOperations
import Foundation
import KataTesting
import Testing

/// Proves that cancel and complete settle one outcome between them, at whatever moment they meet.
///
/// The call that settles it reports it, once, and the end is announced once. No thread has to wait
/// while the operation calls a closure.
@Suite(.serialized, .kata) struct CancelRaceTests {
  let timeline = Timeline()

  // MARK: - One after the other

  @Test func `the work's value is the outcome`() throws {
    let job = try begunJob()
    #expect(
      job.operation.isExecuting && !job.operation.isFinished && job.outcome == "open",
      "The work goes on: the operation must be executing, and its outcome nil.")
    try call(.complete, on: job)
    #expect(
      job.reports == ["completed with 7"],
      """
      The work has called complete with 7, so report must have been called with that value before \
      complete returned. Begin there: the closure passed to complete makes the value; keep it as \
      the outcome, report it, then call finish().
      """)
    try expectOneOutcome("completed with 7", of: job, after: "The work called complete with 7.")
  }

  @Test func `cancelled while it works, it is over at once`() throws {
    let job = try begunJob()
    try call(.cancel, on: job)
    #expect(
      job.operation.isCancelled,
      "cancel() has returned and isCancelled is false. An override must call super.cancel().")
    #expect(
      job.reports == ["cancelled"],
      "cancel() has returned, so report must have been called with .cancelled, once.")
    try expectOneOutcome(
      "cancelled", of: job,
      after: "It was cancelled while it worked; the work never calls complete, and needn't.")
  }

  @Test(arguments: CancelRaceCall.allCases)
  func `the call that settles it reports it`(call: CancelRaceCall) throws {
    let caller = ThreadMark()
    let reportedByCaller = LockedValue<[Bool]>([])
    let job = try begunJob { _ in reportedByCaller.append(caller.isCurrent) }
    try mustReturn(call.rawValue) {
      caller.note()
      job.make(call)
    }
    runUntilQuiet()
    #expect(
      reportedByCaller.value == [true],
      """
      report must be called once, on the thread that calls \(call.rawValue) and before that call \
      returns. The caller relies on the outcome having been reported by then.
      """)
  }

  @Test(arguments: CancelRaceCall.allCases, CancelRaceCall.allCases)
  func `the second call has no effect`(first: CancelRaceCall, second: CancelRaceCall) throws {
    let job = try begunJob()
    try call(first, on: job)
    try call(second, on: job)
    try expectOneOutcome(
      first == .cancel ? "cancelled" : "completed with 7", of: job,
      after: "First \(first.rawValue) was called, then \(second.rawValue).")
  }

  @Test(arguments: CancelRaceCall.allCases)
  func `no value is made when the outcome is settled`(first: CancelRaceCall) throws {
    let job = try begunJob()
    try call(first, on: job)
    let made = SharedCounter()
    try mustReturn("complete") { job.complete { made.increment() } }
    #expect(
      made.value == 0,
      """
      \(first.rawValue) had settled the outcome when complete was called, and complete still \
      called value. Check the outcome before you call value.
      """)
  }

  // queue         operation              dependent
  // suspended     waits                  waits
  //               cancelled: reported
  //               must wait              must wait
  // resumed
  //               is finished
  //                                      begins
  @Test func `cancelled before its start, it is finished by its start`() throws {
    let job = CancelRaceJob()
    // The dependency never finishes; a cancelled operation doesn't wait for it.
    job.operation.addDependency(BlockOperation {})
    let dependent = SharedCounter()
    let after = BlockOperation { dependent.increment() }
    after.addDependency(job.operation)
    job.queue.isSuspended = true
    job.queue.addOperations([job.operation, after], waitUntilFinished: false)
    try call(.cancel, on: job)
    runUntilQuiet()
    #expect(
      job.operation.isCancelled && job.reports == ["cancelled"],
      """
      It was cancelled before its start. That settles the outcome: when cancel() returns, \
      isCancelled must be true and report have been called.
      """)
    try #require(
      !job.operation.isFinished,
      """
      It was cancelled in a suspended queue and is finished already. The queue hasn't started it, \
      and only start() may finish it then. The inherited finish() has no effect before the start.
      """)
    job.queue.isSuspended = false
    eventually(
      """
      It was cancelled before its start, and what depends on it never begins. Is it finished when \
      its queue starts it, and does Foundation know that it's cancelled (super.cancel())?
      """
    ) { dependent.value == 1 }
    #expect(job.works == 0, "It was cancelled before its start, and its work began all the same.")
    try expectOneOutcome(
      "cancelled", of: job, after: "It was cancelled before its start, and then started.")
  }
}
