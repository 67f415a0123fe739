import Foundation

/// Builds the specs with SwiftPM.
struct SwiftBuild: Sendable {
  /// What to build.
  struct Request: Sendable {
    /// One module, or all of them.
    var module: Module?
    /// A folder of answers in place of `Katas/`, as the manifest's `KATA_ANSWERS` names it.
    var answers: String?
    /// The build folder.
    var scratch: String
    /// Whether Thread Sanitizer is built in.
    var sanitized = false

    /// SwiftPM's options; the same for building and for running, or it would build again.
    var options: [String] {
      ["--scratch-path", scratch, "-Xswiftc", "-diagnostic-style=llvm"]
        + (sanitized ? ["--sanitize=thread"] : [])
    }

    /// What the manifest reads.
    var environment: [String: String] {
      ["KATA_MODULE": module?.rawValue ?? "", "KATA_ANSWERS": answers ?? ""]
    }
  }

  /// What came of it.
  enum Outcome: Sendable {
    /// What was asked for is built.
    case built
    /// The compiler's messages.
    case refused([CompilerMessage])
    /// The build was stopped.
    case stopped
  }

  let house: House

  /// Builds the specs.
  ///
  /// Blocks until the build has ended or `stop` asks for its end.
  func run(_ request: Request, stop: StopSignal = StopSignal()) throws -> Outcome {
    let swift = try Toolchain.swift()
    try checkThatItCanWrite(request.scratch)
    let build = ChildProcess(
      swift, ["build", "--build-tests"] + request.options, environment: request.environment,
      in: house.root, outputCap: 1024 * 1024)
    do {
      try build.start()
    } catch {
      throw KataError("'\(swift)' can't be started; try 'make doctor'.", .environment)
    }
    while build.isRunning {
      if stop.isStopped { build.stop() }
      usleep(2_000)
    }
    let ending = build.waitForEnd()
    if stop.isStopped { return .stopped }
    if ending == .exited(0) {
      return .built
    }
    let messages = CompilerMessage.errors(in: build.output)
    guard messages.isEmpty else { return .refused(messages) }
    throw Self.explain(build.output, house)
  }

  /// Says so in one sentence where SwiftPM would say it in many.
  private func checkThatItCanWrite(_ scratch: String) throws {
    let folder = house.url(scratch)
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    guard FileManager.default.isWritableFile(atPath: folder.path) else {
      throw KataError(
        "\(scratch) can't be written; check that this folder is yours and not read-only.",
        .environment)
    }
  }

  /// A build that failed without a message of the compiler's.
  private static func explain(_ log: String, _ house: House) -> KataError {
    if log.contains("No space left on device") { return .diskFull }
    if log.contains("Permission denied") || log.contains("Read-only file system")
      || log.contains("don’t have permission") || log.contains("don't have permission")
    {
      return KataError(
        "The build can't write below \(house.root.path); check that this folder is yours and not "
          + "read-only.", .environment)
    }
    let lines = log.split(separator: "\n").map(String.init)
    let cause =
      lines.first { $0.hasPrefix("error: ") }.map { String($0.dropFirst("error: ".count)) }
      ?? lines.last ?? "it printed nothing"
    return KataError(
      "The build failed: \(cause) Try 'make clean', then 'make doctor'.", .environment)
  }
}

/// The Swift toolchain on this machine.
enum Toolchain {
  /// The path of `swift`, found as a shell would find it.
  static func swift() throws -> String {
    guard let path = find("swift") else {
      throw KataError(
        "There is no 'swift' on the PATH; install Swift 6.2 or newer from swift.org/install.",
        .environment)
    }
    return path
  }

  static func find(_ tool: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/\(tool)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
