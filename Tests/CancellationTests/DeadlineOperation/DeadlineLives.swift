import AsyncOperations
import Foundation
import KataTesting
import Testing

/// How an operation with a deadline ends, for the tests of what retains what.
enum DeadlineEnding: String, CaseIterable, Sendable, CustomStringConvertible {
  case completed = "completed"
  case timedOut = "timed out"
  case cancelled = "cancelled"
  case cancelledBeforeItsStart = "cancelled before its start"
  case completedInsideItsWork = "completed before its work had returned"
  case timedOutInsideItsWork = "timed out before its work had returned"
  case timedOutBeforeItsWork = "timed out while its timer was set, before its work was begun"

  var description: String { rawValue }
}

/// What an operation does when it starts.
enum DeadlineBeginning: String, CaseIterable, Sendable, CustomStringConvertible {
  case settingTimer = "the timer was set"
  case beginningWork = "the work was begun"

  var description: String { rawValue }
}

/// An operation that has ended, with weak references to what it was given; and the timers and the
/// list of `complete` closures, which retain everything that they receive from it.
struct DeadlineLife {
  let operation: DeadlineOperation
  let timers = ManualTimers()
  let completes = LockedValue<[@Sendable (Data) -> Void]>([])
  /// What the work has captured.
  let work: WeakReference<Token>
  /// What the closure that stops the work has captured.
  let stop: WeakReference<Token>

  /// Makes the operation, which is then the only owner of what it was given; starts it and ends it.
  init(_ ending: DeadlineEnding) throws {
    let (workToken, stopToken) = (Token(), Token())
    (work, stop) = (WeakReference(workToken), WeakReference(stopToken))
    operation = DeadlineOperation(
      deadline: 3600,
      schedule: { [timers] seconds, action in
        let cancelTimer = timers.set(seconds, action)
        if ending == .timedOutBeforeItsWork { timers.fire() }
        return cancelTimer
      }
    ) { [completes, timers] complete in
      withExtendedLifetime(workToken) {}
      completes.append(complete)
      if ending == .completedInsideItsWork { complete(Data()) }
      if ending == .timedOutInsideItsWork { timers.fire() }
      return { withExtendedLifetime(stopToken) {} }
    }
    if ending == .cancelledBeforeItsStart { try make(.cancel) }
    try mustReturn("start()") { [operation] in operation.start() }
    switch ending {
    case .completed: try make(.complete)
    case .timedOut: try make(.timer)
    case .cancelled: try make(.cancel)
    default: break
    }
  }

  private func make(_ call: DeadlineCall) throws {
    try mustReturn(call.rawValue) { [operation, timers, completes] in
      switch call {
      case .complete: for complete in completes.value { complete(Data()) }
      case .timer: timers.fire()
      case .cancel: operation.cancel()
      }
    }
  }

  /// Something to capture.
  final class Token: Sendable {}
}

/// A started operation; nothing of the spec orders the threads that call it.
final class DeadlineBareCalls: Sendable, OpaqueMirror {
  let operation: DeadlineOperation
  private let given = Given()

  /// Makes an operation and starts it.
  init() throws {
    let given = given
    let operation = DeadlineOperation(
      deadline: 5,
      schedule: { _, action in
        given.timer = action
        return {}
      }
    ) { complete in
      given.complete = complete
      return {}
    }
    self.operation = operation
    try mustReturn("start()") { operation.start() }
    try #require(
      given.complete != nil && given.timer != nil,
      "start() calls main(), which must set the timer and begin the work.")
  }

  /// Makes a call on the calling thread.
  func make(_ call: DeadlineCall) {
    switch call {
    case .complete: given.complete?(Data([7]))
    case .timer: given.timer?()
    case .cancel: operation.cancel()
    }
  }

  private final class Given: Sendable {
    // Safe: set by a thread that has done its part before another one reads it.
    nonisolated(unsafe) var complete: (@Sendable (Data) -> Void)?
    nonisolated(unsafe) var timer: (@Sendable () -> Void)?  // Safe: as above.
  }
}
