import Foundation
import KataTesting
import Testing

/// What became of a call of the bridge.
struct BridgeOutcome: Equatable, Sendable, CustomStringConvertible {
  let description: String

  static func value(_ value: String) -> Self { Self(description: "returned \"\(value)\"") }
  static let timedOut = Self(description: "threw timedOut")
  static let brokenLens = Self(description: "threw the callback's error")
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

  let timeline: Timeline
  let bridge: CallbackBridge<String, String>
  private let replies: LockedValue<[String: Reply]>

  /// Creates a camera that does `whenAsked` when it is asked; by default it only keeps the callback.
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

  /// The callback of the call for `picture`; nil before it was asked for.
  func reply(for picture: String) -> Reply? { replies.value[picture] }

  /// The callback for `picture` comes, on a thread of its own, and must return.
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
