import Foundation

/// What a learner has done so far.
///
/// Two of them can be combined with ``merge(_:)``. Katas that this version doesn't know are kept
/// but not counted: another version may know them.
package struct Progress: Equatable, Sendable {
  /// The version that this program writes and reads.
  ///
  /// An additional field needs no new version: a missing field is empty, and an unknown one is
  /// ignored.
  static let currentVersion = 1

  /// The katas that are done, with the day they were first done, as an ISO 8601 date.
  package private(set) var done: [String: String] = [:]
  /// How many hints were shown, by kata.
  package private(set) var hints: [String: Int] = [:]
  /// The verdicts so far, by kata.
  package private(set) var attempts: [String: Attempts] = [:]
  /// The kata worked on last, if it's known.
  private var last: Moment?

  /// When a kata was worked on.
  private struct Moment: Equatable, Codable {
    let kata: String
    /// In ISO 8601, to the second.
    let time: String

    static func later(_ one: Moment, _ other: Moment) -> Moment {
      (one.time, one.kata) < (other.time, other.kata) ? other : one
    }
  }

  package init() {}

  package func isDone(_ kata: Kata) -> Bool { done[kata.name] != nil }

  package func hintsShown(for kata: Kata) -> Int { hints[kata.name] ?? 0 }

  /// Records a verdict.
  ///
  /// A verdict on the stub isn't recorded: the learner hasn't begun here, or has done the kata on
  /// another machine. A kata that is done stays done, whatever a later verdict says.
  ///
  /// - Parameters:
  ///   - verdict: The verdict.
  ///   - date: When it was reached.
  ///   - isWorkedOn: Whether the learner works on that kata, instead of judging many at once.
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

  /// Forgets a kata: the learner starts again.
  mutating func forget(_ kata: Kata) {
    done[kata.name] = nil
    hints[kata.name] = nil
    attempts[kata.name] = nil
    if last?.kata == kata.name { last = nil }
  }

  /// Merges the progress of another machine.
  ///
  /// A kata is done if either has it done, since the earlier day. The larger numbers of hints and
  /// attempts count, and the later verdict; the kata worked on last is the later of the two.
  /// Merging is commutative and idempotent.
  package mutating func merge(_ other: Progress) {
    done.merge(other.done, uniquingKeysWith: min)
    hints.merge(other.hints, uniquingKeysWith: max)
    attempts.merge(other.attempts) { $0.merged(with: $1) }
    last = last.map { last in other.last.map { Moment.later(last, $0) } ?? last } ?? other.last
  }

  /// The kata worked on last if it isn't done, or else the first in teaching order that isn't.
  ///
  /// If there are others, it isn't one that passes without a check for races, which that machine
  /// can't make.
  package var next: Kata? {
    let current = Catalogue.katas.first { $0.name == last?.kata }
    if let current, !isDone(current), !passesUnchecked(current) { return current }
    return next(among: Catalogue.katas)
  }

  /// The first of the given katas that isn't done.
  func next(among katas: [Kata]) -> Kata? {
    let open = katas.filter { !isDone($0) }
    return open.first { !passesUnchecked($0) } ?? open.first
  }

  /// Whether `kata` is its module's first, and no kata of that module has been tried yet.
  func beginsModule(_ kata: Kata) -> Bool {
    let katas = Catalogue.katas(of: kata.module)
    return katas.first?.name == kata.name
      && katas.allSatisfy { !isDone($0) && attempts[$0.name] == nil }
  }

  /// Whether the last answer passes its spec, but wasn't checked for races.
  package func passesUnchecked(_ kata: Kata) -> Bool {
    !isDone(kata) && attempts[kata.name]?.kind == .racesNotChecked
  }
}

extension Progress: Codable {
  /// A larger number of hints or attempts can't be real.
  private static let mostOfAnything = 1_000_000

  private enum CodingKeys: String, CodingKey {
    case version, done, hints, attempts, last
  }

  /// The file was written by a program with a later version of the format.
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
