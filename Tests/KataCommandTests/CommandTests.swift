import Foundation
import KataTesting
import Testing

@testable import KataKit

/// The built command, without anything to build for it.
@Suite(.serialized, .kata, .enabled(if: isMakeTest, "part of 'make test'")) struct CommandTests {
  private let clone: Clone

  init() throws {
    clone = try Clone.untouched()
  }

  @Test(arguments: ["run", "hint", "watch", "solution", "reset", "verify"])
  func `an unknown kata is answered with the nearest name`(command: String) throws {
    let output = try clone.kata(command, "PhotoStor")
    #expect(output.code == 2)
    #expect(output.standardError.hasPrefix("kata: There is no kata"))
    #expect(output.standardError.hasSuffix("did you mean PhotoStore?\n"))
    #expect(output.standardOutput == "")
  }

  @Test func `a command whose program isn't built is told with what builds it`() throws {
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

  @Test func `other packages can depend on all references, and on what specs are made of`() throws {
    let variables = clone.environment(patience: 20)
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
        == Set(Module.allCases.map(\.rawValue) + ["QuiescenceTesting"]))
  }

  /// A program that stands in for one of the machine's, what it says of its version, and what doctor
  /// makes of that.
  @Test(arguments: [
    ("swift", "Swift version 6.2.4 (swift-6.2.4-RELEASE)", 3, "✘ Swift 6.2 is too old; install"),
    (
      "swift", "Apple Swift version 7.0 (swiftlang-7.0)", 0,
      "It's newer than any that this was tried"
    ),
    ("make", "GNU Make 3.80", 3, "/make' isn't GNU Make 3.81 or newer; install that."),
    ("make", "GNU Make 3.81", 0, "✔ This folder can be written."),
    ("make", "usage: make [-BeikNnqrstWwX]", 3, "/make' isn't GNU Make 3.81 or newer"),
  ])
  func `doctor tells a tool that won't do`(
    tool: String, says: String, code: Int32, sentence: String
  ) throws {
    let folder = clone.sandbox.appending(path: "tools \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let program = folder.appending(path: tool).path
    try Data("#!/bin/sh\necho '\(says)'\n".utf8).write(to: URL(filePath: program))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let output = try clone.kata(["doctor"], path: "\(folder.path):\(path)")
    #expect(output.code == code)
    #expect(output.standardOutput.contains(sentence), "\(output.standardOutput)")
  }

  @Test(arguments: [
    (["runn"], "kata: There is no command 'runn'; 'kata help' shows them all.\n"),
    (["run", "--jsno"], "kata: There is no option '--jsno'; 'kata help' shows them all.\n"),
    (["run", "a", "b"], "kata: 'b' is one word too many; name one kata at a time.\n"),
    (
      ["hint", "--json"],
      "kata: --json goes with run, list, verify, mutate and soak, not with hint.\n"
    ),
    (
      ["verify", "--stress", "0"],
      "kata: --stress takes a whole number from 1 up: 'kata verify --stress 20'.\n"
    ),
    (["run", "--diagnosis"], "kata: --diagnosis goes with verify, not with run.\n"),
    (["verify", "--replay"], "kata: --replay goes with 'verify --diagnosis'.\n"),
    (["reset"], "kata: Which kata? Name it: 'make reset KATA=PhotoStore'.\n"),
  ])
  func `a command line that makes no sense gets one sentence`(
    arguments: [String], sentence: String
  ) throws {
    let words = arguments + ["", "", ""]
    let output =
      switch arguments.count {
      case 1: try clone.kata(words[0])
      case 2: try clone.kata(words[0], words[1])
      default: try clone.kata(words[0], words[1], words[2])
      }
    #expect(output.code == 2)
    #expect(output.standardError == sentence)
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
    let clone = try Clone()
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
    #expect(!early.standardOutput.contains("@@"))
    let anyway = try clone.kata("solution", "SerialLog", "--yes")
    #expect(anyway.code == 0)
    #expect(anyway.standardOutput.contains("+  private let queue = DispatchQueue("))
  }

  @Test func `reset restores the stub and keeps the text beside it`() throws {
    let clone = try Clone()
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
    let clone = try Clone()
    try clone.repository.write("{\"done\": {\"Seri", to: ProgressFile.path)
    let output = try clone.kata("list", "--json")
    #expect(output.code == 0)
    #expect(output.standardError.contains("is damaged; it was set aside as"))
    #expect(output.standardOutput.hasPrefix("["), "A program reads this.")
  }

  @Test func `a kata whose file is gone is answered with the way back`() throws {
    let clone = try Clone()
    try FileManager.default.removeItem(
      at: clone.root.appending(path: "Katas/GCDBasics/SerialLog.swift"))
    let output = try clone.kata("run", "SerialLog")
    #expect(output.code == 1)
    #expect(output.standardError.contains("make reset KATA=SerialLog"))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `an interrupted command ends with the signal's code`(signal: Int32) throws {
    let clone = try Clone()
    let output = try clone.kata("verify", "SerialLog", interruptedBy: signal)
    #expect(output.code == 128 + signal)
    #expect(output.standardOutput.hasPrefix("Building"))
    #expect(output.standardError == "")
  }
}
