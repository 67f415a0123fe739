import Foundation
import Testing

@testable import KataAuthor
@testable import KataKit
@testable import KataTeacher

extension UnbuiltCloneTests {
  /// The built command's handouts, unpacked where a participant would.
  @Suite struct HandoutTests {
    private let clone: Clone

    init() throws {
      clone = try Clone.unbuilt()
    }

    @Test func `a handout has the chosen katas and no others`() throws {
      let repository = try unpacked("Barriers,ExecutionOrder")
      let chosen = try Catalogue.katas(listed: "Barriers,ExecutionOrder")
      let photoStore = try Catalogue.kata(named: "PhotoStore")
      #expect(try mark(of: repository).katas == chosen.map(\.name))
      #expect(try repository.files(below: "Katas") == chosen.map(repository.learnerPath).sorted())
      for kata in Catalogue.katas {
        let isChosen = chosen.contains { $0.name == kata.name }
        #expect(repository.exists(kata.descriptionPath) == isChosen)
        #expect(repository.exists(repository.specPath(of: kata)) == isChosen)
        #expect(try repository.text("README.md").contains("| `\(kata.name)` |") == isChosen)
      }
      // What isn't there can't be done first.
      #expect(try clone.repository.text(photoStore.descriptionPath).contains("\nneeds: "))
      #expect(try !repository.text(photoStore.descriptionPath).contains("\nneeds: "))
      #expect(try Catalogue.katas(in: repository).map(\.name) == chosen.map(\.name))
      #expect(!repository.exists("Modules"))
      let pages = chosen.map(\.name) + ["BarriersChapter", "CompilerErrors", "GCDBasicsChapter"]
      #expect(
        try repository.files(below: "Docs") == pages.map(DocumentationPage.path(ofPage:)).sorted())
      #expect(try PatternBook.read(chosen, in: repository).patterns["PhotoStore"]?.isEmpty == false)
    }

    @Test func `no line of a reference is in a handout without them`() throws {
      let repository = try unpacked("all")
      let shown = try kataShown(by: repository)
      #expect(shown.isEmpty, "\(shown)")
      for kata in Catalogue.katas {
        let text = try repository.text(kata.descriptionPath)
        #expect(!text.contains("```") && !text.contains("- answer: ") && !text.contains("## Right"))
        #expect(
          try repository.files(below: repository.answersPath(of: kata)) == [
            repository.stubPath(of: kata)
          ])
      }
      // And it would be found.
      let told = try kataShown(by: unpacked("Barriers", "--references"))
      #expect(told.contains { $0.hasPrefix("PhotoStore: Modules/Barriers/PhotoStore.swift") })
    }

    /// The references of which files of a handout show lines, each with such a file.
    private func kataShown(by handout: Repository) throws -> [String] {
      let plan = try Handout(of: Catalogue.katas, hasReferences: false, in: clone.repository)
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
      let repository = try unpacked(names)
      let mark = try mark(of: repository)
      #expect(mark.references == references)
      let readme = try repository.text("README.md")
      for reference in references {
        let kata = try Catalogue.kata(named: reference)
        #expect(repository.exists(repository.referencePath(of: kata)))
        #expect(
          readme.contains("`\(reference)`, in `Modules/`") || readme.contains("`\(reference)` and"))
      }
      let modules = (try? repository.files(below: "Modules")) ?? []
      #expect(modules.count { !$0.hasPrefix("Modules/Images/") } == references.count)
    }

    @Test
    func `with a kata come its own files and those that all share, and with an import its module`()
      throws
    {
      let chain = try unpacked("CancelCascade")
      let folder = "Tests/CancellationTests"
      #expect(try chain.files(below: "Katas") == ["Katas/Cancellation/CancelCascade.swift"])
      #expect(
        try chain.files(below: folder).allSatisfy { path in
          path.hasPrefix("\(folder)/CancelCascade/")
            || !path.dropFirst(folder.count + 1).contains("/")
        })
      #expect(chain.exists("\(folder)/CancelAllJob.swift"))
      let repository = try unpacked("CooperativeLoop")
      #expect(try mark(of: repository).references == [])
      #expect(try repository.files(below: "Modules") == ["Modules/AsyncOperations/Empty.swift"])
    }

    @Test func `with the references a kata can be proven`() throws {
      let repository = try unpacked("Barriers", "--references")
      for kata in Catalogue.katas(of: .barriers) {
        #expect(
          try Candidate.all(of: kata, in: repository).map(\.text)
            == Candidate.all(of: kata, in: clone.repository).map(\.text))
      }
      let makefile = try repository.text("Makefile")
      #expect(makefile.contains("\nverify:"))
      #expect(!makefile.contains("\nhandout:"))
    }

    @Test func `the built site is in it, without what isn't for participants`() throws {
      let script = try clone.repository.text(".ci/build-docs")
      #expect(script.contains("out=.build/docs\n") && script.contains("\"$out/site\""))
      #expect(Repository.site == ".build/docs/site")
      let photoStore = try Catalogue.kata(named: "PhotoStore")
      let pages = [
        "index.html": "The first page.", "documentation/photostore/index.html": "A kata's page.",
        "data/documentation/workshopbarriers.json": "The questions, with their answers.",
        "data/documentation/told.json": try clone.repository.text(
          clone.repository.referencePath(of: photoStore)),
      ]
      for (name, text) in pages {
        try clone.repository.write(text, to: "\(Repository.site)/\(name)")
      }
      let site = try unpacked("Barriers", "--docs").files(below: "Site").sorted()
      #expect(site == ["Site/documentation/photostore/index.html", "Site/index.html"])
    }

    @Test func `the same katas give the same archive`() throws {
      for name in ["a.tar.gz", "b.tar.gz"] {
        #expect(try clone.kata("handout", "GCDBasics", "--output", name).code == 0)
      }
      #expect(
        try Data(contentsOf: clone.repository.url("a.tar.gz"))
          == Data(contentsOf: clone.repository.url("b.tar.gz")))
    }

    @Test func `what makes no sense gets one sentence and leaves no archive`() throws {
      try clone.repository.write("a file", to: "full/of")
      for (arguments, code, sentence) in [
        (
          ["Barriers", "--docs"], 1, "kata: The documentation isn't built; 'make docs' builds it.\n"
        ),
        (
          ["--classroom", "--output", "full"], 2, "isn't empty; name a new folder, or remove it.\n"
        ),
      ] {
        let output = try clone.kata(["handout"] + arguments)
        #expect(output.code == code)
        #expect(output.standardError.hasSuffix(sentence), "\(output.standardError)")
      }
      #expect(!clone.repository.exists(".build/handouts/concurrency-katas.tar.gz"))
      let left = try? FileManager.default.contentsOfDirectory(
        atPath: clone.repository.url(".build/handouts").path)
      #expect((left ?? []).isEmpty)
    }

    @Test func `a classroom's workflow knows the digest of what the teacher gave`() throws {
      let output = try clone.kata("handout", "Barriers", "--classroom", "--output", "class room")
      #expect(output.code == 0)
      let folder = Repository(root: clone.repository.url("class room"))
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
      try folder.write(
        "An easier spec.", to: "Tests/BarriersTests/PhotoStore/PhotoStoreTests.swift")
      #expect(try digest() != value(of: "DIGEST"), "The specs aren't.")
    }

    // MARK: - Fixtures

    private func mark(of repository: Repository) throws -> Handout.Mark {
      try JSONDecoder().decode(
        Handout.Mark.self, from: Data(try repository.text(Repository.handoutMark).utf8))
    }

    private func unpacked(_ arguments: String...) throws -> Repository {
      try clone.unpackedHandout(arguments)
    }
  }
}
