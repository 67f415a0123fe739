import AsyncOperations
import Foundation
import KataTesting
import Testing

/// A call that brings an operation with a deadline to its end.
enum DeadlineCall: String, CaseIterable, Sendable {
  case complete = "complete"
  case timer = "the timer's action"
  case cancel = "cancel()"

  /// What the operation comes to by it, in words.
  var outcome: String {
    switch self {
    case .complete: "completed with 7"
    case .timer: "timed out"
    case .cancel: "cancelled"
    }
  }

  /// Whether it gives the work up.
  var givesUp: Bool { self != .complete }
}

/// A moment at which the answer calls out, so that a spec can hold it there.
enum DeadlineMoment: Sendable, CustomStringConvertible {
  case cancellingTimer
  case stoppingWork
  case notice(KVOProbe.Announcement)

  /// Where the answer is held.
  var description: String {
    switch self {
    case .cancellingTimer: "cancelling its timer"
    case .stoppingWork: "telling its work to stop"
    case .notice(let announcement): "announcing \"\(announcement)\""
    }
  }
}

/// Timers that go off when the spec says so, and that keep their actions whatever happens.
final class DeadlineTimers: Sendable, OpaqueMirror {
  /// A timer that was set.
  struct Setting: Sendable {
    let seconds: TimeInterval
    let action: @Sendable () -> Void
    /// Watches the way to cancel it.
    let canceller: DeadlineWatch
    /// The thread that it was set on.
    let thread = ObjectIdentifier(Thread.current)
    var isCancelled = false
  }

  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var timers: [Setting] = []
  private let lock = NSLock()

  /// A scheduler that sets these timers, and calls `onCancel` when one of them is cancelled.
  func scheduler(
    onCancel: @escaping @Sendable () -> Void = {}
  ) -> AsyncBlockOperation.Scheduler {
    { [self] seconds, action in
      let token = DeadlineToken()
      let setting = Setting(seconds: seconds, action: action, canceller: DeadlineWatch(token))
      let index = lock.withLock {
        timers.append(setting)
        return timers.count - 1
      }
      return { [self] in
        withExtendedLifetime(token) {}
        lock.withLock { timers[index].isCancelled = true }
        onCancel()
      }
    }
  }

  /// The timers in the order of setting.
  var all: [Setting] { lock.withLock { timers } }

  /// Whether any of them was set and hasn't been cancelled.
  var isAnyWaiting: Bool { all.contains { !$0.isCancelled } }

  /// Lets all of them go off, also those that were cancelled: that may have come too late.
  func goOff() { for timer in all { timer.action() } }
}

/// An operation with a deadline, and a record of all that it has called.
final class DeadlineJob: Sendable, OpaqueMirror {
  let operation: DeadlineOperation
  let timers = DeadlineTimers()
  private let record = Record()

  /// Makes a job.
  ///
  /// `inWork` is what its work does before it returns, `onStop` what it does when it's told to stop,
  /// and `onTimerCancel` what happens when its timer is cancelled.
  init(
    deadline: TimeInterval = 5,
    inWork: @escaping @Sendable (DeadlineJob) -> Void = { _ in },
    onStop: @escaping @Sendable (DeadlineJob) -> Void = { _ in },
    onTimerCancel: @escaping @Sendable () -> Void = {}
  ) {
    let record = record
    operation = DeadlineOperation(
      deadline: deadline, schedule: timers.scheduler(onCancel: onTimerCancel)
    ) { complete in
      record.begin(complete)
      if let job = record.job { inWork(job) }
      return {
        record.stop()
        if let job = record.job { onStop(job) }
      }
    }
    operation.completionBlock = { record.completions.increment() }
    record.watch(self)
  }

  /// How often its work was begun.
  var works: Int { record.works.count }
  /// The threads on which its work was begun.
  var threads: [ObjectIdentifier] { record.works.map(\.thread) }
  /// How often its work was told to stop.
  var stops: Int { record.stopThreads.count }
  /// The threads on which its work was told to stop.
  var stopThreads: [ObjectIdentifier] { record.stopThreads }
  /// How often its `completionBlock` was called.
  var completions: Int { record.completions.value }
  /// What the operation says that it has come to, in words.
  var outcome: String { Self.name(of: operation.outcome) }

  /// Makes a call on the calling thread.
  func make(_ call: DeadlineCall) {
    switch call {
    case .complete: record.works.first?.complete(Data([7]))
    case .timer: timers.goOff()
    case .cancel: operation.cancel()
    }
  }

  static func name(of outcome: DeadlineOperation.Outcome?) -> String {
    switch outcome {
    case .completed(let value): "completed with \(value.map(String.init).joined())"
    case .timedOut: "timed out"
    case .cancelled: "cancelled"
    case nil: "open"
    }
  }

  private final class Record: Sendable {
    typealias Work = (complete: @Sendable (Data) -> Void, thread: ObjectIdentifier)

    let completions = Counter()
    // Safe: guarded by `lock`.
    private nonisolated(unsafe) var begun: [Work] = []
    private nonisolated(unsafe) var stopped: [ObjectIdentifier] = []  // Safe: as above.
    private nonisolated(unsafe) weak var watched: DeadlineJob?  // Safe: as above.
    private let lock = NSLock()

    func watch(_ job: DeadlineJob) { lock.withLock { watched = job } }
    func begin(_ complete: @escaping @Sendable (Data) -> Void) {
      lock.withLock { begun.append((complete, ObjectIdentifier(Thread.current))) }
    }

    func stop() { lock.withLock { stopped.append(ObjectIdentifier(Thread.current)) } }

    var job: DeadlineJob? { lock.withLock { watched } }
    var stopThreads: [ObjectIdentifier] { lock.withLock { stopped } }
    var works: [Work] { lock.withLock { begun } }
  }
}

/// The operation that a closure belongs to, for the closure to capture.
final class DeadlineOwnOperation: Sendable, OpaqueMirror {
  // Safe: set once, before the operation starts.
  nonisolated(unsafe) weak var operation: DeadlineOperation?
}

/// Something to capture, which can be looked at without keeping it.
final class DeadlineToken: Sendable, OpaqueMirror {}

/// Looks at an object without keeping it.
final class DeadlineWatch: Sendable, OpaqueMirror {
  // Safe: set once, in the initialiser; the runtime guards what it reads.
  private nonisolated(unsafe) weak var watched: AnyObject?

  init(_ object: AnyObject) { watched = object }

  var isGone: Bool { watched == nil }
}

/// Keeps every `complete` that it is given.
final class DeadlineKeeper: Sendable, OpaqueMirror {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var kept: [@Sendable (Data) -> Void] = []
  private let lock = NSLock()

  func keep(_ complete: @escaping @Sendable (Data) -> Void) {
    lock.withLock { kept.append(complete) }
  }

  func completeAll(with value: Data = Data([7])) {
    for complete in lock.withLock({ kept }) { complete(value) }
  }
}

// MARK: - Moves

extension DeadlineOperationTests {
  /// Starts a job by hand, on a thread that it must give back; returns the thread.
  @discardableResult
  func start(
    _ job: DeadlineJob, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ObjectIdentifier {
    try mustReturn(
      "start()",
      """
      main() sets the timer, begins the work and returns: whoever waits there holds a thread, and a \
      lock that is held meanwhile is never given back.
      """,
      sourceLocation: sourceLocation
    ) {
      job.operation.start()
      return ObjectIdentifier(Thread.current)
    }
  }

  /// A job whose work goes on.
  func begunJob(
    onStop: @escaping @Sendable (DeadlineJob) -> Void = { _ in },
    onTimerCancel: @escaping @Sendable () -> Void = {},
    sourceLocation: SourceLocation = #_sourceLocation,
    beforeStart: (DeadlineJob) -> Void = { _ in }
  ) throws -> DeadlineJob {
    let job = DeadlineJob(onStop: onStop, onTimerCancel: onTimerCancel)
    beforeStart(job)
    try start(job, sourceLocation: sourceLocation)
    try #require(
      job.works == 1 && job.timers.all.count == 1,
      """
      start() has returned: main() must have set one timer and begun the work, once; it has set \
      \(job.timers.all.count) and begun \(job.works) times.
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
      call.rawValue, "Let go of the lock before you call anything that you were given.",
      sourceLocation: sourceLocation
    ) {
      job.make(call)
      return ObjectIdentifier(Thread.current)
    }
  }

  /// Expects that one call has settled it, and all that follows from that.
  func expectEnd(
    of job: DeadlineJob, by first: DeadlineCall, _ story: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    runUntilQuiet(sourceLocation: sourceLocation)
    let outcome = try mustReturn("outcome", sourceLocation: sourceLocation) { job.outcome }
    #expect(
      outcome == first.outcome,
      """
      \(story) The outcome must be "\(first.outcome)", and is "\(outcome)": the first one settles \
      it for good.
      """,
      sourceLocation: sourceLocation)
    let operation = job.operation
    #expect(
      operation.isFinished && !operation.isExecuting && job.completions == 1,
      """
      \(story) The operation must be finished and completed once; here \
      isFinished=\(operation.isFinished), isExecuting=\(operation.isExecuting), completed \
      \(job.completions) times. Whoever settles the outcome calls finish().
      """,
      sourceLocation: sourceLocation)
    #expect(
      !job.timers.isAnyWaiting || outcome == DeadlineCall.timer.outcome,
      """
      \(story) It is over, and its timer still waits for its time: call the closure that the \
      scheduler has returned.
      """,
      sourceLocation: sourceLocation)
    let stops = outcome == DeadlineCall.complete.outcome ? 0 : min(job.works, 1)
    #expect(
      job.stops == stops,
      """
      \(story) The work was told to stop \(job.stops) times, and must be \(stops) times: it's told \
      once where it's given up, and not where it has brought the value.
      """,
      sourceLocation: sourceLocation)
  }
}
