import Dispatch
import Foundation
import Testing

@testable import KataKit

/// Foundation has a type of that name, too.
typealias Progress = KataKit.Progress

@Suite struct ProgressFileTests {
  private let kata = Fixtures.kata

  @Test func `updates from many threads are all there`() throws {
    try Fixtures.withEmptyRepository { repository in
      // However slow the machine: a thread waits for its turn.
      var file = ProgressFile(repository: repository)
      file.timeout = 600
      let failures = Failures()
      let threads = DispatchGroup()
      for thread in 0..<8 {
        threads.enter()
        Thread.detachNewThread { [file] in
          failures.collect {
            for _ in 0..<(thread < 4 ? 13 : 12) {
              try file.update { $0.recordHint($0.hintsShown(for: kata) + 1, of: kata) }
            }
          }
          threads.leave()
        }
      }
      threads.wait()
      #expect(failures.all.isEmpty)
      #expect(file.read().progress.hintsShown(for: kata) == 100)
      let names = try leftovers(in: repository)
      #expect(names == ["", ".backup", ".lock"])
    }
  }

  @Test func `a turn that never comes isn't waited for without end`() throws {
    try Fixtures.withEmptyRepository { repository in
      let lock = repository.url("\(ProgressFile.path).lock").path
      try FileLock.whileHolding(lock, timeout: 0) {
        var file = ProgressFile(repository: repository)
        file.timeout = 0
        #expect(throws: KataError.self) { try file.update { $0.recordHint(1, of: kata) } }
        #expect(file.read().progress == Progress())
      }
      try ProgressFile(repository: repository).update { $0.recordHint(1, of: kata) }
      #expect(ProgressFile(repository: repository).read().progress.hintsShown(for: kata) == 1)
    }
  }

  @Test func `a file cut off at any byte is made whole from its copy`() throws {
    try Fixtures.withEmptyRepository { repository in
      let file = ProgressFile(repository: repository)
      try file.update { $0.record(Verdict(kata, .passed)) }
      let whole = try Data(contentsOf: repository.url(ProgressFile.path))
      let progress = file.read().progress
      // Without its last byte, the end of the line, the text is still whole.
      for length in 0..<(whole.count - 1) {
        try whole.prefix(length).write(to: repository.url(ProgressFile.path))
        let (rescued, warning) = file.read()
        #expect(rescued == progress, "after \(length) bytes")
        #expect(warning?.contains("was set aside as \(ProgressFile.path).1.") == true)
        #expect(warning?.hasSuffix("Your progress was restored from the last copy.") == true)
        #expect(file.read().warning == nil)
        #expect(try Data(contentsOf: repository.url(ProgressFile.path)) == whole)
        let aside = repository.url("\(ProgressFile.path).1")
        #expect(try Data(contentsOf: aside) == whole.prefix(length))
        try FileManager.default.removeItem(at: aside)
      }
    }
  }

  @Test func `a file that was taken away begins anew`() throws {
    try Fixtures.withEmptyRepository { repository in
      let file = ProgressFile(repository: repository)
      try file.update { $0.record(Verdict(kata, .passed)) }
      try FileManager.default.removeItem(at: repository.url(ProgressFile.path))
      #expect(file.read().progress == Progress())
      try file.update { $0.recordHint(1, of: kata) }
      #expect(!file.read().progress.isDone(kata))
    }
  }

  @Test func `an update says that a file was set aside`() throws {
    try Fixtures.withEmptyRepository { repository in
      try repository.write("{", to: ProgressFile.path)
      let warning = try ProgressFile(repository: repository).update { $0.recordHint(1, of: kata) }
      #expect(warning?.contains("is damaged; it was set aside as") == true)
      #expect(ProgressFile(repository: repository).read().progress.hintsShown(for: kata) == 1)
    }
  }

  @Test func `what can't be read isn't written over`() throws {
    try Fixtures.withEmptyRepository { repository in
      let path = repository.url(ProgressFile.path)
      try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
      let file = ProgressFile(repository: repository)
      #expect(file.read().warning?.contains("can't be read") == true)
      let error = #expect(throws: KataError.self) {
        try file.update { $0.recordHint(1, of: kata) }
      }
      #expect(error?.exitCode == .environment)
    }
  }

  @Test func `a link to the file stays a link`() throws {
    try Fixtures.withEmptyRepository { repository in
      let file = ProgressFile(repository: repository)
      try repository.write("{\"version\": 1}", to: "elsewhere/progress.json")
      try FileManager.default.createSymbolicLink(
        atPath: repository.url(ProgressFile.path).path,
        withDestinationPath: "elsewhere/progress.json")
      try file.update { $0.recordHint(2, of: kata) }
      #expect(try repository.text("elsewhere/progress.json").contains("\"hints\""))
      #expect(file.read().progress.hintsShown(for: kata) == 2)
    }
  }

  /// The files of the progress, without what their names begin with.
  private func leftovers(in repository: Repository) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: repository.root.path)
      .map { String($0.dropFirst(ProgressFile.path.count)) }.sorted()
  }
}

@Suite struct ProgressShapeTests {
  private let kata = Fixtures.kata

  @Test func `a file of the first version is read as it was`() throws {
    let progress = try decode(
      "{\"version\": 1, \"done\": {\"SerialLog\": \"2026-01-31\"}, \"hints\": {\"SerialLog\": 3}}")
    #expect(progress.done == ["SerialLog": "2026-01-31"])
    #expect(progress.hints == ["SerialLog": 3])
    #expect(progress.attempts.isEmpty)
  }

  @Test func `fields and words of a later program are passed over`() throws {
    let progress = try decode(
      """
      {"version": 1, "streak": 5, "attempts": {"Gone": {"count": 2, "verdict": "confused",
      "day": "2026-01-31", "looksLike": [], "mood": "fine"}}}
      """)
    #expect(progress.attempts["Gone"]?.verdict == "confused")
    #expect(progress.attempts["Gone"]?.kind == nil)
  }

  @Test func `a later version is reported from damage, whatever it looks like`() {
    #expect(throws: Progress.Newer.self) { try decode("{\"version\": 2, \"done\": 7}") }
  }

  @Test(arguments: [
    "{}", "[]", "{\"version\": 1, \"done\": []}",
    "{\"version\": 1, \"done\": {\"A\": \"yesterday\"}}",
    "{\"version\": 1, \"last\": {\"kata\": \"A\", \"time\": \"now\"}}",
    "{\"version\": 1, \"hints\": {\"A\": -1}}",
    "{\"version\": 1, \"hints\": {\"A\": 9223372036854775807}}",
    "{\"version\": 1, \"hints\": {\"A\": 1e300}}",
    "{\"version\": 1, \"attempts\": {\"A\": {\"count\": 1, \"verdict\": \"failed\", \"day\": \"\"}}}",
  ])
  func `what can't be is damage`(text: String) {
    #expect(throws: DecodingError.self) { try decode(text) }
  }

  @Test func `a verdict is counted and the last one kept`() {
    var progress = Progress()
    var failed = Verdict(kata, .failed)
    failed.looksLike = ["first"]
    let day = Date(timeIntervalSince1970: 0)
    progress.record(failed, on: day)
    #expect(
      progress.attempts["Sample"]
        == Attempts(count: 1, verdict: "failed", day: "1970-01-01", looksLike: ["first"]))
    progress.record(Verdict(kata, .passed), on: day)
    #expect(
      progress.attempts["Sample"] == Attempts(count: 2, verdict: "passed", day: "1970-01-01"))
    #expect(progress.done["Sample"] == "1970-01-01")
  }

  @Test func `the stub is no attempt and undoes nothing`() {
    var progress = Progress()
    progress.record(Verdict(kata, .notStarted))
    #expect(progress == Progress())
    progress.record(Verdict(kata, .passed))
    progress.record(Verdict(kata, .notStarted))
    #expect(progress.isDone(kata))
  }

  @Test func `a kata that is forgotten begins anew`() {
    var progress = Progress()
    progress.record(Verdict(kata, .passed))
    progress.recordHint(1, of: kata)
    progress.forget(kata)
    #expect(progress == Progress())
  }

  private func decode(_ text: String) throws -> Progress {
    try JSONDecoder().decode(Progress.self, from: Data(text.utf8))
  }
}

// MARK: - Fixtures

/// The errors that threads met.
private final class Failures: Sendable {
  private let lock = NSLock()
  // Safe: only touched with `lock` held.
  nonisolated(unsafe) private var errors: [any Error] = []

  func collect(_ body: () throws -> Void) {
    do { try body() } catch { lock.withLock { errors.append(error) } }
  }

  var all: [any Error] { lock.withLock { errors } }
}
