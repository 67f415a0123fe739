import Foundation
import Testing

@testable import KataKit

/// A copy of the repository in a folder of its own, with the built `kata` to run in it.
final class Clone: Sendable {
  struct Output {
    let code: Int32
    let standardOutput: String
    let standardError: String

    func decoded<Value: Decodable>(_: Value.Type) throws -> Value {
      try JSONDecoder().decode(Value.self, from: Data(standardOutput.utf8))
    }
  }

  let root: URL
  let house: House

  /// Copies the repository; the folder's name has a space and an emoji in it, as people's have.
  init() throws {
    let source = Clone.source
    root = FileManager.default.temporaryDirectory
      .appending(path: "katas clone 🧵 \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    for name in try FileManager.default.contentsOfDirectory(atPath: source.path)
    where ![".build", ".git"].contains(name) && !name.hasPrefix(ProgressFile.path) {
      try FileManager.default.copyItem(
        at: source.appending(path: name), to: root.appending(path: name))
    }
    house = House(root: root)
    for kata in Catalogue.katas {
      try house.write(try house.text(house.stubPath(of: kata)), to: house.learnerPath(of: kata))
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: root)
  }

  /// Runs the built command in the clone and waits for its end.
  ///
  /// Its specs wait for up to `patience` seconds; a right answer never needs them.
  func kata(_ arguments: String..., in folder: URL? = nil, patience: Int = 20) throws -> Output {
    try kata(arguments, in: folder, patience: patience)
  }

  /// Runs the built command in the clone, with another `PATH` where one is given, and waits for its
  /// end.
  func kata(
    _ arguments: [String], in folder: URL? = nil, patience: Int = 20, path: String? = nil
  ) throws -> Output {
    let process = try start(arguments, in: folder, patience: patience, path: path)
    process.waitUntilExit()
    return try output(of: process)
  }

  /// Runs the built command in the clone, and sends it a signal when it has begun to print.
  func kata(_ arguments: String..., interruptedBy signal: Int32) throws -> Output {
    let process = try start(arguments)
    while process.isRunning, try Data(contentsOf: printed).isEmpty { usleep(1_000) }
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return try output(of: process)
  }

  /// Runs the built command several times at once and tells the exit codes.
  ///
  /// What they print is lost. After `killedAfter` seconds they are killed, where they still run.
  func kataAtOnce(_ commandLines: [[String]], killedAfter seconds: Double? = nil) throws -> [Int32]
  {
    let processes = try commandLines.map { try start($0) }
    if let seconds {
      usleep(UInt32(seconds * 1_000_000))
      for process in processes where process.isRunning {
        kill(process.processIdentifier, SIGKILL)
      }
    }
    for process in processes { process.waitUntilExit() }
    return processes.map(\.terminationStatus)
  }

  private var printed: URL { root.appending(path: "stdout") }
  private var complained: URL { root.appending(path: "stderr") }

  private func start(
    _ arguments: [String], in folder: URL? = nil, patience: Int = 20, path: String? = nil
  ) throws -> Process {
    let process = Process()
    process.executableURL = Clone.program
    process.arguments = arguments
    process.currentDirectoryURL = folder ?? root
    var environment = Clone.environment(patience: patience)
    if let path { environment["PATH"] = path }
    process.environment = environment
    for file in [printed, complained] { try Data().write(to: file) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: printed)
    process.standardError = try FileHandle(forWritingTo: complained)
    try process.run()
    return process
  }

  /// What a learner's shell gives the command.
  static func environment(patience: Int) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
    for name in ["KATA_ANSWERS", "KATA_MODULE"] { environment[name] = nil }
    environment["KATA_PATIENCE"] = "\(patience)"
    return environment
  }

  /// The command that was built with these tests.
  static var program: URL { products.appending(path: "kata") }

  private func output(of process: Process) throws -> Output {
    Output(
      code: process.terminationStatus,
      standardOutput: try String(contentsOf: printed, encoding: .utf8),
      standardError: try String(contentsOf: complained, encoding: .utf8))
  }

  /// The verdict on `kata` with `text` as the learner's file.
  func verdict(on kata: String, answering text: String, patience: Int = 20) throws -> Verdict {
    let kata = try Catalogue.kata(named: kata)
    try house.write(text, to: house.learnerPath(of: kata))
    let output = try self.kata("run", kata.name, "--json", patience: patience)
    try #require(output.standardError == "", "kata run said: \(output.standardError)")
    let verdict = try #require(try output.decoded([Verdict].self).first)
    #expect(output.code == (verdict.kind == .passed ? 0 : 1))
    return verdict
  }

  /// The repository that these tests were built from.
  private static let source = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The folder in which SwiftPM has put what it built.
  private static var products: URL {
    #if canImport(Darwin)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
      return bundle.bundleURL.deletingLastPathComponent()
    #else
      return URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    #endif
  }
}

/// The tests that build and run things in a clone belong to `make test`, not to a learner's
/// `swift test`.
let isMakeTest = ProcessInfo.processInfo.environment["KATA_ANSWERS"] == "reference"
