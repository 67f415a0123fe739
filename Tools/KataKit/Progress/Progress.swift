import Foundation

/// What a learner has done so far.
///
/// Two of them can be put together with ``merge(_:)``. Katas that this version doesn't know are kept
/// and counted nowhere: another version may know them.
package struct Progress: Equatable, Sendable {
  /// The version that this program writes and reads.
  ///
  /// A field more doesn't need a new one: what is absent reads as empty, what is unknown is passed
  /// over.
  static let currentVersion = 1

  /// The katas that are done, with the day they were first done, as an ISO 8601 date.
  package private(set) var done: [String: String] = [:]
  /// How many hints were shown, by kata.
  package private(set) var hints: [String: Int] = [:]
  /// The verdicts so far, by kata.
  package private(set) var attempts: [String: Attempts] = [:]
  /// The kata worked on last, where that is known.
  private var last: Moment?

  /// When a kata was worked on.
  private struct Moment: Equatable, Codable {
    let kata: String
    /// To the second, as ISO 8601 has it.
    let time: String

    static func later(_ one: Moment, _ other: Moment) -> Moment {
      (one.time, one.kata) < (other.time, other.kata) ? other : one
    }
  }

  package init() {}

  package func isDone(_ kata: Kata) -> Bool { done[kata.name] != nil }

  package func hintsShown(for kata: Kata) -> Int { hints[kata.name] ?? 0 }

  /// Takes in a verdict.
  ///
  /// The stub says nothing: nobody has begun here, or it was done on another machine. What is done stays done,
  /// whatever becomes of the answer.
  ///
  /// - Parameters:
  ///   - verdict: The verdict.
  ///   - date: When it was reached.
  ///   - isWorkedOn: Whether somebody works on that kata, and not on many at once.
  mutating func record(_ verdict: Verdict, on date: Date = Date(), isWorkedOn: Bool = true) {
    guard verdict.kind != .notStarted else { return }
    let day = date.formatted(.iso8601.year().month().day())
    if verdict.kind == .passed, done[verdict.kata] == nil { done[verdict.kata] = day }
    if isWorkedOn { last = Moment(kata: verdict.kata, time: date.formatted(.iso8601)) }
    let before = attempts[verdict.kata]?.count ?? 0
    attempts[verdict.kata] = Attempts(
      count: min(before + 1, Self.mostOfAnything), verdict: verdict.kind.rawValue, day: day,
      looksLike: verdict.looksLike)
  }

  mutating func recordHint(_ level: Int, of kata: Kata) { hints[kata.name] = level }

  /// Forgets a kata: it begins anew.
  mutating func forget(_ kata: Kata) {
    done[kata.name] = nil
    hints[kata.name] = nil
    attempts[kata.name] = nil
    if last?.kata == kata.name { last = nil }
  }

  /// Takes in the progress of another machine.
  ///
  /// What is done in either is done, since the earlier day; the larger numbers of hints and of
  /// attempts hold, and the later verdict; what was worked on last on either was worked on last. In whatever order, and however often, the same machines
  /// are put together, the outcome is the same.
  package mutating func merge(_ other: Progress) {
    done.merge(other.done, uniquingKeysWith: min)
    hints.merge(other.hints, uniquingKeysWith: max)
    attempts.merge(other.attempts) { $0.merged(with: $1) }
    last = last.map { last in other.last.map { Moment.later(last, $0) } ?? last } ?? other.last
  }

  /// The kata worked on last, where it isn't done, or else the first in teaching order that isn't.
  ///
  /// Where there are others, not one that passes but for races, which nobody can look for on that machine.
  package var next: Kata? {
    let current = Catalogue.katas.first { $0.name == last?.kata }
    if let current, !isDone(current), !passesUnchecked(current) { return current }
    return next(among: Catalogue.katas)
  }

  /// The first of some katas that isn't done.
  func next(among katas: [Kata]) -> Kata? {
    let open = katas.filter { !isDone($0) }
    return open.first { !passesUnchecked($0) } ?? open.first
  }

  /// Whether `kata` is its module's first, and no kata of that module was tried yet.
  func beginsModule(_ kata: Kata) -> Bool {
    let katas = Catalogue.katas(of: kata.module)
    return katas.first?.name == kata.name
      && katas.allSatisfy { !isDone($0) && attempts[$0.name] == nil }
  }

  /// Whether the last answer passes its spec, and races weren't looked for.
  package func passesUnchecked(_ kata: Kata) -> Bool {
    !isDone(kata) && attempts[kata.name]?.kind == .racesNotChecked
  }
}

extension Progress: Codable {
  /// Beyond this a number of hints or attempts is nobody's.
  private static let mostOfAnything = 1_000_000

  private enum CodingKeys: String, CodingKey {
    case version, done, hints, attempts, last
  }

  /// The program that wrote a file knows a later version of it.
  package struct Newer: Error {}

  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let version = try fields.decode(Int.self, forKey: .version)
    guard version <= Self.currentVersion else { throw Newer() }
    done = try fields.decodeIfPresent([String: String].self, forKey: .done) ?? [:]
    hints = try fields.decodeIfPresent([String: Int].self, forKey: .hints) ?? [:]
    attempts = try fields.decodeIfPresent([String: Attempts].self, forKey: .attempts) ?? [:]
    last = try fields.decodeIfPresent(Moment.self, forKey: .last)
    let days = Array(done.values) + attempts.values.map(\.day)
    let numbers = Array(hints.values) + attempts.values.map(\.count)
    guard days.allSatisfy({ $0.wholeMatch(of: #/[0-9]{4}-[0-9]{2}-[0-9]{2}/#) != nil }),
      numbers.allSatisfy({ (0...Self.mostOfAnything).contains($0) }),
      last.map({ (try? Date($0.time, strategy: .iso8601)) != nil }) ?? true
    else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "a day or number is none"))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(Self.currentVersion, forKey: .version)
    try fields.encode(done, forKey: .done)
    try fields.encode(hints, forKey: .hints)
    try fields.encode(attempts, forKey: .attempts)
    try fields.encodeIfPresent(last, forKey: .last)
  }
}
