import Foundation
import KataTesting
import Testing

@testable import KataAuthor
@testable import KataKit

/// Verdicts by nothing but `swift build` and `swift test`; beside the three of `Lanes.swift`.
@Suite(.serialized, .ownThread, .timeLimit(.minutes(15))) struct PlainWayTests {
  /// One clone, so that what the modules have in common is built once.
  private static let clone = Result<Clone, any Error> {
    atexit { PlainWayTests.removeClone() }
    return try Clone()
  }

  private static func removeClone() {
    guard let clone = try? clone.get() else { return }
    for folder in [clone.root, clone.sandbox] { try? FileManager.default.removeItem(at: folder) }
  }

  private func run(
    _ kata: Kata, answering text: String, _ variables: [String: String]
  ) throws -> Clone.Output {
    let clone = try Self.clone.get()
    try clone.repository.write(text, to: clone.repository.learnerPath(of: kata))
    defer {
      // The module's other katas are built with it.
      try? clone.repository.write(
        clone.repository.text(clone.repository.stubPath(of: kata)),
        to: clone.repository.learnerPath(of: kata))
    }
    let process = ChildProcess(
      Clone.program.path, ["run", kata.name, "--json"],
      environment: variables, beside: clone.environment(timeout: 20), in: clone.root,
      outputCap: 8 << 20)
    try process.start()
    guard case .exited(let code) = process.waitForEnd() else {
      throw KataError("The command was killed.", .environment)
    }
    return Clone.Output(code: code, standardOutput: process.output, standardError: "")
  }

  private func verdict(
    on kata: Kata, answering text: String, _ variables: [String: String] = ["KATA_WAY": "plain"]
  ) throws -> Verdict {
    let output = try run(kata, answering: text, variables)
    let verdicts = try? output.decoded([Verdict].self)
    return try #require(verdicts?.first, "kata run said: \(output.standardOutput)")
  }

  @Test(arguments: Module.allCases)
  func `a reference, a stub and a mistake of each module get their verdicts`(
    module: Module
  ) throws {
    let repository = Repository(root: Clone.source)
    let kata = try #require(
      Catalogue.katas(of: module).first {
        $0.mistakes.contains { $0.verdict == .failed } && $0.minutes <= 20
      })
    let stub = try repository.text(repository.stubPath(of: kata))
    let reference = try repository.referenceAsAnswer(to: kata)
    let mistake = try #require(kata.mistakes.first { $0.verdict == .failed && $0.answer != nil })
    let wrong = try #require(
      try Candidate.all(of: kata, in: repository).first { $0.name == mistake.name })
    let rejected = try verdict(on: kata, answering: wrong.text)
    #expect(rejected.kind == .failed)
    let failing = rejected.tests.filter { $0.status == .failed }.map(\.name)
    #expect(Set(mistake.rejectedBy).isSubset(of: failing))
    #expect(try verdict(on: kata, answering: stub).kind == .notStarted)
    let passed = try verdict(on: kata, answering: reference)
    #expect(passed.kind == .passed, "\(passed.notes) \(passed.firstFailure.map(\.name) ?? "")")
    #expect(passed.tests.count > 1 && passed.tests.allSatisfy { $0.status == .passed })
  }

  @Test func `a crash, a hang, a race and what doesn't compile are verdicts there too`() throws {
    let kata = try Catalogue.kata(named: "SerialLog")
    let repository = Repository(root: Clone.source)
    let reference = try repository.text(repository.referencePath(of: kata))
    func verdict(_ name: String) throws -> Verdict {
      let fault = try #require(Fault.all.first { $0.name == name })
      return try self.verdict(on: kata, answering: fault.answer(basedOn: reference))
    }
    let crashed = try verdict("a trap")
    #expect(crashed.kind == .crashed)
    #expect(crashed.firstFailure?.crash?.contains("Fatal error: out of ideas") == true)
    #expect(try verdict("a deadlock").kind == .hung)
    let racy = try #require(kata.mistakes.first { $0.verdict == .race })
    let text = try #require(
      try Candidate.all(of: kata, in: repository).first { $0.name == racy.name }?.text)
    #expect(try self.verdict(on: kata, answering: text).kind == .race)
    let refused = try self.verdict(on: kata, answering: "let x: Int = \"\"\n")
    #expect(refused.kind == .doesNotCompile)
    #expect(refused.compilerMessages.first?.file.hasSuffix(kata.file) == true)
  }

  @Test func `where the fast way is refused, the plain one gives the verdict, and says so once`()
    throws
  {
    let kata = try Catalogue.kata(named: "SerialLog")
    let repository = Repository(root: Clone.source)
    let stub = try repository.text(repository.stubPath(of: kata))
    let path = try pathToRefusingCompiler()
    let first = try verdict(on: kata, answering: stub, path)
    #expect(first.kind == .notStarted && first.tests.count > 1)
    #expect(first.notes.count == 1)
    for words in ["by 'swift test'", "ld: refused by policy", "make doctor"] {
      #expect(first.notes.first?.contains(words) == true, "\(words)")
    }
    #expect(try verdict(on: kata, answering: stub, path).notes == [], "It's said once.")
    let fast = try run(kata, answering: stub, path.merging(["KATA_WAY": "fast"]) { $1 })
    #expect(fast.code == ExitCode.environment.rawValue)
    #expect(fast.standardOutput.contains("ld: refused by policy"))
    // An answer that neither way compiles is refused as it is, and not by the way.
    let wrong = try verdict(on: kata, answering: "let x: Int = \"\"\n", path)
    #expect(wrong.kind == .doesNotCompile && wrong.notes == [])
  }

  @Test func `doctor tries every way to a verdict, and tells which is refused`() throws {
    let clone = try Self.clone.get()
    let well = try clone.kata(["doctor"], path: clone.path(with: ["make": "echo GNU Make 3.81"]))
    #expect(well.code == 0)
    for sentence in [
      "✔ The fast way to verdicts works.",
      "✔ The plain way to verdicts, by 'swift test' (KATA_WAY=plain), works.",
      "✔ Thread Sanitizer runs with the specs.", "Ready: make kata",
    ] { #expect(well.standardOutput.contains("\(sentence)\n"), "\(well.standardOutput)") }
    let refused = try clone.kata(["doctor"], path: pathToRefusingCompiler()["PATH"])
    #expect(refused.code == 0, "One way is enough.")
    #expect(refused.standardOutput.contains("· The fast way to verdicts is refused:"))
    #expect(refused.standardOutput.contains("ld: refused by policy"))
    #expect(!refused.standardOutput.contains("✔ The fast way to verdicts works."))
  }

  // MARK: - Fixtures

  /// A `PATH` on which the fast way, which calls the compiler itself, finds one that won't do.
  private func pathToRefusingCompiler() throws -> [String: String] {
    let swift = try #require(Toolchain.find("swift"))
    return [
      "PATH": try Self.clone.get().path(with: [
        "swift": "exec '\(swift)' \"$@\"", "swiftc": "echo 'ld: refused by policy' >&2; exit 1",
      ])
    ]
  }
}
