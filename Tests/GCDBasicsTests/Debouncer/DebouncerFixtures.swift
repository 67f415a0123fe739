import Dispatch
import Foundation
import KataTesting
import Testing

/// A queue to deliver on, timers that the spec fires, and what was delivered.
final class DebouncerStage: Sendable, OpaqueMirror {
  /// So long that no test could have waited for it.
  static let delay: TimeInterval = 3600

  let timeline = Timeline()
  let timers = ManualTimers()
  let queue = DispatchQueue(label: "katas.spec.debouncer")
  private let place: Places
  private let deliveries = LockedValue<[(value: String, place: String)]>([])

  init() {
    place = Places(["its queue": queue])
  }

  /// The values delivered, in their order.
  var delivered: [String] { deliveries.value.map(\.value) }

  /// Where they were delivered.
  var places: [String] { deliveries.value.map(\.place) }

  /// Makes a debouncer; its action notes the value and then calls `inside`.
  func debouncer(
    delay: TimeInterval = DebouncerStage.delay,
    schedule: Debouncer<String>.Scheduler? = nil,
    inside: @escaping @Sendable (String) -> Void = { _ in }
  ) -> Debouncer<String> {
    Debouncer(
      delay: delay, queue: queue, schedule: schedule ?? timers.scheduler, action: action(inside))
  }

  /// An action that notes the value and the place.
  func action(
    _ inside: @escaping @Sendable (String) -> Void = { _ in }
  ) -> @Sendable (String) -> Void {
    { [timeline, deliveries, place] value in
      timeline.visit("action") {
        timeline.mark("action", value)
        deliveries.append((value, place.current))
        inside(value)
      }
    }
  }

  /// Sends values, one after the other, on a thread that must return.
  func send(
    _ values: String..., to debouncer: Debouncer<String>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for value in values {
      timeline.mark("caller", "sends \(value)")
      try mustReturn(
        "send", "send must return at once: set a timer, and don't wait for it.",
        sourceLocation: sourceLocation
      ) { debouncer.send(value) }
    }
  }

  func cancel(
    _ debouncer: Debouncer<String>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    timeline.mark("caller", "cancels")
    try mustReturn(
      "cancel", "cancel must return at once.", sourceLocation: sourceLocation
    ) { debouncer.cancel() }
  }

  /// Fires these timers, all by default: their items are submitted to their queues.
  func comeDue(_ numbers: Range<Int>? = nil) {
    let all = timers.all.indices
    for number in (numbers ?? all).clamped(to: all) {
      timeline.mark("comes due", "timer \(number + 1)")
    }
    timers.fire(numbers)
  }

  /// Fires these timers, all by default, and expects these values to be delivered by then.
  func expectDelivered(
    _ values: [String], whenDue numbers: Range<Int>? = nil, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    comeDue(numbers)
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(delivered == values, timeline.showing(sentence), sourceLocation: sourceLocation)
  }

  /// Waits until the action has begun to deliver the value that came due.
  func expectActionRuns(sourceLocation: SourceLocation = #_sourceLocation) {
    eventually(
      "The delay has passed, and action was never called.", sourceLocation: sourceLocation
    ) { timeline.isInside("action") }
    runUntilQuiet(sourceLocation: sourceLocation)
  }
}

extension ManualTimers {
  /// Sets the timers of debouncers.
  var scheduler: @Sendable (TimeInterval, DispatchQueue, DispatchWorkItem) -> Void {
    { [self] seconds, queue, item in
      // Safe: the item is only submitted here; any thread may cancel it meanwhile.
      nonisolated(unsafe) let item = item
      set(seconds) { queue.async(execute: item) }
    }
  }
}

/// What silences a value that waits.
enum SilencingMove: CaseIterable, Sendable {
  case send, cancel
}
