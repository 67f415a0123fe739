/// A part of the submissions, for one of several machines: "2/5" is the second of five.
///
/// A name is always in the same part, also if others are added or removed.
package struct Shard: Equatable, Sendable {
  let number: Int
  let count: Int

  /// Reads "2/5"; nil if it isn't valid.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], number > 0,
      number <= count
    else { return nil }
    self.number = number
    self.count = count
  }

  /// Whether a participant is in this part.
  package func contains(_ participant: String) -> Bool {
    ContentHash(of: participant).bucket(of: count) == number - 1
  }
}
