import AsyncOperations
import Foundation
import KataTesting
import Testing

extension CancelInFlightTests {
  /// A job whose request is in flight.
  func jobInFlight(
    _ job: InFlightJob = InFlightJob(), sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> InFlightJob {
    job.queue.addOperation(job.operation)
    try #require(
      eventually(
        "Its queue has started the operation, and no request was begun: main() must call begin.",
        sourceLocation: sourceLocation
      ) { job.request.begun == 1 })
    runUntilQuiet(sourceLocation: sourceLocation)
    return job
  }

  /// Makes a call on a thread of its own.
  func call(
    _ call: InFlightCall, on job: InFlightJob, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try mustReturn(call.rawValue, sourceLocation: sourceLocation) { job.make(call) }
  }

  /// Expects the end of an operation, once, with this result.
  func expectEnd(
    of job: InFlightJob, _ expected: String, after story: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    runUntilQuiet(sourceLocation: sourceLocation)
    let isOver = try mustReturn("isFinished", sourceLocation: sourceLocation) {
      job.operation.isFinished && !job.operation.isExecuting
    }
    #expect(
      isOver && job.completions == 1,
      """
      \(story) The operation must be finished, and its completion block called once; here \
      isFinished=\(job.operation.isFinished), isExecuting=\(job.operation.isExecuting), completion \
      block called \(job.completions) times.
      """,
      sourceLocation: sourceLocation)
    let result = try mustReturn("result", sourceLocation: sourceLocation) { job.result }
    #expect(
      result == expected, "\(story) The result must be \(expected), and it is \(result).",
      sourceLocation: sourceLocation)
  }

  /// Expects that the request was cancelled once.
  func expectCancelledRequest(
    of job: InFlightJob, after story: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(
      job.request.cancellations.count == 1,
      """
      \(story) Its request must be cancelled once, and was cancelled \
      \(job.request.cancellations.count) times. Otherwise it runs on, though its result is no \
      longer needed.
      """,
      sourceLocation: sourceLocation)
  }
}
