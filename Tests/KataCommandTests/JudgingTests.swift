import Foundation
import KataTesting
import Testing

@testable import KataKit

/// The built command judges answers to SerialLog that go wrong in every way there is.
@Suite(.serialized, .kata, .enabled(if: isMakeTest, "part of 'make test'")) final class JudgingTests
{
  // One clone for all, so that the first build is made once.
  private static let shared = Result { try Clone() }
  private let clone: Clone
  private let kata: Kata
  private let reference: String

  init() throws {
    clone = try Self.shared.get()
    kata = try Catalogue.kata(named: "SerialLog")
    reference = try clone.house.text(clone.house.referencePath(of: kata))
  }

  @Test func `the stub isn't started`() throws {
    let stub = try clone.house.text(clone.house.stubPath(of: kata))
    let verdict = try clone.verdict(on: "SerialLog", answering: stub)
    #expect(verdict.kind == .notStarted)
    #expect(verdict.firstFailure?.name == "entries stand in the order of appending")
    #expect(verdict.firstFailure?.issues.first?.message.contains("submit the work") == true)
  }

  @Test func `the reference passes`() throws {
    let verdict = try clone.verdict(on: "SerialLog", answering: reference)
    #expect(verdict.kind == .passed)
    #expect(verdict.notes.isEmpty)
    #expect(ProgressFile(house: clone.house).read().progress.isDone(kata))
  }

  @Test func `a wrong answer fails, with its picture and what it looks like`() throws {
    let verdict = try judge(replacing: "queue.async", with: "queue.sync")
    #expect(verdict.kind == .failed)
    #expect(verdict.firstFailure?.name == "append returns while a message is being formatted")
    #expect(verdict.firstFailure?.issues.first?.message.contains("├──") == true)
    #expect(verdict.looksLike == ["append with sync", "a lock instead of a queue"])
  }

  @Test func `what doesn't compile is told by the compiler's message and line`() throws {
    let verdict = try judge(replacing: "queue.sync { lines }", with: "quue.sync { lines }")
    #expect(verdict.kind == .doesNotCompile)
    #expect(verdict.compilerMessages.first?.message == "cannot find 'quue' in scope")
    #expect(
      verdict.compilerMessages.first?.file.hasSuffix("Katas/GCDBasics/SerialLog.swift") == true)
    #expect(verdict.tests.isEmpty)
  }

  @Test func `an answer without the public names is told from one with an error`() throws {
    let verdict = try judge(replacing: "public func append(", with: "public func add(")
    #expect(verdict.kind == .doesNotCompile)
    #expect(verdict.notes.first?.contains("isn't what the stub had") == true)
  }

  @Test func `a file beside it that doesn't compile is named`() throws {
    try clone.house.write("let broken = ", to: "Katas/GCDBasics/Notes.swift")
    defer {
      try? FileManager.default.removeItem(at: clone.house.url("Katas/GCDBasics/Notes.swift"))
    }
    try clone.house.write(reference, to: clone.house.learnerPath(of: kata))
    let output = try clone.kata("run", "SerialLog")
    #expect(output.code == 1)
    #expect(
      output.standardError.contains(
        "Katas/GCDBasics/Notes.swift doesn't compile, and SerialLog is built with it"))
  }

  @Test func `a race is found though the spec passes`() throws {
    let race = try #require(kata.mistakes.first { $0.verdict == .race })
    let candidates = try Candidate.all(of: kata, in: clone.house)
    let text = try #require(candidates.first { $0.name == race.name }).text
    let verdict = try clone.verdict(on: "SerialLog", answering: text)
    #expect(verdict.kind == .race)
    #expect(verdict.tests.allSatisfy { $0.status == .passed })
    let files = verdict.race?.accesses.flatMap(\.frames).map(\.file) ?? []
    #expect(files.contains { $0.hasSuffix("Katas/GCDBasics/SerialLog.swift") })
  }

  @Test(arguments: [
    ("an endless loop", "while true {}", Verdict.Kind.hung, "never returned within"),
    (
      "a deadlock", "DispatchSemaphore(value: 0).wait()", .hung, "never returned: every thread"
    ),
    ("a trap", "fatalError(\"out of ideas\")", .crashed, "Fatal error: out of ideas"),
    ("an exit", "exit(0)", .crashed, "exit code 0"),
    ("an abort", "abort()", .crashed, "SIGABRT"),
    ("a nested sync", "queue.sync { queue.sync {} }", .crashed, "brought down by"),
    ("a kill", "kill(getpid(), SIGKILL)", .crashed, "SIGKILL"),
  ])
  func `whatever happens, a verdict names the test`(
    what: String, statement: String, kind: Verdict.Kind, says: String
  ) throws {
    // Only the wait for an endless loop lasts as long as patience does.
    let verdict = try judge(
      replacing: "queue.async {", with: "\(statement)\n    queue.async {",
      patience: what == "an endless loop" ? 2 : 20)
    #expect(verdict.kind == kind, "\(what)")
    let test = try #require(verdict.firstFailure)
    #expect(test.name == "entries stand in the order of appending")
    let said = (test.crash ?? "") + test.issues.map(\.message).joined()
    #expect(said.contains(says), "\(what) said: \(said)")
    #expect(!verdict.tests.contains { $0.status == .passed })
  }

  @Test func `a report says what the verdict says`() throws {
    let wrong = reference.replacing("queue.async", with: "queue.sync")
    try clone.house.write(wrong, to: clone.house.learnerPath(of: kata))
    let json = try clone.kata("report", "SerialLog")
    #expect(json.code == 1)
    let report = try #require(try json.decoded(Report.self).katas.first)
    #expect(report.verdict == .failed)
    #expect(report.looksLike.map(\.mistake) == ["append with sync", "a lock instead of a queue"])
    #expect(!json.standardOutput.contains(clone.root.path))
    let results = try clone.kata("report", "SerialLog", "--format", "exercism")
      .decoded(ExercismResults.self)
    #expect(results.status == .fail)
    #expect(results.tests.map(\.name) == report.tests.map(\.name))
    #expect(results.tests.allSatisfy { $0.testCode?.contains("log") == true })

    try clone.house.write(reference, to: clone.house.learnerPath(of: kata))
    let junit = try clone.kata("report", "SerialLog", "--format", "junit")
    #expect(junit.code == 0)
    #expect(junit.standardOutput.contains(" failures=\"0\" errors=\"0\" skipped=\"0\""))
    #expect(junit.standardOutput.contains("name=\"verdict\" value=\"passed\""))
  }

  @Test func `a flood of output does no harm`() throws {
    let verdict = try judge(
      replacing: "queue.async {",
      with: """
        if message == "one" {
              for line in 0..<1_000_000 { print("line", line, "of a flood that nobody asked for") }
            }
            queue.async {
        """)
    // On a slow machine printing may take longer than the spec is patient; the flood is contained
    // all the same.
    #expect([.passed, .hung].contains(verdict.kind))
  }

  @Test func `a process left behind is ended with the run`() throws {
    let verdict = try judge(
      replacing: "queue.async {",
      with: """
        if message == "one" {
              let child = Process()
              child.executableURL = URL(filePath: "/bin/sh")
              child.arguments = ["-c", "echo $$ > \\"\(clone.root.path)/child\\"; exec sleep 1000"]
              try? child.run()
              while !FileManager.default.fileExists(atPath: "\(clone.root.path)/child") {}
            }
            queue.async {
        """)
    #expect(verdict.kind == .passed)
    let text = try String(contentsOf: clone.root.appending(path: "child"), encoding: .utf8)
    let child = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(hasEnded(child), "Process \(child) still runs.")
    kill(child, SIGKILL)
  }

  /// The verdict on the reference with one change.
  private func judge(
    replacing text: String, with replacement: String, patience: Int = 20
  ) throws -> Verdict {
    try #require(reference.contains(text))
    return try clone.verdict(
      on: "SerialLog",
      answering: reference.replacing(text, with: replacement)
        .replacing("import Dispatch", with: "import Dispatch\nimport Foundation"),
      patience: patience)
  }
}
