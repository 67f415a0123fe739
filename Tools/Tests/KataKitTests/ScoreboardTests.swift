import Foundation
import KataTesting
import Testing

@testable import KataKit
@testable import KataTeacher
import KataTesting

@Suite struct ScoreboardTests {
  @Test func `a participant who hands in twice is one, with the better of both`() throws {
    let board = try scoreboard([
      "a.json": try exported("Ada", done: ["SerialLog"], attempts: ["PhotoStore": 2]),
      "later/a.json": try exported("Ada", done: ["BackgroundWork"], attempts: ["PhotoStore": 5]),
      "b.json": try exported("Ada L.", done: []),
    ])
    #expect(board.participants.map(\.name) == ["Ada", "Ada L."])
    #expect(board.participants.map(\.files) == [2, 1])
    #expect(board.participants.map(board.doneCount) == [2, 0])
    let photoStore = try Catalogue.kata(named: "PhotoStore")
    #expect(Scoreboard.standing(board.participants[0], on: photoStore) == .inWork(attempts: 5))
  }

  @Test(arguments: [nil, "", "\u{200B}\u{2060}"]) func `without a name a file goes by its own`(
    name: String?
  ) throws {
    let board = try scoreboard(["team 1/ada.json": try exported(name, done: ["SerialLog"])])
    #expect(board.participants.map(\.name) == (name == "" ? [] : ["team 1/ada"]))
    // That is no name which the tool would have written.
    #expect(board.refusals.count == (name == "" ? 1 : 0))
  }

  @Test func `the katas on which most work and don't get on come first`() throws {
    let board = try scoreboard([
      "a.json": try exported("a", done: ["SerialLog"], attempts: ["PhotoStore": 3]),
      "b.json": try exported("b", done: [], attempts: ["PhotoStore": 1, "SerialLog": 9]),
      "c.json": try exported("c", done: [], attempts: ["HitCounter": 2]),
    ])
    #expect(board.obstacles.map(\.kata.name) == ["PhotoStore", "SerialLog", "HitCounter"])
    #expect(board.obstacles.map(\.inWork) == [2, 1, 1])
    #expect(board.obstacles.map(\.done) == [0, 1, 0])
    #expect(board.modules == [.gcdBasics, .barriers])
    #expect(board.untouched.contains(.cancellation))
  }

  @Test func `the mistakes of answers that aren't done are counted`() throws {
    let board = try scoreboard([
      "a.json": try exported("a", done: [], looksLike: ["PhotoStore": ["no barrier"]]),
      "b.json": try exported(
        "b", done: [], looksLike: ["PhotoStore": ["a serial queue", "no barrier"]]),
      "c.json": try exported("c", done: ["PhotoStore"], looksLike: ["PhotoStore": ["no barrier"]]),
      "d.json": try exported("d", done: [], looksLike: ["PhotoStore": ["unknown here"]]),
    ])
    #expect(board.commonMistakes.map(\.mistake.name) == ["no barrier"])
    #expect(board.commonMistakes.map(\.count) == [2])
    // Where there is nothing else, one is worth telling.
    let small = try scoreboard([
      "a.json": try exported("a", done: [], looksLike: ["PhotoStore": ["a serial queue"]])
    ])
    #expect(small.commonMistakes.map(\.mistake.name) == ["a serial queue"])
  }

  @Test func `what can't be read is reported and leaves the others in`() throws {
    let board = try scoreboard([
      "a.json": try exported("Ada", done: ["SerialLog"]),
      "cut.json": "{\"version\": 1, \"done\": {\"Seri",
      "foreign.json": "[1, 2]", "empty.json": "",
      "newer.json": "{\"version\": 7}",
      "huge.json": String(repeating: " ", count: CollectedProgress.sizeLimit + 1),
      "notes.txt": "Not looked at.", ".hidden.json": "Nor is this.",
      ".build/x.json": "Nor this.",
    ])
    #expect(board.participants.map(\.name) == ["Ada"])
    #expect(
      board.refusals.map(\.path)
        == ["cut.json", "empty.json", "foreign.json", "huge.json", "newer.json"])
    let page = ScoreboardPage(scoreboard: board, date: Date()).text
    for refusal in board.refusals {
      let sentence = refusal.sentence.replacing("'", with: "&#39;")
      #expect(page.contains("<li><bdi>\(refusal.path)</bdi>: \(sentence)</li>"))
    }
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "\"onload='x'>", "&lt;b&gt;", "🧵👩‍👩‍👧‍👦", "ע\u{202E}evil",
    "a</title><b>",
  ]) func `a name is text and nothing else`(name: String) throws {
    let board = try scoreboard([
      "x\(name.filter { $0 != "/" }).json": try exported(name, done: ["SerialLog"]),
      "y\(name.filter { $0 != "/" }).json": "damaged",
    ])
    let page = ScoreboardPage(scoreboard: board, date: Date()).text
    try #require(board.participants.map(\.name) == [name])
    let escaped = name.replacingOccurrences(of: "&", with: "&amp;")
      .replacingOccurrences(of: "<", with: "&lt;").replacingOccurrences(of: ">", with: "&gt;")
      .replacingOccurrences(of: "\"", with: "&quot;").replacingOccurrences(of: "'", with: "&#39;")
    #expect(page.contains("<bdi>\(escaped)</bdi>"))
    #expect(!page.contains("<script") && !page.contains("<b>alert") && !page.contains("onload='"))
    let allowed = Set(
      """
      html head meta title style body header h1 p strong time main div section h2 table thead tr th \
      tbody td span ol li em small ul bdi b wbr
      """.split(separator: " ").map(String.init))
    for tag in page.matches(of: #/<\/?([a-z0-9]+)/#) {
      #expect(allowed.contains(String(tag.1)), "<\(tag.1)>")
    }
  }

  @Test func `three hundred are a page that needs nothing but itself`() throws {
    var random = SplitMix64(seed: 300)
    var files: [String: String] = [:]
    for number in 1...300 {
      let count = Int.random(in: 0...Catalogue.katas.count, using: &random)
      let katas = Catalogue.katas.prefix(count).map(\.name)
      let stuck = Catalogue.katas[min(count, Catalogue.katas.count - 1)]
      files["room \(number % 7)/\(number).json"] = try exported(
        "Participant \(number)", done: Array(katas.dropLast()),
        looksLike: [stuck.name: stuck.mistakes.prefix(1).map(\.name)])
    }
    let board = try scoreboard(files)
    #expect(board.participants.count == 300)
    let date = Date(timeIntervalSince1970: 1_800_000_000)
    let page = ScoreboardPage(scoreboard: board, date: date).text
    #expect(page == ScoreboardPage(scoreboard: try scoreboard(files), date: date).text)
    #expect(page.matches(of: #/<tr><th class="who" scope="row">/#).count == 300)
    #expect(page.matches(of: #/<td[ >]/#).count >= 300 * (Catalogue.katas.count + 1))
    #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("src="))
    #expect(!page.contains("url(") && !page.contains("@import"))
    #expect(page.utf8.count < 2_000_000)
  }

  @Test func `a page that loads itself again says so in its head`() throws {
    let board = try scoreboard(["a.json": try exported("Ada", done: [])])
    let mark = "<meta http-equiv=\"refresh\" content=\"30\">"
    #expect(!ScoreboardPage(scoreboard: board, date: Date()).text.contains("\"refresh\""))
    #expect(ScoreboardPage(scoreboard: board, date: Date(), refresh: 30).text.contains(mark))
  }

  // MARK: - Fixtures

  /// The scoreboard of a folder with these files.
  private func scoreboard(_ files: [String: String]) throws -> Scoreboard {
    try Fixtures.withEmptyRepository { repository in
      for (path, text) in files { try repository.write(text, to: path) }
      return Scoreboard(try CollectedProgress(in: repository.root.path))
    }
  }

  /// What `kata export` writes.
  private func exported(
    _ name: String?, done: [String], attempts: [String: Int] = [:],
    looksLike: [String: [String]] = [:]
  ) throws -> String {
    var verdicts: [String: [String: Any]] = [:]
    for (kata, count) in attempts {
      verdicts[kata] = ["count": count, "verdict": "failed", "day": "2026-01-02", "looksLike": []]
    }
    for (kata, mistakes) in looksLike {
      verdicts[kata] = [
        "count": 1, "verdict": "failed", "day": "2026-01-02", "looksLike": mistakes,
      ]
    }
    var fields: [String: Any] = [
      "version": 1, "attempts": verdicts,
      "done": Dictionary(done.map { ($0, "2026-01-02") }) { first, _ in first },
    ]
    fields["name"] = name
    return String(
      decoding: try JSONSerialization.data(withJSONObject: fields, options: .sortedKeys),
      as: UTF8.self)
  }
}
