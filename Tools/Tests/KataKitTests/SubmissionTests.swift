import Foundation
import Testing

@testable import KataKit
@testable import KataTeacher

@Suite struct SubmissionTests {
  /// The submissions in a folder with these files, of which each holds its own path.
  private func submissions(_ files: String..., in folder: String = "") throws -> [Submission] {
    try Fixtures.withEmptyRepository { repository in
      for file in files { try repository.write(file, to: file) }
      return try Submission.all(in: [repository.url(folder).path])
    }
  }

  @Test func `a folder is taken for what it's laid out like`() throws {
    let found = try submissions(
      "clone/Katas/Barriers/PhotoStore.swift", "clone/Package.swift", "clone/Modules/Readme.swift",
      "flat/PhotoStore.swift", "flat/SerialLog.swift", "flat in katas/Katas/PhotoStore.swift",
      "modules/Barriers/PhotoStore.swift", "nothing/essay.txt")
    #expect(
      found.map(\.participant) == ["clone", "flat", "flat in katas", "modules", "nothing"])
    #expect(found.map(\.layout) == [.clone, .flat, .flat, .modules, .nothing])
    #expect(found[0].texts == ["PhotoStore": "clone/Katas/Barriers/PhotoStore.swift"])
    #expect(found[1].texts.keys.sorted() == ["PhotoStore", "SerialLog"])
    #expect(found[2].texts.keys.sorted() == ["PhotoStore"])
    #expect(found[3].texts.keys.sorted() == ["PhotoStore"])
    #expect(found[4].texts.isEmpty && found[4].notes == ["No file in this folder is a kata."])
  }

  @Test func `a folder may be one submission`() throws {
    let file = "ada/Katas/Barriers/PhotoStore.swift"
    #expect(try submissions(file, in: "ada").map(\.participant) == ["ada"])
    #expect(try submissions(file, in: "ada").map(\.layout) == [.clone])
    #expect(try submissions("ada/Barriers/PhotoStore.swift", in: "ada/Barriers")[0].layout == .flat)
    #expect(try submissions("ada/essay.txt", in: "ada").map(\.layout) == [.nothing])
  }

  @Test func `an archive's own folder and what a system leaves behind are looked past`() throws {
    let found = try submissions(
      "ada/katas-main/Katas/Barriers/PhotoStore.swift", "ada/.git/config", "__MACOSX/a.swift",
      ".hidden/PhotoStore.swift", "grace/PhotoStore.swift", "grace/.PhotoStore.swift")
    #expect(found.map(\.participant) == ["ada", "grace"])
    #expect(found.map(\.layout) == [.clone, .flat])
    #expect(found.allSatisfy { $0.texts.keys.sorted() == ["PhotoStore"] && $0.notes.isEmpty })
  }

  @Test func `a file that is no kata comes along with its module, or is named`() throws {
    let found = try submissions(
      "flat/PhotoStore.swift", "flat/PhotoStor.swift", "modules/Barriers/PhotoStore.swift",
      "modules/Barriers/Clock/Ticks.swift", "modules/Barriers/.discarded/PhotoStore-1.swift")
    #expect(
      found[0].notes == [
        "PhotoStor.swift isn't a kata and was left out; did you mean PhotoStore.swift?"
      ])
    #expect(found[1].companions.keys.sorted() == ["Barriers/Clock/Ticks.swift"])
    #expect(found[1].notes.count == 1)
  }

  @Test func `what isn't a file of text isn't read`() throws {
    try Fixtures.withEmptyRepository { repository in
      try repository.write("secret", to: "secret.swift")
      try repository.write("// an answer", to: "ada/SerialLog.swift")
      try FileManager.default.createSymbolicLink(
        at: repository.url("ada/PhotoStore.swift"),
        withDestinationURL: repository.url("secret.swift"))
      try Data([0xFF, 0xFE, 0x00]).write(to: repository.url("ada/AllDone.swift"))
      try Data(count: Submission.longestAnswer + 1).write(to: repository.url("ada/Lazily.swift"))
      let ada = try Submission.all(in: [repository.url("ada").path])[0]
      #expect(ada.texts.keys.sorted() == ["SerialLog"])
      #expect(ada.unreadable["PhotoStore"]?.contains("is a link") == true)
      #expect(ada.unreadable["AllDone"]?.contains("UTF-8") == true)
      #expect(ada.unreadable["Lazily"]?.contains("more than 256 KB") == true)
    }
  }

  @Test func `two of the same name, and a folder that isn't there, are refused`() throws {
    try Fixtures.withEmptyRepository { repository in
      for group in ["a", "b"] { try repository.write("", to: "\(group)/ada/PhotoStore.swift") }
      #expect(throws: KataError.self) {
        try Submission.all(in: ["a", "b"].map { repository.url($0).path })
      }
      #expect(throws: KataError.self) { try Submission.all(in: [repository.url("gone").path]) }
    }
  }

  @Test func `the fingerprint changes with any text and with nothing else`() throws {
    let one = try submissions("ada/PhotoStore.swift")[0]
    #expect(try submissions("ada/PhotoStore.swift", "ada/a.txt")[0].fingerprint == one.fingerprint)
    #expect(
      try submissions("ada/PhotoStore.swift", "ada/SerialLog.swift")[0].fingerprint
        != one.fingerprint)
    #expect(try submissions("eve/PhotoStore.swift")[0].fingerprint != one.fingerprint)
  }
}

@Suite struct ShardTests {
  @Test(arguments: ["", "2", "0/5", "6/5", "a/b", "1/2/3", "-1/5", "1/0"])
  func `a part that makes no sense is refused`(text: String) {
    #expect(Shard(text) == nil)
  }

  @Test(arguments: 1...7)
  func `every name is in one part, and no part is left empty`(count: Int) throws {
    let names = (1...100).map { "participant-\($0)" }
    let shards = try (1...count).map { try #require(Shard("\($0)/\(count)")) }
    for name in names { #expect(shards.count { $0.contains(name) } == 1, "\(name)") }
    let sizes = shards.map { shard in names.count { shard.contains($0) } }
    #expect((sizes.min() ?? 0) * 3 > 100 / count, "The parts are uneven: \(sizes)")
  }

  @Test func `a name stays in its part from one day to the next`() throws {
    let shards = try (1...5).map { try #require(Shard("\($0)/5")) }
    let parts = ["ada", "grace", "edsger", "barbara"].map { name in
      shards.first { $0.contains(name) }?.number
    }
    #expect(parts == [2, 3, 1, 5])
  }
}

@Suite struct CSVTableTests {
  @Test func `a table is quoted, with line ends as the standard has them`() {
    var table = CSVTable(header: ["a", "b"])
    table.append(["plain", "with \"quotes\", and commas"])
    #expect(
      table.text == "\"a\",\"b\"\r\n\"plain\",\"with \"\"quotes\"\", and commas\"\r\n")
  }

  @Test(arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "  =1", "\t=1", "\u{FF1D}1", "\n=1"])
  func `a cell that a spreadsheet would compute is text`(cell: String) {
    #expect(CSVTable.cell(cell).hasPrefix("\"'"))
  }

  @Test func `a cell is one line`() {
    #expect(CSVTable.cell("one\r\ntwo\n\nthree") == "\"one two three\"")
    #expect(CSVTable.cell("a = b") == "\"a = b\"")
    #expect(CSVTable.cell("") == "\"\"")
  }
}
