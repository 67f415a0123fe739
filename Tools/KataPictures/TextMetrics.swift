/// Estimates how much room text takes, rather too much than too little.
///
/// A picture is shown with any font of the reader's system, so text can't be measured.
enum TextMetrics {
  /// The width of `text` in a font of this size.
  static func width(_ text: String, size: Double) -> Double {
    text.reduce(0) { $0 + width(of: $1) } * size
  }

  private static func width(of character: Character) -> Double {
    switch character {
    case "i", "l", "j", "I", ".", ",", ":", ";", "'", "|", "!", " ": 0.35
    case "m", "w", "M", "W", "@", "%", "…", "—", "→", "+", "=", "<", ">": 0.98
    case "f", "r", "t", "(", ")", "[", "]", "-", "/": 0.46
    default:
      switch character.unicodeScalars.first?.value ?? 0 {
      case 0x41...0x5A: 0.76
      case ..<0x1100: 0.64
      // East Asian characters and emoji.
      default: 1.4
      }
    }
  }

  /// `text` in lines of this width, broken between words if possible.
  ///
  /// Text beyond `limit` lines is replaced by an ellipsis.
  static func lines(of text: String, width: Double, size: Double, limit: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(whereSeparator: \.isWhitespace).map(String.init) {
      if let last = lines.last, Self.width("\(last) \(word)", size: size) <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(word)
      }
    }
    if lines.count > limit {
      lines[limit - 1] += " …"
      lines.removeSubrange(limit...)
    }
    return lines.map { shortened($0, width: width, size: size) }
  }

  /// `text`, or as much of its beginning as fits, with an ellipsis.
  private static func shortened(_ text: String, width: Double, size: Double) -> String {
    guard Self.width(text, size: size) > width else { return text }
    var beginning = text
    while !beginning.isEmpty, Self.width("\(beginning)…", size: size) > width {
      beginning.removeLast()
    }
    while beginning.last == " " { beginning.removeLast() }
    return "\(beginning)…"
  }
}
