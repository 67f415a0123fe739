import Foundation
import Testing

@testable import KataKit

extension UnbuiltCloneTests {
  /// The built command's scoreboards.
  @Suite struct ScoreboardCommandTests {
    private let clone: Clone

    init() throws {
      clone = try Clone.unbuilt()
    }

    @Test func `what clones export becomes a page`() throws {
      for (name, count) in [("Grace <b>", 1), ("Ada", 2)] {
        for kata in Catalogue.katas.prefix(count) { try clone.markDone(kata) }
        let path = "handed in/\(count)/me.json"
        #expect(try clone.kata("export", "--name", name, "--output", path).code == 0)
      }
      let output = try clone.kata("scoreboard", "handed in")
      #expect(output.code == 0)
      #expect(output.standardError == "")
      #expect(output.standardOutput == "2 participants. The page is .build/scoreboard.html.\n")
      let page = try clone.repository.text(".build/scoreboard.html")
      #expect(page.contains("<bdi>Ada</bdi></th><td class=\"sum\">2</td>"))
      #expect(page.contains("<bdi>Grace &lt;b&gt;</bdi></th><td class=\"sum\">1</td>"))
      #expect(page.contains("<strong>3 katas</strong> done"))
      let again = try clone.kata("scoreboard", "handed in", "--refresh", "30", "--output", "b.html")
      #expect(again.code == 0)
      #expect(try clone.repository.text("b.html").contains("http-equiv=\"refresh\" content=\"30\""))
    }

    @Test func `what can't be read is said and left out`() throws {
      #expect(try clone.kata("export", "--name", "Ada", "--output", "in/ada.json").code == 0)
      try clone.repository.write("{\"version\": 1, \"done\": {\"Seri", to: "in/cut.json")
      mkfifo(clone.repository.url("in/pipe.json").path, 0o600)
      let output = try clone.kata("scoreboard", "in", "--output", "page.html")
      #expect(output.code == 0)
      #expect(
        output.standardOutput == "1 participant, 1 file left out. The page is page.html.\n")
      #expect(
        output.standardError
          == "cut.json: It isn't a file that 'make export' has written, or it's damaged.\n")
      #expect(try clone.repository.text("page.html").contains("Not read: 1 file<"))
    }

    @Test func `where there is nothing to show one sentence says so`() throws {
      try clone.repository.write("[]", to: "foreign/a.json")
      try FileManager.default.createDirectory(
        at: clone.repository.url("empty"), withIntermediateDirectories: true)
      for (arguments, code, sentence) in [
        (
          ["empty"], 1, "kata: There is no file in 'empty' that 'make export' has written; collect "
        ),
        (["foreign"], 1, "\nkata: There is no file in 'foreign' that 'make export' has written; "),
      ] {
        let output = try clone.kata(["scoreboard"] + arguments)
        #expect(output.code == Int32(code))
        #expect(output.standardError.contains(sentence), "\(output.standardError)")
        #expect(output.standardOutput == "")
      }
      #expect(!clone.repository.exists(".build/scoreboard.html"))
    }
  }
}
