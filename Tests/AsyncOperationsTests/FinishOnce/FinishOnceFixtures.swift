import Foundation
import KataTesting
import Testing

/// A `FirstAnswerOperation` that the spec ends.
final class FirstAnswerJob: Sendable, OpaqueMirror {
  let operation: FirstAnswerOperation
  let completions = Counter()
  let begins = Counter()
  private let record: Record

  /// Makes a job; `inside` is done inside the work, when `finish` is at hand.
  init(inside: @escaping @Sendable (FirstAnswerOperation.Finish) -> Void = { _ in }) {
    let (record, begins) = (Record(), begins)
    self.record = record
    operation = FirstAnswerOperation { finish in
      begins.increment()
      record.keep(finish)
      inside(finish)
    }
    operation.completionBlock = { [completions] in completions.increment() }
  }

  /// Calls `finish`; false where it wasn't handed out.
  @discardableResult
  func finish(_ answer: String) -> Bool { record.finish?(answer) ?? false }

  /// What `finish` is, without the record's lock around the call.
  var handedOut: FirstAnswerOperation.Finish? { record.finish }

  private final class Record: Sendable {
    // Safe: guarded by `lock`.
    private nonisolated(unsafe) var given: FirstAnswerOperation.Finish?
    private let lock = NSLock()

    func keep(_ finish: @escaping FirstAnswerOperation.Finish) { lock.withLock { given = finish } }

    var finish: FirstAnswerOperation.Finish? { lock.withLock { given } }
  }
}

/// What each of several calls of `finish` returned, and with which answer it was made.
final class FinishResults: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var results: [(answer: String, isFirst: Bool)] = []
  private let lock = NSLock()

  func add(_ answer: String, _ isFirst: Bool) {
    lock.withLock { results.append((answer, isFirst)) }
  }

  /// The answers of the calls that were told that they ended it.
  var winners: [String] { lock.withLock { results.filter(\.isFirst).map(\.answer) } }

  /// How many calls have returned.
  var count: Int { lock.withLock { results.count } }
}

/// Looks at an operation without keeping it.
final class FirstAnswerWatch: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) weak var watched: FirstAnswerOperation?
  private let lock = NSLock()

  func watch(_ operation: FirstAnswerOperation) { lock.withLock { watched = operation } }

  var isGone: Bool { lock.withLock { watched == nil } }
}

/// The answers that an operation had for whoever heard of its end.
final class HeardAnswers: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var heard: [String?] = []
  private let lock = NSLock()

  func hear(_ answer: String?) { lock.withLock { heard.append(answer) } }

  var all: [String?] { lock.withLock { heard } }
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

  /// A queue with `job` in it, whose work has begun.
  func queueAtWork(
    _ job: FirstAnswerJob, sourceLocation: SourceLocation = #_sourceLocation
  ) -> OperationQueue {
    let queue = OperationQueue()
    queue.addOperation(job.operation)
    eventually(
      "Its queue has started it, and the work never began.", sourceLocation: sourceLocation
    ) { job.begins.value > 0 }
    runUntilQuiet(sourceLocation: sourceLocation)
    return queue
  }

  func expectDrained(
    _ queue: OperationQueue, _ advice: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let drained = TestThread("waitUntilAllOperationsAreFinished()") {
      queue.waitUntilAllOperationsAreFinished()
    }
    eventually("The queue never empties. \(advice)", sourceLocation: sourceLocation) {
      drained.hasReturned
    }
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
