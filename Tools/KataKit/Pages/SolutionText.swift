/// A kata's reference beside the learner's file, both without their documentation comments.
struct SolutionText: Equatable {
  /// A line of code, and its number in its file.
  private struct Line: Equatable {
    let number: Int
    let text: String
  }

  /// The learner's file, or nil if it doesn't exist, and the reference's.
  private let ownPath: String?
  private let referencePath: String
  private let own: [Line]
  private let reference: [Line]

  init(own: String?, at ownPath: String, reference: String, at referencePath: String) {
    self.ownPath = own == nil ? nil : ownPath
    self.referencePath = referencePath
    self.own = Self.code(of: own ?? "")
    self.reference = Self.code(of: reference)
  }

  /// How the reference differs from the learner's file, with three lines around each change.
  func difference(_ style: TextStyle) -> String {
    guard let ownPath else { return whole(style) }
    let changes = reference.map(\.text).difference(from: own.map(\.text))
    guard !changes.isEmpty else {
      return "\n  Your code and the reference's are the same, letter by letter.\n"
    }
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in changes {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var rows: [(mark: Character, line: Line)] = []
    var (mine, other) = (0, 0)
    while mine < own.count || other < reference.count {
      if removed.contains(mine) {
        rows.append(("-", own[mine]))
        mine += 1
      } else if inserted.contains(other) {
        rows.append(("+", reference[other]))
        other += 1
      } else {
        rows.append((" ", own[mine]))
        mine += 1
        other += 1
      }
    }
    let changed = rows.indices.filter { rows[$0].mark != " " }
    let shown = Set(changed.flatMap { max(0, $0 - 3)...min(rows.count - 1, $0 + 3) }).sorted()
    var text = "\n  \(style.bad("- \(ownPath)"))\n  \(style.good("+ \(referencePath)"))\n"
    var last = -1
    for index in shown {
      let (mark, line) = rows[index]
      if index != last + 1 || last < 0 {
        let number = rows[index...].first { $0.mark != "+" }?.line.number
        text += "\n\(style.dim("  line \(number ?? own.last?.number ?? 1)"))\n"
      }
      last = index
      let row = style.folded(line.text, indent: 2, mark: "\(mark) ")
      text +=
        row.split(separator: "\n").map { part in
          mark == "+" ? style.good(String(part)) : mark == "-" ? style.bad(String(part)) : "\(part)"
        }.joined(separator: "\n") + "\n"
    }
    return text
  }

  /// The reference itself.
  func whole(_ style: TextStyle) -> String {
    "\n" + style.reflow("\(referencePath), without its documentation:", indent: 2) + "\n\n"
      + reference.map { style.folded($0.text, indent: 2) + "\n" }.joined()
  }

  /// The lines that aren't documentation, without the one that names the stub's page.
  ///
  /// Several empty lines in a row become one, and none is left at the beginning.
  private static func code(of text: String) -> [Line] {
    var lines: [Line] = []
    let all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in all.enumerated()
    where !line.drop(while: { $0 == " " }).hasPrefix("///") && !line.hasPrefix("// Page: ") {
      if line.isEmpty, lines.last?.text.isEmpty ?? true { continue }
      lines.append(Line(number: index + 1, text: String(line)))
    }
    if lines.last?.text.isEmpty == true { lines.removeLast() }
    return lines
  }
}
