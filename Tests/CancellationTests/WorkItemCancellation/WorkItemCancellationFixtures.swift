import Dispatch
import Foundation
import KataTesting
import Testing

/// A queue for work and one for notices, and what has happened on them.
final class WorkItemStage: Sendable, OpaqueMirror {
  let timeline = Timeline()
  let queue = DispatchQueue(label: "katas.spec.work-item")
  let notices = DispatchQueue(label: "katas.spec.work-item.notices")
  private static let placeKey = DispatchSpecificKey<String>()

  init() {
    queue.setSpecific(key: Self.placeKey, value: "the work's queue")
    notices.setSpecific(key: Self.placeKey, value: "the notice queue")
  }

  /// Where this code runs.
  static var place: String { DispatchQueue.getSpecific(key: placeKey) ?? "elsewhere" }

  /// What was told of the work's end, each with the place where it was told.
  var endings: [String] {
    timeline.events.compactMap { event in
      guard case .mark(let what) = event.kind, event.who == "end" else { return nil }
      return what
    }
  }

  /// What the work saw when it looked.
  var looks: [String] {
    timeline.events.compactMap { event in
      guard case .mark(let what) = event.kind, event.who == "look" else { return nil }
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

  /// Submits work that calls `body` within its visit, then looks whether it's cancelled.
  func submit(
    sourceLocation: SourceLocation = #_sourceLocation,
    body: @escaping @Sendable () -> Void = {}
  ) throws -> QueuedWork {
    try mustReturn(
      "QueuedWork's initializer", "It must submit the work without waiting for it.",
      sourceLocation: sourceLocation
    ) { [self] in
      QueuedWork(on: queue, noticeQueue: notices) { [timeline] isCancelled in
        timeline.mark("place", Self.place)
        timeline.visit("work") {
          body()
          timeline.mark("look", isCancelled() ? "cancelled" : "not cancelled")
        }
      } onEnd: { [timeline] ending in
        timeline.mark("end", "\(ending) on \(Self.place)")
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

  /// Waits until the end of the work is told, and then until nothing happens any more.
  func expectEnding(
    _ ending: String, _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    eventually(
      timeline.showing("The end of the work is never told. \(sentence)"),
      sourceLocation: sourceLocation
    ) { !endings.isEmpty }
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(
      endings == ["\(ending) on the notice queue"], timeline.showing(sentence),
      sourceLocation: sourceLocation)
  }
}

/// Something that work may keep alive, to see whether it lets go of it.
final class WorkItemCargo: Sendable, OpaqueMirror {}
