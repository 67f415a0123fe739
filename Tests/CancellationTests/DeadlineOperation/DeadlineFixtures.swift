import AsyncOperations
import Foundation
import KataTesting
import Testing

/// A call that ends an operation with a deadline.
enum DeadlineCall: String, CaseIterable, Sendable {
  case complete = "complete"
  case timer = "the timer's action"
  case cancel = "cancel()"

  /// The outcome that it leads to, in words.
  var outcome: String {
    switch self {
    case .complete: "completed with 7"
    case .timer: "timed out"
    case .cancel: "cancelled"
    }
  }

  /// Whether it gives up the work.
  var givesUp: Bool { self != .complete }
}

/// A moment at which the answer calls a closure, so that a spec can hold it there.
enum DeadlineMoment: Sendable, CustomStringConvertible {
  case cancellingTimer
  case stoppingWork
  case notice(KVOProbe.Announcement)

  /// Where the answer is held.
  var description: String {
    switch self {
    case .cancellingTimer: "cancelling its timer"
    case .stoppingWork: "stopping its work"
    case .notice(let announcement): "announcing \"\(announcement)\""
    }
  }
}

/// An operation with a deadline, and a record of everything it has called.
final class DeadlineJob: Sendable, OpaqueMirror {
  /// What a job does when its operation calls it.
  typealias Part = @Sendable (DeadlineJob) -> Void

  let operation: DeadlineOperation
  let timers = ManualTimers()
  private let record = Record()

  /// Makes a job.
  ///
  /// `inWork` is what its work does before it returns, `onStop` what it does when it's stopped;
  /// `onTimer` is what happens when its timer is set, `onTimerCancel` when that is cancelled.
  init(
    deadline: TimeInterval = 5, onTimer: @escaping Part = { _ in },
    inWork: @escaping Part = { _ in }, onStop: @escaping Part = { _ in },
    onTimerCancel: @escaping Part = { _ in }
  ) {
    operation = DeadlineOperation(
      deadline: deadline,
      schedule: { [record, timers] seconds, action in
        let cancel = timers.set(seconds, action)
        record.play(onTimer)
        return {
          cancel()
          record.play(onTimerCancel)
        }
      }
    ) { [record] complete in
      record.completes.append(complete)
      record.threads.append(ObjectIdentifier(Thread.current))
      record.play(inWork)
      return {
        record.stopThreads.append(ObjectIdentifier(Thread.current))
        record.play(onStop)
      }
    }
    operation.completionBlock = { [record] in record.completions.increment() }
    record.job.set(WeakReference(self))
  }

  /// How often its work was begun.
  var works: Int { threads.count }
  /// The threads on which its work was begun.
  var threads: [ObjectIdentifier] { record.threads.value }
  /// The threads on which its work was stopped.
  var stopThreads: [ObjectIdentifier] { record.stopThreads.value }
  /// How often its `completionBlock` was called.
  var completions: Int { record.completions.value }
  /// The operation's outcome, in words.
  var outcome: String { Self.name(of: operation.outcome) }

  /// Makes a call on the calling thread.
  func make(_ call: DeadlineCall) {
    switch call {
    case .complete: complete(with: [7])
    case .timer: timers.fire()
    case .cancel: operation.cancel()
    }
  }

  /// The work has ended, with these bytes.
  func complete(with value: [UInt8]) { record.completes.value.first?(Data(value)) }

  static func name(of outcome: DeadlineOperation.Outcome?) -> String {
    switch outcome {
    case .completed(let value): "completed with \(value.map(String.init).joined())"
    case .timedOut: "timed out"
    case .cancelled: "cancelled"
    case nil: "open"
    }
  }

  private final class Record: Sendable {
    let job = LockedValue<WeakReference<DeadlineJob>?>(nil)
    let completes = LockedValue<[@Sendable (Data) -> Void]>([])
    let threads = LockedValue<[ObjectIdentifier]>([])
    let stopThreads = LockedValue<[ObjectIdentifier]>([])
    let completions = SharedCounter()

    func play(_ part: Part) {
      if let job = job.value?.value { part(job) }
    }
  }
}
