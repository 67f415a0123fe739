import Foundation
import Testing

/// Code that may block, running on a thread of its own from the moment this is made.
///
/// Nothing of Swift's or Dispatch's pools is held while it blocks, and the test goes on: it asks
/// `hasReturned`, or waits for `result()` with a bound.
public final class TestThread<Result: Sendable>: Sendable, OpaqueMirror {
  /// What the thread does, for messages: "append", "the second reader".
  public let name: String

  private let outcome = Promise<Swift.Result<Result, any Error>>()

  /// Starts a thread that runs `body`.
  public init(_ name: String, _ body: @escaping @Sendable () throws -> Result) {
    self.name = name
    let (outcome, work, noise) = (outcome, LockedValue([body]), Noise.ofThisProcess)
    Thread.start {
      // Set by the thread itself: on Linux a name given from outside doesn't stick.
      Thread.current.name = name
      noise.perhaps()
      // When the result is there, nothing is kept any more of what made it.
      let result = Swift.Result { try work.withLock { $0.removeFirst() }() }
      noise.perhaps()
      outcome.fulfil(result)
    }
  }

  /// Whether the code has returned or thrown.
  public var hasReturned: Bool { outcome.value != nil }

  /// Runs until quiet, and tells whether the code is blocked: whether it hasn't returned by then.
  ///
  /// Blocks the calling thread until then, as ``runUntilQuiet(sourceLocation:)`` does.
  public func isBlocked() -> Bool {
    runUntilQuiet()
    return !hasReturned
  }

  /// The thread's result, waited for with a bound.
  ///
  /// Throws what the code threw; or, where it never returns, the failure of a requirement that says
  /// so and adds `comment`. Where no timer can still bring the result (`timersInPlay`), the wait
  /// ends as soon as the process is quiet.
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

/// Runs `body` on a thread of its own and returns its result, waited for with a bound.
///
/// For calls into the code under test that must come back, however wrong it is. Where it never returns, an
/// issue is recorded that says so, and this throws; the thread is left behind.
@discardableResult
public func mustReturn<Result: Sendable>(
  _ name: String, _ comment: @autoclosure () -> Comment? = nil,
  timersInPlay: Bool = false, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () throws -> Result
) throws -> Result {
  try TestThread(name, body)
    .result(comment(), timersInPlay: timersInPlay, sourceLocation: sourceLocation)
}

/// Waits until `condition` holds, with a bound, and records an issue where it never does.
///
/// Blocks the calling thread, which asks for the condition again and again, at most for ``Patience``.
/// `comment` tells which promise is broken then. Where no timer can still bring it about
/// (`timersInPlay`), the wait ends as soon as the process is quiet. Returns whether it holds.
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

/// How a bounded wait came to its end.
enum WaitEnding: Equatable {
  case happened
  case neverWill
  case ranOutOfPatience(seconds: Double)

  var reason: String {
    switch self {
    case .happened: "."
    case .neverWill: ": every thread of the process is asleep, so nothing is left to wake it."
    case .ranOutOfPatience(let seconds): " within \(seconds) s."
    }
  }
}

func wait(timersInPlay: Bool, until condition: () -> Bool) -> WaitEnding {
  Noise.ofThisProcess.renew()
  let seconds = Patience.now
  let patience = PatienceMeter(seconds: seconds)
  while !condition() {
    if !timersInPlay, Quiet.isObservable(), Quiet.wait(patience, or: condition) == .quiet {
      return condition() ? .happened : .neverWill
    }
    guard !patience.isUsedUp else {
      if condition() { return .happened }
      Patience.noteUsedUp()
      return .ranOutOfPatience(seconds: seconds)
    }
    usleep(100)
  }
  RunObservers.current.value?.waitEnded()
  Noise.ofThisProcess.perhaps()
  return .happened
}
