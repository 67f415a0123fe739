import Dispatch
import Foundation
import KataTesting
import Testing

/// Timers that come due when the spec says so.
final class DebouncerTimers: Sendable, OpaqueMirror {
  private struct Setting {
    let seconds: TimeInterval
    let queue: DispatchQueue
    let item: DispatchWorkItem
    let isOnMarkedThread: Bool
  }

  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var settings: [Setting] = []
  private let lock = NSLock()

  /// The delays, in the order of setting.
  var seconds: [TimeInterval] { lock.withLock { settings.map(\.seconds) } }

  /// For each of them, whether it was set on a thread that has been marked.
  var areOnMarkedThread: [Bool] { lock.withLock { settings.map(\.isOnMarkedThread) } }

  /// Marks the calling thread.
  static func markThread() { Thread.current.threadDictionary[mark] = true }

  private static let mark = "katas.spec.debouncer"

  func set(_ seconds: TimeInterval, _ queue: DispatchQueue, _ item: DispatchWorkItem) {
    let isOnMarkedThread = Thread.current.threadDictionary[Self.mark] != nil
    lock.withLock {
      settings.append(
        Setting(seconds: seconds, queue: queue, item: item, isOnMarkedThread: isOnMarkedThread))
    }
  }

  /// The time of these timers has come: their items are submitted to their queues.
  func comeDue(_ numbers: Range<Int>? = nil) {
    lock.withLock {
      for number in (numbers ?? settings.indices).clamped(to: settings.indices) {
        settings[number].queue.async(execute: settings[number].item)
      }
    }
  }

  /// Lets go of all items.
  func forget() { lock.withLock { settings.removeAll() } }
}

/// A queue to deliver on, timers, and what was delivered.
final class DebouncerStage: Sendable, OpaqueMirror {
  /// So long that nobody could have waited for it.
  static let delay: TimeInterval = 3600
  private static let placeKey = DispatchSpecificKey<Bool>()

  let timeline = Timeline()
  let timers = DebouncerTimers()
  let queue = DispatchQueue(label: "katas.spec.debouncer")

  init() {
    queue.setSpecific(key: Self.placeKey, value: true)
  }

  /// Where this code runs.
  private static var place: String {
    DispatchQueue.getSpecific(key: placeKey) == true ? "its queue" : "elsewhere"
  }

  /// The values delivered, in their order.
  var delivered: [String] { marks(of: "delivered") }

  /// Where they were delivered.
  var places: [String] { marks(of: "place") }

  private func marks(of who: String) -> [String] {
    timeline.events.compactMap { event in
      guard case .mark(let what) = event.kind, event.who == who else { return nil }
      return what
    }
  }

  /// Makes a debouncer; `inside` is what its action does when it has noted the value.
  func debouncer(
    delay: TimeInterval = DebouncerStage.delay,
    schedule: Debouncer<String>.Scheduler? = nil,
    inside: @escaping @Sendable (String) -> Void = { _ in }
  ) -> Debouncer<String> {
    let timers = timers
    return Debouncer(
      delay: delay, queue: queue,
      schedule: schedule ?? { seconds, queue, item in timers.set(seconds, queue, item) },
      action: action(inside))
  }

  /// An action that notes the value and the place.
  func action(
    _ inside: @escaping @Sendable (String) -> Void = { _ in }
  ) -> @Sendable (String) -> Void {
    { [timeline] value in
      timeline.visit("action") {
        timeline.mark("delivered", value)
        timeline.mark("place", Self.place)
        inside(value)
      }
    }
  }

  /// Sends values, one after the other, on a thread that must come back.
  func send(
    _ values: String..., to debouncer: Debouncer<String>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for value in values {
      timeline.mark("sent", value)
      try mustReturn(
        "send", "Whoever sends a value goes on at once: set a timer, and don't wait for it.",
        sourceLocation: sourceLocation
      ) { debouncer.send(value) }
    }
  }

  func cancel(
    _ debouncer: Debouncer<String>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    timeline.mark("cancelled", "cancel()")
    try mustReturn(
      "cancel", "Whoever cancels goes on at once.", sourceLocation: sourceLocation
    ) { debouncer.cancel() }
  }

  /// The time of these timers comes, all by default, and these are the values delivered by then.
  func expectDelivered(
    _ values: [String], whenDue numbers: Range<Int>? = nil, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    timers.comeDue(numbers)
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(delivered == values, timeline.showing(sentence), sourceLocation: sourceLocation)
  }
}

/// What silences a value that waits.
enum SilencingMove: CaseIterable, Sendable {
  case send, cancel
}
