import AsyncOperations
import Foundation
import KataTesting
import Testing

extension DeadlineOperationTests {
  /// Starts a job by hand, on a thread of its own that must return; returns the thread.
  @discardableResult
  func start(
    _ job: DeadlineJob, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ObjectIdentifier {
    try mustReturn(
      "start()",
      """
      main() must set the timer, begin the work and return. If it waits there, it blocks a thread; \
      if it holds a lock meanwhile, that is never released.
      """,
      sourceLocation: sourceLocation
    ) {
      job.operation.start()
      return ObjectIdentifier(Thread.current)
    }
  }

  /// A job whose work goes on.
  func begunJob(
    onStop: @escaping DeadlineJob.Part = { _ in },
    onTimerCancel: @escaping DeadlineJob.Part = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> DeadlineJob {
    let job = DeadlineJob(onStop: onStop, onTimerCancel: onTimerCancel)
    try start(job, sourceLocation: sourceLocation)
    try #require(
      job.works == 1 && job.timers.all.count == 1,
      """
      start() has returned: main() must have set one timer and begun the work, once. It has set \
      \(job.timers.all.count) and begun the work \(job.works) times.
      """,
      sourceLocation: sourceLocation)
    return job
  }

  /// Makes a call on a thread of its own; returns the thread.
  @discardableResult
  func call(
    _ call: DeadlineCall, on job: DeadlineJob, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ObjectIdentifier {
    try mustReturn(
      call.rawValue, "Release the lock before you call a closure that you were given.",
      sourceLocation: sourceLocation
    ) {
      job.make(call)
      return ObjectIdentifier(Thread.current)
    }
  }

  /// Expects that one call has settled it, and all the effects of that.
  func expectEnd(
    of job: DeadlineJob, by first: DeadlineCall, _ story: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    runUntilQuiet(sourceLocation: sourceLocation)
    let outcome = try mustReturn("outcome", sourceLocation: sourceLocation) { job.outcome }
    #expect(
      outcome == first.outcome,
      """
      \(story) The outcome must be "\(first.outcome)", and is "\(outcome)". The first call settles \
      it for good.
      """,
      sourceLocation: sourceLocation)
    let operation = job.operation
    #expect(
      operation.isFinished && !operation.isExecuting && job.completions == 1,
      """
      \(story) The operation must be finished, and its completion block called once; here \
      isFinished=\(operation.isFinished), isExecuting=\(operation.isExecuting), completion block \
      called \(job.completions) times. The call that settles the outcome calls finish().
      """,
      sourceLocation: sourceLocation)
    #expect(
      !job.timers.isAnyWaiting || outcome == DeadlineCall.timer.outcome,
      """
      \(story) It is over, and its timer is still set: call the closure that the scheduler has \
      returned.
      """,
      sourceLocation: sourceLocation)
    let stops = outcome == DeadlineCall.complete.outcome ? 0 : min(job.works, 1)
    let told = job.stopThreads.count
    #expect(
      told == stops,
      """
      \(story) The work was stopped \(told) times, and must be stopped \(stops) times: once if \
      it's given up, and never if it has delivered the value.
      """,
      sourceLocation: sourceLocation)
  }
}
