import Foundation
import Measuring
import Synchronization

/// `kata watch` in a terminal of its own.
final class Watcher: Sendable {
  private let process: Process
  private let keys = Pipe()
  private let shown = Mutex("")

  /// Starts the command and waits for its first verdict.
  ///
  /// - Throws: A `BenchmarkError` if there is no verdict, or no `script`, which makes the terminal.
  init(_ clone: Clone) throws {
    let command = [clone.tool, "watch", clone.kata.name]
    #if canImport(Darwin)
      let words = ["script", "-q", "/dev/null"] + command
    #else
      let line = command.map { "'\($0)'" }.joined(separator: " ")
      let words = ["script", "-qfec", line, "/dev/null"]
    #endif
    process = try Command(words: words, folder: clone.root, environment: ["TERM": "xterm"])
      .process()
    let screen = Pipe()
    process.standardInput = keys
    process.standardOutput = screen
    process.standardError = FileHandle.nullDevice
    try process.run()
    let handle = screen.fileHandleForReading
    Thread.detachNewThread { [self] in
      while case let data = handle.availableData, !data.isEmpty {
        shown.withLock { $0 += String(decoding: data, as: UTF8.self) }
      }
    }
    try waitForVerdict()
  }

  /// Waits for the first line of a verdict.
  func waitForVerdict() throws {
    let start = ContinuousClock.now
    while !shown.withLock({ $0.contains("✘") }) {
      guard process.isRunning, Cost.seconds(since: start) < 600 else {
        throw BenchmarkError("'kata watch' shows no verdict:\n\(shown.withLock { $0 })")
      }
      usleep(1_000)
    }
  }

  /// Waits until the screen doesn't change any more, which is when the run is over.
  func waitUntilItRests() {
    var before = -1
    while case let count = shown.withLock({ $0.utf8.count }), count != before {
      before = count
      usleep(500_000)
    }
  }

  /// Clears what was shown.
  func clear() { shown.withLock { $0 = "" } }

  /// Quits, as a learner would.
  func end() {
    keys.fileHandleForWriting.write(Data("q".utf8))
    process.waitUntilExit()
  }
}
