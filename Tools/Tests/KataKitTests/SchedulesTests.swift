import Foundation
import Testing

@testable import KataKit

/// What becomes of a schedule that breaks an answer, on its way to a verdict.
@Suite struct SchedulesTests {
  private let library = URL(filePath: "/answers/libSampleKatas.so")
  private let folder = FileManager.default.temporaryDirectory.appending(
    path: "katas-schedules-\(UUID().uuidString)")

  private func issue(_ message: String) -> TestIssue {
    TestIssue(expectation: "Issue recorded", message: message, file: "/spec.swift", line: 3)
  }

  private func finding(_ message: String, places: [UInt: SourcePlace]) -> ScheduleFinding {
    ScheduleFinding(issue(message), in: library) { offsets in offsets.map { places[$0] } }
  }

  /// A source of three lines, and the place of the second.
  private func withSource(_ body: (SourcePlace) throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "Answer.swift")
    try Data("one\n    if isClosed {\nthree\n".utf8).write(to: file)
    try body(SourcePlace(function: "put", file: file.path, line: 2))
  }

  // MARK: - Places

  @Test func `a place is reported by its line, and none where no line is known`() throws {
    try withSource { place in
      let message = """
          put(1)
          ── held here ──
          ⟨libSampleKatas.so+0x1f⟩
          ── held here ──
          ⟨libSampleKatas.so+0x20⟩
          ⟨libOther.so+0x1f⟩
          put(1) → true
        """
      let told = finding(message, places: [0x1f: place]).issue
      #expect(
        told.message == """
            put(1)
            ── held here ──
            line 2  if isClosed {
            ── held here ──
            ⟨libOther.so+0x1f⟩
            put(1) → true
          """)
      #expect(told.file == "/spec.swift" && told.line == 3)
      #expect(told.heldAt == [TestIssue.Line(file: place.file, line: 2)])
    }
  }

  @Test func `what the compiler has put there is reported by its caller's line`() throws {
    try withSource { place in
      let message = "  ⟨libSampleKatas.so+0x20,0x1f⟩"
      #expect(finding(message, places: [0x1f: place]).issue.message == "  line 2  if isClosed {")
      let own = SourcePlace(function: "take", file: "/gone.swift", line: 9)
      #expect(
        finding(message, places: [0x20: own, 0x1f: place]).issue.message == "  line 9")
    }
  }

  @Test func `code without a line is reported by the next line, or else by the one before`() throws
  {
    /// The lines of a function from 400 to 799: 3 from 500 on, none from 600 on, 4 from 700 on.
    func place(of offset: UInt) -> SourcePlace? {
      Toolchain.places(of: [offset], files: ["Answer.swift"]) { addresses in
        addresses.map { address in
          let line = (500..<600).contains(address) ? 3 : (700..<800).contains(address) ? 4 : 0
          return SourcePlace(
            function: (400..<800).contains(address) ? "put" : "other",
            file: (720..<740).contains(address) ? "Library.swift" : "Answer.swift",
            line: (400..<800).contains(address) ? line : 9)
        }
      }[0]
    }
    #expect(place(of: 510)?.line == 3)
    #expect(place(of: 680)?.line == 4)
    #expect(place(of: 680)?.isBefore == false)
    #expect(place(of: 650)?.line == 3)
    #expect(place(of: 650)?.isBefore == true)
    // Before the function's first line.
    #expect(place(of: 410) == nil)
    #expect(place(of: 721)?.line == 4)
    #expect(place(of: 730)?.file == "Answer.swift")

    try withSource { place in
      var before = place
      before.isBefore = true
      let message = finding("  ⟨libSampleKatas.so+0x1f⟩", places: [0x1f: before]).issue.message
      #expect(message == "  after line 2  if isClosed {")
    }
  }

  @Test func `what another test says stays as it is`() {
    let message = "It must wait.\n\n  a ├── b"
    #expect(finding(message, places: [:]).issue == issue(message))
    #expect(finding(message, places: [:]).race(answer: []) == nil)
  }

  // MARK: - Races

  @Test func `a race is reported with both of its places`() throws {
    try withSource { place in
      let message = """
        Race: nothing kept two threads apart.
        write  ⟨libSampleKatas.so+0x1f⟩
        read  ⟨libSampleKatas.so+0x30⟩

          thread 1
          put(1)
        """
      let finding = finding(message, places: [0x1f: place])
      let race = try #require(finding.race(answer: [place.file]))
      #expect(race.accesses.map(\.word) == ["write", "read"])
      #expect(race.accesses[0].place?.line == 2)
      #expect(race.accesses[0].place?.isLearners == true)
      #expect(race.accesses[1].place == nil)
      var before = place
      before.isBefore = true
      let guessed = self.finding(message, places: [0x1f: before]).race(answer: [])
      #expect(guessed?.accesses.map(\.word) == ["write after", "read"])
      #expect(finding.issue.sentence.hasPrefix("Nothing kept two threads apart."))
      #expect(!finding.issue.message.contains("⟨"))

      var run = Fixtures.run(beta: .failed)
      run.tests[1].issues = [finding.issue]
      run.races = [race]
      run.schedules = 12
      let verdict = Judge.verdict(Fixtures.kata, run)
      #expect(verdict.kind == .race)
      #expect(verdict.race?.accesses.count == 2)
      #expect(verdict.schedules == 12)
    }
  }

  // MARK: - Several processes

  @Test func `what the first of several processes finds counts, and all their schedules`() {
    var parts = ScheduleParts(after: Fixtures.run(beta: .notReached, gamma: .failed))
    func isFirst(_ run: SpecRun) -> Bool { parts.isFirstToFindSomething(run) }
    var stopped = Fixtures.run(beta: .notReached, gamma: .failed)
    stopped.wasStopped = true
    let nothing = [Fixtures.run(), Fixtures.run(gamma: .failed), stopped].map(isFirst)
    #expect(nothing == [false, false, false] && parts.broken == nil)
    let something = [Fixtures.run(beta: .failed, gamma: .failed), Fixtures.run(alpha: .hung)]
    #expect(something.map(isFirst) == [true, false])
    #expect(parts.broken?.firstFailure?.name == "beta")
    (parts.schedules[0], parts.schedules[3]) = (5, 7)
    #expect(parts.sumOfSchedules == 12)
  }

  // MARK: - How long

  @Test func `KATA_SCHEDULES is a number of seconds, or nothing, or a sentence`() throws {
    #expect(try SpecRunner.secondsToExplore(chosenBy: nil) == 1.5)
    #expect(try SpecRunner.secondsToExplore(chosenBy: "") == 1.5)
    #expect(try SpecRunner.secondsToExplore(chosenBy: "0") == 0)
    #expect(try SpecRunner.secondsToExplore(chosenBy: "10.5") == 10.5)
    for wrong in ["no", "-1", "inf", "nan", "2 s"] {
      #expect {
        try SpecRunner.secondsToExplore(chosenBy: wrong)
      } throws: { error in
        (error as? KataError)?.exitCode == .usage
          && "\(error)".contains("KATA_SCHEDULES is '\(wrong)'")
      }
    }
  }
}
