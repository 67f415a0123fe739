/// How twenty thousand operations depend on each other.
enum CrowdShape: String, CaseIterable, Sendable, CustomStringConvertible {
  case chain = "each waits for the next"
  case ladder = "diamonds in a row"
  case star = "one waits for all others"
  case fan = "all wait for the last"
  case ring = "each waits for the next, and the last for the first"
  case loopAtTheEnd = "each waits for the next, and the last two for each other"

  var description: String { rawValue }

  /// The numbers of the operations that `number` waits for, of `count`.
  func waited(for number: Int, of count: Int) -> [Int] {
    let last = count - 1
    return switch self {
    case .chain: number == last ? [] : [number + 1]
    // Three a rung: the first waits for the other two, and they wait for the first of the next
    // rung.
    case .ladder:
      (number % 3 == 0 ? [number + 1, number + 2] : [number / 3 * 3 + 3]).filter { $0 <= last }
    case .star: number == 0 ? Array(1...last) : []
    case .fan: number == last ? [] : [last]
    case .ring: [(number + 1) % count]
    case .loopAtTheEnd: [number == last ? last - 1 : number + 1]
    }
  }

  /// The number of members of the only cycle.
  func cycle(of count: Int) -> Int { self == .ring ? count : self == .loopAtTheEnd ? 2 : 0 }
}
