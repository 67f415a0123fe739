import Foundation
import Testing

@testable import KataAuthor
@testable import KataKit
@testable import KataTeacher

extension SharedCloneTests {
  /// The built command judges answers to SerialLog, one for each verdict.
  @Suite struct JudgingTests {
    private let clone: Clone
    private let kata: Kata
    private let reference: String

    init() throws {
      clone = try Clone.shared()
      kata = try Catalogue.kata(named: "SerialLog")
      reference = try clone.repository.text(clone.repository.referencePath(of: kata))
    }

    @Test func `the stub isn't started`() throws {
      let stub = try clone.repository.text(clone.repository.stubPath(of: kata))
      let verdict = try clone.verdict(on: "SerialLog", answering: stub)
      #expect(verdict.kind == .notStarted)
      #expect(verdict.firstFailure?.name == "entries stand in the order of appending")
      #expect(verdict.firstFailure?.issues.first?.message.contains("submit the work") == true)
    }

    @Test func `the reference passes`() throws {
      let verdict = try clone.verdict(on: "SerialLog", answering: reference)
      #expect(verdict.kind == .passed)
      #expect(verdict.notes.isEmpty)
      #expect(ProgressFile(repository: clone.repository).read().progress.isDone(kata))
    }

    @Test func `a wrong answer fails, with its picture and what it looks like`() throws {
      let verdict = try judge(replacing: "queue.async", with: "queue.sync")
      #expect(verdict.kind == .failed)
      #expect(verdict.firstFailure?.name == "messages are formatted even if entries is never read")
      #expect(verdict.tests.flatMap(\.issues).contains { $0.message.contains("├──") })
      #expect(verdict.looksLike == ["append with sync"])
      let forgetful = try judge(
        replacing: "{ [self] in lines.append(format(message)) }",
        with: "{ [weak self] in if let self { lines.append(format(message)) } }")
      #expect(forgetful.looksLike == ["loses what waits when the log is released"])
    }

    @Test
    func
      `what an answer prints is reported with its test, even ten thousand lines and a crash`()
      throws
    {
      let chatty = """
        if message == "two" {
              for number in 1...10_000 { print("line", number) }
              fatalError("dry")
            }
            queue.async
        """
      let crashed = try judge(replacing: "queue.async", with: chatty)
      #expect(crashed.kind == .crashed)
      let test = try #require(crashed.firstFailure)
      #expect(test.crash?.contains("Fatal error: dry") == true)
      let lines = try #require(test.printed).components(separatedBy: "\n")
      #expect(lines.first == "line 1" && lines.contains("line 10000"))
      #expect(lines.contains { $0.hasPrefix("… 998") })

      let right = try judge(replacing: "queue.async", with: "print(message); queue.async")
      #expect(right.kind == .passed)
      #expect(right.tests[0].printed == "one\ntwo\nthree")
    }

    @Test func `all failures are printed where all are asked for`() throws {
      let wrong = reference.replacing("queue.async", with: "queue.sync")
      try clone.repository.write(wrong, to: clone.repository.learnerPath(of: kata))
      let failing = try judge(replacing: "queue.async", with: "queue.sync").tests.failing
      try #require(failing.count > 1)
      let places = failing.compactMap { $0.issues.first?.line.map { "swift:\($0)" } }
      let all = try clone.kata("run", "SerialLog", "--all").standardOutput
      #expect(places.allSatisfy(all.contains))
      let first = try clone.kata("run", "SerialLog").standardOutput
      #expect(first.contains(places[0]) && !first.contains(places[places.count - 1]))
      #expect(first.replacing("\n", with: " ").contains("ALL=1' shows every failure."))
    }

    @Test func `a report says what the verdict says`() throws {
      let wrong = reference.replacing(
        "{ [self] in lines.append(format(message)) }",
        with: "{ [weak self] in if let self { lines.append(format(message)) } }")
      try clone.repository.write(wrong, to: clone.repository.learnerPath(of: kata))
      let json = try clone.kata("report", "SerialLog")
      #expect(json.code == 1)
      let report = try #require(try json.decoded(Report.self).katas.first)
      #expect(report.verdict == .failed)
      #expect(report.looksLike.map(\.mistake) == ["loses what waits when the log is released"])
      #expect(!json.standardOutput.contains(clone.root.path))
      let results = try clone.kata("report", "SerialLog", "--format", "exercism")
        .decoded(ExercismResults.self)
      #expect(results.status == .fail)
      #expect(results.tests.map(\.name) == report.tests.map(\.name))
      #expect(results.tests.allSatisfy { $0.testCode?.contains("log") == true })

      try clone.repository.write(reference, to: clone.repository.learnerPath(of: kata))
      let junit = try clone.kata("report", "SerialLog", "--format", "junit")
      #expect(junit.code == 0)
      #expect(junit.standardOutput.contains(" failures=\"0\" errors=\"0\" skipped=\"0\""))
      #expect(junit.standardOutput.contains("name=\"verdict\" value=\"passed\""))
    }

    @Test func `what doesn't compile is reported by the compiler's message and line`() throws {
      let verdict = try judge(replacing: "queue.sync { lines }", with: "quue.sync { lines }")
      #expect(verdict.kind == .doesNotCompile)
      #expect(verdict.compilerMessages.first?.message == "cannot find 'quue' in scope")
      #expect(
        verdict.compilerMessages.first?.file.hasSuffix("Katas/GCDBasics/SerialLog.swift") == true)
      #expect(verdict.tests.isEmpty)
    }

    @Test func `an answer without the public names is reported from one with an error`() throws {
      let verdict = try judge(replacing: "public func append(", with: "public func add(")
      #expect(verdict.kind == .doesNotCompile)
      #expect(verdict.notes.first?.contains("differs from the stub's") == true)
    }

    @Test func `a neighbour's half-done file doesn't matter`() throws {
      let neighbour = try Catalogue.kata(named: "BackgroundWork")
      let path = clone.repository.learnerPath(of: neighbour)
      let before = try clone.repository.text(path)
      defer { try? clone.repository.write(before, to: path) }
      try clone.repository.write("public struct BackgroundWork { let half = ", to: path)
      #expect(try clone.verdict(on: "SerialLog", answering: reference).kind == .passed)
      let half = try clone.kata("run", neighbour.name, "--json").decoded([Verdict].self)
      #expect(half.map(\.kind) == [.doesNotCompile])
    }

    @Test func `a file that is gone keeps no other kata from being judged`() throws {
      let gone = try Catalogue.kata(named: "BackgroundWork")
      let path = clone.repository.learnerPath(of: gone)
      try FileManager.default.removeItem(at: clone.repository.url(path))
      defer { clone.restore(path) }
      let output = try clone.kata("run", "GCDBasics")
      #expect(output.code == 1)
      #expect(output.standardError.contains("BackgroundWork · \(path) is gone"))
      #expect(output.standardOutput.contains("SerialLog · "))
    }

    @Test func `a text that isn't UTF-8 loses no work`() throws {
      let path = clone.repository.learnerPath(of: kata)
      let latin =
        Data("// f\u{fc}r\n".unicodeScalars.map { UInt8($0.value) }) + Data(reference.utf8)
      try clone.repository.write(latin, to: path)
      let output = try clone.kata("run", kata.name)
      #expect(output.code == 1)
      #expect(output.standardError.contains("\(path) isn't UTF-8 text; save it as UTF-8"))
      #expect(!output.standardError.contains("git"))
      #expect(FileManager.default.contents(atPath: clone.repository.url(path).path) == latin)
    }

    @Test func `the word Mutex forgives nothing`() throws {
      let race = try #require(kata.mistakes.first { $0.verdict == .race })
      let candidates = try Candidate.all(of: kata, in: clone.repository)
      let text = try #require(candidates.first { $0.name == race.name }).text
      let verdict = try clone.verdict(on: "SerialLog", answering: "// Not a Mutex.\n" + text)
      #expect(verdict.kind == .race)
    }

    @Test func `an answer that shows more than its stub is judged by a compiler's word`() throws {
      // Another initializer would do for a caller, and isn't the one that the specs were built with.
      let text = reference.replacing(
        "public init(format:", with: "public init(capacity: Int = 100, format:")
      try #require(text != reference)
      #expect(try clone.verdict(on: "SerialLog", answering: text).kind == .passed)
    }

    @Test func `a file beside it that doesn't compile is named`() throws {
      try clone.repository.write("let broken = ", to: "Katas/GCDBasics/Notes.swift")
      defer {
        try? FileManager.default.removeItem(at: clone.repository.url("Katas/GCDBasics/Notes.swift"))
      }
      let path = clone.repository.learnerPath(of: kata)
      // A class that doesn't need it isn't affected by it.
      #expect(try clone.verdict(on: "SerialLog", answering: reference).kind == .passed)
      try clone.repository.write(reference + "\nlet needed = broken\n", to: path)
      let output = try clone.kata("run", "SerialLog")
      #expect(output.code == 1)
      #expect(
        output.standardError.contains(
          "Katas/GCDBasics/Notes.swift doesn't compile, and SerialLog is built with it"))
    }

    @Test func `a race is found though the spec passes`() throws {
      let race = try #require(kata.mistakes.first { $0.verdict == .race })
      let candidates = try Candidate.all(of: kata, in: clone.repository)
      let text = try #require(candidates.first { $0.name == race.name }).text
      let verdict = try clone.verdict(on: "SerialLog", answering: text)
      #expect(verdict.kind == .race)
      #expect(verdict.tests.allSatisfy { $0.status == .passed })
      let files = verdict.race?.accesses.flatMap(\.frames).map(\.file) ?? []
      #expect(files.contains { $0.hasSuffix("Katas/GCDBasics/SerialLog.swift") })
    }

    /// The verdict on the reference with one change.
    private func judge(
      replacing text: String, with replacement: String
    ) throws -> Verdict {
      try #require(reference.contains(text))
      return try clone.verdict(
        on: "SerialLog", answering: reference.replacing(text, with: replacement))
    }
  }
}
