import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension AsyncBlockOperationTests {
  // MARK: - Every schedule

  @Test func `in every schedule the first of done and the deadline decides`() {
    let start = EndingCall("start()") {
      $0.start()
    } model: {
      $0.isStarted = true
    }
    let done = EndingCall("done()") {
      $0.done()
    } model: {
      $0.end("done")
    }
    let deadline = EndingCall("the deadline passes") {
      $0.fire()
    } model: {
      $0.end("timed out")
    }
    let started = EndingModel.subject(isStarted: true)
    explore([
      Scenario(started, threads: [[done], [deadline]]),
      Scenario(started, threads: [[done], [done]]),
      Scenario(started, threads: [[deadline], [deadline]]),
      Scenario(EndingModel.subject(), threads: [[start], [deadline]]),
      Scenario(EndingModel.subject(), threads: [[start, done], [deadline]]),
    ])
  }
}

private typealias EndingCall = ModelledCall<EndingSubject, EndingModel>

/// An operation with a deadline, and what was seen of its end.
private final class EndingSubject: Sendable, OpaqueMirror {
  private let timers = ManualTimers()
  private let job: AsyncBlockJob
  /// How it had ended, at each announcement of its end.
  private let announced: LockedValue<[String]>
  private let probe: KVOProbe

  init(isStarted: Bool) {
    let announced = LockedValue<[String]>([])
    let job = AsyncBlockJob(deadline: 5, timers: timers)
    let operation = job.operation
    probe = KVOProbe(operation) {
      guard $0 == .did(.isFinished), operation.isFinished else { return }
      announced.append(Self.ending(operation))
    }
    (self.job, self.announced) = (job, announced)
    if isStarted { start() }
  }

  private static func ending(_ operation: AsyncBlockOperation) -> String {
    operation.hasTimedOut ? "timed out" : "done"
  }

  func start() { job.operation.start() }

  func done() {
    if let done = try? job.given() { done() }
  }

  func fire() { timers.fire() }

  var end: String {
    let isFinished = job.operation.isFinished
    return EndingModel.text(
      calls: job.calls, ending: isFinished ? Self.ending(job.operation) : nil,
      announced: announced.value, completions: job.completions,
      isTimerCancelled: timers.all.contains(where: \.isCancelled))
  }
}

private struct EndingModel {
  var isStarted = false
  private var ending: String?

  static func subject(
    isStarted: Bool = false
  ) -> ModelledSubject<EndingSubject, EndingModel> {
    ModelledSubject(
      model: EndingModel(isStarted: isStarted), { EndingSubject(isStarted: isStarted) },
      end: { $0.end }, modelEnd: { $0.end })
  }

  init(isStarted: Bool) { self.isStarted = isStarted }

  mutating func end(_ how: String) {
    if isStarted, ending == nil { ending = how }
  }

  var end: String {
    Self.text(
      calls: isStarted ? 1 : 0, ending: ending, announced: ending.map { [$0] } ?? [],
      completions: ending == nil ? 0 : 1, isTimerCancelled: ending == "done")
  }

  static func text(
    calls: Int, ending: String?, announced: [String], completions: Int, isTimerCancelled: Bool
  ) -> String {
    // Whether a timer that has fired is cancelled as well is left open.
    let timer = ending == "timed out" ? "" : ", its timer cancelled \(isTimerCancelled)"
    return """
      block called \(times(calls)), ended: \(ending ?? "not yet"), announced \(announced), \
      completed \(times(completions))\(timer)
      """
  }
}
