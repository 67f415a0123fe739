import Foundation
import Synchronization
import Testing

@testable import KataAuthor
@testable import KataKit

@Suite struct ScaffoldTests {
  private static let name = "SampleKata"

  @Test(arguments: Module.allCases)
  func `a kata gets its files, and a row wherever every kata is named`(module: Module) throws {
    try withClone { clone in
      let before = try clone.content
      let (code, printed) = try clone.new(Self.name, module.rawValue)
      #expect(code == .done)
      let kata = try clone.kata(Self.name)
      let chapter = "Docs/ConcurrencyKatas.docc/\(module.chapter).md"
      let agendas = "Docs/ConcurrencyKatas.docc/Agendas.md"
      let rows = ["Tests/Order.txt", "README.md", agendas, chapter, "CHANGELOG.md"]
      let own = [
        clone.repository.referencePath(of: kata), clone.repository.learnerPath(of: kata),
        clone.repository.stubPath(of: kata), clone.repository.specPath(of: kata),
        kata.descriptionPath, DocumentationPage.path(ofPage: Self.name),
      ]
      let after = try clone.content
      #expect(Set(after.filter { before[$0.key] != $0.value }.keys) == Set(rows + own))
      for path in rows + own { #expect(printed.contains("  \(path)\n"), "\(path)") }
      let names = Catalogue.katas(of: module).map(\.name) + [Self.name]
      let order = try TeachingOrder(in: clone.repository).entries.filter { $0.module == module }
      #expect(order.map(\.name) == names)
      let row = names.map { "`\($0)`" }.joined(separator: ", ")
      #expect(try clone.text("README.md").contains("\n| \(module.rawValue) | \(row) |\n"))
      #expect(try clone.text("CHANGELOG.md").contains("## Unreleased\n\n- WRITE: that SampleKata"))
      #expect(try clone.text(chapter).contains("\n\nWRITE: a link to <doc:SampleKata>"))
      let homework = try clone.text(agendas).firstMatch(
        of: #/: (\w+)\n(?:[^#\n].*\n|\n)+Homework, (\d+) .*, <doc:SampleKata>\.\n/#)
      let was = try Fixtures.repository.text(agendas).matches(of: #/\nHomework, (\d+) /#)
      let index = try #require(Module.allCases.firstIndex(of: module))
      #expect(homework?.1 == module.rawValue[...])
      #expect(homework.flatMap { Int($0.2) } == Int(was[index].1).map { $0 + 15 })
    }
  }

  @Test func `the parts of a scaffold fit each other, and no line is too long`() throws {
    try withClone { clone in
      _ = try clone.new(Self.name, "Barriers")
      let (kata, repository) = (try clone.kata(Self.name), clone.repository)
      #expect(kata.shortfalls(tests: try repository.testNames(of: kata)) == [])
      let stub = try clone.text(repository.stubPath(of: kata))
      #expect(try clone.text(repository.learnerPath(of: kata)) == stub)
      #expect(stub.contains("    // TODO: "))
      #expect(Contract(of: kata, stub: stub).shortfalls == [])
      let reference = try clone.text(repository.referencePath(of: kata))
      #expect(Contract.missing(from: reference, of: kata) == [])
      #expect(try Candidate.all(of: kata, in: repository).map(\.text).allSatisfy { !$0.isEmpty })
      for text in [stub, reference, try repository.spec(of: kata)] {
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 100 })
      }
    }
  }

  @Test func `each mark is reported with its file and line, until nothing is left to write`() throws
  {
    try withClone { clone in
      _ = try clone.new(Self.name, "Barriers")
      let (kata, repository) = (try clone.kata(Self.name), clone.repository)
      let marked = try clone.content.filter { $0.value.contains("WRITE: ") }
        .filter { $0.key != repository.stubPath(of: kata) }
      for (path, text) in marked {
        let lines = text.components(separatedBy: "\n")
        let places = lines.indices.filter { lines[$0].contains("WRITE: ") }
          .map { "\(path):\($0 + 1): write " }
        let told = repository.leftToWrite(of: kata).filter { $0.hasPrefix("\(path):") }
        #expect(told.count == places.count)
        #expect(zip(told, places).allSatisfy { $0.hasPrefix($1) && $0.hasSuffix(".") })
        try repository.write(text.replacing("WRITE: ", with: ""), to: path)
      }
      // Its copy is reported once the stub is written.
      let left = repository.leftToWrite(of: kata)
      #expect(!left.isEmpty)
      #expect(left.allSatisfy { $0.hasPrefix(repository.stubPath(of: kata)) })
    }
  }

  @Test func `nothing is proven while something is left to write`() throws {
    try withClone { clone in
      try clone.repository.write(
        "# HitCounter\n\nWRITE: the story.\n", to: "Docs/ConcurrencyKatas.docc/HitCounter.md")
      let sentence = "Docs/ConcurrencyKatas.docc/HitCounter.md:3: write the story.\n"
      let (proof, proven) = try clone.run {
        try $0.verify("HitCounter", stress: 1, asJSON: false)
      }
      #expect(proof == .notDone)
      #expect(proven == "✘ \(sentence)Nothing can be proven before that is written.\n")
      let (docs, built) = try clone.run { try $0.docs() }
      #expect(docs == .notDone)
      #expect(built == sentence)
    }
  }

  // MARK: - Refusals

  @Test(arguments: ["visitCounter", "Visit-Counter", "../Visits", "VISITS", "V", ""])
  func `a name that is no type's is refused`(name: String) throws {
    try expectRefusal(
      name, "Barriers", "'\(name)' can't name a kata; name a type, such as VisitCounter.")
  }

  @Test(arguments: [
    ("PhotoStore", "'PhotoStore' is the name of a kata already"),
    ("Patientwait", "'PatientWait' is the name of a kata already"),
    ("Operations", "'Operations' is the name of a module or all katas already"),
    ("Photo", "Modules/Barriers/PhotoStore.swift has a type 'Photo' already"),
    ("Gate", "Tools/QuiescenceTesting/Gate.swift has a type 'Gate' already"),
  ]) func `a name that is taken is refused`(name: String, reason: String) throws {
    let advice = reason.contains("type") ? "choose another name" : "choose another"
    try expectRefusal(name, "Barriers", "\(reason); \(advice).")
  }

  @Test func `a file in the kata's places is in the way`() throws {
    let page = "Docs/ConcurrencyKatas.docc/Deadlock.md"
    try expectRefusal(
      "Deadlock", "Barriers",
      "There is a '\(page)' already; choose another name, or remove it.")
  }

  @Test func `name and module are asked for`() throws {
    let question =
      "Which kata, in which module? Name both: 'make new KATA=VisitCounter MODULE=Barriers'."
    try expectRefusal(nil, "Barriers", question)
    try expectRefusal(Self.name, nil, question)
    try expectRefusal(Self.name, "Barier", "There is no module 'Barier'; did you mean Barriers?")
  }

  private func expectRefusal(
    _ name: String?, _ module: String?, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withClone { clone in
      let before = try clone.content
      let error = #expect(throws: KataError.self, sourceLocation: sourceLocation) {
        try clone.new(name, module)
      }
      #expect(error?.description == sentence, sourceLocation: sourceLocation)
      #expect(error?.exitCode == .usage, sourceLocation: sourceLocation)
      #expect(try clone.content == before, sourceLocation: sourceLocation)
    }
  }

  @Test func `a kata is laid out once`() throws {
    try withClone { clone in
      _ = try clone.new(Self.name, "Barriers")
      let before = try clone.content
      let error = #expect(throws: KataError.self) { try clone.new(Self.name, "Barriers") }
      #expect(error?.description == "'SampleKata' is the name of a kata already; choose another.")
      #expect(try clone.content == before)
    }
  }

  @Test func `what can't be written leaves everything as it was`() throws {
    try withClone { clone in
      // A file where the stub's folder would be.
      try FileManager.default.removeItem(at: clone.repository.url("Katas/Barriers"))
      try clone.repository.write("", to: "Katas/Barriers")
      let before = try clone.content
      let error = #expect(throws: KataError.self) { try clone.new(Self.name, "Barriers") }
      #expect(error?.exitCode == .environment)
      #expect(try clone.content == before)
    }
  }

  @Test func `a file without the place for a row is reported before anything is written`() throws {
    try withClone { clone in
      try clone.repository.write("# Concurrency Katas\n", to: "README.md")
      let before = try clone.content
      let error = #expect(throws: KataError.self) { try clone.new(Self.name, "Barriers") }
      #expect(error?.description.hasPrefix("README.md needs a line '| Barriers | …'") == true)
      #expect(try clone.content == before)
    }
  }

  @Test func `a handout gets no new katas`() throws {
    try withClone { clone in
      try clone.repository.write("{}", to: Repository.handoutMark)
      let error = #expect(throws: KataError.self) { try clone.new(Self.name, "Barriers") }
      #expect(error?.description.hasPrefix("A handout can't have new katas") == true)
    }
  }

  /// A copy of what `make new` reads and writes.
  private struct Clone {
    let repository: Repository
    /// The texts of all files, by path.
    var content: [String: String] {
      get throws {
        let paths = try repository.files(below: ".").map { String($0.dropFirst(2)) }
        return try Dictionary(uniqueKeysWithValues: paths.map { ($0, try repository.text($0)) })
      }
    }

    func text(_ path: String) throws -> String { try repository.text(path) }

    func kata(_ name: String) throws -> Kata {
      let entry = try #require(
        try TeachingOrder(in: repository).entries.first { $0.name == name })
      let path = "\(Kata.folder(of: name, in: entry.module))/\(KataFile.name)"
      return try KataFile(text(path), path: path).kata(named: name, in: entry.module)
    }

    @discardableResult
    func new(_ name: String?, _ module: String?) throws -> (ExitCode, String) {
      try run { try $0.new(name, in: module) }
    }

    /// Runs a command; its exit code and what it prints.
    func run(_ command: (Commands) throws -> ExitCode) throws -> (ExitCode, String) {
      let printed = Mutex("")
      let commands = Commands(
        repository: repository, style: TextStyle(hasColours: false), timeout: nil
      ) { text in printed.withLock { $0 += text } }
      return (try command(commands), printed.withLock(\.self))
    }
  }

  private func withClone(_ body: (Clone) throws -> Void) throws {
    let pages = ["Agendas", "Deadlock"] + Module.allCases.map(\.chapter)
    let files =
      [
        "Tests/Order.txt", "README.md", "CHANGELOG.md", "Modules/Barriers/PhotoStore.swift",
        "Tools/QuiescenceTesting/Gate.swift",
      ] + pages.map { DocumentationPage.path(ofPage: $0) }
    let modules = Module.allCases.map(\.rawValue)
    let folders =
      ["Modules/Images", "Tools/KataTesting"]
      + modules.flatMap { ["Modules/\($0)", "Katas/\($0)", "Tests/\($0)Tests"] }
    try Fixtures.withEmptyRepository { repository in
      for path in files {
        // Without what is left to write of another kata.
        let lines = try Fixtures.repository.text(path).components(separatedBy: "\n")
        try repository.write(
          lines.filter { !$0.contains("WRITE: ") }.joined(separator: "\n"), to: path)
      }
      for path in folders {
        try FileManager.default.createDirectory(
          at: repository.url(path), withIntermediateDirectories: true)
      }
      try body(Clone(repository: repository))
    }
  }
}
