import Foundation
import KataPictures
import Testing

/// Records which participant was inside what, and in which order, for a test to query and draw.
///
/// Threads record events as they pass. Recording never blocks for long and never calls out. Time is
/// logical: events are numbered in the order of recording, so the same moves give the same picture
/// on every machine.
public final class Timeline: Sendable, OpaqueMirror {
  /// Something that happened to one participant.
  public typealias Event = TimelineEvent

  /// Up to this number of events can be compared by eye.
  private static let longest = 20

  private let recorded = LockedValue<[Event]>([])
  private let hasDiffered = LockedValue(false)

  /// Creates an empty record.
  public init() { RunObservers.current.value?.began(self) }

  // MARK: - Recording

  /// `who` asks to go in, on a new thread that runs `body`; this is recorded before the thread
  /// starts.
  ///
  /// Until it goes in, it's drawn as waiting.
  @discardableResult
  public func asks<Result: Sendable>(
    _ who: String, _ body: @escaping @Sendable () throws -> Result
  ) -> TestThread<Result> {
    ask(who)
    return TestThread(who, body)
  }

  /// `who` asks to go in, on an existing thread or queue.
  ///
  /// Until it goes in, it's drawn as waiting.
  public func ask(_ who: String) { record(Event(who: who, kind: .asked)) }

  /// `who` goes in.
  public func enter(_ who: String) { record(Event(who: who, kind: .entered)) }

  /// `who` comes out, or stops waiting.
  public func leave(_ who: String) { record(Event(who: who, kind: .left)) }

  /// Something happens to `who` now.
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

  /// The participants that are inside now, in the order of entering; once for each entry.
  public var inside: [String] { events.inside }

  /// Whether `who` is inside now.
  public func isInside(_ who: String) -> Bool { inside.contains(who) }

  /// How often `who` has gone in.
  public func entries(of who: String) -> Int {
    events.count { $0.who == who && $0.kind == .entered }
  }

  /// The participants that have gone in, in that order; once for each entry.
  public var orderOfEntry: [String] { events.filter { $0.kind == .entered }.map(\.who) }

  /// The participants that have come out, in that order; once for each exit.
  public var orderOfLeaving: [String] { events.filter { $0.kind == .left }.map(\.who) }

  /// The largest number of participants that were inside at once.
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
  /// With the same name twice: whether it was inside twice at once.
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

  /// The record as a picture, with a row for each participant; see `TimelineDrawing`.
  public var drawing: String { TimelineDrawing(events).text() }

  /// Runs until quiet, and expects that the events so far look like `picture`.
  ///
  /// ```swift
  /// timeline.expect(
  ///   """
  ///   writer  ├─────────…
  ///   reader       ┆┄┄┄┄…
  ///   """, "A reader came in while a writer was inside.")
  /// ```
  ///
  /// Time is logical, so let participants move one at a time: then the picture is the same in every
  /// run. A picture shows everything since the timeline was created. If it differs, the test fails
  /// with `sentence` and both pictures, and continues; only the first difference of a timeline is
  /// reported. An event takes five columns, and two spaces precede the names of marks. The
  /// indentation of the rows doesn't matter.
  ///
  /// - Returns: Whether the pictures are equal.
  @discardableResult
  public func expect(
    _ picture: String, _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Bool {
    runUntilQuiet(sourceLocation: sourceLocation)
    let events = events
    // At full width: an expected picture is never squeezed.
    let happened = TimelineDrawing(events).text(width: .max)
    let expected = Self.rows(picture)
    guard Self.rows(happened) != expected else { return true }
    // After the first difference everything else differs as well, and says nothing new.
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
  /// The picture is drawn only if the comment is used. Then it's also attached to the test as an
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
