import KataKit

/// The promises in the documentation of a kata's stub, and the mistakes that break them.
///
/// A promise is a bullet of the documentation above "Your turn". It's repeated in `Kata.md` under a
/// short name, by which mistakes say what they break.
struct Contract {
  /// The promises that mistakes must break, in the kata's order.
  let promises: [Promise]
  /// The mistakes that break each promise, by its name.
  private(set) var breaking: [String: [Mistake]] = [:]
  /// What is missing or wrong, in a sentence each; empty if a mistake breaks every promise.
  private(set) var shortfalls: [String]

  /// Creates the contract of a kata with this stub.
  init(of kata: Kata, stub: String) {
    promises = kata.promises
    shortfalls = Self.differences(between: promises, and: stub)
    let names = promises.map(\.name)
    for mistake in kata.mistakes {
      if mistake.breaks.isEmpty {
        shortfalls.append("\(mistake.name): it must say which promise it breaks ('breaks:')")
      }
      for name in mistake.breaks {
        breaking[name, default: []].append(mistake)
        guard !names.contains(name) else { continue }
        let nearest = EditDistance.nearest(to: name, among: names)
        shortfalls.append(
          "\(mistake.name): there is no promise '\(name)'"
            + (nearest.map { "; did you mean '\($0)'?" } ?? ""))
      }
    }
    for promise in promises where breaking[promise.name] == nil {
      shortfalls.append("no mistake breaks this promise: \(promise.text)")
    }
  }

  /// The differences between the stub's bullets and the promises in `Kata.md`.
  ///
  /// A description of what a member returns or throws may be a promise; any other bullet must be
  /// one.
  private static func differences(between promises: [Promise], and stub: String) -> [String] {
    let items = items(in: stub)
    let absent = promises.filter { promise in !items.contains { $0.text == promise.text } }
    let unnamed = items.filter { item in
      !item.isField && !promises.contains { $0.text == item.text }
    }
    return absent.map { "\($0.name): no bullet of the stub is the same: \($0.text)" }
      + unnamed.map { "Kata.md has no promise for this bullet of the stub: \($0.text)" }
  }

  /// The promises of a kata that its reference's documentation doesn't have in the same words.
  ///
  /// The reference may promise more. Links to symbols make no difference.
  static func missing(from reference: String, of kata: Kata) -> [String] {
    let own = Set(items(in: reference).map { plain($0.text) })
    return kata.promises.map(\.text).filter { !own.contains(plain($0)) }
  }

  /// A text without links to symbols.
  private static func plain(_ text: String) -> String {
    text.replacing(#/``([^`]+)``/#) { "`\($0.1.replacing("/", with: "."))`" }
  }

  // MARK: - Reading

  /// The bullets of documentation above "Your turn", each in one line; a field says what a member
  /// returns or throws.
  private static func items(in text: String) -> [(text: String, isField: Bool)] {
    var items: [(text: String, isField: Bool)] = []
    var isItem = false
    var isTask = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let comment = line.drop { $0 == " " }
      guard comment.hasPrefix("///") else {
        (isItem, isTask) = (false, false)
        continue
      }
      let line = comment.dropFirst(3).trimmingPrefix(" ")
      isTask = isTask || line.hasPrefix("Your turn")
      if isTask { continue }
      let words = line.split(separator: " ").joined(separator: " ")
      if let bullet = line.prefixMatch(of: #/- (?:(Returns|Throws): )?/#) {
        isItem = !line.hasPrefix("- Parameter")
        if isItem {
          items.append((String(line[bullet.range.upperBound...]), bullet.output.1 != nil))
        }
      } else if isItem, line.hasPrefix("  "), !words.isEmpty {
        items[items.count - 1].text += " " + words
      } else {
        isItem = false
      }
    }
    return items
  }
}
