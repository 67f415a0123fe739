import Foundation
import KataTesting
import Testing

@testable import KataKit

/// The built command's handouts, unpacked where a participant would.
@Suite(.serialized, .kata, .enabled(if: isMakeTest, "part of 'make test'")) struct HandoutTests {
  private let clone: Clone

  init() throws {
    clone = try Clone()
  }

  @Test func `a handout has the chosen katas and no others`() throws {
    let house = try unpacked("Barriers,ExecutionOrder")
    let chosen = try Catalogue.katas(listed: "Barriers,ExecutionOrder")
    #expect(try mark(of: house).katas == chosen.map(\.name))
    #expect(try house.files(below: "Katas") == chosen.map(house.learnerPath).sorted())
    for kata in Catalogue.katas {
      let isChosen = chosen.contains { $0.name == kata.name }
      let entry = "Tools/KataKit/Catalogue/\(kata.file)"
      #expect(house.exists(entry) == isChosen)
      #expect(house.exists(house.specPath(of: kata)) == isChosen)
      #expect(try house.text("README.md").contains("| `\(kata.name)` |") == isChosen)
    }
    // What isn't there can't be done first.
    #expect(
      try house.text("Tools/KataKit/Catalogue/Barriers/PhotoStore.swift").contains("needs: []"))
    #expect(!house.exists("Modules"))
    #expect(!house.exists("Docs"))
    let patterns = try PatternBook.read(in: house).patterns
    #expect(Set(patterns.keys).isSubset(of: chosen.map(\.name)))
    #expect(patterns["PhotoStore"]?.isEmpty == false)
  }

  @Test func `no line of a reference is in a handout without them`() throws {
    let house = try unpacked("all")
    let shown = try kataShown(by: house)
    #expect(shown.isEmpty, "\(shown)")
    for kata in Catalogue.katas {
      let entry = try house.text("Tools/KataKit/Catalogue/\(kata.file)")
      #expect(entry.contains(".edits([])") && !entry.contains("Edit(") && !entry.contains(".file("))
      #expect(
        try house.files(below: house.answersPath(of: kata)) == [house.stubPath(of: kata)])
    }
    // And it would be found.
    let told = try kataShown(by: unpacked("Barriers", "--references"))
    #expect(told.contains { $0.hasPrefix("PhotoStore: Modules/Barriers/PhotoStore.swift") })
  }

  /// The references of which files of a handout show lines, each with such a file.
  private func kataShown(by handout: House) throws -> [String] {
    let plan = try Handout(of: Catalogue.katas, hasReferences: false, in: clone.house)
    let search = try SolutionSearch(for: plan)
    try #require(search.lines.count > 300)
    return try handout.files(below: ".").compactMap { path in
      let name = String(path.dropFirst(2))
      return search.kata(shownBy: try handout.text(name)).map { "\($0): \(name)" }
    }
  }

  @Test(arguments: [
    ("AsyncOperation", []), ("Cancellation", ["AsyncOperation", "AsyncBlockOperation"]),
    ("AsyncSumOperation", ["AsyncOperation"]), ("CancelRace", ["AsyncOperation"]),
    ("ImagePipeline", ["AsyncOperation", "DownloadOperation"]), ("Operations", []),
  ])
  func `of the references only those are in it that others build on`(
    names: String, references: [String]
  ) throws {
    let house = try unpacked(names)
    let mark = try mark(of: house)
    #expect(mark.references == references)
    let readme = try house.text("README.md")
    for reference in references {
      let kata = try Catalogue.kata(named: reference)
      #expect(house.exists(house.referencePath(of: kata)))
      #expect(
        readme.contains("`\(reference)`, in `Modules/`") || readme.contains("`\(reference)` and"))
    }
    let modules = (try? house.files(below: "Modules")) ?? []
    #expect(modules.count { !$0.hasPrefix("Modules/Images/") } == references.count)
  }

  @Test func `a stub whose type others use comes along and isn't listed`() throws {
    let mark = try mark(of: unpacked("CancelRace"))
    #expect(mark.katas == ["CancelRace"])
    #expect(mark.company == ["OutcomeReporter"])
  }

  @Test func `with a spec comes its stub, and with an import its module`() throws {
    #expect(try mark(of: unpacked("CancelCascade")).company == ["CancelAll"])
    let house = try unpacked("CooperativeLoop")
    #expect(try mark(of: house).references == [])
    #expect(try house.files(below: "Modules") == ["Modules/AsyncOperations/Empty.swift"])
  }

  @Test func `with the references a kata can be proven`() throws {
    let house = try unpacked("Barriers", "--references")
    for kata in Catalogue.katas(of: .barriers) {
      #expect(
        try Candidate.all(of: kata, in: house).map(\.text)
          == Candidate.all(of: kata, in: clone.house).map(\.text))
    }
    let makefile = try house.text("Makefile")
    #expect(makefile.contains("\nverify:"))
    #expect(!makefile.contains("\nhandout:"))
  }

  @Test func `the built site is in it, without what isn't for participants`() throws {
    let script = try clone.house.text(".ci/build-docs")
    #expect(script.contains("out=.build/docs\n") && script.contains("\"$out/site\""))
    #expect(SiteFolder.built == ".build/docs/site")
    let photoStore = try Catalogue.kata(named: "PhotoStore")
    let pages = [
      "index.html": "The first page.", "documentation/photostore/index.html": "A kata's page.",
      "data/documentation/workshopbarriers.json": "The questions, with their answers.",
      "data/documentation/told.json": try clone.house.text(
        clone.house.referencePath(of: photoStore)),
    ]
    for (name, text) in pages { try clone.house.write(text, to: "\(SiteFolder.built)/\(name)") }
    let site = try unpacked("Barriers", "--docs").files(below: "Site").sorted()
    #expect(site == ["Site/documentation/photostore/index.html", "Site/index.html"])
  }

  @Test func `the same katas give the same archive`() throws {
    for name in ["a.tar.gz", "b.tar.gz"] {
      #expect(try clone.kata("handout", "GCDBasics", "--output", name).code == 0)
    }
    #expect(
      try Data(contentsOf: clone.house.url("a.tar.gz"))
        == Data(contentsOf: clone.house.url("b.tar.gz")))
  }

  @Test func `what makes no sense gets one sentence and leaves no archive`() throws {
    try FileManager.default.createDirectory(
      at: clone.house.url("full/of"), withIntermediateDirectories: true)
    for (arguments, code, sentence) in [
      (
        ["PhotoStor"], 2, "kata: There is no kata or module 'PhotoStor'; did you mean PhotoStore?\n"
      ),
      (["Barriers", "Cancellation"], 2, "is one word too many; put commas between the katas.\n"),
      (["Barriers", "--docs"], 1, "kata: The documentation isn't built; 'make docs' builds it.\n"),
      (["Barriers", "--output", "full"], 2, "kata: 'full' is a folder; name a file.\n"),
      (["--classroom", "--references"], 2, "can't hold the references; leave one out.\n"),
      (["--classroom", "--output", "full"], 2, "isn't empty; name a new folder, or remove it.\n"),
      ([","], 2, "kata: Which katas? Name some: 'KATA=Barriers,SerialLog'.\n"),
    ] {
      let output = try clone.kata(["handout"] + arguments)
      #expect(output.code == code)
      #expect(output.standardError.hasSuffix(sentence), "\(output.standardError)")
    }
    #expect(!clone.house.exists(".build/handouts/concurrency-katas.tar.gz"))
    let left = try? FileManager.default.contentsOfDirectory(
      atPath: clone.house.url(".build/handouts").path)
    #expect((left ?? []).isEmpty)
  }

  @Test func `a classroom's workflow knows the digest of what the teacher gave`() throws {
    let output = try clone.kata("handout", "Barriers", "--classroom", "--output", "class room")
    #expect(output.code == 0)
    let folder = House(root: clone.house.url("class room"))
    let workflow = try folder.text(".github/workflows/classroom.yml")
    #expect(workflow.contains("KATAS: \"Barriers/HitCounter Barriers/PhotoStore "))
    let lines = workflow.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    func value(of name: String) throws -> String {
      let line = try #require(lines.first { $0.hasPrefix("\(name): ") })
      return line.dropFirst(name.count + 2).trimmingCharacters(in: ["\""])
    }
    func digest() throws -> String {
      let process = ChildProcess(
        "/bin/sh", ["-c", try value(of: "DIGEST_COMMAND")], in: folder.root)
      try process.start()
      #expect(process.waitForEnd() == .exited(0))
      return String(process.output.prefix(64))
    }
    #expect(try digest() == value(of: "DIGEST"))
    try folder.write("An answer.", to: "Katas/Barriers/PhotoStore.swift")
    #expect(try digest() == value(of: "DIGEST"), "The answers are the student's.")
    try folder.write("An easier spec.", to: "Tests/BarriersTests/PhotoStoreTests.swift")
    #expect(try digest() != value(of: "DIGEST"), "The specs aren't.")
  }

  @Test func `from the archive to a verdict nothing else is needed`() throws {
    let house = try unpacked("ExecutionOrder")
    let kata = try Catalogue.kata(named: "ExecutionOrder")
    let stub = try make("run", in: house)
    #expect(stub.contains("ExecutionOrder · not started"), "\(stub)")
    let answer = try clone.house.text(clone.house.referencePath(of: kata))
    try house.write(answer, to: house.learnerPath(of: kata))
    #expect(try make("run", in: house).contains("ExecutionOrder · passed"))
    #expect(try make("list", in: house).contains("1 of 1 done."))
    #expect(try make("hint", in: house).contains("Hint 1 of 3"))
    #expect(
      try make("solution", in: house).contains("so there is no solution of ExecutionOrder in it"))
    #expect(try make("export", in: house).contains("\"ExecutionOrder\""))
    #expect(try make("reset", "KATA=ExecutionOrder", in: house).contains("is the stub again."))
    #expect(try house.text(house.learnerPath(of: kata)) == house.text(house.stubPath(of: kata)))
  }

  // MARK: - Fixtures

  private func mark(of house: House) throws -> Handout.Mark {
    try JSONDecoder().decode(
      Handout.Mark.self, from: Data(try house.text(Handout.markPath).utf8))
  }

  /// Makes a handout and unpacks it in a folder of its own in the clone, which knows nothing of it.
  private func unpacked(_ arguments: String...) throws -> House {
    let room = "unpacked by somebody \(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(
      at: clone.house.url(room), withIntermediateDirectories: true)
    let output = try clone.kata(["handout"] + arguments + ["--output", "\(room)/h.tar.gz"])
    try #require(output.code == 0, "\(output.standardError)")
    let tar = try #require(Toolchain.find("tar"))
    let process = ChildProcess(tar, ["-xzf", "h.tar.gz"], in: clone.house.url(room))
    try process.start()
    try #require(process.waitForEnd() == .exited(0), "\(process.output)")
    return House(root: clone.house.url("\(room)/concurrency-katas"))
  }

  /// Runs one of a handout's make targets and returns what it prints.
  private func make(_ arguments: String..., in house: House) throws -> String {
    let make = try #require(Toolchain.find("make"))
    let process = ChildProcess(
      make, arguments, environment: ["KATA_ANSWERS": "", "KATA_PATIENCE": "20"], in: house.root)
    try process.start()
    _ = process.waitForEnd()
    return process.output
  }
}
