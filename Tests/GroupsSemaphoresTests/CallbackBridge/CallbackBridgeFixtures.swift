import Foundation
import KataTesting
import Testing

/// The outcome of a call of the bridge.
struct BridgeOutcome: Equatable, Sendable, CustomStringConvertible {
  let description: String

  static func value(_ value: String) -> Self { Self(description: "returned \"\(value)\"") }
  static let timedOut = Self(description: "threw timedOut")
  static let brokenLens = Self(description: "threw the callback's error")
}

struct BrokenLens: Error {}

/// A camera that delivers pictures by a callback, when the spec says so, and a bridge over it.
///
/// It retains every callback for good, so that it can also be called late, or twice.
final class Camera: Sendable, OpaqueMirror {
  typealias Reply = CallbackBridge<String, String>.Reply

  /// Longer than any test takes.
  static let hour: TimeInterval = 3600
  /// So short that a call times out if its callback doesn't come at once.
  static let blink: TimeInterval = 0.001

  let timeline: Timeline
  let bridge: CallbackBridge<String, String>
  private let replies: LockedValue<[String: Reply]>

  /// Creates a camera that calls `whenAsked` for each picture; by default it only keeps the callback.
  init(
    _ timeline: Timeline = Timeline(),
    whenAsked: @escaping @Sendable (_ picture: String, _ reply: @escaping Reply) -> Void = { _, _ in
    }
  ) {
    let replies = LockedValue<[String: Reply]>([:])
    (self.timeline, self.replies) = (timeline, replies)
    bridge = CallbackBridge { picture, reply in
      replies.withLock { $0[picture] = reply }
      whenAsked(picture, reply)
    }
  }

  /// A call on a thread of its own; the timeline shows how long it waits.
  func call(_ picture: String, within seconds: TimeInterval) -> TestThread<BridgeOutcome> {
    timeline.asks("call for \(picture)") { [timeline, bridge] in
      defer { timeline.visit("call for \(picture)") {} }
      do {
        return .value(try bridge.value(for: picture, within: seconds))
      } catch CallbackBridgeError.timedOut {
        return .timedOut
      } catch is BrokenLens {
        return .brokenLens
      } catch {
        return BridgeOutcome(description: "threw \(error)")
      }
    }
  }

  /// The callback of the call for `picture`; nil before `start` was called.
  func reply(for picture: String) -> Reply? { replies.value[picture] }

  /// Calls the callback for `picture`, on a thread of its own; it must return.
  func answer(
    _ picture: String, with value: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let callback = try #require(
      reply(for: picture), "The work for \"\(picture)\" was never started: call start.",
      sourceLocation: sourceLocation)
    timeline.mark("callback", "for \(picture)")
    try mustReturn("reply", sourceLocation: sourceLocation) { callback { value } }
  }
}

extension TestThread where Result == BridgeOutcome {
  /// The outcome of a call that waits for `Camera.blink` at most.
  ///
  /// Only the clock ends such a wait, so no order of events can prove it. At quiescence, the call has
  /// begun to wait. A quarter of a second later its time is long up, and a thread whose time is up isn't
  /// asleep: if there is quiescence again and the call hasn't returned, it never will. A thread that is
  /// only slow is awake, and the spec waits for it.
  func resultWhenTimeIsUp(
    _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> BridgeOutcome {
    runUntilQuiet(sourceLocation: sourceLocation)
    let longAfter = ContinuousClock.now.advanced(by: .milliseconds(250))
    while !hasReturned, ContinuousClock.now < longAfter { usleep(500) }
    return try result(comment, sourceLocation: sourceLocation)
  }
}
