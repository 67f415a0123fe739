import Foundation
import Testing

@testable import KataKit

extension OwnBuildTests {
  /// What is built before a verdict, and what while it's read.
  @Suite struct FirstVerdictTests {
    private let clone: Clone

    init() throws {
      clone = try Clone(judged: ["SerialLog", "Lazily", "ExecutionOrder"])
    }

    /// The programs of specs that were built, by their records.
    private var programs: Set<String> {
      get throws {
        let folder = clone.repository.url(SpecBuild.folder).path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return Set(names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) })
      }
    }

    private func judgeStub(of name: String) throws {
      let kata = try Catalogue.kata(named: name)
      let stub = try clone.repository.text(clone.repository.stubPath(of: kata))
      #expect(try clone.verdict(on: name, answering: stub).kind == .notStarted)
    }

    @Test func `the first kata of a module builds its own specs, and the second all`() throws {
      try judgeStub(of: "SerialLog")
      #expect(try programs == ["GCDBasics-SerialLog"])
      try judgeStub(of: "Lazily")
      #expect(try programs == ["GCDBasics-SerialLog", "GCDBasics"])
      let record = clone.repository.url("\(SpecBuild.folder)/GCDBasics.json")
      let mark = FileStamp(record)
      for name in ["ExecutionOrder", "SerialLog"] { try judgeStub(of: name) }
      #expect(FileStamp(record) == mark && mark != nil, "Nothing is built for the others.")
      #expect(try programs.count == 2)
    }

    @Test func `while a verdict is read, what comes next is built`() throws {
      let judge = Judge(repository: clone.repository, timeout: Judge.defaultTimeout)
      let kata = try Catalogue.kata(named: "SerialLog")
      #expect(judge.prepare(for: kata, stop: CancellationFlag()))
      #expect(try programs == ["GCDBasics-SerialLog-tsan", "GCDBasics", "GCDBasics-tsan"])
      let stopped = CancellationFlag()
      stopped.stop()
      let other = try Catalogue.kata(named: "PhotoStore")
      #expect(!judge.prepare(for: other, stop: stopped))
    }
  }
}
