import Foundation
import KataPictures
import Testing

/// Who was inside what, and in which order: a record that a test questions and draws.
///
/// Threads record on it as they pass; recording never blocks for long and never calls out. Time is
/// logical: events are numbered in the order of recording, so the same moves give the same picture
/// on every machine.
public final class Timeline: Sendable, OpaqueMirror {
  /// Something that happened to one participant.
  public typealias Event = TimelineEvent

  /// So many events can be compared by eye.
  private static let longest = 20

  private let recorded = LockedValue<[Event]>([])
  private let hasDiffered = LockedValue(false)

  /// Creates an empty record.
  public init() { RunObservers.current.value?.began(self) }

  // MARK: - Recording

  /// `who` asks to go in, on a thread of its own that runs `body`; it has asked before the thread starts.
  ///
  /// Until it goes in, it's drawn as waiting.
  @discardableResult
  public func asks<Result: Sendable>(
    _ who: String, _ body: @escaping @Sendable () throws -> Result
  ) -> TestThread<Result> {
    ask(who)
    return TestThread(who, body)
  }

  /// `who` asks to go in, on a thread or queue that is there already.
  ///
  /// Until it goes in, it's drawn as waiting.
  public func ask(_ who: String) { record(Event(who: who, kind: .asked)) }

  /// `who` goes in.
  public func enter(_ who: String) { record(Event(who: who, kind: .entered)) }

  /// `who` comes out, or waits no longer.
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

  private func record(_ event: Event) { recorded.append(event) }

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

  /// Runs until quiet, and expects that what has happened by then looks like `picture`.
  ///
  /// ```swift
  /// timeline.expect(
  ///   """
  ///   writer  ├─────────…
  ///   reader       ┆┄┄┄┄…
  ///   """, "A reader came in while a writer was inside.")
  /// ```
  ///
  /// Time is logical, so let everybody move one at a time: then the picture is the same in every run.
  /// A picture shows all since the timeline was made. Where it differs, the test fails with `sentence` and both
  /// pictures, and goes on; of one timeline only the first difference is told. Five columns are an event, and
  /// two spaces stand before the names of marks; how far the rows are indented doesn't count.
  ///
  /// - Returns: Whether the two are alike.
  @discardableResult
  public func expect(
    _ picture: String, _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Bool {
    runUntilQuiet(sourceLocation: sourceLocation)
    let events = events
    // As wide as it comes: a picture that is expected is never squeezed.
    let happened = TimelineDrawing(events).text(width: .max)
    let expected = Self.rows(picture)
    guard Self.rows(happened) != expected else { return true }
    // What comes after the first difference differs as well, and is nobody's fault.
    let isFirst = hasDiffered.withLock { hasDiffered in
      defer { hasDiffered = true }
      return !hasDiffered
    }
    guard isFirst else { return false }
    let lines = expected.map { "  \($0)" }.joined(separator: "\n")
    Issue.record(
      comment(sentence, events, expected: "\n\nIt should look like this:\n\n\(lines)\n\nIt was:"),
      sourceLocation: sourceLocation)
    return false
  }

  private static func rows(_ picture: String) -> [String] {
    picture.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// A sentence with the picture of what happened, for an expectation that fails.
  ///
  /// The picture is drawn only when the comment is asked for. Then it's also attached to the test as
  /// SVG: Xcode and Visual Studio Code show it, and `swift test --attachments-path` keeps it.
  public func showing(_ sentence: String) -> Comment { comment(sentence, events) }

  private func comment(_ sentence: String, _ events: [Event], expected: String = "") -> Comment {
    RunObservers.current.value?.objected(sentence, events)
    let picture = TimelineSVG(events: events, title: sentence)
    Attachment.record(picture.text, named: "timeline.svg")
    // Two pictures are compared column by column, unless one is too long for that.
    let isLong = events.count > Self.longest
    let happened = TimelineDrawing(events).text(width: expected.isEmpty || isLong ? 76 : .max)
    return Comment(rawValue: "\(sentence)\(expected)\n\n\(happened)")
  }
}
