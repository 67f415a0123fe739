@_exported import KataPictures
import Testing

/// Who was inside what, and in which order: a record that a spec questions and draws.
///
/// Threads record on it as they pass; recording never blocks for long and never calls out. Time is
/// logical: events are numbered in the order of recording, so the same moves give the same picture
/// on every machine.
public final class Timeline: Sendable, OpaqueMirror {
  /// Something that happened to one participant.
  public typealias Event = TimelineEvent

  private let recorded = Locked<[Event]>([])

  /// Creates an empty record.
  public init() { PictureLog.ofThisProcess?.add(self) }

  // MARK: - Recording

  /// `who` goes in.
  public func enter(_ who: String) { record(Event(who: who, kind: .entered)) }

  /// `who` comes out.
  public func leave(_ who: String) { record(Event(who: who, kind: .left)) }

  /// Something happens to `who` at this moment.
  public func mark(_ who: String, _ what: String) { record(Event(who: who, kind: .mark(what))) }

  /// `who` is inside while `body` runs.
  public func visit<Result>(_ who: String, _ body: () throws -> Result) rethrows -> Result {
    enter(who)
    defer { leave(who) }
    return try body()
  }

  /// `who` goes in, waits at `gate`, and comes out.
  ///
  /// Blocks until the gate is open.
  public func visit(_ who: String, until gate: Gate) {
    visit(who) { gate.wait() }
  }

  private func record(_ event: Event) { recorded.withLock { $0.append(event) } }

  // MARK: - Questions

  /// Everything recorded so far, in order.
  public var events: [Event] { recorded.withLock { $0 } }

  /// Everybody who is inside now, in the order of entering; once for each time they are inside.
  public var inside: [String] { events.inside }

  /// Whether `who` is inside now.
  public func isInside(_ who: String) -> Bool { inside.contains(who) }

  /// How often `who` has gone in.
  public func entries(of who: String) -> Int {
    events.count { $0.who == who && $0.kind == .entered }
  }

  /// Everybody who has gone in, in that order; once for each time.
  public var orderOfEntry: [String] { events.filter { $0.kind == .entered }.map(\.who) }

  /// Everybody who has come out, in that order; once for each time.
  public var orderOfLeaving: [String] { events.filter { $0.kind == .left }.map(\.who) }

  /// The largest number that was inside at once.
  public var largestNumberInside: Int {
    var inside: [String] = []
    var largest = 0
    for event in events {
      event.follow(in: &inside)
      largest = max(largest, inside.count)
    }
    return largest
  }

  /// Whether `first` and `second` were inside at the same time.
  ///
  /// With one name: twice at once.
  public func overlapped(_ first: String, _ second: String) -> Bool {
    var inside: [String] = []
    for event in events {
      event.follow(in: &inside)
      if first == second {
        if inside.count(where: { $0 == first }) > 1 { return true }
      } else if inside.contains(first), inside.contains(second) {
        return true
      }
    }
    return false
  }

  // MARK: - The picture

  /// The record as a picture, one row a participant; see `TimelineDrawing`.
  public var drawing: String { TimelineDrawing(events).text() }

  /// A sentence with the picture of what happened, for an expectation that fails.
  ///
  /// The picture is drawn only when the comment is asked for. Then it's also attached to the test as
  /// SVG: Xcode and Visual Studio Code show it, and `swift test --attachments-path` keeps it.
  public func showing(_ sentence: String) -> Comment {
    let events = events
    PictureLog.ofThisProcess?.object(sentence, events)
    let picture = TimelineSVG(events: events, title: sentence)
    Attachment.record(picture.text, named: "timeline.svg")
    return Comment(rawValue: "\(sentence)\n\n\(TimelineDrawing(events).text())")
  }
}
