import Testing

@testable import KataKit

/// Something that an answer does to itself, to the runner or to the machine, and what must come of it.
struct Fault: Sendable, CustomTestStringConvertible {
  let name: String
  /// What `append` does before anything else.
  let statement: String
  let verdict: Verdict.Kind
  /// What the verdict must say about it.
  var says = ""
  /// Whether it happens only where Thread Sanitizer watches.
  var sanitizedOnly = false
  /// How long the spec waits, in seconds: less where all of it is waited for, and more where there is
  /// much to do on a slow machine.
  var timeout = 20
  /// A file that this destroys, to be set right again.
  var destroys: String?

  var testDescription: String { name }

  init(
    _ name: String, _ statement: String, _ verdict: Verdict.Kind, says: String = "",
    sanitizedOnly: Bool = false, timeout: Int = 20, destroys: String? = nil
  ) {
    self.name = name
    self.statement = statement
    self.verdict = verdict
    self.says = says
    self.sanitizedOnly = sanitizedOnly
    self.timeout = timeout
    self.destroys = destroys
  }

  private static let spec = "Tests/GCDBasicsTests/SerialLog/SerialLogTests.swift"
  private static let own = "Katas/GCDBasics/SerialLog.swift"

  /// The table.
  ///
  /// Only the first test appends "three": what costs much happens once, and not in each test anew.
  static let all = [
    Fault("a deadlock", "DispatchSemaphore(value: 0).wait()", .hung, says: "every thread of the"),
    Fault("an endless loop", "while true {}", .hung, says: "never returned within", timeout: 2),
    Fault("endless recursion", "_ = dig(0)", .crashed, says: "a stack that overflowed"),
    Fault(
      "a trap", "fatalError(\"out of ideas\")", .crashed, says: "Fatal error: out of ideas"),
    Fault("exit(0)", "exit(0)", .crashed, says: "exit code 0"),
    Fault("_exit(0)", "_exit(0)", .crashed, says: "exit code 0"),
    Fault("abort", "abort()", .crashed, says: "SIGABRT"),
    Fault("a nested sync", "queue.sync { queue.sync {} }", .crashed, says: "a trap of Dispatch"),
    Fault("a kill", "kill(getpid(), SIGKILL)", .crashed, says: "SIGKILL"),
    Fault("a kill of its group", "kill(0, SIGKILL)", .crashed, says: "SIGKILL"),
    Fault(
      "SIGSTOP", "kill(getpid(), SIGSTOP)", .hung, says: "stopped by a signal", timeout: 2),
    Fault(
      "a loop in another process's group", "setpgid(0, getpgid(getppid())); while true {}", .hung,
      says: "never returned within", timeout: 2),
    Fault("a child left behind", "leaveBehind([\"sleep\", \"1000\"])", .passed),
    Fault(
      "a child of its own session", "leaveBehind([\"setsid\", \"sleep\", \"1000\"])", .passed),
    Fault(
      "ten thousand threads",
      "if message == \"three\" { startThreads() }", .crashed, says: "more than 2,000 threads"),
    Fault(
      "10 GB of memory",
      "if message == \"three\" { fillMemory() }", .crashed, says: "GB of memory and was killed",
      timeout: 300),
    Fault(
      "10 GB of a child's memory",
      "if message == \"three\" { fillChildsMemory() }", .crashed,
      says: "GB of memory and was killed",
      timeout: 300),
    Fault(
      "a gigabyte of output", "if message == \"three\" { flood(); fatalError(\"dry\") }",
      .crashed, says: "Fatal error: dry", timeout: 300),
    Fault("closing stdout", "close(1); close(2)", .passed),
    Fault(
      "deleting its own file", "unlink(\"\(own)\")", .passed, says: "\(own) was deleted"),
    Fault(
      "deleting its own file, and a trap", "unlink(\"\(own)\"); fatalError(\"sorry\")", .crashed,
      says: "\(own) was deleted"),
    Fault("deleting the library it runs from", "deleteLibraries()", .passed),
    Fault(
      "deleting the library it runs from, and a trap",
      "deleteLibraries(); fatalError(\"and out\")", .crashed, says: "Fatal error: and out"),
    Fault(
      "deleting the progress", "unlink(\"\(ProgressFile.path)\")", .passed,
      says: "\(ProgressFile.path) was deleted"),
    Fault(
      "writing over the spec",
      "try? \"\".write(toFile: \"\(spec)\", atomically: false, encoding: .utf8)", .failed,
      says: "git checkout -- \(spec)", destroys: spec),
    Fault(
      "deleting a tool", "unlink(\"Tools/kata/main.swift\")", .failed,
      says: "git checkout -- Tools/kata/main.swift", destroys: "Tools/kata/main.swift"),
    Fault(
      "a trap under the sanitizer", "fatalError(\"watched\")", .crashed,
      says: "Fatal error: watched", sanitizedOnly: true),
    Fault(
      "exit(0) under the sanitizer", "exit(0)", .crashed, says: "exit code 0",
      sanitizedOnly: true),
    Fault(
      "a deadlock under the sanitizer", "DispatchSemaphore(value: 0).wait()", .hung,
      says: "only with Thread Sanitizer watching", sanitizedOnly: true),
    Fault(
      "ten thousand threads under the sanitizer",
      "if message == \"three\" { startThreads() }", .crashed, says: "more than 2,000 threads",
      sanitizedOnly: true),
    Fault("no fault at all", "break", .passed),
  ]

  /// An answer to SerialLog that is right but for the fault whose name stands in the file `fault`.
  ///
  /// One text for all of them, so that it's compiled once.
  static func answer(basedOn reference: String) -> String {
    let cases = all.map { fault in
      let condition = fault.sanitizedOnly ? " where isSanitized" : ""
      return "    case \"\(fault.name)\"\(condition): \(fault.statement)\n"
    }
    return reference.replacing("import Dispatch", with: "import Dispatch\nimport Foundation")
      .replacing(
        "queue.async {",
        with: "switch fault {\n\(cases.joined())    default: break\n    }\n    queue.async {"
      )
      + helpers
  }

  /// An answer to SerialLog that is right but for this.
  func answer(basedOn reference: String) -> String {
    reference.replacing("import Dispatch", with: "import Dispatch\nimport Foundation")
      .replacing("queue.async {", with: "\(statement)\n    queue.async {") + Self.helpers
  }

  private static let helpers = #"""

    private let fault = (try? String(contentsOfFile: "fault", encoding: .utf8)) ?? ""

    /// Whether Thread Sanitizer's library is loaded.
    private let isSanitized: Bool = {
      #if canImport(Darwin)
        let everywhere = UnsafeMutableRawPointer(bitPattern: -2)
      #else
        let everywhere: UnsafeMutableRawPointer? = nil
      #endif
      return dlsym(everywhere, "__tsan_init") != nil
    }()

    /// Removes the library that this code runs from, with its folder.
    private func deleteLibraries() {
      for name in ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"] {
        guard let paths = getenv(name).map({ String(cString: $0) }) else { continue }
        try? FileManager.default.removeItem(atPath: String(paths.prefix { $0 != ":" }))
      }
    }

    private func dig(_ depth: Int) -> Int { depth &+ dig(depth &+ 1) }

    /// Taken by the first call, and kept.
    private let leaving = NSLock()

    /// Starts a program, once: a spec appends thousands of messages.
    private func leaveBehind(_ command: [String]) {
      guard leaving.try() else { return }
      let child = Process()
      child.executableURL = URL(filePath: "/usr/bin/env")
      child.arguments = command
      try? child.run()
    }

    private func startThreads() {
      for _ in 0..<10_000 { Thread.detachNewThread { sleep(1000) } }
      while true {}
    }

    private func fillMemory() {
      for _ in 0..<160 { memset(malloc(64 << 20)!, 1, 64 << 20) }
      while true {}
    }

    private func fillChildsMemory() {
      leaveBehind(["sh", "-c", "head -c 10737418240 /dev/zero | tail"])
      while true {}
    }

    /// Writes a gigabyte without ever falling asleep over it, which would look like a hang.
    private func flood() {
      _ = fcntl(1, F_SETFL, O_NONBLOCK)
      let block = [UInt8](repeating: 0x78, count: 1 << 20)
      var left = 1 << 30
      while left > 0 { left -= max(0, write(1, block, min(left, block.count))) }
      // stderr goes into the same pipe: full and not blocking, it would lose the last words.
      _ = fcntl(1, F_SETFL, 0)
    }

    """#
}
