import Foundation
import KataTesting
import Testing

/// A `FirstAnswerOperation` that the spec ends.
final class FirstAnswerJob: Sendable, OpaqueMirror {
  let operation: FirstAnswerOperation
  let completions = SharedCounter()
  let begins = SharedCounter()
  private let given = LockedValue<FirstAnswerOperation.Finish?>(nil)

  /// Makes a job; `inside` is called inside the work, when `finish` is available.
  init(inside: @escaping @Sendable (FirstAnswerOperation.Finish) -> Void = { _ in }) {
    operation = FirstAnswerOperation { [begins, given] finish in
      begins.increment()
      given.set(finish)
      inside(finish)
    }
    operation.completionBlock = { [completions] in completions.increment() }
  }

  /// Calls `finish`; returns false if the work hasn't received it.
  @discardableResult
  func finish(_ answer: String) -> Bool { handedOut?(answer) ?? false }

  /// The `finish` that the work received; no lock is held around the call.
  var handedOut: FirstAnswerOperation.Finish? { given.value }
}

/// The result of a call of `finish`, and its answer.
struct FinishResult: Sendable {
  let answer: String
  let isFirst: Bool

  init(_ answer: String, _ isFirst: Bool) { (self.answer, self.isFirst) = (answer, isFirst) }
}

extension [FinishResult] {
  /// The answers of the calls that returned true.
  var winners: [String] { filter(\.isFirst).map(\.answer) }
}

// MARK: - Moves

extension FinishOnceTests {
  func start(_ job: FirstAnswerJob, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try mustReturn(
      "start()", "Is a lock held while it notifies or calls out?", sourceLocation: sourceLocation
    ) { job.operation.start() }
  }

  @discardableResult
  func finish(
    _ job: FirstAnswerJob, _ answer: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Bool {
    try mustReturn(
      "finish", "Is a lock held while it notifies?", sourceLocation: sourceLocation
    ) { job.finish(answer) }
  }

  /// A queue that contains `job`, whose work has begun.
  func queueAtWork(
    _ job: FirstAnswerJob, sourceLocation: SourceLocation = #_sourceLocation
  ) -> OperationQueue {
    let queue = OperationQueue()
    queue.addOperation(job.operation)
    eventually(
      "Its queue has started it, but the work never began.", sourceLocation: sourceLocation
    ) { job.begins.value > 0 }
    runUntilQuiet(sourceLocation: sourceLocation)
    return queue
  }

  /// Expects that the completion block of a job is called.
  func expectCompletion(
    of job: FirstAnswerJob, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    eventually(
      "It is finished, but its completionBlock was never called.", sourceLocation: sourceLocation
    ) { job.completions.value > 0 }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Expects that a job is finished, with `answer`.
  func expectEnd(
    of job: FirstAnswerJob, with answer: String?, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let operation = job.operation
    #expect(
      operation.isFinished && !operation.isExecuting && operation.answer == answer,
      """
      \(sentence) It must be finished, not executing, and its answer \(answer ?? "nil"); here \
      isFinished=\(operation.isFinished), isExecuting=\(operation.isExecuting), and answer is \
      \(operation.answer ?? "nil").
      """,
      sourceLocation: sourceLocation)
  }

  /// Expects that the end was announced once, around the change.
  func expectOneEnd(in probe: KVOProbe, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      probe.notices(of: .will(.isFinished)).map(\.isFinished) == [false]
        && probe.notices(of: .did(.isFinished)).map(\.isFinished) == [true],
      probe.showing(
        """
        isFinished became true, once. There must be one "will isFinished", inside which it's \
        false, and one "did isFinished", inside which it's true.
        """),
      sourceLocation: sourceLocation)
    let wills = probe.notices(of: .will(.isExecuting)).map(\.isExecuting)
    let dids = probe.notices(of: .did(.isExecuting)).map(\.isExecuting)
    #expect(
      wills.first == true && dids.last == false && wills.count == dids.count,
      probe.showing(
        """
        isExecuting became false. There must be a "will isExecuting", inside which it's true, and \
        a "did isExecuting", inside which it's false.
        """),
      sourceLocation: sourceLocation)
    #expect(
      probe.notices(of: .did(.isFinished)).allSatisfy { !$0.isExecuting },
      probe.showing(
        "By the time \"isFinished\" is announced, isExecuting must be false."),
      sourceLocation: sourceLocation)
  }
}
