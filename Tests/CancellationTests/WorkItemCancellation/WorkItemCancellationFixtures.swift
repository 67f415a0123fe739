import Dispatch
import Foundation
import KataTesting
import Testing

/// A queue for work and one for notices, and what has happened on them.
final class WorkItemStage: Sendable, OpaqueMirror {
  let timeline = Timeline()
  let queue = DispatchQueue(label: "katas.spec.work-item")
  let notices = DispatchQueue(label: "katas.spec.work-item.notices")
  /// Says on which queue code runs.
  let places: Places

  init() {
    places = Places(["the work's queue": queue, "the notice queue": notices])
  }

  /// The reported ends of the work, each with the place where it was reported.
  var endings: [String] { marks(of: "end") }

  /// What the work saw when it checked.
  var looks: [String] { marks(of: "work") }

  private func marks(of who: String) -> [String] {
    timeline.events.compactMap { event in
      guard case .mark(let what) = event.kind, event.who == who else { return nil }
      return what
    }
  }

  /// Keeps the work's queue busy until `gate` opens.
  func keepBusy(until gate: Gate) {
    timeline.enter("other work")
    queue.async { [timeline] in
      gate.wait()
      timeline.leave("other work")
    }
  }

  /// Submits work that calls `body` within its visit, then checks whether it's cancelled.
  func submit(
    sourceLocation: SourceLocation = #_sourceLocation,
    body: @escaping @Sendable () -> Void = {}
  ) throws -> QueuedWork {
    try mustReturn(
      "QueuedWork's initializer", "It must submit the work without waiting for it.",
      sourceLocation: sourceLocation
    ) { [self] in
      QueuedWork(on: queue, noticeQueue: notices) { [timeline] isCancelled in
        timeline.visit("work") {
          body()
          timeline.mark("work", isCancelled() ? "cancelled" : "not cancelled")
        }
      } onEnd: { [timeline, places] ending in
        timeline.mark("end", "\(ending) on \(places.current)")
      }
    }
  }

  func cancel(_ work: QueuedWork, sourceLocation: SourceLocation = #_sourceLocation) throws {
    timeline.mark("cancel", "cancelled")
    try mustReturn(
      "cancel()", "cancel() is a request; it mustn't wait for the work.",
      sourceLocation: sourceLocation
    ) { work.cancel() }
  }

  /// Waits until the end of the work is reported, and then until nothing happens any more.
  func expectEnding(
    _ ending: String, _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    eventually(
      timeline.showing("The end of the work is never reported. \(sentence)"),
      sourceLocation: sourceLocation
    ) { !endings.isEmpty }
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(
      endings == ["\(ending) on the notice queue"], timeline.showing(sentence),
      sourceLocation: sourceLocation)
  }
}
