import Foundation
import KataKit
import KataPictures

/// A scoreboard as one page that needs nothing but itself: no network, no scripts, no fonts.
///
/// Whatever participants call themselves is text in it and nothing else.
struct ScoreboardPage {
  let scoreboard: Scoreboard
  /// When the files were collected.
  let date: Date
  /// After how many seconds the page loads itself again; nil where it doesn't.
  var refresh: Int?

  /// How many rows of a list are shown before the rest is counted.
  private static let mostRows = 6
  private static let mostRefusals = 50

  /// The page's HTML.
  var text: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
    \(refresh.map { "<meta http-equiv=\"refresh\" content=\"\($0)\">\n" } ?? "")\
    <title>Concurrency Katas: who is where</title>
    <style>
    \(Self.style)
    </style>
    </head>
    <body>
    <header>
    <h1>Concurrency Katas</h1>
    <p>\(summary)</p>
    </header>
    <main>
    <div class="pair">
    \(obstacles)
    \(mistakes)
    </div>
    \(matrix)
    \(refusals)
    </main>
    </body>
    </html>

    """
  }

  private var summary: String {
    let people = scoreboard.participants
    let done = people.map(scoreboard.doneCount).reduce(0, +)
    let time = date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false))
      .replacingOccurrences(of: "T", with: " ")
    return """
      <strong>\(Self.count(people.count, "participant"))</strong> · \
      <strong>\(Self.count(done, "kata"))</strong> done between them · \
      <time>\(time) UTC</time>
      """
  }

  // MARK: - What holds the room up

  private var obstacles: String {
    let all = scoreboard.obstacles
    guard !all.isEmpty else {
      return section("What holds the room up", "<p>Nothing: whatever was begun is done.</p>")
    }
    let rows = all.prefix(Self.mostRows).map { obstacle in
      let each = obstacle.attemptsEach.formatted(.number.precision(.fractionLength(1)))
      return """
        <tr><th scope="row">\(Self.breakable(obstacle.kata.name))</th>\
        <td class="number">\(bar(obstacle.inWork, of: all[0].inWork))</td>\
        <td class="number">\(obstacle.done)</td><td class="number">\(each)</td></tr>
        """
    }
    return section(
      "What holds the room up",
      """
      <table class="list"><thead><tr><th scope="col">Kata</th><th scope="col">Working on it</th>\
      <th scope="col">Done</th><th scope="col">Attempts each</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table>
      \(rest(of: all.count, "kata"))
      """)
  }

  /// A number on a bar, which is as long as the number is of the largest.
  private func bar(_ number: Int, of largest: Int) -> String {
    "<span class=\"bar\" style=\"--share:\(100 * number / largest)%\">\(number)</span>"
  }

  // MARK: - Mistakes

  private var mistakes: String {
    let all = scoreboard.commonMistakes
    guard !all.isEmpty else {
      return section("Common mistakes", "<p>No answer looks like one the katas know.</p>")
    }
    let rows = all.prefix(Self.mostRows).map { common in
      """
      <li><strong>\(Self.count(common.count, "answer"))</strong> to \(Self.breakable(common.kata.name)): \
      <em>\(Self.escaped(common.mistake.name))</em>\
      <small>\(Self.escaped(common.mistake.advice))</small></li>
      """
    }
    return section(
      "Common mistakes",
      "<ol>\n\(rows.joined(separator: "\n"))\n</ol>\n\(rest(of: all.count, "mistake"))")
  }

  private func rest(of count: Int, _ word: String) -> String {
    count > Self.mostRows ? "<p>… and \(Self.count(count - Self.mostRows, word)) more.</p>" : ""
  }

  // MARK: - Who is where

  private var matrix: String {
    guard !scoreboard.katas.isEmpty else {
      return section("Who is where", "<p>Nobody has begun.</p>")
    }
    let modules = scoreboard.modules.map { module in
      let count = scoreboard.katas.count { $0.module == module }
      return "<th scope=\"colgroup\" colspan=\"\(count)\"><span>\(module.rawValue)</span></th>"
    }.joined()
    let names = scoreboard.katas.map { kata in
      "<th scope=\"col\"\(edge(kata))><span>\(kata.name)</span></th>"
    }.joined()
    let rows = scoreboard.participants.map(row)
    let untouched = scoreboard.untouched.map(\.rawValue).joined(separator: ", ")
    return section(
      "Who is where",
      """
      <p class="key"><span><b class="done">✔</b> done</span> \
      <span><b class="work">3</b> working on it, attempts so far</span> \
      <span><b class="work">?</b> passed, races not looked for</span> \
      <span><b>·</b> not begun</span></p>
      <div class="matrix\(isWide ? " wide" : "")" tabindex="0" role="region" aria-label="Who is where"><table>
      <thead><tr><th class="who" rowspan="2" scope="col">Participant</th>\
      <th class="sum" rowspan="2" scope="col">Done</th>\(modules)</tr>
      <tr>\(names)</tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      \(untouched.isEmpty ? "" : "<p>Nobody has begun with \(untouched).</p>")
      """)
  }

  /// Whether the columns must be narrow to find room on a projector.
  private var isWide: Bool { scoreboard.katas.count > 36 }

  private func row(_ participant: CollectedProgress.Participant) -> String {
    let cells = scoreboard.katas.map { kata in
      switch Scoreboard.standing(participant, on: kata) {
      case .notBegun: "<td\(edge(kata))>·</td>"
      case .inWork(let attempts):
        "<td\(edge(kata))><b class=\"work\">\(attempts > 99 ? "99+" : "\(attempts)")</b></td>"
      case .unchecked:
        "<td\(edge(kata))><b class=\"work\" title=\"races not looked for\">?</b></td>"
      case .done: "<td\(edge(kata))><b class=\"done\">✔</b></td>"
      }
    }
    let files = participant.files > 1 ? " <small>(\(participant.files) files)</small>" : ""
    return """
      <tr><th class="who" scope="row"><bdi>\(Self.escaped(participant.name))</bdi>\(files)</th>\
      <td class="sum">\(scoreboard.doneCount(participant))</td>\(cells.joined())</tr>
      """
  }

  /// The mark of a column with which a module begins.
  private func edge(_ kata: Kata) -> String {
    let isFirst = scoreboard.katas.first { $0.module == kata.module }?.name == kata.name
    return isFirst ? " class=\"edge\"" : ""
  }

  // MARK: - What couldn't be read

  private var refusals: String {
    let all = scoreboard.refusals
    guard !all.isEmpty else { return "" }
    let rows = all.prefix(Self.mostRefusals).map {
      "<li><bdi>\(Self.escaped($0.path))</bdi>: \(Self.escaped($0.sentence))</li>"
    }
    let more = all.count - rows.count
    return section(
      "Not read: \(Self.count(all.count, "file"))",
      "<ul>\n\(rows.joined(separator: "\n"))\n</ul>\n"
        + (more > 0 ? "<p>… and \(more) more.</p>" : ""))
  }

  // MARK: - Pieces

  private func section(_ title: String, _ body: String) -> String {
    "<section>\n<h2>\(title)</h2>\n\(body)\n</section>"
  }

  private static func count(_ number: Int, _ word: String) -> String {
    number == 1 ? "1 \(word)" : "\(number) \(word)s"
  }

  /// A kata's name, which may go on in the next line where a word of it ends.
  private static func breakable(_ name: String) -> String {
    name.replacing(#/(?<small>[a-z])(?<large>[A-Z])/#) { "\($0.small)<wbr>\($0.large)" }
  }

  /// Text that is nothing but text, in elements and in attributes; without control characters.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\0"..<" ", "\u{7F}"..."\u{9F}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }
}
