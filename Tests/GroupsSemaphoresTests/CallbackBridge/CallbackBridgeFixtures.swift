import Foundation
import KataTesting
import Testing

/// What became of a call of the bridge.
enum BridgeOutcome: Equatable, Sendable, CustomStringConvertible {
  case value(String)
  case timedOut
  case brokenLens
  case otherError(String)

  var description: String {
    switch self {
    case .value(let value): "returned \"\(value)\""
    case .timedOut: "threw timedOut"
    case .brokenLens: "threw the callback's error"
    case .otherError(let text): "threw \(text)"
    }
  }
}

struct BrokenLens: Error {}

/// A camera that is asked for a picture and answers by a callback, as the spec says; and a bridge
/// to it.
///
/// It keeps every callback, for good: late ones and second ones come from there.
final class Camera: Sendable, OpaqueMirror {
  typealias Reply = CallbackBridge<String, String>.Reply

  /// Longer than any test takes.
  static let hour: TimeInterval = 3600
  /// So short that whoever isn't answered at once is out of time.
  static let blink: TimeInterval = 0.001

  private let whenAsked: @Sendable (_ picture: String, _ reply: @escaping Reply) -> Void
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var replies: [String: Reply] = [:]

  /// Creates a camera that does `whenAsked` when it is asked; by default it only keeps the callback.
  init(
    whenAsked: @escaping @Sendable (_ picture: String, _ reply: @escaping Reply) -> Void = { _, _ in
    }
  ) {
    self.whenAsked = whenAsked
  }

  var bridge: CallbackBridge<String, String> {
    CallbackBridge { [self] picture, reply in
      lock.withLock { replies[picture] = reply }
      whenAsked(picture, reply)
    }
  }

  /// The callback of the call for `picture`; nil before it was asked for.
  func reply(for picture: String) -> Reply? { lock.withLock { replies[picture] } }

  /// The callback for `picture` comes, on a thread of its own, and must return.
  func answer(
    _ picture: String, with value: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let kept = reply(for: picture)
    let reply = try #require(
      kept, "The work for \"\(picture)\" was never started: call start.",
      sourceLocation: sourceLocation)
    try mustReturn("reply", sourceLocation: sourceLocation) { reply { value } }
  }
}

extension CallbackBridge<String, String> {
  /// A call on a thread of its own.
  func call(_ picture: String, within seconds: TimeInterval) -> TestThread<BridgeOutcome> {
    TestThread("value(for: \"\(picture)\")") {
      do {
        return .value(try self.value(for: picture, within: seconds))
      } catch CallbackBridgeError.timedOut {
        return .timedOut
      } catch is BrokenLens {
        return .brokenLens
      } catch {
        return .otherError("\(error)")
      }
    }
  }
}

extension TestThread where Result == BridgeOutcome {
  /// What becomes of a call that waits for `Camera.blink` at most.
  ///
  /// Nothing but the clock ends such a wait, so no order can prove it. Once all is quiet, the call has
  /// begun to wait. A quarter of a second later its time is long up, and a thread whose time is up isn't
  /// asleep: where all is quiet again and the call hasn't returned, it never will. A thread that is
  /// merely slow is awake, and is waited for.
  func resultWhenTimeIsUp(
    _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> BridgeOutcome {
    runUntilQuiet(sourceLocation: sourceLocation)
    let longAfter = ContinuousClock.now.advanced(by: .milliseconds(250))
    while !hasReturned, ContinuousClock.now < longAfter { usleep(500) }
    return try result(comment, sourceLocation: sourceLocation)
  }
}
