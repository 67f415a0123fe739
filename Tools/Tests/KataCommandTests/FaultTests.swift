import Foundation
import Testing

@testable import KataKit

extension SharedCloneTests {
  /// The built command judges answers that do their worst.
  ///
  /// Whatever an answer does: the right verdict, nothing left running, nothing lost.
  @Suite struct FaultTests {
    private let clone: Clone
    private let kata: Kata
    private let otherKata: Kata

    init() throws {
      clone = try Clone.shared()
      kata = try Catalogue.kata(named: "SerialLog")
      otherKata = try Catalogue.kata(named: "BackgroundWork")
    }

    @Test(arguments: Fault.all)
    func `whatever an answer does, it gets its verdict and does no harm`(fault: Fault) throws {
      // Done stays done, so that no case may begin with what another one's pass has left.
      try clone.clearProgress()
      try clone.markDone(otherKata)
      let reference = try clone.repository.text(clone.repository.referencePath(of: kata))
      let answer = Fault.answer(basedOn: reference)
      let path = clone.repository.learnerPath(of: kata)
      // Untouched, it isn't compiled again.
      if (try? clone.repository.text(path)) != answer {
        try clone.repository.write(answer, to: path)
      }
      try clone.repository.write(fault.name, to: "fault")
      defer { fault.destroys.map { clone.restore($0) } }

      let run = try clone.start(["run", kata.name, "--json"], timeout: fault.timeout)
      var peak = 0
      while run.process.isRunning {
        let status = ProcessStatus(of: run.process.processIdentifier)
        peak = max(peak, status?.residentBytes ?? 0)
        usleep(5_000)
      }
      let verdict = try Clone.verdict(in: run.output())
      #expect(verdict.kind == fault.verdict)
      let test = verdict.firstFailure
      let said = [test?.crash ?? ""] + (test?.issues.map(\.message) ?? []) + verdict.notes
      #expect(fault.says.isEmpty || said.contains { $0.contains(fault.says) }, "It said: \(said)")
      if verdict.kind != .passed, test != nil, !fault.sanitizedOnly {
        #expect(test?.name == "entries stand in the order of appending")
      }
      #expect(peak < 200 << 20, "The runner itself grew to \(peak >> 20) MB.")

      try clone.expectNothingLeft()
      #expect(try clone.repository.text(path) == answer)
      let (progress, warning) = ProgressFile(repository: clone.repository).read()
      #expect(warning == nil)
      #expect(progress.isDone(otherKata))
      #expect(progress.isDone(kata) == (fault.verdict == .passed))
    }
  }
}

extension Clone {
  /// Takes a kata for done, as the runner would.
  func markDone(_ kata: Kata) throws {
    try ProgressFile(repository: repository).update { $0.record(Verdict(kata, .passed)) }
  }

  /// Forgets all progress.
  func clearProgress() throws {
    try ProgressFile(repository: repository).update { $0 = Progress() }
  }

  /// Brings back a file of the repository.
  func restore(_ path: String) {
    try? FileManager.default.removeItem(at: repository.url(path))
    try? FileManager.default.copyItem(
      at: Clone.source.appending(path: path), to: repository.url(path))
  }
}
