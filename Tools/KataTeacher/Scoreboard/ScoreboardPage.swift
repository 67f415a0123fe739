import Foundation
import KataKit
import KataPictures

/// A scoreboard as one self-contained page: no network, no scripts, no fonts.
///
/// Participants' names are escaped, so they are only text in it.
struct ScoreboardPage {
  let scoreboard: Scoreboard
  /// When the files were collected.
  let date: Date
  /// The seconds after which the page reloads itself; nil if it doesn't.
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
    <title>Concurrency Katas: progress</title>
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
      <strong>\(Self.count(done, "kata"))</strong> done by all together · \
      <time>\(time) UTC</time>
      """
  }

  // MARK: - Where participants are stuck

  private var obstacles: String {
    let all = scoreboard.obstacles
    guard !all.isEmpty else {
      return section(
        "Where participants are stuck", "<p>Nowhere: every kata that was started is done.</p>")
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
      "Where participants are stuck",
      """
      <table class="list"><thead><tr><th scope="col">Kata</th><th scope="col">Working on it</th>\
      <th scope="col">Done</th><th scope="col">Attempts each</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table>
      \(rest(of: all.count, "kata"))
      """)
  }

  /// A number on a bar whose length shows its share of the largest number.
  private func bar(_ number: Int, of largest: Int) -> String {
    "<span class=\"bar\" style=\"--share:\(100 * number / largest)%\">\(number)</span>"
  }

  // MARK: - Mistakes

  private var mistakes: String {
    let all = scoreboard.commonMistakes
    guard !all.isEmpty else {
      return section("Common mistakes", "<p>No answer resembles a known mistake.</p>")
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

  // MARK: - Progress

  private var matrix: String {
    guard !scoreboard.katas.isEmpty else {
      return section("Progress", "<p>No participant has started.</p>")
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
      "Progress",
      """
      <p class="key"><span><b class="done">✔</b> done</span> \
      <span><b class="work">3</b> working on it, attempts so far</span> \
      <span><b class="work">?</b> passed, races not looked for</span> \
      <span><b>·</b> not started</span></p>
      <div class="matrix\(isWide ? " wide" : "")" tabindex="0" role="region" aria-label="Progress"><table>
      <thead><tr><th class="who" rowspan="2" scope="col">Participant</th>\
      <th class="sum" rowspan="2" scope="col">Done</th>\(modules)</tr>
      <tr>\(names)</tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      \(untouched.isEmpty ? "" : "<p>No participant has started \(untouched).</p>")
      """)
  }

  /// Whether the columns must be narrow to fit on a projector.
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

  /// The mark of a module's first column.
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

  /// A kata's name with line break opportunities between its words.
  private static func breakable(_ name: String) -> String {
    name.replacing(#/(?<small>[a-z])(?<large>[A-Z])/#) { "\($0.small)<wbr>\($0.large)" }
  }

  /// Text escaped for elements and attributes, without control characters.
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
