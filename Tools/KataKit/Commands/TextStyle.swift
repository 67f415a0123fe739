import Foundation

/// How text is set: with colours or without, and how wide.
package struct TextStyle: Sendable {
  /// Whether colours may be used.
  package let hasColours: Bool
  /// The number of columns.
  package let width: Int
  /// Whether what is longer is cut, as on a screen, and not wrapped.
  private let cutsLines: Bool

  /// The folder that paths are relative to, where the terminal makes links of places; nil where it doesn't.
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

  /// A place in a file, behind so many columns: "Tests/…/PhotoStoreTests.swift:52" where all of it would be cut.
  ///
  /// Folders give way first, then the beginning of the file's name, and never the line.
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

  /// A text that opens a file, where the terminal can do that.
  ///
  /// Source: the escape sequence OSC 8, as terminals have agreed on it; the line as Visual Studio Code reads it.
  private func linked(_ text: String, to path: String, _ position: String) -> String {
    guard let linkRoot else { return text }
    let file = path.hasPrefix("/") ? path : "\(linkRoot)/\(path)"
    let line = position.prefix { $0 != ":" }
    let address = "\(URL(filePath: file).absoluteString)#L\(line)"
    return "\(ScreenText.link(to: address))\(text)\(ScreenText.link(to: ""))"
  }

  /// Whether the terminal that an environment tells of makes links of OSC 8.
  ///
  /// Those that don't know it mostly pass it over, but not all.
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
  /// Lines that begin with a space are a picture: they stay as they are, or are drawn narrower.
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

  /// A picture in fewer columns: of columns in which nothing happens, only so many as there is room for.
  ///
  /// Where that isn't enough, it stays as it is.
  private func narrowed(_ picture: [String], to columns: Int) -> [String] {
    var rows = picture.map(Array.init)
    func isIdle(_ column: Int) -> Bool {
      rows.allSatisfy { row in
        guard column < row.count else { return true }
        return " ─┄".contains(row[column]) && row[column] == row[column - 1]
      }
    }
    let margin = rows.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    var widest = rows.map(\.count).max() ?? 0
    while widest > columns {
      // The longest stretch gives way first, so that the picture keeps its proportions.
      let idle = (1..<widest).filter { $0 > margin && isIdle($0) }
      var best = 0..<0
      var start = idle.first ?? 0
      for (index, column) in idle.enumerated() {
        if index > 0, idle[index - 1] != column - 1 { start = column }
        if column + 1 - start > best.count { best = start..<(column + 1) }
      }
      guard let column = best.first else { return picture }
      for index in rows.indices where column < rows[index].count { rows[index].remove(at: column) }
      widest -= 1
    }
    return rows.map { String($0) }
  }

  /// A line in lines of at most so many columns, where its words allow that, or are split.
  func broken(_ line: String, to columns: Int, splitsWords: Bool = false) -> [String] {
    var lines: [String] = []
    var current = ""
    var taken = 0
    for word in line.split(separator: " ") {
      var word = word
      var length = ScreenText.width(of: String(word))
      while splitsWords, length > columns, !word.contains("\u{1B}") {
        if !current.isEmpty { lines.append(current) }
        lines.append(String(word.prefix(columns)))
        word = word.dropFirst(columns)
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

  /// A line of code, with what is too long for the width in lines below it, further in.
  ///
  /// What stands before each further line is `mark`, without which it couldn't be told from the next line.
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
      let fitting = rest.prefix(room - space.count)
      let isLast = fitting.count == rest.count
      // Between words where there are any, but not within the first one's indentation.
      let end = isLast ? nil : fitting.lastIndex(of: " ")
      let breaks = end.map { fitting[..<$0].contains { $0 != " " } } ?? false
      let part = breaks ? rest[..<(end ?? rest.endIndex)] : fitting
      lines.append(margin + mark + space + part)
      rest = rest[part.endIndex...].drop { $0 == " " }
    }
    return lines.joined(separator: "\n")
  }
}
