import Foundation
import Testing

@testable import KataAuthor
@testable import KataKit

@Suite struct CatalogueTests {
  private let repository = Fixtures.repository

  @Test(arguments: Catalogue.katas.map(\.name)) func `a kata has all its files`(
    name: String
  ) throws {
    let kata = try Catalogue.kata(named: name)
    #expect(repository.exists(repository.referencePath(of: kata)))
    #expect(repository.exists(repository.learnerPath(of: kata)))
    #expect(repository.exists(repository.stubPath(of: kata)))
    #expect(repository.exists(repository.specPath(of: kata)))
    #expect(repository.exists("Docs/ConcurrencyKatas.docc/\(kata.name).md"))
  }

  @Test func `the table in the README lists the katas in teaching order`() throws {
    let rows = Catalogue.modules.map { module in
      let names = Catalogue.katas(of: module).map { "`\($0.name)`" }.joined(separator: ", ")
      return "| \(module.rawValue) | \(names) |\n"
    }
    #expect(
      try repository.text("README.md").contains("|---|---|\n\(rows.joined())\n"),
      "README.md needs these rows:\n\(rows.joined())")
  }

  @Test(arguments: Catalogue.katas.map(\.name)) func `a kata is described in full`(
    name: String
  ) throws {
    let kata = try Catalogue.kata(named: name)
    #expect(kata.hints.count == 3)
    #expect((1...5).contains(kata.difficulty))
    #expect(kata.minutes > 0)
    #expect(kata.mistakes.count >= 3)
    #expect(!kata.rightAnswers.isEmpty)
    #expect(Set(kata.mistakes.map(\.name)).count == kata.mistakes.count)
    for mistake in kata.mistakes {
      #expect(!mistake.rejectedBy.isEmpty, "\(mistake.name) names no test")
      #expect(!mistake.advice.isEmpty, "\(mistake.name) has no advice")
    }
  }

  @Test(arguments: Catalogue.katas.map(\.name)) func `nothing of a kata is left to write`(
    name: String
  ) throws {
    for sentence in repository.leftToWrite(of: try Catalogue.kata(named: name)) {
      Issue.record("\(sentence)")
    }
  }

  @Test(arguments: Catalogue.katas.map(\.name)) func `a kata has questions to ask afterwards`(
    name: String
  ) throws {
    let questions = try Catalogue.kata(named: name).questions
    #expect((2...4).contains(questions.count))
    #expect(Set(questions.map(\.text)).count == questions.count)
    for question in questions {
      #expect(question.text.hasSuffix("?"), "'\(question.text)' asks nothing")
      #expect(question.answer.hasSuffix("."), "'\(question.text)' has no answer in a sentence")
      #expect(question.answer.count <= 400, "'\(question.text)' is answered with a lecture")
      for text in [question.text, question.answer] {
        #expect(text.count { $0 == "`" }.isMultiple(of: 2), "'\(text)' leaves code open")
      }
    }
  }

  @Test(arguments: Catalogue.katas.map(\.name)) func `every change fits the reference`(
    name: String
  ) throws {
    let candidates = try Candidate.all(of: try Catalogue.kata(named: name), in: repository)
    let reference = candidates[0].text
    for candidate in candidates.dropFirst() {
      #expect(candidate.text != reference, "\(candidate.name) is the reference")
    }
  }

  @Test func `no file of a spec is too long to read`() throws {
    for kata in Catalogue.katas {
      let specs = try repository.specPaths(of: kata)
      for path in try repository.specSources(of: kata) where path.hasPrefix("\(kata.specFolder)/") {
        let lines = try repository.text(path).count { $0 == "\n" }
        let limit = specs.contains(path) ? 250 : 150
        #expect(
          lines <= limit, "\(path) has \(lines) lines: give a subject of it a file of its own")
      }
    }
  }

  // Swift Testing takes it for the first of the expectation's messages.
  @Test func `no comment is shown to learners as a message`() throws {
    for kata in Catalogue.katas {
      for path in try repository.specSources(of: kata) {
        let text = try repository.text(path)
        let hasOne = text.contains(#/\n *//.*\n *(?:try )?#(?:expect|require)\(/#)
        #expect(
          !hasOne,
          "\(path) has a comment directly before an expectation: move it up by a statement.")
      }
    }
  }

  @Test(arguments: Catalogue.katas.map(\.name)) func `the tests that a mistake names exist`(
    name: String
  ) throws {
    let kata = try Catalogue.kata(named: name)
    let spec = try repository.spec(of: kata)
    for mistake in kata.mistakes {
      for test in mistake.rejectedBy {
        #expect(spec.contains("func `\(test)`("), "\(mistake.name): no test '\(test)'")
      }
    }
  }

  @Test func `a kata comes after those that it needs`() {
    var before: Set<String> = []
    for kata in Catalogue.katas {
      for need in kata.needs {
        #expect(before.contains(need), "\(kata.name) needs \(need)")
      }
      before.insert(kata.name)
    }
    #expect(before.count == Catalogue.katas.count)
  }

  @Test(
    arguments: Catalogue.katas.filter { $0.buildsOn.contains { !$0.contains(".") } }.map(\.name))
  func `a kata that builds on another borrows its reference`(name: String) throws {
    let kata = try Catalogue.kata(named: name)
    let borrowed = kata.borrowedTypes
    let needed = kata.needs.compactMap { try? Catalogue.kata(named: $0) }
      .filter { $0.module == kata.module }
    let references = try needed.map { try repository.text(repository.referencePath(of: $0)) }
    for type in kata.buildsOn {
      #expect(
        references.contains { $0.contains("class \(type)") || $0.contains("enum \(type)") },
        "None of the katas that are to be done first makes \(type)")
    }
    let stub = try repository.text(repository.stubPath(of: kata))
    #expect(borrowed.named(in: stub) == stub, "The stub takes a type from `Katas/`")
    for candidate in try Candidate.all(of: kata, in: repository) {
      #expect(
        borrowed.named(in: candidate.text) == candidate.text,
        "'\(candidate.name)' takes a type from `Katas/`")
    }
  }

  @Test func `modules come in teaching order`() {
    let order = Catalogue.katas.map { Module.allCases.firstIndex(of: $0.module) ?? -1 }
    #expect(order == order.sorted())
  }

  @Test func `every file of a kata names it, by its path or its name`() throws {
    for kata in Catalogue.katas {
      let own = ["Katas/\(kata.file)", "Modules/\(kata.file)"]
      let spec = try [kata.folder, kata.specFolder].flatMap(repository.files(below:))
      for path in own + spec {
        #expect(try Catalogue.kata(named: path).name == kata.name, "\(path)")
      }
      for path in try repository.specFiles(of: kata) where path.contains("\(kata.name)Tests") {
        let file = URL(filePath: path).deletingPathExtension().lastPathComponent
        #expect(try Catalogue.katas(named: file).map(\.name) == [kata.name], "\(file)")
      }
    }
    #expect(throws: KataError.self) { try Catalogue.kata(named: "Docs/README.md") }
  }

  @Test func `a kata is found in whatever case`() throws {
    #expect(try Catalogue.kata(named: "photostore").name == "PhotoStore")
    #expect(try Catalogue.katas(named: "barriers").allSatisfy { $0.module == .barriers })
    #expect(try Catalogue.katas(named: "all").count == Catalogue.katas.count)
  }

  @Test(arguments: [
    ("PhotoStor", "PhotoStore"), ("fotostore", "PhotoStore"), ("Serial", "SerialLog"),
    ("Barrier", "Barriers"),
  ])
  func `an unknown name is answered with the nearest`(typed: String, meant: String) {
    let error = #expect(throws: KataError.self) { try Catalogue.katas(named: typed) }
    #expect(error?.description == "There is no kata or module '\(typed)'; did you mean \(meant)?")
    #expect(error?.exitCode == .usage)
  }

  @Test func `a name like no other is answered with the list`() {
    let error = #expect(throws: KataError.self) { try Catalogue.kata(named: "xyzzy") }
    #expect(error?.description == "There is no kata 'xyzzy'; 'make list' shows them all.")
  }

  @Test func `a change that doesn't fit is refused`() throws {
    let kata = Kata(
      "PhotoStore", module: .barriers, title: "", difficulty: 1, minutes: 1, hints: [],
      mistakes: [Mistake("twice", .edit("stored", "x"), rejectedBy: ["t"], advice: "a")],
      rightAnswers: [])
    let error = #expect(throws: KataError.self) { try Candidate.all(of: kata, in: repository) }
    #expect(
      error?.description.hasPrefix(
        "Tests/Gallery/Barriers/PhotoStore/Kata.md:1: the lines of 'twice' to be replaced stand 0 times"
      )
        == true)
  }

  @Test func `a mistake that doesn't say how it differs is refused`() throws {
    let kata = Kata(
      "PhotoStore", module: .barriers, title: "", difficulty: 1, minutes: 1, hints: [],
      mistakes: [Mistake("untold", nil, rejectedBy: ["t"], advice: "a")], rightAnswers: [])
    let error = #expect(throws: KataError.self) { try Candidate.all(of: kata, in: repository) }
    #expect(error?.description.contains("doesn't say how 'untold' differs") == true)
  }

  @Test func `what a description lacks is reported before anything is built`() {
    let kata = Kata(
      "PhotoStore", module: .barriers, title: "", difficulty: 1, minutes: 1, hints: ["one"],
      mistakes: [Mistake("twice", nil, rejectedBy: ["reads share", "writes"], advice: "a")],
      rightAnswers: [])
    #expect(
      kata.shortfalls(tests: ["reads share", "writers wait"]) == [
        "Tests/Gallery/Barriers/PhotoStore/Kata.md: there must be three hints, not 1",
        "Tests/Gallery/Barriers/PhotoStore/Kata.md: there must be at least three mistakes",
        "Tests/Gallery/Barriers/PhotoStore/Kata.md: there must be a right answer with another design",
        "twice: the spec has no test 'writes'; did you mean 'writers wait'?",
      ])
  }
}
