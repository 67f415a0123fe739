import Foundation
import Testing

@testable import KataKit

extension SharedCloneTests {
  /// The built command is interrupted, or isn't alone.
  @Suite struct InterruptionTests {
    /// Where a run is when Ctrl-C comes.
    enum Stage: String, CaseIterable {
      case building, testing, buildingWithSanitizer, testingWithSanitizer
    }

    private let clone: Clone
    private let kata: Kata
    private let otherKata: Kata
    private let reference: String

    init() throws {
      clone = try Clone.shared()
      kata = try Catalogue.kata(named: "SerialLog")
      otherKata = try Catalogue.kata(named: "BackgroundWork")
      reference = try clone.repository.text(clone.repository.referencePath(of: kata))
    }

    /// The reference, held up in `append` for as long as there is a file `hold`.
    ///
    /// Where the sanitizer watches, the file is `hold-sanitized`. Meanwhile there is a file `here`.
    private func answer(_ remark: String) -> String {
      reference.replacing(
        "import Dispatch", with: "// \(remark)\nimport Dispatch\nimport Foundation"
      )
      .replacing(
        "queue.async {",
        with: """
          let isSanitized = dlsym(UnsafeMutableRawPointer(bitPattern: handle), "__tsan_init") != nil
              let hold = isSanitized ? "hold-sanitized" : "hold"
              while FileManager.default.fileExists(atPath: hold) {
                FileManager.default.createFile(atPath: "here", contents: nil)
              }
              queue.async {
          """) + """

          #if canImport(Darwin)
            private let handle = -2
          #else
            private let handle = 0
          #endif

          """
    }

    private func remove(_ names: String...) {
      for name in names { try? FileManager.default.removeItem(at: clone.repository.url(name)) }
    }

    /// Waits, with the watchdogs of the runner as bounds, until a run has got to where `condition` holds.
    private func wait(for run: Clone.Run, until condition: () -> Bool) {
      while run.process.isRunning, !condition() { usleep(20_000) }
    }

    @Test(arguments: Stage.allCases, [true, false])
    func `Ctrl-C ends everything at every stage and loses nothing`(
      stage: Stage, group: Bool
    ) throws {
      try clone.markDone(kata)
      try clone.markDone(otherKata)
      let before = try clone.repository.text(ProgressFile.path)
      let path = clone.repository.learnerPath(of: kata)
      let isBuild = [.building, .buildingWithSanitizer].contains(stage)
      let text = answer(isBuild ? "\(stage), \(group)" : "tested")
      if (try? clone.repository.text(path)) != text { try clone.repository.write(text, to: path) }
      defer { remove("hold", "hold-sanitized", "here") }
      if stage == .testing { try clone.repository.write("", to: "hold") }
      if stage == .testingWithSanitizer { try clone.repository.write("", to: "hold-sanitized") }

      let run = try clone.start(["run", kata.name], timeout: 60)
      switch stage {
      case .building:
        wait(for: run) { isCompiling }
      case .buildingWithSanitizer:
        wait(for: run) { run.text.contains("Looking for data races") && isCompiling }
      case .testing, .testingWithSanitizer:
        wait(for: run) { clone.repository.exists("here") }
      }
      run.interrupt(group: group)
      let output = try run.output()
      #expect(output.code == 130)
      #expect(output.standardError == "")
      for word in ["crashed", "hung", "failed"] { #expect(!output.standardOutput.contains(word)) }
      try clone.expectNothingLeft()
      #expect(try clone.repository.text(ProgressFile.path) == before)
      #expect(try clone.repository.text(path) == text)
    }

    /// Whether a compiler is at work on the answer; always so where that can't be seen.
    private var isCompiling: Bool {
      #if os(Linux)
        clone.processes.contains { process in
          let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
          return line?.contains("swift-frontend") == true && line?.contains(kata.file) == true
        }
      #else
        true
      #endif
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `an interrupted command ends with the signal's code`(signal: Int32) throws {
      let output = try clone.kata("verify", kata.name, interruptedBy: signal)
      #expect(output.code == 128 + signal)
      #expect(output.standardOutput.hasPrefix("Building"))
      #expect(output.standardError == "")
    }

    @Test func `after all interruptions the next run works`() throws {
      let output = try clone.verdict(on: kata.name, answering: reference)
      #expect(output.kind == .passed)
      #expect(output.notes.isEmpty)
    }

    @Test func `a run interrupted after its answer deleted itself puts it back`() throws {
      let path = clone.repository.learnerPath(of: kata)
      let text = answer("deletes itself").replacing(
        "let isSanitized = ", with: "unlink(\"\(path)\")\n    let isSanitized = ")
      try clone.repository.write(text, to: path)
      try clone.repository.write("", to: "hold")
      defer { remove("hold", "here") }
      let run = try clone.start(["run", kata.name], timeout: 60)
      wait(for: run) { clone.repository.exists("here") }
      #expect(!clone.repository.exists(path))
      run.interrupt()
      #expect(try run.output().code == 130)
      #expect(try clone.repository.text(path) == text)
    }

    // the first run            the second run
    // builds
    // tests, and is held up
    //                          builds another answer
    //                          tests it: it fails
    // goes on: it passes
    @Test func `a test binary that is rebuilt while it runs gives its own verdict`() throws {
      try clone.markDone(otherKata)
      let path = clone.repository.learnerPath(of: kata)
      try clone.repository.write(answer("held up"), to: path)
      try clone.repository.write("", to: "hold")
      defer { remove("hold", "here") }
      let first = try clone.start(["run", kata.name, "--json"], timeout: 600)
      wait(for: first) { clone.repository.exists("here") }
      let wrong = reference.replacing("queue.async", with: "queue.sync")
      let second = try clone.verdict(on: kata.name, answering: wrong)
      #expect(second.kind == .failed)
      try clone.repository.write(answer("held up"), to: path)
      remove("hold")
      let verdict = try Clone.verdict(in: first.output())
      #expect(verdict.kind == .passed)
      try clone.expectNothingLeft()
      let progress = ProgressFile(repository: clone.repository).read().progress
      #expect(progress.isDone(kata) && progress.isDone(otherKata))
    }

    @Test func `two runners at once each give the right verdict`() throws {
      try clone.markDone(otherKata)
      try clone.repository.write(reference, to: clone.repository.learnerPath(of: kata))
      let runs = try (0..<2).map { _ in try clone.start(["run", kata.name, "--json"]) }
      for run in runs {
        let verdict = try Clone.verdict(in: run.output())
        #expect(verdict.kind == .passed)
        #expect(verdict.notes.isEmpty)
      }
      try clone.expectNothingLeft()
      let (progress, warning) = ProgressFile(repository: clone.repository).read()
      #expect(warning == nil)
      #expect(progress.isDone(kata) && progress.isDone(otherKata))
    }
  }
}
