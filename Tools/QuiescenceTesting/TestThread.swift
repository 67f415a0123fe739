import Foundation
import Testing

/// Code that may block, on a thread of its own that starts when this is created.
///
/// It blocks no thread of Swift's or Dispatch's pools, and the test continues: it checks
/// `hasReturned`, or waits for `result()` with a timeout.
public final class TestThread<Result: Sendable>: Sendable, OpaqueMirror {
  /// What the thread does, for messages: "append", "the second reader".
  public let name: String

  private let outcome = Promise<Swift.Result<Result, any Error>>()

  /// Starts a thread that runs `body`.
  public init(_ name: String, _ body: @escaping @Sendable () throws -> Result) {
    self.name = name
    let (outcome, work, delays) = (outcome, LockedValue([body]), RandomDelays.ofThisProcess)
    Thread.start {
      // Set by the thread itself: on Linux a name that another thread sets doesn't stick.
      Thread.current.name = name
      delays.delayRandomly()
      // When the result is available, the thread retains nothing that made it.
      let result = Swift.Result { try work.withLock { $0.removeFirst() }() }
      delays.delayRandomly()
      outcome.fulfil(result)
    }
  }

  /// Whether the code has returned or thrown.
  public var hasReturned: Bool { outcome.value != nil }

  /// Runs until quiet, and returns whether the code is blocked, that is, hasn't returned by then.
  ///
  /// Blocks the calling thread until then, as ``runUntilQuiet(sourceLocation:)`` does.
  public func isBlocked() -> Bool {
    runUntilQuiet()
    return !hasReturned
  }

  /// Waits for the thread's result with a timeout.
  ///
  /// Throws what the code threw. If the code never returns, it throws the failure of a requirement
  /// that says so and adds `comment`. Unless a timer can still lead to the result (`timersInPlay`),
  /// the wait ends as soon as the process is quiet.
  @discardableResult
  public func result(
    _ comment: @autoclosure () -> Comment? = nil,
    timersInPlay: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Result {
    let ending = wait(timersInPlay: timersInPlay) { hasReturned }
    let advice = comment().map { " \($0.rawValue)" } ?? ""
    let result = try #require(
      outcome.value, "\(HungMark.prefix)\(name) never returned\(ending.reason)\(advice)",
      sourceLocation: sourceLocation)
    return try result.get()
  }
}

/// Runs `body` on a thread of its own and waits for its result with a timeout.
///
/// For calls into the code under test that must return, however wrong the code is. If the call
/// never returns, this records an issue and throws; the thread is left behind.
@discardableResult
public func mustReturn<Result: Sendable>(
  _ name: String, _ comment: @autoclosure () -> Comment? = nil,
  timersInPlay: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () throws -> Result
) throws -> Result {
  try TestThread(name, body)
    .result(comment(), timersInPlay: timersInPlay, sourceLocation: sourceLocation)
}

/// Waits until `condition` holds, with a timeout, and records an issue if it never does.
///
/// Blocks the calling thread, which polls the condition, at most for ``TestTimeout``. `comment`
/// says which promise is broken then. Unless a timer can still make the condition hold
/// (`timersInPlay`), the wait ends as soon as the process is quiet.
///
/// - Returns: Whether the condition holds.
@discardableResult
public func eventually(
  _ comment: @autoclosure () -> Comment, timersInPlay: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation, until condition: () -> Bool
) -> Bool {
  let ending = wait(timersInPlay: timersInPlay, until: condition)
  guard ending != .happened else { return true }
  Issue.record(comment(), sourceLocation: sourceLocation)
  return false
}

/// How a wait with a timeout ended.
enum WaitEnding: Equatable {
  case happened
  case neverWill
  case timedOut(seconds: Double)

  var reason: String {
    switch self {
    case .happened: "."
    case .neverWill: ": every thread of the process is asleep, so nothing is left to wake it."
    case .timedOut(let seconds): " within \(seconds) s."
    }
  }
}

func wait(timersInPlay: Bool, until condition: () -> Bool) -> WaitEnding {
  RandomDelays.ofThisProcess.renew()
  let seconds = TestTimeout.now
  let timeout = TimeoutMeter(seconds: seconds)
  while !condition() {
    if !timersInPlay, Quiet.isObservable(), Quiet.wait(timeout, or: condition) == .quiet {
      return condition() ? .happened : .neverWill
    }
    guard !timeout.isUsedUp else {
      if condition() { return .happened }
      TestTimeout.noteUsedUp()
      return .timedOut(seconds: seconds)
    }
    usleep(100)
  }
  RunObservers.current.value?.waitEnded()
  RandomDelays.ofThisProcess.delayRandomly()
  return .happened
}
