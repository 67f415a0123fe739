import Foundation
import KataTesting
import Testing

/// An operation whose work begins when it's started and ends when the spec says so.
final class CancellableJob: Sendable, OpaqueMirror {
  let label: String
  let operation: CancellableOperation
  private let timeline: Timeline
  private let told = LockedValue<[Bool]>([])
  private let given = LockedValue<(@Sendable () -> Void)?>(nil)

  /// Makes a job; `onCancel` is what the operation's callback does besides being counted.
  init(
    _ label: String, on timeline: Timeline,
    onCancel: @escaping @Sendable (CancellableOperation) -> Void = { _ in }
  ) {
    self.label = label
    self.timeline = timeline
    let own = LockedValue<WeakReference<CancellableOperation>?>(nil)
    operation = CancellableOperation { [told] in
      guard let operation = own.value?.value else { return }
      told.append(operation.isCancelled)
      onCancel(operation)
    } work: { [given] finish in
      given.set(finish)
      timeline.enter(label)
    }
    own.set(WeakReference(operation))
    operation.completionBlock = { timeline.mark(label, "completed") }
  }

  /// Every call of onCancel so far: whether isCancelled was true by then.
  var cancellations: [Bool] { told.value }

  /// How often the operation's `completionBlock` was called.
  var completions: Int {
    timeline.events.count { $0.who == label && $0.kind == .mark("completed") }
  }

  func cancel(sourceLocation: SourceLocation = #_sourceLocation) throws {
    timeline.mark(label, "cancelled")
    try mustReturn("cancel()", sourceLocation: sourceLocation) { [operation] in operation.cancel() }
  }

  /// The work ends.
  func end(sourceLocation: SourceLocation = #_sourceLocation) throws {
    timeline.leave(label)
    try mustReturn("finish", sourceLocation: sourceLocation) { [given] in given.value?() }
  }

  /// The work ends, if it has begun; the caller doesn't wait for it.
  func endIfBegun() { given.value?() }
}

// MARK: - Moves

extension CancelBeforeStartTests {
  /// A queue with `jobs` in it, unless adding them would trap.
  func queue(
    _ jobs: [CancellableJob], width: Int = OperationQueue.defaultMaxConcurrentOperationCount,
    suspended: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    queue.isSuspended = suspended
    for job in jobs {
      try #require(
        !job.operation.isFinished && !job.operation.isExecuting,
        """
        \(job.label) hasn't been started yet, and its isFinished=\(job.operation.isFinished), \
        isExecuting=\(job.operation.isExecuting). A queue traps when such an operation is added to \
        it: only start() may change the state.
        """,
        sourceLocation: sourceLocation)
      queue.addOperation(job.operation)
    }
    return queue
  }

  /// Expects that a cancelled operation isn't finished, since its queue hasn't started it.
  func expectWaiting(_ job: CancellableJob, sourceLocation: SourceLocation = #_sourceLocation) {
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(
      job.operation.isCancelled, "cancel() must call super.cancel().",
      sourceLocation: sourceLocation)
    #expect(
      !job.operation.isFinished && job.completions == 0,
      timeline.showing(
        """
        It is finished before its queue has started it. cancel() is only a request; start() must \
        finish it when its turn comes.
        """),
      sourceLocation: sourceLocation)
    #expect(
      timeline.entries(of: "dependent") == 0,
      timeline.showing("Its dependent began before it was finished."),
      sourceLocation: sourceLocation)
  }

  /// Expects that the queue of a cancelled operation finishes it, and that its dependent begins.
  func expectCancelledEnd(
    of job: CancellableJob, before dependent: CancellableJob, in queue: OperationQueue,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let began = eventually(
      timeline.showing(
        """
        It was cancelled before its start and never finishes, so its dependent never begins. \
        Foundation must know of the cancellation (super.cancel()), and start() must finish the \
        operation.
        """),
      sourceLocation: sourceLocation
    ) { timeline.isInside("dependent") }
    guard began else { return }
    eventually(
      "It is finished, but its completionBlock was never called.", sourceLocation: sourceLocation
    ) { job.completions > 0 }
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(
      timeline.entries(of: job.label) == 0,
      timeline.showing("It was cancelled before its start, and its work ran all the same."),
      sourceLocation: sourceLocation)
    #expect(
      job.operation.isFinished && !job.operation.isExecuting && job.completions == 1,
      """
      Its queue has started it: it must be finished, not executing, and its completion block \
      called once; here isFinished=\(job.operation.isFinished), \
      isExecuting=\(job.operation.isExecuting), completion block called \(job.completions) times.
      """,
      sourceLocation: sourceLocation)
    try dependent.end(sourceLocation: sourceLocation)
    expectDrained(queue, sourceLocation: sourceLocation)
  }

  func expectDrained(
    _ queue: OperationQueue, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    eventually(
      "The queue never empties: an operation in it never finishes.",
      sourceLocation: sourceLocation
    ) { queue.operationCount == 0 }
  }
}
