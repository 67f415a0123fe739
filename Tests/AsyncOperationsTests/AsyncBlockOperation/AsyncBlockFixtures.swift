import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

/// Timers that go off when the spec says so.
final class HandTimers: Sendable, OpaqueMirror {
  /// A timer that was set.
  struct Setting: Sendable {
    let seconds: TimeInterval
    let action: @Sendable () -> Void
    let thread = ObjectIdentifier(Thread.current)
    var isCancelled = false
  }

  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var timers: [Setting] = []
  private let lock = NSLock()

  var schedule: AsyncBlockOperation.Scheduler {
    { seconds, action in
      let index = self.lock.withLock {
        self.timers.append(Setting(seconds: seconds, action: action))
        return self.timers.count - 1
      }
      return { self.lock.withLock { self.timers[index].isCancelled = true } }
    }
  }

  /// The timers in the order of setting.
  var all: [Setting] { lock.withLock { timers } }

  /// Lets the last timer go off, also where it was cancelled: that may come too late.
  func goOff() { all.last?.action() }
}

/// An operation whose block begins when it's called and is done when the spec says so.
final class AsyncBlockJob: Sendable, OpaqueMirror {
  let operation: AsyncBlockOperation
  private let block: BlockRecord

  /// Makes a job; `inside` is what its block does besides being counted.
  init(
    deadline: TimeInterval? = nil, timers: HandTimers = HandTimers(),
    inside: @escaping @Sendable (_ done: @Sendable () -> Void) -> Void = { _ in }
  ) {
    let block = BlockRecord()
    self.block = block
    operation = AsyncBlockOperation(deadline: deadline, schedule: timers.schedule) { done in
      block.begin(done)
      inside(done)
    }
    operation.completionBlock = { block.completions.increment() }
  }

  /// How often its block was called.
  var calls: Int { block.calls.value }

  /// How often its `completionBlock` was called.
  var completions: Int { block.completions.value }

  /// What its block was given, once it was called.
  func given(sourceLocation: SourceLocation = #_sourceLocation) throws -> @Sendable () -> Void {
    try #require(
      block.done, "main() must call the block and give it `done`; it was never called.",
      sourceLocation: sourceLocation)
  }

  /// The threads on which its block was called.
  var threads: [ObjectIdentifier] { block.threads }

  /// Starts it by hand, on a thread that it must give back; returns the thread.
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
      "done()", "Let go of the lock before you call finish().", sourceLocation: sourceLocation
    ) { done() }
  }

  private final class BlockRecord: Sendable {
    let calls = Counter()
    let completions = Counter()
    // Safe: guarded by `lock`.
    private nonisolated(unsafe) var stored: (@Sendable () -> Void)?
    private nonisolated(unsafe) var callers: [ObjectIdentifier] = []  // Safe: as above.
    private let lock = NSLock()

    var threads: [ObjectIdentifier] { lock.withLock { callers } }
    var done: (@Sendable () -> Void)? { lock.withLock { stored } }

    func begin(_ done: @escaping @Sendable () -> Void) {
      lock.withLock {
        stored = done
        callers.append(ObjectIdentifier(Thread.current))
      }
      calls.increment()
    }
  }
}

/// When a job's `done` is called.
enum DoneCall: Sendable {
  case insideTheBlock, later, never
}

/// What the timers were set to, each time that a block was called.
final class SettingsInside: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var seconds: [[TimeInterval]] = []
  private let lock = NSLock()

  var noted: [[TimeInterval]] { lock.withLock { seconds } }
  func note(_ now: [TimeInterval]) { lock.withLock { seconds.append(now) } }
}

/// The operation that a block belongs to, for the block to capture.
final class OwnBlockOperation: Sendable, OpaqueMirror {
  // Safe: set once, before the operation starts.
  nonisolated(unsafe) var operation: AsyncBlockOperation?
}

/// Looks at an operation without keeping it.
final class BlockOperationWatch: Sendable, OpaqueMirror {
  // Safe: set once, in the initialiser; the runtime guards what it reads.
  private nonisolated(unsafe) weak var watched: AsyncBlockOperation?

  init(_ operation: AsyncBlockOperation) { watched = operation }

  var isGone: Bool { watched == nil }
}

/// What a block captures.
final class CapturedByBlock: Sendable {
  func use() {}
}

/// Looks at what a block has captured without keeping it.
final class CapturedWatch: Sendable, OpaqueMirror {
  // Safe: set once, before the operation starts; the runtime guards what it reads.
  private nonisolated(unsafe) weak var watched: CapturedByBlock?

  func watching(_ make: (CapturedByBlock) -> AsyncBlockOperation) -> AsyncBlockOperation {
    let captured = CapturedByBlock()
    watched = captured
    return make(captured)
  }

  var isGone: Bool { watched == nil }
}

/// Keeps what it is given until it is dropped itself.
final class DoneKeeper: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var kept: [@Sendable () -> Void] = []
  private let lock = NSLock()

  func keep(_ done: @escaping @Sendable () -> Void) { lock.withLock { kept.append(done) } }
  func callAll() { for done in lock.withLock({ kept }) { done() } }
}

// MARK: - Moves

extension AsyncBlockOperationTests {
  func goOff(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try mustReturn(
      "the timer's action", "Let go of the lock before you call finish().",
      sourceLocation: sourceLocation
    ) { [timers] in timers.goOff() }
  }

  // Makes an operation, starts it, ends it with `end`, and lets go of it.
  func lifeOfOperation(
    sourceLocation: SourceLocation = #_sourceLocation,
    _ make: () -> AsyncBlockOperation, end: @escaping @Sendable () -> Void
  ) throws -> BlockOperationWatch {
    let operation = make()
    try mustReturn("start()", sourceLocation: sourceLocation) { operation.start() }
    try mustReturn("done()", sourceLocation: sourceLocation) { end() }
    eventually("It was done, and isn't finished.", sourceLocation: sourceLocation) {
      operation.isFinished
    }
    return BlockOperationWatch(operation)
  }

  func expectEnd(
    of job: AsyncBlockJob, timedOut: Bool, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    eventually("\(sentence) It must be finished, and isn't.", sourceLocation: sourceLocation) {
      job.operation.isFinished
    }
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(
      job.operation.hasTimedOut == timedOut,
      "\(sentence) hasTimedOut must be \(timedOut), and is \(!timedOut).",
      sourceLocation: sourceLocation)
  }
}
