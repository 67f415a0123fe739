import Foundation
import Measuring

/// A program with its arguments, run in a folder.
struct Command {
  var words: [String]
  let folder: URL
  var environment: [String: String] = [:]

  /// Runs the command to its end.
  ///
  /// - Returns: What it printed, and its exit code.
  @discardableResult
  func run() throws -> (output: String, code: Int32) {
    let process = try process()
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self), process.terminationStatus)
  }

  /// The process that runs the command, not yet started.
  func process() throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: try Self.path(of: words[0]))
    process.arguments = Array(words.dropFirst())
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(["KATA_ANSWERS": "", "TEST_TIMEOUT": "2", "NO_COLOR": "1"]) { $1 }
      .merging(environment) { $1 }
    return process
  }

  private static func path(of program: String) throws -> String {
    guard !program.hasPrefix("/") else { return program }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let places = path.split(separator: ":").map { "\($0)/\(program)" }
    guard let place = places.first(where: FileManager.default.isExecutableFile) else {
      throw BenchmarkError("There is no '\(program)' on the PATH.")
    }
    return place
  }
}
