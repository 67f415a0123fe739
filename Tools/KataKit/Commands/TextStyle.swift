import Foundation

/// How text is formatted: with colours or without, and how wide.
package struct TextStyle: Sendable {
  /// Whether colours may be used.
  package let hasColours: Bool
  /// The number of columns.
  package let width: Int
  /// Whether longer lines are cut, as on a screen, and not wrapped.
  private let cutsLines: Bool

  /// The folder that paths are relative to, if the terminal makes links of places; otherwise nil.
  let linkRoot: String?

  package init(
    hasColours: Bool, width: Int = 80, cutsLines: Bool = false, linkRoot: String? = nil
  ) {
    self.hasColours = hasColours
    self.cutsLines = cutsLines
    self.linkRoot = linkRoot
    self.width = max(24, min(width, 100))
  }

  package func good(_ text: String) -> String { coloured(text, 32) }
  package func bad(_ text: String) -> String { coloured(text, 31) }
  package func bold(_ text: String) -> String { coloured(text, 1) }
  package func dim(_ text: String) -> String { coloured(text, 2) }

  private func coloured(_ text: String, _ code: Int) -> String {
    hasColours ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// A place in a file, indented by some columns: "Tests/…/PhotoStoreTests.swift:52" if all of it
  /// would be cut.
  ///
  /// Folders are shortened first, then the beginning of the file's name, and never the line.
  package func place(_ path: String, _ position: String, indent: Int) -> String {
    let room = width - indent - position.count - 1
    guard cutsLines, path.count > room else {
      return linked("\(path):\(position)", to: path, position)
    }
    let parts = path.split(separator: "/")
    let short = parts.count > 2 ? "\(parts[0])/…/\(parts[parts.count - 1])" : path
    let fitting = short.count > room ? "…" + short.suffix(max(0, room - 1)) : short
    return linked("\(fitting):\(position)", to: path, position)
  }

  /// A text that opens a file, if the terminal supports links.
  ///
  /// Source: the escape sequence OSC 8, as terminals have agreed on it; the line as Visual Studio Code reads it.
  private func linked(_ text: String, to path: String, _ position: String) -> String {
    guard let linkRoot else { return text }
    let file = path.hasPrefix("/") ? path : "\(linkRoot)/\(path)"
    let line = position.prefix { $0 != ":" }
    let address = "\(URL(filePath: file).absoluteString)#L\(line)"
    return "\(ScreenText.link(to: address))\(text)\(ScreenText.link(to: ""))"
  }

  /// Whether the terminal of an environment makes links of OSC 8.
  ///
  /// Most terminals that don't support it ignore it, but not all.
  static func hasLinks(_ environment: [String: String]) -> Bool {
    guard environment["TMUX"] == nil, environment["STY"] == nil else { return false }
    let programs = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby"]
    if let program = environment["TERM_PROGRAM"], programs.contains(program) { return true }
    let marks = ["KITTY_WINDOW_ID", "WT_SESSION", "KONSOLE_VERSION", "ALACRITTY_WINDOW_ID"]
    if marks.contains(where: { environment[$0] != nil }) { return true }
    return Int(environment["VTE_VERSION"] ?? "") ?? 0 >= 5000
  }

  /// Breaks paragraphs into lines.
  ///
  /// Lines that begin with a space are a picture: they are kept as they are, or drawn narrower.
  package func reflow(_ text: String, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var picture: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix(" ") {
        picture.append(String(line))
        continue
      }
      lines += narrowed(picture, to: width - indent).map { margin + $0 }
      picture = []
      lines += broken(String(line), to: width - indent).map { $0.isEmpty ? "" : margin + $0 }
    }
    lines += narrowed(picture, to: width - indent).map { margin + $0 }
    return lines.joined(separator: "\n")
  }

  /// A picture in fewer columns: columns in which nothing happens are dropped.
  ///
  /// If that isn't enough, it's returned unchanged.
  private func narrowed(_ picture: [String], to columns: Int) -> [String] {
    let rows = picture.map(Array.init)
    let widest = rows.map(\.count).max() ?? 0
    var excess = widest - columns
    guard excess > 0 else { return picture }
    let margin = rows.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    func isIdle(_ column: Int) -> Bool {
      rows.allSatisfy { row in
        guard column < row.count else { return true }
        return " ─┄".contains(row[column]) && row[column] == row[column - 1]
      }
    }
    /// Stretches of idle columns, and how many columns of each are dropped.
    var stretches: [(columns: Range<Int>, dropped: Int)] = []
    for column in (margin + 1)..<max(margin + 1, widest) where isIdle(column) {
      if let last = stretches.last, last.columns.upperBound == column {
        stretches[stretches.count - 1].columns = last.columns.lowerBound..<(column + 1)
      } else {
        stretches.append((column..<(column + 1), 0))
      }
    }
    while excess > 0 {
      // The longest is shortened first, so that the picture keeps its proportions.
      let longest = stretches.indices.max {
        stretches[$0].columns.count - stretches[$0].dropped
          < stretches[$1].columns.count - stretches[$1].dropped
      }
      guard let longest, stretches[longest].columns.count > stretches[longest].dropped else {
        return picture
      }
      stretches[longest].dropped += 1
      excess -= 1
    }
    let dropped = Set(stretches.flatMap { $0.columns.prefix($0.dropped) })
    return rows.map { row in
      String(row.indices.filter { !dropped.contains($0) }.map { row[$0] })
    }
  }

  /// A line wrapped at the given number of columns, between words, or inside them if `splitsWords`.
  func broken(_ line: String, to columns: Int, splitsWords: Bool = false) -> [String] {
    var lines: [String] = []
    var current = ""
    var taken = 0
    for word in line.split(separator: " ") {
      var word = word
      var length = ScreenText.width(of: String(word))
      while splitsWords, length > columns, !word.contains("\u{1B}") {
        if !current.isEmpty { lines.append(current) }
        let part = ScreenText.prefix(of: word, columns: columns)
        lines.append(String(part))
        word = word[part.endIndex...]
        (current, taken, length) = ("", 0, ScreenText.width(of: String(word)))
      }
      if !current.isEmpty, taken + 1 + length > columns {
        lines.append(current)
        (current, taken) = ("", 0)
      }
      taken += (current.isEmpty ? 0 : 1) + length
      current += (current.isEmpty ? "" : " ") + word
    }
    return lines + [current]
  }

  /// A line of code, with the part that is too long in lines below it, further indented.
  ///
  /// Each of those begins with `mark`.
  func folded(_ line: String, indent: Int, mark: String = "") -> String {
    let margin = String(repeating: " ", count: indent)
    let room = width - indent - mark.count
    guard ScreenText.width(of: line) > room else {
      return line.isEmpty && mark.allSatisfy { $0 == " " } ? "" : margin + mark + line
    }
    let inner = line.prefix { $0 == " " }.count + 4
    var lines: [String] = []
    var rest = Substring(line)
    while !rest.isEmpty {
      let space = lines.isEmpty ? "" : String(repeating: " ", count: min(inner, room / 2))
      let fitting = ScreenText.prefix(of: rest, columns: room - space.count)
      let isLast = fitting.endIndex == rest.endIndex
      // Between words if there are any, but not within the first one's indentation.
      let end = isLast ? nil : fitting.lastIndex(of: " ")
      let breaks = end.map { fitting[..<$0].contains { $0 != " " } } ?? false
      let part = breaks ? rest[..<(end ?? rest.endIndex)] : fitting
      lines.append(margin + mark + space + part)
      rest = rest[part.endIndex...].drop { $0 == " " }
    }
    return lines.joined(separator: "\n")
  }
}
