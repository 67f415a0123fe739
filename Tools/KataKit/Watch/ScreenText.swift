/// Text with colours, measured in the columns of a terminal.
enum ScreenText {
  /// The columns that a text takes; colours take none.
  static func width(of text: String) -> Int {
    pieces(of: text).reduce(0) { $0 + $1.columns }
  }

  /// The text in at most this many columns; if something was cut, the last column shows it.
  ///
  /// Control characters are left out, so that nothing an answer prints can move the cursor.
  static func clipped(_ text: String, to columns: Int) -> String {
    let pieces = pieces(of: text)
    let fits = pieces.reduce(0) { $0 + $1.columns } <= columns
    let room = fits ? columns : columns - 1
    var kept = ""
    var taken = 0
    var hasColour = false
    var hasLink = false
    for piece in pieces {
      guard piece.columns > 0 else {
        kept += piece.text
        if piece.text.hasPrefix(linkMark) {
          hasLink = piece.text != link(to: "")
        } else {
          hasColour = piece.text != reset
        }
        continue
      }
      if taken + piece.columns > room { break }
      kept += piece.text
      taken += piece.columns
    }
    if !fits, columns > 0 { kept += "…" }
    if hasLink { kept += link(to: "") }
    return hasColour ? kept + reset : kept
  }

  /// The longest prefix that takes at most this many columns; at least one character.
  static func prefix(of text: Substring, columns limit: Int) -> Substring {
    var taken = 0
    var end = text.startIndex
    for index in text.indices {
      taken += columns(of: text[index])
      if taken > limit, index > text.startIndex { break }
      end = text.index(after: index)
    }
    return text[..<end]
  }

  private static let reset = "\u{1B}[0m"
  private static let linkMark = "\u{1B}]8;;"

  /// The sequence that makes a link of the following text, or ends a link if the address is empty.
  static func link(to address: String) -> String { "\(linkMark)\(address)\u{1B}\\" }

  private struct Piece {
    let text: String
    let columns: Int
  }

  /// The characters, and the sequences that set colours or begin and end links.
  private static func pieces(of text: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = Substring(text)
    while let character = rest.first {
      if character == "\u{1B}" {
        // Only links to files are ours.
        let sequence = #/\u{1B}(?:\[[0-9;]*m|\]8;;(?:file:[!-~]*)?\u{1B}\\)/#
        if let match = rest.prefixMatch(of: sequence) {
          pieces.append(Piece(text: String(match.output), columns: 0))
          rest = rest[match.range.upperBound...]
          continue
        }
      } else if character == "\t" {
        pieces.append(Piece(text: "  ", columns: 2))
      } else if !character.unicodeScalars.contains(where: {
        $0.properties.generalCategory == .control
      }) {
        pieces.append(Piece(text: String(character), columns: columns(of: character)))
      }
      rest.removeFirst()
    }
    return pieces
  }

  /// One column, or two for wide East Asian characters and emoji.
  ///
  /// Source: Unicode Standard Annex 11, by blocks.
  private static func columns(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    if scalar.properties.isEmojiPresentation { return 2 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default:
      return 1
    }
  }
}
