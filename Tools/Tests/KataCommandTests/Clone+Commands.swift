import Foundation
import Testing

@testable import KataKit

// MARK: - The built command

extension Clone {
  /// Runs the built command in the clone and waits for its end.
  ///
  /// Its specs wait for up to `timeout` seconds; a right answer never needs them.
  func kata(_ arguments: String..., in folder: URL? = nil, timeout: Int = 20) throws -> Output {
    try kata(arguments, in: folder, timeout: timeout)
  }

  /// Runs the built command in the clone, with another `PATH` where one is given, and waits for its
  /// end.
  func kata(
    _ arguments: [String], in folder: URL? = nil, timeout: Int = 20, path: String? = nil
  ) throws -> Output {
    try start(arguments, in: folder, timeout: timeout, path: path).output()
  }

  /// Runs the built command several times at once and tells the exit codes.
  ///
  /// After `killedAfter` seconds they are killed, where they still run.
  func kataAtOnce(_ commandLines: [[String]], killedAfter seconds: Double? = nil) throws -> [Int32]
  {
    let processes = try commandLines.map { try start($0).process }
    if let seconds {
      usleep(UInt32(seconds * 1_000_000))
      for process in processes where process.isRunning {
        kill(process.processIdentifier, SIGKILL)
      }
    }
    for process in processes { process.waitUntilExit() }
    return processes.map(\.terminationStatus)
  }

  /// Runs the built command in the clone, and sends it a signal when it has begun to print.
  func kata(_ arguments: String..., interruptedBy signal: Int32) throws -> Output {
    let run = try start(arguments)
    while run.process.isRunning, run.text.isEmpty { usleep(1_000) }
    run.interrupt(by: signal)
    return try run.output()
  }

  /// Starts the built command in the clone.
  func start(
    _ arguments: [String], in folder: URL? = nil, timeout: Int = 20, temporary: URL? = nil,
    path: String? = nil, buildSystem: Toolchain.BuildSystem? = nil,
    variables: [String: String] = [:]
  ) throws -> Run {
    let process = Process()
    process.executableURL = Clone.program
    process.arguments = arguments
    process.currentDirectoryURL = folder ?? root
    var environment = self.environment(timeout: timeout)
    if let temporary { environment["TMPDIR"] = temporary.path }
    if let path { environment["PATH"] = path }
    if let buildSystem { environment["KATA_BUILD_SYSTEM"] = buildSystem.rawValue }
    process.environment = environment.merging(variables) { $1 }
    let paper = sandbox.appending(path: UUID().uuidString)
    let run = Run(
      process: process, printed: paper.appendingPathExtension("out"),
      complained: paper.appendingPathExtension("err"))
    for file in [run.printed, run.complained] { try Data().write(to: file) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: run.printed)
    process.standardError = try FileHandle(forWritingTo: run.complained)
    try process.run()
    return run
  }

  /// What a learner's shell gives the command, and a mark by which its processes are found.
  func environment(timeout: Int) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["KATA_ANSWERS"] = nil
    environment["TEST_TIMEOUT"] = "\(timeout)"
    environment["KATA_CLONE"] = root.path
    environment["TMPDIR"] = sandbox.appending(path: "temporary").path
    return environment
  }

  /// A `PATH` that begins with programs of these scripts, by their names.
  func path(with scripts: [String: String]) throws -> String {
    let folder = sandbox.appending(path: "tools \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, script) in scripts {
      let file = folder.appending(path: name).path
      try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: file))
      chmod(file, 0o755)
    }
    return "\(folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
  }

  /// The command that was built with these tests.
  static var program: URL { products.appending(path: "kata") }

  /// The verdict on `kata` with `text` as the learner's file.
  func verdict(
    on kata: String, answering text: String, timeout: Int = 20,
    buildSystem: Toolchain.BuildSystem? = nil
  ) throws -> Verdict {
    let kata = try Catalogue.kata(named: kata)
    try repository.write(text, to: repository.learnerPath(of: kata))
    let run = try start(
      ["run", kata.name, "--json"], timeout: timeout, buildSystem: buildSystem)
    return try Clone.verdict(in: run.output())
  }

  /// The one verdict that a command has printed.
  static func verdict(in output: Output) throws -> Verdict {
    try #require(output.standardError == "", "kata run said: \(output.standardError)")
    let verdict = try #require(try output.decoded([Verdict].self).first)
    #expect(output.code == (verdict.kind == .passed ? 0 : 1))
    return verdict
  }
}
