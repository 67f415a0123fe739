import AsyncOperations
import Foundation
import KataTesting
import Testing

/// Proves that cancel also cancels the request in flight, once, and that nothing that comes later
/// has an effect.
@Suite(.serialized, .kata) struct CancelInFlightTests {
  let timeline = Timeline()

  // MARK: - Reply and cancel

  @Test func `the request's reply is the result`() throws {
    let job = try jobInFlight()
    #expect(
      job.operation.isExecuting && job.result == "nil",
      "The request is in flight: the operation must be executing, and its result nil.")
    try call(.reply, on: job)
    try expectEnd(
      of: job, "7",
      after: """
        The request replied with 7. Begin there: begin receives the reply; keep it as the result, \
        then call finish().
        """)
  }

  @Test(arguments: InFlightError.allCases)
  func `the request's error is the result too`(reason: InFlightError) throws {
    let job = try jobInFlight()
    try mustReturn("the reply") { job.request.fail(with: reason.error) }
    try expectEnd(
      of: job, "the request's \(type(of: reason.error))",
      after: """
        It wasn't cancelled, and the request replied with \(reason.rawValue): an end like any \
        other, as .failure(.request(error)), whatever the type of the error.
        """)
    #expect(
      !job.operation.isCancelled,
      "The request replied with \(reason.rawValue), without a cancel(), and isCancelled is true."
    )
  }

  @Test func `cancel passes on to the request`() throws {
    let job = try jobInFlight()
    try call(.cancel, on: job)
    #expect(
      job.operation.isCancelled,
      "cancel() has returned and isCancelled is false. An override must call super.cancel().")
    expectCancelledRequest(
      of: job,
      after: "It was cancelled with its request in flight: keep what begin returns, and call it.")
  }

  @Test func `each operation has a request of its own`() throws {
    let (job, other) = (try jobInFlight(), try jobInFlight())
    try call(.cancel, on: job)
    #expect(
      other.request.cancellations.isEmpty && other.result == "nil",
      """
      Two operations have a request in flight each, and one was cancelled. The other one's request \
      was cancelled \(other.request.cancellations.count) times, and its result is \(other.result). \
      Each operation must keep the closure that cancels its own request; don't share it.
      """)
    expectCancelledRequest(of: job, after: "Of two operations this one was cancelled.")
    try call(.reply, on: other)
    try expectEnd(
      of: other, "7", after: "Another operation was cancelled; this one's request replied.")
  }

  @Test func `cancelled in flight, it doesn't wait for a reply`() throws {
    let job = try jobInFlight()
    try call(.cancel, on: job)
    try expectEnd(
      of: job, "cancelled",
      after: "It was cancelled in flight; its request never replies, and needn't.")
  }

  @Test(arguments: [false, true]) func `a late reply is ignored`(failing: Bool) throws {
    let job = try jobInFlight()
    try call(.cancel, on: job)
    runUntilQuiet()
    try mustReturn("the late reply") { job.request.reply(failing: failing) }
    try expectEnd(
      of: job, "cancelled", after: "It was cancelled in flight, and then its request replied.")
  }

  @Test func `a second reply is ignored`() throws {
    let job = try jobInFlight()
    try call(.reply, on: job)
    try mustReturn("the second reply") { job.request.reply(8) }
    try expectEnd(of: job, "7", after: "The request replied with 7, and later with 8.")
  }

  @Test func `cancelled twice, the request is cancelled once`() throws {
    let job = try jobInFlight()
    try call(.cancel, on: job)
    try call(.cancel, on: job)
    expectCancelledRequest(of: job, after: "It was cancelled twice.")
    try expectEnd(of: job, "cancelled", after: "It was cancelled twice.")
  }

  @Test(arguments: [false, true])
  func `a request that has replied isn't cancelled`(insideBegin: Bool) throws {
    let job = try jobInFlight(InFlightJob(inBegin: { if insideBegin { $0.reply() } }))
    if !insideBegin { try call(.reply, on: job) }
    try call(.cancel, on: job)
    #expect(
      job.request.cancellations.isEmpty,
      """
      The request replied\(insideBegin ? " inside begin" : ""), then the operation was cancelled, \
      and it cancelled the request. The request is over: there is nothing to cancel.
      """)
    try expectEnd(of: job, "7", after: "The request replied, and then it was cancelled.")
  }

  // MARK: - Reentrancy

  @Test func `a reply inside begin is the result`() throws {
    let job = InFlightJob(inBegin: { $0.reply() })
    try mustReturn(
      "start()",
      "The request had its data at hand and replied before begin returned: call begin without a lock."
    ) { job.operation.start() }
    try expectEnd(of: job, "7", after: "The request replied inside begin.")
    #expect(
      job.request.cancellations.isEmpty,
      "The request replied inside begin, and then it was cancelled without any call of cancel().")
  }

  @Test func `a reply inside the request's cancel is ignored`() throws {
    let seen = LockedValue<[String]>([])
    let job = try jobInFlight(
      InFlightJob(inCancel: { request in
        request.reply(failing: true)
        seen.append(request.operation?.isFinished == true ? "finished" : "unfinished")
      }))
    try mustReturn(
      "cancel()",
      "The request replied before its cancel returned, as many do: call it without a lock."
    ) { job.operation.cancel() }
    #expect(
      !seen.value.contains("finished"),
      """
      It was cancelled, and its request replied while being cancelled. That reply finished the \
      operation, but the request was still being cancelled, and a serial queue begins the next one \
      then. A reply that is ignored must not finish the operation either.
      """)
    try expectEnd(
      of: job, "cancelled",
      after: """
        It was cancelled, and its request answered that with an error, as many do. That error must \
        not become the result: settle the result before you cancel the request.
        """)
  }

  @Test func `the request is cancelled before the operation is finished`() throws {
    let job = try jobInFlight()
    try call(.cancel, on: job)
    expectCancelledRequest(of: job, after: "It was cancelled in flight.")
    #expect(
      !job.request.cancellations.contains { $0.isFinished },
      """
      When its request was cancelled, the operation was finished already. A serial queue begins \
      the next request then, and has two in flight.
      """)
    #expect(
      job.request.cancellations.allSatisfy { $0.isCancelled },
      """
      When its request was cancelled, isCancelled was still false. The request may read it: call \
      super.cancel() first.
      """)
  }
}
