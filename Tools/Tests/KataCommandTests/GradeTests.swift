import Foundation
import Testing

@testable import KataAuthor
@testable import KataKit
@testable import KataTeacher

extension SharedCloneTests {
  /// The built command grades submissions, among them some that do their worst.
  @Suite struct GradeTests {
    private let clone: Clone
    private let serialLog: Kata
    private let backgroundWork: Kata

    init() throws {
      clone = try Clone.shared()
      serialLog = try Catalogue.kata(named: "SerialLog")
      backgroundWork = try Catalogue.kata(named: "BackgroundWork")
    }

    /// What answers to SerialLog do to themselves, and what comes of them.
    private static let faults =
      Fault.all.filter {
        [
          "a deadlock", "a trap", "a kill of its group", "a child of its own session",
          "10 GB of memory", "a gigabyte of output",
          "deleting the library it runs from", "deleting the library it runs from, and a trap",
        ].contains($0.name)
      } + [
        Fault(
          "deleting its own file", "unlink(#filePath)", .passed, says: "SerialLog.swift was deleted"
        ),
        Fault("deleting the specs", "remove(3, \"Tests\")", .passed),
      ]

    private static let remove = """

      /// Removes what lies so many folders above this file.
      private func remove(_ steps: Int, _ path: String) {
        var folder = URL(filePath: #filePath)
        for _ in 0..<steps { folder.deleteLastPathComponent() }
        try? FileManager.default.removeItem(at: folder.appending(path: path))
      }

      """

    private func reference(_ kata: Kata) throws -> String {
      try clone.repository.text(clone.repository.referencePath(of: kata))
    }

    /// A folder for submissions, outside the clone.
    private func folder() -> URL { clone.sandbox.appending(path: "handed in \(UUID().uuidString)") }

    private func hand(in text: String, _ kata: Kata, by name: String, to folder: URL) throws {
      try Repository(root: folder).write(text, to: "\(name)/\(kata.file)")
    }

    private func grade(_ folder: URL, _ options: String..., timeout: Int = 60) throws -> (
      output: Clone.Output, katas: [String: [String: GradedKata]]
    ) {
      let results = folder.path + " results"
      let output = try clone.kata(
        ["grade", folder.path, "--kata", "GCDBasics", "--output", results] + options,
        timeout: timeout)
      return (output, try read(results))
    }

    /// The katas by participant and name.
    private func read(_ results: String) throws -> [String: [String: GradedKata]] {
      let report = try JSONDecoder().decode(
        GradeReport.self, from: Data(contentsOf: URL(filePath: "\(results)/results.json")))
      return Dictionary(
        uniqueKeysWithValues: report.submissions.map { submission in
          (
            submission.participant,
            Dictionary(uniqueKeysWithValues: submission.katas.map { ($0.kata, $0) })
          )
        })
    }

    /// All that no submission may touch, with its text.
    private var untouchable: [String: String] {
      get throws {
        let paths = try ["Katas", "Modules", "Tests", "Tools"].flatMap(clone.repository.swiftFiles)
        return Dictionary(
          uniqueKeysWithValues: try paths.map { ($0, try clone.repository.text($0)) })
      }
    }

    @Test func `whatever a submission does, it costs only itself`() throws {
      try expectHarmless(Self.faults)
    }

    @Test func `a submission that deletes all that it runs in costs only itself`() throws {
      try expectHarmless([
        Fault(
          "deleting its folder", "remove(3, \"\")", .passed, says: "SerialLog.swift was deleted")
      ])
    }

    /// Expects that submissions with these faults get their verdicts, and good ones theirs.
    private func expectHarmless(_ faults: [Fault]) throws {
      let folder = folder()
      for fault in faults {
        let text = try fault.answer(basedOn: reference(serialLog)) + Self.remove
        try hand(in: text, serialLog, by: fault.name, to: folder)
        try hand(in: reference(backgroundWork), backgroundWork, by: fault.name, to: folder)
      }
      for name in ["a good one", "the good one at the end"] {
        try hand(in: reference(serialLog), serialLog, by: name, to: folder)
        try hand(in: reference(backgroundWork), backgroundWork, by: name, to: folder)
      }
      let before = try untouchable
      let (output, katas) = try grade(folder)
      #expect(output.code == 0, "It said: \(output.standardError)")
      #expect(katas.count == faults.count + 2)
      for (name, found) in katas {
        #expect(found["BackgroundWork"]?.verdict == .passed, "\(name)")
        #expect(found["BackgroundWork"]?.racesChecked == true, "\(name)")
        #expect(found["BackgroundWork"]?.notes == [], "\(name)")
        guard name.contains("good one") else { continue }
        #expect(found["SerialLog"]?.verdict == .passed, "\(name)")
        #expect(found["SerialLog"]?.notes == [], "\(name)")
        #expect(found["Lazily"]?.verdict == .missing)
      }
      for fault in faults {
        let found = katas[fault.name]?["SerialLog"]
        #expect(found?.verdict.rawValue == fault.verdict.rawValue, "\(fault.name)")
        let said = ([found?.message].compactMap { $0 } + (found?.notes ?? []))
          .joined(separator: "\n")
        #expect(fault.says.isEmpty || said.contains(fault.says), "\(fault.name) said: \(said)")
      }
      #expect(try untouchable == before)
      try clone.expectNothingLeft()
      let text = try String(contentsOfFile: "\(folder.path) results/results.json", encoding: .utf8)
      #expect(!text.contains(clone.root.path), "Results name no folder of this machine.")
    }

    @Test func `an answer that doesn't compile is named, and the others are judged`() throws {
      let folder = folder()
      let race = try #require(serialLog.mistakes.first { $0.verdict == .race })
      let racing = try #require(
        try Candidate.all(of: serialLog, in: clone.repository).first { $0.name == race.name }
      ).text
      let wrong = try reference(serialLog).replacing(
        "{ [self] in lines.append(format(message)) }",
        with: "{ [weak self] in if let self { lines.append(format(message)) } }")
      let broken = try reference(backgroundWork) + "\nlet broken: Int = \"no\"\n"
      for name in ["racing", "wrong"] {
        try hand(in: name == "wrong" ? wrong : racing, serialLog, by: name, to: folder)
        try hand(in: broken, backgroundWork, by: name, to: folder)
      }
      let (output, katas) = try grade(folder)
      #expect(output.code == 0)
      for name in ["racing", "wrong"] {
        let found = katas[name]?["BackgroundWork"]
        #expect(found?.verdict == .doesNotCompile)
        #expect(found?.compilerMessages.first?.file == "Katas/GCDBasics/BackgroundWork.swift")
        #expect(found?.message?.contains("cannot convert value of type 'String'") == true)
      }
      #expect(katas["racing"]?["SerialLog"]?.verdict == .race)
      let places = katas["racing"]?["SerialLog"]?.race.map(\.file) ?? []
      #expect(places.contains("Katas/GCDBasics/SerialLog.swift"))
      let found = katas["wrong"]?["SerialLog"]
      #expect(found?.verdict == .failed)
      #expect(found?.failingTest == "messages are formatted even if the log is released")
      #expect(found?.looksLike.map(\.mistake).first == "loses what waits when the log is released")

      let hasty = try grade(folder, "--no-races").katas
      #expect(hasty["racing"]?["SerialLog"]?.verdict == .passed)
      #expect(hasty["racing"]?["SerialLog"]?.racesChecked == false)
    }

    @Test func `a result is worth nothing once something else judges`() throws {
      let folder = folder()
      try hand(in: reference(serialLog), serialLog, by: "a", to: folder)
      let arguments = [
        "grade", folder.path, "--kata", "SerialLog", "--no-races", "--output",
        folder.path + " results",
      ]
      func isJudgedAnew(timeout: Int = 20) throws -> Bool {
        let output = try clone.kata(arguments, timeout: timeout)
        #expect(output.code == 0)
        return !output.standardError.contains("1 of 1 were judged before.")
      }
      #expect(try isJudgedAnew())
      #expect(try !isJudgedAnew())
      #expect(try isJudgedAnew(timeout: 21), "More timeout may end otherwise.")
      let patterns = PatternBook.path(of: serialLog)
      let before = try clone.repository.text(patterns)
      try clone.repository.write(before + " ", to: patterns)
      defer { try? clone.repository.write(before, to: patterns) }
      #expect(try isJudgedAnew(timeout: 21), "What it looks like may be different now.")
    }

    @Test(arguments: [SIGINT, SIGKILL])
    func `grading that was interrupted goes on where it was`(signal: Int32) throws {
      let folder = folder()
      let names = ["a", "b", "c"]
      for name in names { try hand(in: reference(serialLog), serialLog, by: name, to: folder) }
      // It has no end of its own, so there is always something to interrupt.
      let endless = try reference(serialLog)
        .replacing("queue.async {", with: "while true {}\n    queue.async {")
      try hand(in: endless, serialLog, by: "b", to: folder)
      let results = folder.path + " results"
      let arguments = ["grade", folder.path, "--kata", "SerialLog", "--output", results]
      let first = "\(results)/submissions/a.json"
      let run = try clone.start(arguments, timeout: 300)
      while run.process.isRunning, !FileManager.default.fileExists(atPath: first) { usleep(2_000) }
      run.interrupt(by: signal)
      run.process.waitUntilExit()
      #expect(run.process.terminationStatus == (signal == SIGINT ? 128 + SIGINT : SIGKILL))
      let before = try String(contentsOfFile: first, encoding: .utf8)

      try hand(in: reference(serialLog), serialLog, by: "b", to: folder)
      let again = try clone.kata(arguments, timeout: 300)
      #expect(again.code == 0)
      #expect(again.standardError.contains(" of 3 were judged before."))
      #expect(try String(contentsOfFile: first, encoding: .utf8) == before)
      #expect(try read(results).values.allSatisfy { $0["SerialLog"]?.verdict == .passed })

      let wrong = try reference(serialLog).replacing("queue.async", with: "queue.sync")
      try hand(in: wrong, serialLog, by: "b", to: folder)
      let changed = try clone.kata(arguments, timeout: 300)
      #expect(changed.standardError.contains("2 of 3 were judged before."))
      #expect(try read(results)["b"]?["SerialLog"]?.verdict == .failed)
      #expect(try read(results)["a"]?["SerialLog"]?.verdict == .passed)
    }
  }
}
