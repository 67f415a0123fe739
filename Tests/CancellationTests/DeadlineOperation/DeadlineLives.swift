import AsyncOperations
import Foundation
import KataTesting
import Testing

/// How an operation with a deadline comes to its end, for the tests of who keeps whom.
enum DeadlineEnding: String, CaseIterable, Sendable, CustomStringConvertible {
  case completed, timedOut, cancelled, cancelledBeforeItsStart
  case completedInsideItsWork, timedOutInsideItsWork, timedOutBeforeItsWork

  /// How it came to its end, in words.
  var description: String {
    switch self {
    case .completed: "completed"
    case .timedOut: "timed out"
    case .cancelled: "cancelled"
    case .cancelledBeforeItsStart: "cancelled before its start"
    case .completedInsideItsWork: "completed before its work had returned"
    case .timedOutInsideItsWork: "timed out before its work had returned"
    case .timedOutBeforeItsWork: "timed out while its timer was set, before its work was begun"
    }
  }
}

/// What an operation does when it starts.
enum DeadlineBeginning: String, CaseIterable, Sendable, CustomStringConvertible {
  case settingTimer, beginningWork

  /// What it does, in words.
  var description: String {
    switch self {
    case .settingTimer: "the timer was set"
    case .beginningWork: "the work was begun"
    }
  }
}

/// What an operation was given, watched and not kept; and two that keep all they get from it.
final class DeadlineLife: Sendable, OpaqueMirror {
  let timers = DeadlineTimers()
  let keeper = DeadlineKeeper()
  /// What the work has captured.
  let work: DeadlineWatch
  /// What the way to stop the work has captured.
  let stop: DeadlineWatch
  // Safe: touched by the thread of the test alone; emptied when the operation is made.
  private nonisolated(unsafe) var tokens: [DeadlineToken]

  init() {
    tokens = [DeadlineToken(), DeadlineToken()]
    (work, stop) = (DeadlineWatch(tokens[0]), DeadlineWatch(tokens[1]))
  }

  /// Makes the operation, which is then all that keeps what it was given.
  func make(for ending: DeadlineEnding) -> DeadlineOperation {
    let (workToken, stopToken) = (tokens[0], tokens[1])
    tokens = []
    let setTimer = timers.scheduler()
    return DeadlineOperation(
      deadline: 3600,
      schedule: { [timers] seconds, action in
        let cancelTimer = setTimer(seconds, action)
        if ending == .timedOutBeforeItsWork { timers.goOff() }
        return cancelTimer
      }
    ) { [keeper, timers] complete in
      withExtendedLifetime(workToken) {}
      keeper.keep(complete)
      if ending == .completedInsideItsWork { complete(Data()) }
      if ending == .timedOutInsideItsWork { timers.goOff() }
      return { withExtendedLifetime(stopToken) {} }
    }
  }

  /// Starts the operation and brings it to its end.
  func live(_ operation: DeadlineOperation, _ ending: DeadlineEnding) throws {
    if ending == .cancelledBeforeItsStart { try mustReturn("cancel()") { operation.cancel() } }
    try mustReturn("start()") { operation.start() }
    switch ending {
    case .completed: try mustReturn("complete") { [keeper] in keeper.completeAll() }
    case .timedOut: try mustReturn("the timer's action") { [timers] in timers.goOff() }
    case .cancelled: try mustReturn("cancel()") { operation.cancel() }
    case .cancelledBeforeItsStart: break
    case .completedInsideItsWork, .timedOutInsideItsWork, .timedOutBeforeItsWork: break
    }
  }
}

/// A begun operation, with nothing of the spec's that would order the threads which call it.
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
    // Safe: set by a thread that has ended its part before another one reads it.
    nonisolated(unsafe) var complete: (@Sendable (Data) -> Void)?
    nonisolated(unsafe) var timer: (@Sendable () -> Void)?  // Safe: as above.
  }
}
