/// Ten coins in two pockets; an update that moves some is half done when they are in neither.
struct BoxedCoins: Equatable, Sendable, CustomStringConvertible {
  var left = 10
  var right = 0

  /// Whether nobody is moving coins.
  var isWhole: Bool { left + right == 10 }

  var description: String { "\(left) coins left and \(right) right" }

  /// Moves coins, and does something when they are in neither pocket.
  mutating func move(_ count: Int, halfWay: () throws -> Void) rethrows {
    left -= count
    try halfWay()
    right += count
  }
}

/// What a body throws.
struct HoleInThePocket: Error {}

/// An object to put into a box, which the spec watches go.
final class BoxedObject: Sendable {}

/// Two halves that belong together, and are put into a box together.
struct BoxedPair: Sendable {
  private let first: BoxedHalf
  private let second: BoxedHalf

  /// Creates a pair; `atEnd` is called where its first half goes.
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
