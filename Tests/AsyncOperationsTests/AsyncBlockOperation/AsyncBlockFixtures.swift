import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

/// An operation whose block begins when it's called, and whose `done` is called by the spec.
final class AsyncBlockJob: Sendable, OpaqueMirror {
  let operation: AsyncBlockOperation
  private let begun: LockedValue<[Call]>
  private let completed: SharedCounter

  /// A call of the block.
  private struct Call: Sendable {
    let done: @Sendable () -> Void
    let thread = ObjectIdentifier(Thread.current)
  }

  /// Makes a job; `inside` is called inside its block, after the call is counted, and `whileSet`
  /// inside the scheduler, after the timer is set.
  init(
    deadline: TimeInterval? = nil, timers: ManualTimers = ManualTimers(),
    inside: @escaping @Sendable (_ done: @Sendable () -> Void) -> Void = { _ in },
    whileSet: @escaping @Sendable () -> Void = {}
  ) {
    let (begun, completed) = (LockedValue<[Call]>([]), SharedCounter())
    self.begun = begun
    self.completed = completed
    operation = AsyncBlockOperation(
      deadline: deadline,
      schedule: { seconds, action in
        let cancel = timers.set(seconds, action)
        whileSet()
        return cancel
      },
      block: { done in
        begun.append(Call(done: done))
        inside(done)
      })
    operation.completionBlock = { completed.increment() }
  }

  /// How often its block was called.
  var calls: Int { begun.value.count }

  /// How often its `completionBlock` was called.
  var completions: Int { completed.value }

  /// The `done` that its block received, once the block was called.
  func given(sourceLocation: SourceLocation = #_sourceLocation) throws -> @Sendable () -> Void {
    try #require(
      begun.value.last, "main() must call the block with `done`; the block was never called.",
      sourceLocation: sourceLocation
    ).done
  }

  /// The threads on which its block was called.
  var threads: [ObjectIdentifier] { begun.value.map(\.thread) }

  /// Starts it by hand, on a thread that must not be held; returns the thread.
  @discardableResult
  func start(sourceLocation: SourceLocation = #_sourceLocation) throws -> ObjectIdentifier {
    try mustReturn(
      "start()", "main() must not wait, nor hold a lock while it calls the block or the scheduler.",
      sourceLocation: sourceLocation
    ) { [operation] in
      operation.start()
      return ObjectIdentifier(Thread.current)
    }
  }

  func done(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let done = try given(sourceLocation: sourceLocation)
    try mustReturn(
      "done()", "Release the lock before you call finish().", sourceLocation: sourceLocation
    ) { done() }
  }
}

/// When `done` of a job is called.
enum DoneCall: Sendable {
  case insideTheBlock, later, never
}

/// When a job is cancelled after its start.
enum CancelCall: Sendable, CaseIterable {
  case whileTheTimerIsSet, insideTheBlock, later
}

extension LockedValue<[@Sendable () -> Void]> {
  /// Calls each stored `done`.
  func callAll() { for done in value { done() } }
}

// MARK: - Moves

extension AsyncBlockOperationTests {
  /// Starts it in a queue, and returns the queue.
  @discardableResult
  func startInQueue(
    _ job: AsyncBlockJob, sourceLocation: SourceLocation = #_sourceLocation
  ) -> OperationQueue {
    let queue = OperationQueue()
    queue.addOperation(job.operation)
    eventually(
      "Its queue has started it, but its block was never called.", sourceLocation: sourceLocation
    ) { job.calls > 0 }
    return queue
  }

  func fire(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try mustReturn(
      "the timer's action", "Release the lock before you call finish().",
      sourceLocation: sourceLocation
    ) { [timers] in timers.fire() }
  }

  /// Makes an operation, starts it, calls the stored `done`, and releases the operation.
  func lifeOfOperation(
    sourceLocation: SourceLocation = #_sourceLocation, _ make: () -> AsyncBlockOperation
  ) throws -> WeakReference<AsyncBlockOperation> {
    let operation = make()
    try mustReturn("start()", sourceLocation: sourceLocation) { operation.start() }
    try mustReturn("done()", sourceLocation: sourceLocation) { [kept] in kept.callAll() }
    eventually("`done` was called, but it isn't finished.", sourceLocation: sourceLocation) {
      operation.isFinished
    }
    return WeakReference(operation)
  }

  func expectEnd(
    of job: AsyncBlockJob, timedOut: Bool, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    eventually("\(sentence) It must be finished, but it isn't.", sourceLocation: sourceLocation) {
      job.operation.isFinished
    }
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(
      job.operation.hasTimedOut == timedOut,
      "\(sentence) hasTimedOut must be \(timedOut), but it is \(!timedOut).",
      sourceLocation: sourceLocation)
  }
}
