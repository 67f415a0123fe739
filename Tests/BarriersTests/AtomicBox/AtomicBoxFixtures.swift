/// Ten coins in two pockets; an update is half done while some coins are in neither pocket.
struct BoxedCoins: Equatable, Sendable, CustomStringConvertible {
  var left = 10
  var right = 0

  /// Whether all ten coins are in the pockets, so no move is half done.
  var isWhole: Bool { left + right == 10 }

  var description: String { "\(left) coins left and \(right) right" }

  /// Moves coins, and calls `halfWay` while they are in neither pocket.
  mutating func move(_ count: Int, halfWay: () throws -> Void) rethrows {
    left -= count
    try halfWay()
    right += count
  }
}

/// What a body throws.
struct HoleInThePocket: Error {}

/// An object to put into a box; the spec checks when it's deallocated.
final class BoxedObject: Sendable {}

/// Two halves that belong together and are stored together.
struct BoxedPair: Sendable {
  private let first: BoxedHalf
  private let second: BoxedHalf

  /// Creates a pair; `atEnd` is called when its first half is deallocated.
  init(_ name: String, atEnd: @escaping @Sendable () -> Void = {}) {
    first = BoxedHalf(name, atEnd: atEnd)
    second = BoxedHalf(name)
  }

  /// The names of both halves.
  var names: [String] { [first.name, second.name] }
}

private final class BoxedHalf: Sendable {
  let name: String
  private let atEnd: @Sendable () -> Void

  init(_ name: String, atEnd: @escaping @Sendable () -> Void = {}) {
    self.name = name
    self.atEnd = atEnd
  }

  deinit { atEnd() }
}
