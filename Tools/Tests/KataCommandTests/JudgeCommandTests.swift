import Foundation
import Testing

@testable import KataKit
@testable import KataTeacher

extension OwnBuildTests {
  /// The built command, judging code that lies outside of the clone.
  @Suite struct JudgeCommandTests {
    private static let sharedClone = Result { try Clone.kept() }

    private let clone: Clone
    /// The folder of an app.
    private let app: Repository

    init() throws {
      clone = try Self.sharedClone.get()
      app = Repository(root: clone.sandbox.appending(path: "my app"))
    }

    /// A class as people write it: right, and no more than `Operation` asks for.
    private static let usual = """
      import Foundation

      class BaseOperation: Operation, @unchecked Sendable {
        private let lock = NSLock()
        private var running = false
        private var done = false

        override var isAsynchronous: Bool { true }
        override var isExecuting: Bool { lock.withLock { running } }
        override var isFinished: Bool { lock.withLock { done } }

        override func start() {
          if isCancelled { return change(running: false, done: true) }
          change(running: true, done: false)
          main()
        }

        func completeOperation() { change(running: false, done: true) }

        private func change(running: Bool, done: Bool) {
          willChangeValue(forKey: "isExecuting")
          willChangeValue(forKey: "isFinished")
          lock.withLock {
            self.running = running
            self.done = done
          }
          didChangeValue(forKey: "isExecuting")
          didChangeValue(forKey: "isFinished")
        }
      }
      """

    private static let adapter = """
      class AsyncOperation: BaseOperation {
        func finish() { completeOperation() }
      }
      """

    private func judge(_ arguments: String...) throws -> Clone.Output {
      try clone.kata(["judge"] + arguments + ["--as", "AsyncOperation"], in: app.root)
    }

    @Test func `code whose names differ is reported what is expected, and how an adapter begins`()
      throws
    {
      try app.write(Self.usual, to: "Base.swift")
      let output = try judge("Base.swift")
      #expect(output.code == 1)
      #expect(output.standardOutput.contains("    class AsyncOperation: BaseOperation {\n"))
      #expect(output.standardOutput.contains("AsyncOperation · needs an adapter"))
    }

    @Test func `what keeps the contract of Operation has an exit code of its own`() throws {
      try app.write(Self.usual, to: "Sources/Base.swift")
      try app.write(Self.adapter, to: "Adapter.swift")
      let progress = try? clone.repository.text(ProgressFile.path)
      let output = try judge("Sources", "--adapter", "Adapter.swift")
      #expect(output.code == 4)
      #expect(
        output.standardOutput.contains("keeps the contract of Operation; the kata asks for more"))
      let kata = try Catalogue.kata(named: "AsyncOperation")
      #expect(output.standardOutput.contains("\n  finish has no effect before the start\n"))
      #expect(
        try clone.repository.text(clone.repository.learnerPath(of: kata))
          == clone.repository.text(clone.repository.stubPath(of: kata)))
      #expect((try? clone.repository.text(ProgressFile.path)) == progress)
    }

    @Test func `a report names the app's own files`() throws {
      let racy = Self.usual.replacing("{ lock.withLock { running } }", with: "{ running }")
        .replacing("{ lock.withLock { done } }", with: "{ done }")
      try app.write(racy, to: "Base.swift")
      try app.write(Self.adapter, to: "Adapter.swift")
      let output = try judge(
        "Base.swift", "--adapter", "Adapter.swift", "--format", "json", "--output", "report.json")
      #expect(output.code == 1)
      #expect(output.standardOutput.isEmpty)
      let report = try JSONDecoder().decode(Report.self, from: Data(app.text("report.json").utf8))
      let kata = try #require(report.katas.first)
      #expect(kata.verdict == .race)
      #expect(kata.file == "Base.swift")
      #expect(kata.keepsContract == false)
      #expect(!kata.race.isEmpty && kata.race.allSatisfy { $0.file == "Base.swift" })
    }

    @Test func `code that doesn't compile is shown the compiler's own words`() throws {
      try app.write("import Foundation\n\nlet x: Int = \"\"\n", to: "Broken.swift")
      let output = try judge("Broken.swift")
      #expect(output.code == 1)
      #expect(output.standardOutput.contains("Broken.swift:3:"))
      #expect(output.standardOutput.contains("AsyncOperation · doesn't compile"))
    }
  }
}
