import Foundation
import Testing

@testable import KataKit

extension UnbuiltCloneTests {
  /// The built command's progress, between clones and between commands at once.
  @Suite struct ProgressCommandTests {
    private let clone: Clone
    private var file: ProgressFile { ProgressFile(repository: clone.repository) }

    init() throws {
      clone = try Clone.unbuilt()
    }

    @Test func `progress moves from one clone to another`() throws {
      let other = try Clone()
      for kata in Catalogue.katas.prefix(3) {
        try ProgressFile(repository: other.repository).update { $0.record(Verdict(kata, .passed)) }
      }
      try file.update { $0.record(Verdict(Catalogue.katas[0], .passed)) }
      let exported = try other.kata("export", "--name", "Ada")
      #expect(exported.code == 0)
      #expect(try exported.decoded(SharedProgress.self).name == "Ada")
      #expect(try other.kata("export", "--output", "\(clone.root.path)/ada.json").code == 0)

      let first = try clone.kata("import", "ada.json")
      #expect(first.code == 0)
      let names = "\(Catalogue.katas[1].name), \(Catalogue.katas[2].name)"
      #expect(
        first.standardOutput.split(whereSeparator: \.isWhitespace).joined(separator: " ")
          == "2 katas were new: \(names). 3 of \(Catalogue.katas.count) are done.")
      let second = try clone.kata("import", "ada.json")
      #expect(
        second.standardOutput == "No kata was new. 3 of \(Catalogue.katas.count) are done.\n")
      #expect(try clone.kata("list").standardOutput.contains("3 of \(Catalogue.katas.count) done."))
    }

    @Test(arguments: [
      ("{\"version\": 1, \"done\": {\"A\"", Int32(2), "isn't a file that 'make export'"),
      ("[1, 2]", 2, "isn't a file that 'make export'"),
      ("{\"version\": 7}", 3, "was written by a newer version; update this clone"),
    ])
    func `a file that makes no sense changes nothing`(
      text: String, code: Int32, sentence: String
    ) throws {
      try file.update { $0.record(Verdict(Catalogue.katas[0], .passed)) }
      let before = try clone.repository.text(ProgressFile.path)
      try clone.repository.write(text, to: "strange.json")
      let output = try clone.kata("import", "strange.json")
      #expect(output.code == code)
      #expect(output.standardError.contains(sentence))
      #expect(try clone.repository.text(ProgressFile.path) == before)
    }

    @Test func `katas that this version doesn't know are kept`() throws {
      try clone.repository.write(
        "{\"version\": 1, \"done\": {\"Later\": \"2027-01-01\"}}", to: "later.json")
      let output = try clone.kata("import", "later.json")
      #expect(output.code == 0)
      #expect(
        output.standardOutput.contains(
          "1 kata in it isn't in this version; their progress is kept."))
      #expect(file.read().progress.done == ["Later": "2027-01-01"])
    }

    @Test func `what can't be read isn't exported as nothing done`() throws {
      try FileManager.default.createDirectory(
        at: clone.repository.url(ProgressFile.path), withIntermediateDirectories: true)
      let output = try clone.kata("export")
      #expect(output.code == 3)
      #expect(output.standardOutput == "")
      #expect(output.standardError.contains("\(ProgressFile.path) can't be read"))
    }

    @Test func `commands at once lose nothing of each other's`() throws {
      let katas = Catalogue.katas.prefix(16)
      let codes = try clone.kataAtOnce(katas.map { ["hint", $0.name] })
      #expect(codes.allSatisfy { $0 == 0 })
      let progress = file.read().progress
      for kata in katas { #expect(progress.hintsShown(for: kata) == 1, "\(kata.name)") }
    }

    @Test func `a command that is killed, at whatever moment, leaves the progress whole`() throws {
      var before = 0
      for (number, kata) in Catalogue.katas.prefix(40).enumerated() {
        _ = try clone.kataAtOnce([["hint", kata.name]], killedAfter: Double(number) * 0.002)
        let (progress, warning) = file.read()
        #expect(warning == nil)
        #expect(progress.hints.count >= before)
        before = progress.hints.count
      }
      // Nothing that was left behind is in the way.
      #expect(try clone.kata("hint", "CancelCascade").code == 0)
      #expect(file.read().progress.hints["CancelCascade"] == 1)
    }
  }
}
