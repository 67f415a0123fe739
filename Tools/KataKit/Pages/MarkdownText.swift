/// Formats the Markdown of a page as text for a terminal.
///
/// It supports what the pages use: headings, paragraphs, lists, quotes, tables, code blocks,
/// pictures and links between pages.
struct MarkdownText {
  let style: TextStyle
  /// The text of a link to a page.
  var title: (String) -> String = { $0 }

  private enum Block {
    case heading(String)
    case paragraph(String, mark: String)
    case code([String])
    case table([[String]])

    var isListItem: Bool {
      if case .paragraph(_, let mark) = self { !mark.isEmpty && mark != "│ " } else { false }
    }
  }

  /// The text, with a line end.
  func text(of markdown: String) -> String {
    var text = ""
    var isInList = false
    for block in blocks(of: markdown) {
      if !text.isEmpty, !(isInList && block.isListItem) { text += "\n" }
      isInList = block.isListItem
      text += self.text(of: block)
    }
    return text
  }

  private func text(of block: Block) -> String {
    switch block {
    case .heading(let title): "\(style.bold(title))\n"
    case .paragraph(let words, let mark): item(words, mark: mark)
    case .code(let lines): lines.map { style.folded($0, indent: 2) + "\n" }.joined()
    case .table(let rows): table(rows)
    }
  }

  // MARK: - Reading

  private func blocks(of markdown: String) -> [Block] {
    var blocks: [Block] = []
    var code: [String]?
    var directiveDepth = 0
    /// Whether the next line continues the last block.
    var isOpen = false
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.drop(while: { $0 == " " }).hasPrefix("```") {
        if let lines = code { blocks.append(.code(lines)) }
        code = code == nil ? [] : nil
        isOpen = false
        continue
      }
      guard code == nil else {
        code?.append(line)
        continue
      }
      // Directives are for the site.
      if directiveDepth > 0 || line.hasPrefix("@") {
        directiveDepth += line.count { $0 == "{" } - line.count { $0 == "}" }
        continue
      }
      let text = line.trimmingPrefix { $0 == " " }
      if text.isEmpty {
        isOpen = false
      } else if let heading = text.wholeMatch(of: #/#+ (.*)/#) {
        if heading.1 != "Overview" { blocks.append(.heading(String(heading.1))) }
        isOpen = false
      } else if text.hasPrefix("|") {
        add(row: String(text), to: &blocks, isOpen)
        isOpen = true
      } else if let picture = text.wholeMatch(of: #/!\[(.*)\]\(.*\)/#) {
        blocks.append(.paragraph(String(picture.1), mark: "▸ "))
        isOpen = false
      } else if let item = text.wholeMatch(of: #/(- |\d+\. |> )(.*)/#), item.1 != "> " || !isOpen {
        let mark = item.1 == "- " ? "• " : item.1 == "> " ? "│ " : String(item.1)
        blocks.append(.paragraph(String(item.2), mark: mark))
        isOpen = true
      } else if isOpen, case .paragraph(let words, let mark) = blocks.last {
        let more = mark == "│ " ? text.trimmingPrefix { $0 == ">" || $0 == " " } : text
        blocks[blocks.count - 1] = .paragraph("\(words) \(more)", mark: mark)
      } else {
        blocks.append(.paragraph(String(text), mark: ""))
        isOpen = true
      }
    }
    return blocks
  }

  private func add(row: String, to blocks: inout [Block], _ isOpen: Bool) {
    guard row.contains(#/[^|: -]/#) else { return }
    let cells = row.replacing("\\|", with: "\u{0}").split(separator: "|").map {
      $0.replacing("\u{0}", with: "|").trimmingPrefix { $0 == " " }
    }.map { inline(String($0.reversed().drop { $0 == " " }.reversed())) }
    if isOpen, case .table(let rows) = blocks.last {
      blocks[blocks.count - 1] = .table(rows + [cells])
    } else {
      blocks.append(.table([cells]))
    }
  }

  // MARK: - Formatting

  /// A paragraph, indented behind its mark.
  private func item(_ words: String, mark: String) -> String {
    let margin = String(repeating: " ", count: mark.count)
    let lines = style.reflow(inline(words), indent: mark.count).split(separator: "\n")
    return lines.enumerated().map { index, line in
      let isMarked = index == 0 || mark == "│ "
      return "\(isMarked ? mark : margin)\(line.dropFirst(mark.count))\n"
    }.joined()
  }

  /// Words with emphasis in bold, and links as the titles of their pages.
  private func inline(_ words: String) -> String {
    var text = words.replacing(#/<doc:(\w+)>/#) { title(String($0.1)) }
    text = text.replacing(#/``\/?([^`]+)``/#) { "`\($0.1)`" }
    text = text.replacing(#/\[([^\]]+)\]\((https?:[^)]+)\)/#) { "\($0.1) (\($0.2))" }
    // Code is set aside: it contains no markup, but may itself be emphasised.
    var code: [Substring] = []
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    text = parts.enumerated().map { index, part in
      if !index.isMultiple(of: 2) { code.append(part) }
      return index.isMultiple(of: 2) ? String(part) : "\u{0}"
    }.joined()
    text = text.replacing(#/\*\*([^*]+)\*\*/#) { strong in
      strong.1.split(separator: " ").map { style.bold(String($0)) }.joined(separator: " ")
    }.replacing(#/\*([^*\s](?:[^*]*[^*\s])?)\*/#) { String($0.1) }
      .replacing(#/\\([\\`*_\[\]<>#|~&])/#) { String($0.1) }
    var rest = code[...]
    return text.replacing(#/\u{0}/#) { _ in "`\(rest.popFirst() ?? "")`" }
  }

  /// A table with aligned columns; if it's too wide, the widest columns are narrowed.
  private func table(_ rows: [[String]]) -> String {
    let count = rows.map(\.count).max() ?? 0
    var widths = (0..<count).map { column in
      rows.map { column < $0.count ? ScreenText.width(of: $0[column]) : 0 }.max() ?? 0
    }
    let room = style.width - 2 * (count - 1) - 2
    while widths.reduce(0, +) > room, let widest = widths.max(), widest > 8 {
      widths[widths.firstIndex(of: widest) ?? 0] -= 1
    }
    return rows.enumerated().map { index, row in
      let cells = row.enumerated().map { column, cell in
        style.broken(cell, to: widths[column], splitsWords: true)
      }
      let height = cells.map(\.count).max() ?? 0
      return (0..<height).map { line in
        let parts = cells.enumerated().map { column, lines in
          let part = line < lines.count ? lines[line] : ""
          let isLast = column == cells.count - 1
          let filler = isLast ? 0 : max(0, widths[column] - ScreenText.width(of: part))
          return (index == 0 ? style.bold(part) : part) + String(repeating: " ", count: filler)
        }
        return "  \(parts.joined(separator: "  "))\n"
      }.joined()
    }.joined()
  }
}
