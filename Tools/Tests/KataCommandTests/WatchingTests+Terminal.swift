import Foundation
import Testing

@testable import KataKit

// MARK: - What becomes of the terminal

extension SharedCloneTests.WatchingTests {
  @Test func `the screen follows its window, down to a narrow one`() throws {
    let terminal = try watch()
    try terminal.wait(for: "SerialLog · not started")
    for (columns, rows) in [(36, 20), (24, 8), (120, 40)] {
      terminal.resize(columns: columns, rows: rows)
      terminal.type("l")
      try terminal.wait(for: "Search: ")
      terminal.type("\u{1B}")
      try terminal.wait("the keys") { $0.text.contains("q quit") || rows < 10 }
      #expect(!terminal.screen.text.contains("Search: ") || rows < 10)
    }
    #expect(terminal.screen.lines[0].hasPrefix("Concurrency Katas"))
    terminal.type("q")
    _ = terminal.waitForEnd()
  }

  @Test(arguments: [
    ("Ctrl-C", "\u{03}", 128 + SIGINT), ("a terminal that goes", "", 128 + SIGHUP),
  ])
  func `an interruption gives the terminal back`(what: String, keys: String, code: Int32) throws {
    let terminal = try watch()
    try terminal.wait(for: "q quit")
    if keys.isEmpty { terminal.send(SIGHUP) } else { terminal.type(keys) }
    #expect(terminal.waitForEnd() == code, "\(what)")
    #expect(!terminal.isTaken && terminal.screen.hasCursor && !terminal.screen.isSecond)
  }

  @Test(arguments: [SIGSEGV, SIGABRT, SIGTRAP])
  func `a crash of the command gives the terminal back`(signal: Int32) throws {
    let terminal = try watch()
    try terminal.wait(for: "q quit")
    #expect(terminal.isTaken && terminal.screen.isSecond)
    terminal.send(signal)
    #expect(terminal.waitForEnd() == -signal)
    #expect(!terminal.isTaken && terminal.screen.hasCursor && !terminal.screen.isSecond)
  }

  @Test func `Ctrl-Z gives the terminal back until the command goes on`() throws {
    let terminal = try watch()
    try terminal.wait(for: "q quit")
    terminal.type("\u{1A}")
    try terminal.waitForStop()
    #expect(!terminal.isTaken && !terminal.screen.isSecond)
    terminal.send(SIGCONT)
    try terminal.wait(for: "q quit")
    #expect(terminal.isTaken && terminal.screen.isSecond)
    terminal.type("q")
    #expect(terminal.waitForEnd() == 1)
  }

  @Test func `a terminal that can't move its cursor gets lines`() throws {
    let terminal = try watch(["TERM": "dumb"])
    try terminal.wait(for: "SerialLog · not started")
    try terminal.wait(for: "q quit")
    #expect(!terminal.written.contains("\u{1B}"))
    terminal.type("h")
    try terminal.wait(for: "Hint 1 of 3")
    terminal.type("d")
    try terminal.wait(for: "'make docs-preview'")
    terminal.type("q")
    #expect(terminal.waitForEnd() == 1)
    #expect(!terminal.isTaken)
  }

  @Test func `without colours there are none`() throws {
    let terminal = try watch(["NO_COLOR": "1"])
    try terminal.wait(for: "SerialLog · not started")
    #expect(!terminal.written.contains(#/\u{1B}\[[0-9;]*m/#))
    terminal.type("q")
    _ = terminal.waitForEnd()
  }
}
