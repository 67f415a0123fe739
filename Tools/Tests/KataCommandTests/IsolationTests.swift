import Foundation
import KataTesting
import Testing

@testable import KataKit
@testable import KataTeacher

extension SharedCloneTests {
  /// What hostile submissions can do where their runs are kept to themselves, and can where they aren't.
  @Suite(
    .enabled(
      if: Isolation.isHere(for: Repository(root: Clone.source)),
      "bubblewrap ('bwrap') isn't here, or may not isolate"))
  struct IsolationTests {
    private let clone: Clone
    private let kata: Kata

    init() throws {
      clone = try Clone.shared()
      kata = try Catalogue.kata(named: "SerialLog")
    }

    /// An answer that is right, but does something else first, and crashes where it succeeds in that.
    private struct Attempt {
      let name: String
      /// What `append` does when it's first called.
      let statement: String
      /// The verdict where nothing keeps it from that.
      let unhindered: Outcome
      /// The verdict where it's isolated.
      var isolated = Outcome.passed
    }

    private func attempts(_ server: LoopbackServer, secret: URL) throws -> [Attempt] {
      let answers = clone.repository.url(Repository.answers).path
      let clone = clone.root.path
      return [
        Attempt(
          name: "reads the grader's files",
          statement: """
            for path in [\(literal(secret.path)), \(literal("\(clone)/Package.swift")), #filePath] {
              if let text = FileManager.default.contents(atPath: path) { fatalError("\\(text.count) bytes of \\(path)") }
            }
            """, unhindered: .crashed),
        Attempt(
          name: "looks for the answers of others",
          statement: """
            let all = FileManager.default.enumerator(atPath: \(literal(answers)))?.compactMap { $0 as? String } ?? []
            if let answer = all.first(where: { $0.hasSuffix("/SerialLog.swift") }) { fatalError(answer) }
            """, unhindered: .crashed),
        Attempt(
          name: "looks for other processes",
          statement: """
            let processes = try! FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }
            if processes.count > 2 { fatalError("\\(processes.count) processes") }
            """, unhindered: .crashed),
        Attempt(
          name: "writes beside its folder",
          statement: """
            for folder in [\(literal(clone)), \(literal(secret.deletingLastPathComponent().path)), "/", "/usr", "/dev"] {
              let path = "\\(folder)/left by an answer"
              defer { unlink(path) }
              if FileManager.default.createFile(atPath: path, contents: Data([1])) { fatalError(path) }
            }
            guard FileManager.default.createFile(atPath: "its own", contents: Data([1])) else { fatalError("nowhere") }
            """, unhindered: .crashed),
        Attempt(
          name: "fills the disk",
          statement: """
            FileManager.default.createFile(atPath: "all of it", contents: nil)
            let all = FileHandle(forWritingAtPath: "all of it")!
            let block = Data(count: 1 << 20)
            for _ in 0..<300 where (try? all.write(contentsOf: block)) == nil {
              unlink("all of it")
              return true
            }
            unlink("all of it")
            fatalError("300 MB")
            """, unhindered: .crashed),
        Attempt(
          name: "uses the network",
          statement: """
            if let text = try? Data(contentsOf: URL(string: \(literal(server.url("/").absoluteString)))!) {
              fatalError("\\(text.count) bytes from outside")
            }
            """, unhindered: .crashed),
        Attempt(
          name: "replaces the library that it runs from",
          statement: """
            let folder = String(cString: getenv("LD_LIBRARY_PATH")).prefix { $0 != ":" }
            for name in (try? FileManager.default.contentsOfDirectory(atPath: String(folder))) ?? [] {
              if unlink("\\(folder)/\\(name)") == 0 { fatalError(name) }
            }
            """, unhindered: .crashed),
        Attempt(
          name: "wants its privileges back",
          statement: """
            if let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
              !status.contains("CapEff:\\t0000000000000000") || !status.contains("NoNewPrivs:\\t1")
            {
              fatalError("privileges")
            }
            """, unhindered: .crashed),
        Attempt(
          name: "removes what the sanitizer says",
          statement: """
            // Two threads take turns by plain numbers. A race alone may go untold: a thread that is late is ordered
            // by what the runtime locks at its first calls, or comes when the other's access is forgotten.
            Thread {
              let own = NSLock()
              for turn in 1...100 {
                while pings < turn {}
                own.withLock {}
                pongs = turn
              }
            }.start()
            let own = NSLock()
            for turn in 1...100 {
              own.withLock {}
              pings = turn
              while pongs < turn {}
            }
            let folder = URL(filePath: String(cString: getenv("KATA_HEARTBEAT"))).deletingLastPathComponent()
            for name in try! FileManager.default.contentsOfDirectory(atPath: folder.path) {
              if name.hasPrefix("race.") { unlink("\\(folder.path)/\\(name)") }
            }
            """, unhindered: .passed, isolated: .race),
        Attempt(
          name: "writes events by hand", statement: try forging(to: "open(path, O_WRONLY)"),
          unhindered: .failed, isolated: .failed),
        Attempt(
          name: "prints events", statement: try forging(to: "dup(1)"), unhindered: .crashed,
          isolated: .crashed),
      ]
    }

    private func literal(_ text: String) -> String { "#\"\(text)\"#" }

    /// Writes that all tests of the spec have passed, and ends the process.
    private func forging(to target: String) throws -> String {
      let specs = try clone.repository.specSources(of: kata)
      let identifiers = try specs.flatMap { path -> [String] in
        let lines = try clone.repository.text(path).components(separatedBy: "\n")
        return lines.enumerated().compactMap { number, line in
          guard let match = line.firstMatch(of: #/@Test.*func (`[^`]+`)\(/#) else { return nil }
          return """
            GCDBasicsTests.\(kata.suite.split(separator: ".").last ?? "")/\(match.1)()/\
            \(path.split(separator: "/").last ?? ""):\(number + 1):4
            """
        }
      }
      let payloads =
        identifiers.map { #"{"kind":"testEnded","testID":"\#($0)"}"# } + [#"{"kind":"runEnded"}"#]
      let lines = payloads.map { #"{"kind":"event","payload":\#($0),"version":"6.3.0"}"# }
      return """
        let words = CommandLine.arguments
        let path = words[words.firstIndex(of: "--event-stream-output-path")! + 1]
        _ = path
        let pipe = \(target)
        for line in [\(lines.map(literal).joined(separator: ", "))] { _ = write(pipe, line + "\\n", line.utf8.count + 1) }
        _exit(0)
        """
    }

    private func answer(_ attempt: Attempt) throws -> String {
      try clone.repository.text(clone.repository.referencePath(of: kata))
        .replacing(
          "import Dispatch", with: "import Dispatch\nimport Foundation\nimport FoundationNetworking"
        )
        .replacing("queue.async {", with: "_ = attempt\n    queue.async {") + """

          nonisolated(unsafe) private var pings = 0
          nonisolated(unsafe) private var pongs = 0

          /// Made once.
          private let attempt: Bool = {
            \(attempt.statement)
            return true
          }()
          """
    }

    /// The verdicts on all attempts, by name, and those on a good answer that is judged with them.
    private func grade(_ attempts: [Attempt], _ options: String...) throws -> [String: Outcome] {
      let folder = clone.sandbox.appending(path: "handed in \(UUID().uuidString)")
      for attempt in attempts {
        try Repository(root: folder).write(answer(attempt), to: "\(attempt.name)/\(kata.file)")
      }
      let good = try clone.repository.text(clone.repository.referencePath(of: kata))
      try Repository(root: folder).write(good, to: "a good one/\(kata.file)")
      let results = folder.path + " results"
      let output = try clone.kata(
        ["grade", folder.path, "--kata", "SerialLog", "--output", results] + options, timeout: 20)
      #expect(output.code == 0, "\(output.standardError)")
      let report = try JSONDecoder().decode(
        GradeReport.self, from: Data(contentsOf: URL(filePath: "\(results)/results.json")))
      return Dictionary(
        uniqueKeysWithValues: report.submissions.compactMap { submission in
          submission.katas.first.map { (submission.participant, $0.verdict) }
        })
    }

    @Test(arguments: [true, false])
    func `what is isolated reaches nothing that isn't its own`(isIsolated: Bool) throws {
      let server = try LoopbackServer { _ in .response(body: Data("secret".utf8)) }
      let secret = clone.sandbox.appending(path: "secret")
      try Data("secret".utf8).write(to: secret)
      let attempts = try attempts(server, secret: secret)
      let found = try isIsolated ? grade(attempts, "--isolate") : grade(attempts)
      #expect(found["a good one"] == .passed)
      for attempt in attempts {
        let expected = isIsolated ? attempt.isolated : attempt.unhindered
        #expect(found[attempt.name] == expected, "\(attempt.name)")
      }
      #expect(server.requests.isEmpty == isIsolated)
      try clone.expectNothingLeft()
    }
  }
}
