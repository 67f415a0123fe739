/// A key that was pressed.
enum Key: Equatable, Sendable {
  case character(Character)
  case up, down, pageUp, pageDown, home, end
  case enter, escape, backspace
  /// The terminal was closed.
  case endOfInput
}

/// Parses the bytes that a terminal sends for keys.
///
/// Source: the keys of ECMA-48 terminals as xterm sends them.
struct KeyReader {
  /// The bytes of an incomplete key.
  private var pending: [UInt8] = []

  /// Whether the bytes so far may be the beginning of a longer key.
  var isWaiting: Bool { !pending.isEmpty }

  /// The keys that are complete with these bytes.
  mutating func keys(of bytes: [UInt8]) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    while let (length, key) = Self.first(of: pending) {
      pending.removeFirst(length)
      if let key { keys.append(key) }
    }
    return keys
  }

  /// No more bytes have arrived: a single escape was the escape key, and anything else is dropped.
  mutating func giveUpWaiting() -> [Key] {
    defer { pending = [] }
    return pending.first == Self.escape ? [.escape] : []
  }

  private static let escape: UInt8 = 0x1B

  /// The length of the first key in bytes, and the key; nil while it's incomplete.
  private static func first(of bytes: [UInt8]) -> (length: Int, key: Key?)? {
    guard let byte = bytes.first else { return nil }
    switch byte {
    case escape: return sequence(bytes)
    case UInt8(ascii: "\r"), UInt8(ascii: "\n"): return (1, .enter)
    case 0x7F, 0x08: return (1, .backspace)
    case 0..<0x20: return (1, nil)
    default: return character(bytes)
    }
  }

  /// `ESC [ …` and `ESC O …`; an escape before anything else is a key of its own.
  private static func sequence(_ bytes: [UInt8]) -> (length: Int, key: Key?)? {
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "O"):
      guard bytes.count > 2 else { return nil }
      return (3, named(String(UnicodeScalar(bytes[2]))))
    case UInt8(ascii: "["):
      guard let end = bytes[2...].firstIndex(where: { (0x40...0x7E).contains($0) }) else {
        return nil
      }
      return (end + 1, named(String(decoding: bytes[2...end], as: UTF8.self)))
    default:
      return (1, .escape)
    }
  }

  private static func named(_ code: String) -> Key? {
    switch code {
    case "A": .up
    case "B": .down
    case "H", "1~", "7~": .home
    case "F", "4~", "8~": .end
    case "5~": .pageUp
    case "6~": .pageDown
    default: nil
    }
  }

  /// A character in UTF-8; a byte that begins none is skipped.
  private static func character(_ bytes: [UInt8]) -> (length: Int, key: Key?)? {
    let length =
      switch bytes[0] {
      case 0..<0x80: 1
      case 0xC2..<0xE0: 2
      case 0xE0..<0xF0: 3
      case 0xF0..<0xF5: 4
      default: 0
      }
    guard length > 0 else { return (1, nil) }
    guard bytes.count >= length else { return nil }
    let text = String(validating: bytes.prefix(length), as: UTF8.self)
    return (text == nil ? 1 : length, text?.first.map { .character($0) })
  }
}
