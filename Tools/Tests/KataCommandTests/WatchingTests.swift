import Foundation
import Testing

@testable import KataKit

extension SharedCloneTests {
  /// The built command in a terminal.
  @Suite struct WatchingTests {
    private let clone: Clone
    private let kata: Kata
    private let reference: String

    init() throws {
      clone = try Clone.shared()
      kata = try Catalogue.kata(named: "SerialLog")
      reference = try clone.repository.text(clone.repository.referencePath(of: kata))
      try? FileManager.default.removeItem(at: clone.repository.url(ProgressFile.path))
      try clone.repository.write(
        clone.repository.text(clone.repository.stubPath(of: kata)),
        to: clone.repository.learnerPath(of: kata))
    }

    @Test func `from the stub to done, by saving`() throws {
      let terminal = try watch()
      try terminal.wait(for: "0 of \(Catalogue.katas.count) done")
      try terminal.wait(for: "SerialLog · not started")
      #expect(terminal.screen.text.contains("✘ entries stand in the order of appending"))
      #expect(terminal.screen.text.contains("h hint"))

      try save(
        reference.replacing(
          "{ [self] in lines.append(format(message)) }",
          with: "{ [weak self] in if let self { lines.append(format(message)) } }"))
      try terminal.wait(for: "SerialLog · failed")
      terminal.type(" ")
      try terminal.wait(for: "Looks like: loses what waits")

      try save(reference.replacing("queue.sync { lines }", with: "quue.sync { lines }"))
      try terminal.wait(for: "SerialLog · doesn't compile")
      #expect(terminal.screen.text.contains("Katas/GCDBasics/SerialLog.swift:"))
      #expect(terminal.screen.text.contains("cannot find 'quue' in scope"))

      try save(reference)
      try terminal.wait(for: "SerialLog · passed")
      try terminal.wait(for: "1 of \(Catalogue.katas.count) done")

      let own = clone.repository.url(clone.repository.learnerPath(of: kata))
      try FileManager.default.removeItem(at: own)
      try terminal.wait(for: "SerialLog.swift is gone;")
      try save(reference.replacing("queue.async {", with: "print(message)\n    queue.sync {"))
      try terminal.wait(for: "SerialLog · failed")
      try terminal.wait(for: "f next failure")
      terminal.type("f")
      try terminal.wait(for: "(failure 2 of ")
      #expect(terminal.screen.text.contains("1 of \(Catalogue.katas.count) done"))
      try save(reference)
      try terminal.wait(for: "SerialLog · passed")
      terminal.type("q")
      #expect(terminal.waitForEnd() == 0)
      #expect(!terminal.isTaken && terminal.screen.hasCursor && !terminal.screen.isSecond)
      #expect(terminal.screen.text.contains("SerialLog · passed"))
      #expect(terminal.screen.unknown == [])
    }

    @Test func `a save stops the run under way, also one that hangs`() throws {
      try save(
        reference.replacing("queue.async {", with: "while true {}\n    queue.async {"))
      let terminal = try watch(timeout: 10_000)
      try terminal.wait(for: "Running the spec …")
      try save(reference, byRenaming: true)
      try terminal.wait(for: "SerialLog · passed")
      terminal.type("q")
      #expect(terminal.waitForEnd() == 0)
    }

    @Test func `an answer that deletes itself is judged once`() throws {
      let own = clone.repository.learnerPath(of: kata)
      try save(
        reference.replacing("import Dispatch", with: "import Dispatch\nimport Foundation")
          .replacing("queue.async {", with: "unlink(\"\(own)\")\n    queue.async {"))
      let terminal = try watch()
      try terminal.wait(for: "SerialLog · passed")
      terminal.type("l")
      try terminal.wait(for: "Search: ")
      terminal.type("\u{1B}")
      try terminal.wait("the verdict again") { $0.text.contains("q quit") }
      #expect(terminal.screen.text.contains("SerialLog · passed"), "It was judged again.")
      terminal.type("q")
      #expect(terminal.waitForEnd() == 0)
      #expect(clone.repository.exists(own))
    }

    @Test func `keys move between katas, pages and questions`() throws {
      let terminal = try watch()
      terminal.type("l")
      try terminal.wait(for: "› ")
      terminal.type("photo")
      try terminal.wait(for: "Search: photo")
      terminal.type("\u{1B}")
      try terminal.wait(for: "type to search")
      terminal.type("\u{1B}")
      try terminal.wait(for: "q quit")

      terminal.type("h")
      try terminal.wait(for: "Hint 1 of 3")
      #expect(!terminal.screen.text.contains("Hint 2 of 3"))
      terminal.type("h")
      try terminal.wait(for: "Hint 2 of 3")

      terminal.type("s")
      try terminal.wait(for: "See the solution anyway?")
      terminal.type("y")
      try terminal.wait(for: "+ Modules/GCDBasics/SerialLog.swift")
      terminal.type("s")
      try terminal.wait(for: "without its documentation")

      terminal.type("d")
      try terminal.wait(for: "d chapter")
      #expect(terminal.screen.text.contains("SerialLog\n"))
      terminal.type("d")
      try terminal.wait(for: "d kata's page")
      terminal.type("?")
      try terminal.wait(for: "the next of three hints")

      let own = "// mine\n" + reference
      try save(own)
      try terminal.wait(for: "SerialLog  ●")
      terminal.type("x")
      try terminal.wait(for: "Restore the stub?")
      terminal.type("n")
      try terminal.wait("no question") { !$0.text.contains("Restore the stub?") }
      #expect(try clone.repository.text(clone.repository.learnerPath(of: kata)) == own)
      terminal.type("x")
      try terminal.wait(for: "Restore the stub?")
      terminal.type("y")
      try terminal.wait(for: "SerialLog · not started")
      let discarded = clone.repository.url("Katas/GCDBasics/.discarded")
      let kept = try FileManager.default.contentsOfDirectory(
        at: discarded, includingPropertiesForKeys: nil)
      #expect(try kept.contains { try String(contentsOf: $0, encoding: .utf8) == own })

      terminal.type("n")
      try terminal.wait(for: "QualityOfService  ●")
      terminal.type("p")
      try terminal.wait(for: "SerialLog  ●")
      terminal.type("q")
      #expect(terminal.waitForEnd() == 1)
    }

    @Test(arguments: [(60, 20), (80, 24), (100, 40)])
    func `every key shows its page, whole in its width`(columns: Int, rows: Int) throws {
      try save(
        reference.replacing(
          "queue.sync { lines }", with: "queue.sync { lines.reversed() }"))
      let terminal = try watch(columns: columns, rows: rows)
      try terminal.wait(for: "SerialLog · failed")
      let pages = [
        ("h", "Hint 1 of"), ("d", "d chapter"), ("d", "d kata's page"),
        ("?", "nudge to nearly"),
        ("s", "y yes"), ("y", "- Katas/GCDBasics/SerialLog.swift"),
        ("s", "s difference"), ("l", "type to search"), ("\u{1B}", "q quit"),
        ("x", "y yes"), ("n", "h hint"), ("f", "(failure 2"), ("t", "EDIT=code"),
        ("e", "EDIT=code"),
      ]
      for (key, shows) in pages {
        terminal.type(key)
        try terminal.wait(for: shows)
        let lines = terminal.screen.lines
        // What is cut says so, and nothing has to be but a title in the list.
        #expect(
          key == "l" || !lines.contains { $0.count == columns && $0.hasSuffix("…") },
          "\(key): \(lines)")
      }
      terminal.type("q")
      #expect(terminal.waitForEnd() == 1)
      #expect(terminal.screen.unknown == [])
    }

    @Test func `an editor opens the file, where there is something to do, and the failing test`()
      throws
    {
      let log = clone.sandbox.appending(path: "opened")
      try? FileManager.default.removeItem(at: log)
      func opened() -> [String] {
        let text = try? String(contentsOf: log, encoding: .utf8)
        return text?.split(separator: "\n").map(String.init) ?? []
      }
      let terminal = try watch(["EDIT": "echo {line} {file} >> '\(log.path)'; true"])
      try terminal.wait(for: "SerialLog · not started")
      let own = clone.repository.url(clone.repository.learnerPath(of: kata)).path
      let stub = try clone.repository.text(clone.repository.stubPath(of: kata))
      let task =
        (stub.components(separatedBy: "\n").firstIndex { $0.contains("// TODO: ") } ?? 0) + 1
      try terminal.wait("the file opened") { _ in opened() == ["\(task) \(own)"] }
      terminal.type("t")
      try terminal.wait("the test opened") { _ in opened().count == 2 }
      #expect(opened()[1].hasSuffix("GCDBasicsTests/SerialLog/SerialLogTests.swift"))

      try save(reference.replacing("queue.sync { lines }", with: "quue.sync { lines }"))
      try terminal.wait(for: "SerialLog · doesn't compile")
      terminal.type("e")
      try terminal.wait("the line of the error opened") { _ in opened().count == 3 }
      let line =
        (reference.components(separatedBy: "\n").firstIndex { $0.contains("queue.sync {") } ?? 0)
        + 1
      #expect(opened()[2] == "\(line) \(own)")
      terminal.type("q")
      #expect(terminal.waitForEnd() == 1)

      let other = try watch(["EDIT": "false {file}"])
      try other.wait(for: "The editor didn't open")
      other.type("q")
      #expect(other.waitForEnd() == 1)
    }

    func watch(
      _ settings: [String: String] = [:], timeout: Int = 20, columns: Int = 80, rows: Int = 24
    ) throws -> PseudoTerminal {
      var environment = clone.environment(timeout: timeout)
      environment["TERM"] = "xterm-256color"
      environment["NO_COLOR"] = nil
      return try PseudoTerminal(
        Clone.program, ["watch", kata.name], in: clone.root,
        environment: environment.merging(settings) { $1 }, columns: columns, rows: rows)
    }

    private func save(_ text: String, byRenaming: Bool = false) throws {
      let file = clone.repository.url(clone.repository.learnerPath(of: kata))
      guard byRenaming else {
        try Data(text.utf8).write(to: file)
        return
      }
      let aside = file.appendingPathExtension("swp")
      try FileManager.default.moveItem(at: file, to: aside)
      try Data(text.utf8).write(to: file)
      try FileManager.default.removeItem(at: aside)
    }
  }
}
