import Foundation
import Testing

/// Who was inside what, and in which order: a record that a spec questions and draws.
///
/// Threads record on it as they pass; recording never blocks for long and never calls out. Time is
/// logical: events are numbered in the order of recording, so the same moves give the same picture
/// on every machine.
public final class Timeline: Sendable, Unreflected {
  /// Something that happened to one participant.
  public struct Event: Equatable, Sendable {
    /// What kind of thing happened.
    public enum Kind: Equatable, Sendable {
      /// The participant went in.
      case entered
      /// The participant came out.
      case left
      /// A moment worth showing.
      case mark(String)
    }

    /// Who: the row of the picture.
    public let who: String
    /// What happened.
    public let kind: Kind
  }

  private let recorded = Locked<[Event]>([])

  /// Creates an empty record.
  public init() {}

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
  public var inside: [String] {
    var inside: [String] = []
    for event in events { Self.follow(event, in: &inside) }
    return inside
  }

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
      Self.follow(event, in: &inside)
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
      Self.follow(event, in: &inside)
      if first == second {
        if inside.count(where: { $0 == first }) > 1 { return true }
      } else if inside.contains(first), inside.contains(second) {
        return true
      }
    }
    return false
  }

  private static func follow(_ event: Event, in inside: inout [String]) {
    switch event.kind {
    case .entered: inside.append(event.who)
    case .left:
      if let index = inside.firstIndex(of: event.who) { inside.remove(at: index) }
    case .mark: break
    }
  }

  // MARK: - The picture

  /// The record as a picture, one row a participant; see ``TimelineDrawing``.
  public var drawing: String { TimelineDrawing(events).text() }

  /// A sentence with the picture of what happened, for an expectation that fails.
  ///
  /// The picture is drawn only when the comment is asked for.
  public func showing(_ sentence: String) -> Comment {
    Comment(rawValue: "\(sentence)\n\n\(drawing)")
  }
}
