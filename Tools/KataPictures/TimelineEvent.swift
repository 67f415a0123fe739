/// Something that happened to one participant of a timeline.
public struct TimelineEvent: Hashable, Sendable {
  /// What kind of thing happened.
  public enum Kind: Hashable, Sendable {
    /// The participant wants to go in.
    case asked
    /// The participant went in.
    case entered
    /// The participant came out, or gave up asking.
    case left
    /// A moment worth showing.
    case mark(String)
  }

  /// The participant: the row of the picture.
  public let who: String
  /// What happened.
  public let kind: Kind

  /// Creates an event.
  public init(who: String, kind: Kind) {
    self.who = who
    self.kind = kind
  }
}

/// In a file, an event is a string: `?writer` asks, `+writer` goes in, `-writer` comes out,
/// `*writer|adds` is a mark.
///
/// In the name before a mark's text, `|` and `\` are escaped with a backslash.
extension TimelineEvent: Codable, LosslessStringConvertible {
  /// The event as a string in a file.
  public var description: String {
    switch kind {
    case .asked: "?\(who)"
    case .entered: "+\(who)"
    case .left: "-\(who)"
    case .mark(let what):
      "*\(who.replacing("\\", with: "\\\\").replacing("|", with: "\\|"))|\(what)"
    }
  }

  /// Reads an event from a string in a file; nil if it isn't one.
  public init?(_ description: String) {
    // By Unicode scalars, since a combining character may follow a sign.
    let scalars = description.unicodeScalars
    let rest = scalars.dropFirst()
    switch scalars.first {
    case "?": self.init(who: String(rest), kind: .asked)
    case "+": self.init(who: String(rest), kind: .entered)
    case "-": self.init(who: String(rest), kind: .left)
    case "*":
      var who = String.UnicodeScalarView()
      var index = rest.startIndex
      while index < rest.endIndex, rest[index] != "|" {
        if rest[index] == "\\" { rest.formIndex(after: &index) }
        guard index < rest.endIndex else { return nil }
        who.append(rest[index])
        rest.formIndex(after: &index)
      }
      guard index < rest.endIndex else { return nil }
      self.init(
        who: String(who), kind: .mark(String(rest[rest.index(after: index)...])))
    default: return nil
    }
  }

  /// Reads an event from its string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let event = TimelineEvent(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is no event of a timeline.")
    }
    self = event
  }

  /// Writes the event as its string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension [TimelineEvent] {
  /// The participants in the order of their first event.
  package var participants: [String] {
    var seen: Set<String> = []
    return map(\.who).filter { seen.insert($0).inserted }
  }

  /// The participants that are inside after the last event, in the order of entering; once for each
  /// entry.
  package var inside: [String] {
    var inside: [String] = []
    for event in self { event.follow(in: &inside) }
    return inside
  }

  /// The latest events, at most `limit`, after an entry for each participant that was inside before
  /// them.
  ///
  /// So participants that came in earlier are inside in this part, too.
  package func latest(_ limit: Int) -> [TimelineEvent] {
    guard count > limit else { return self }
    for cut in (count - limit)..<count {
      let entries = Array(prefix(cut)).inside.map { TimelineEvent(who: $0, kind: .entered) }
      if entries.count + count - cut <= limit { return entries + suffix(count - cut) }
    }
    return Array(suffix(limit))
  }

  /// The events in words, for readers who can't see the picture.
  public var words: String {
    var inside: [String] = []
    var asking: Set<String> = []
    let moments = map { event in
      let isInside = inside.contains(event.who)
      event.follow(in: &inside)
      let hasAsked = asking.remove(event.who) != nil && !isInside
      if event.kind == .asked || (hasAsked && event.isMark) { asking.insert(event.who) }
      return switch event.kind {
      case .asked: "\(event.who) asks"
      case .entered: "\(event.who) goes in\(isInside ? " once more" : "")"
      case .left where hasAsked: "\(event.who) waits no longer"
      case .left: "\(event.who) comes out\(inside.contains(event.who) ? " once" : "")"
      case .mark(let what): "\(event.who): \(what)"
      }
    }
    guard !moments.isEmpty else { return "Nothing happened." }
    let ends = [("inside", inside.participantsOnce), ("waiting", asking.sorted())]
      .filter { !$0.1.isEmpty }
      .map { " Still \($0.0) at the end: \($0.1.joined(separator: ", "))." }
    return "In this order: \(moments.joined(separator: "; ")).\(ends.joined())"
  }
}

extension TimelineEvent {
  fileprivate var isMark: Bool { if case .mark = kind { true } else { false } }

  /// Updates `inside`: a participant that enters is appended, and one that leaves is removed.
  package func follow(in inside: inout [String]) {
    switch kind {
    case .entered: inside.append(who)
    case .left:
      if let index = inside.firstIndex(of: who) { inside.remove(at: index) }
    case .asked, .mark: break
    }
  }
}

extension [String] {
  fileprivate var participantsOnce: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0).inserted }
  }
}
