import Foundation
import Testing

@testable import KataKit

extension UnbuiltCloneTests {
  /// The built command, without anything to build for it.
  @Suite struct CommandTests {
    private let clone: Clone

    init() throws {
      clone = try Clone.unbuilt()
    }

    /// The sentences have their tests without a program (`RefusalTests`); here they leave the programs.
    @Test(arguments: [
      (["runn"], "kata: There is no command 'runn'; 'kata help' shows them all.\n"),
      (
        ["hint", "PhotoStor"],
        "kata: There is no kata or module 'PhotoStor'; did you mean PhotoStore?\n"
      ),
      (
        ["verify", "PhotoStor"],
        "kata: There is no kata or module 'PhotoStor'; did you mean PhotoStore?\n"
      ),
      (
        ["run", "Barriers", "--all"],
        "kata: ALL (--all) shows the failures of one kata: 'make run KATA=PhotoStore ALL=1'.\n"
      ),
      (["grade"], "kata: Which folder? Name it: 'make grade FROM=submissions'.\n"),
    ])
    func `a command line that makes no sense gets one sentence`(
      arguments: [String], sentence: String
    ) throws {
      let output = try clone.kata(arguments)
      #expect(output.code == 2)
      #expect(output.standardError == sentence)
      #expect(output.standardOutput == "")
    }

    @Test func `a command whose program isn't built is reported with what builds it`() throws {
      let folder = clone.sandbox.appending(path: "alone \(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let kata = folder.appending(path: "kata")
      try FileManager.default.copyItem(at: Clone.program, to: kata)
      let alone = ChildProcess(kata.path, ["grade", "submissions"], in: clone.root)
      try alone.start()
      #expect(alone.waitForEnd() == .exited(3))
      #expect(
        alone.output
          == "kata: kata-teacher, which does this, isn't built; 'make grade' builds it.\n")
    }

    @Test func `other packages can depend on all references, and on what specs are made of`() throws
    {
      let variables = clone.environment(timeout: 20)
      let dump = ChildProcess(
        Toolchain.find("swift") ?? "swift", ["package", "dump-package"], beside: variables,
        in: clone.root, outputCap: 1 << 20)
      try dump.start()
      #expect(dump.waitForEnd() == .exited(0))
      struct Package: Decodable {
        struct Product: Decodable { let name: String }
        let products: [Product]
      }
      let package = try JSONDecoder().decode(Package.self, from: Data(dump.output.utf8))
      #expect(
        Set(package.products.map(\.name))
          == Set(
            Module.allCases.map(\.rawValue)
              + ["Images", "KataPictures", "KataTesting", "QuiescenceTesting"]))
    }

    /// A program that stands in for one of the machine's, what it says of its version, and what doctor
    /// makes of that.
    @Test(arguments: [
      ("swift", "Swift version 6.2.4 (swift-6.2.4-RELEASE)", 3, "✘ Swift 6.2 is too old; install"),
      (
        // It's no fault; that nothing can be built with what stands in for it, is.
        "swift", "Apple Swift version 7.0 (swiftlang-7.0)", 3,
        "It's newer than any that this was tried"
      ),
      ("make", "GNU Make 3.80", 3, "/make' isn't GNU Make 3.81 or newer; install that."),
      ("make", "usage: make [-BeikNnqrstWwX]", 3, "/make' isn't GNU Make 3.81 or newer"),
    ])
    func `doctor tells a tool that won't do`(
      tool: String, says: String, code: Int32, sentence: String
    ) throws {
      let output = try clone.kata(["doctor"], path: clone.path(with: [tool: "echo '\(says)'"]))
      #expect(output.code == code)
      #expect(output.standardOutput.contains(sentence), "\(output.standardOutput)")
    }

    @Test func `help is printed`() throws {
      let output = try clone.kata("--help")
      #expect(output.code == 0)
      #expect(output.standardOutput.hasPrefix("usage: kata"))
    }

    @Test func `outside a clone the command says so`() throws {
      let output = try clone.kata("list", in: URL(filePath: "/"))
      #expect(output.code == 3)
      #expect(output.standardError.contains("isn't inside a clone"))
    }

    @Test func `the list is there for people and for programs`() throws {
      struct Listed: Decodable {
        let name: String
        let done: Bool
      }
      let output = try clone.kata("list", "--json")
      #expect(try output.decoded([Listed].self).map(\.name) == Catalogue.katas.map(\.name))
      let text = try clone.kata("list").standardOutput
      for kata in Catalogue.katas { #expect(text.contains(kata.name)) }
      #expect(text.contains("0 of \(Catalogue.katas.count) done."))
    }

    @Test func `hints come one at a time`() throws {
      let kata = Catalogue.katas[0]
      for level in 1...4 {
        let text = try clone.kata("hint").standardOutput
        #expect(text.contains("Hint 1 of 3"))
        #expect(text.contains("Hint \(min(level, 3)) of 3"))
        #expect(text.contains("Hint \(level + 1) of 3") == false)
      }
      #expect(ProgressFile(repository: clone.repository).read().progress.hintsShown(for: kata) == 3)
    }

    @Test func `the solution isn't shown before its time, unless asked for`() throws {
      let early = try clone.kata("solution", "SerialLog")
      #expect(early.code == 1)
      #expect(!early.standardOutput.contains("Modules/"))
      let anyway = try clone.kata("solution", "SerialLog", "--yes")
      #expect(anyway.code == 0)
      #expect(anyway.standardOutput.contains("  +   private let queue = DispatchQueue("))
      #expect(anyway.standardOutput.contains("  - Katas/GCDBasics/SerialLog.swift\n"))
      let whole = try clone.kata("solution", "SerialLog", "--yes", "--all")
      #expect(whole.standardOutput.contains("\n    private let queue = DispatchQueue("))
    }

    @Test func `reset restores the stub and keeps the text beside it`() throws {
      let kata = try Catalogue.kata(named: "SerialLog")
      let path = clone.repository.learnerPath(of: kata)
      let stub = try clone.repository.text(path)
      for (number, text) in ["first", "second"].enumerated() {
        try clone.repository.write(text, to: path)
        let output = try clone.kata("reset", "SerialLog")
        #expect(output.code == 0)
        #expect(try clone.repository.text(path) == stub)
        let kept = "Katas/GCDBasics/.discarded/SerialLog-\(number + 1).swift"
        #expect(output.standardOutput.contains(kept))
        #expect(try clone.repository.text(kept) == text)
      }
      try FileManager.default.removeItem(at: clone.repository.url(path))
      #expect(try clone.kata("reset", "SerialLog").code == 0)
      #expect(try clone.repository.text(path) == stub)
    }

    @Test func `a damaged state file is set aside and said`() throws {
      try clone.repository.write("{\"done\": {\"Seri", to: ProgressFile.path)
      let output = try clone.kata("list", "--json")
      #expect(output.code == 0)
      #expect(output.standardError.contains("is damaged; it was set aside as"))
      #expect(output.standardOutput.hasPrefix("["), "A program reads this.")
    }

    @Test func `a kata whose file is gone is answered with the way back`() throws {
      try FileManager.default.removeItem(
        at: clone.root.appending(path: "Katas/GCDBasics/SerialLog.swift"))
      let output = try clone.kata("run", "SerialLog")
      #expect(output.code == 1)
      #expect(output.standardError.contains("make reset KATA=SerialLog"))
    }
  }
}
