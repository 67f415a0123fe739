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

    /// Whether the build yields to everything else that runs.
    var isUnhurried = false

    /// What the builds and runs in a slot are known by when whoever started them is gone.
    var slot: String?

    /// SwiftPM's options; the same for building and for running, or it would build again.
    var options: [String] {
      ["--scratch-path", scratch, "-Xswiftc", "-diagnostic-style=llvm"]
        + (sanitized ? ["--sanitize=thread"] : []) + quickOptions
    }

    /// The folder of the learner's files, or of what is in its place.
    var room: String { answers ?? "Katas" }

    /// What the manifest reads.
    var environment: [String: String] {
      var environment = ["KATA_MODULE": module?.rawValue ?? "", "KATA_ANSWERS": answers ?? ""]
      environment["KATA_SLOT"] = slot
      return environment
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
  /// Blocks until the build has ended or `stop` asks for its end. One build at a time in a build
  /// folder: see `BuildLock`.
  func run(_ request: Request, stop: StopSignal = StopSignal()) throws -> Outcome {
    let swift = try Toolchain.swift()
    try checkThatItCanWrite(request.scratch)
    let texts = CompiledTexts(of: request, in: house)
    var isBuilt = false
    defer { texts.keep(afterSuccess: isBuilt) }
    var outcome = try planned(request, stop: stop)
    // An old object mustn't be judged.
    if case .built = outcome, !texts.stale().isEmpty { outcome = nil }
    let result = try outcome ?? swiftPM(swift, request, texts, stop: stop)
    if case .built = result { isBuilt = true }
    return result
  }

  /// Builds by the plan that was kept, where that holds.
  ///
  /// Returns nil where SwiftPM must be asked. It's asked too what is wrong with a build, unless the
  /// compiler refuses the learner's own files: that it does in the same words.
  private func planned(_ request: Request, stop: StopSignal) throws -> Outcome? {
    guard request.answers == nil,
      let command = PlannedBuild(house: house, request: request).command()
    else { return nil }
    let build = try watched(
      command.executable, command.arguments, command.environment, request.isUnhurried, stop: stop)
    if stop.isStopped { return .stopped }
    if build.ending == .exited(0) { return .built }
    let messages = CompilerMessage.errors(in: build.output)
    let room = house.url(request.room).path + "/"
    let isTheLearners = !messages.isEmpty && messages.allSatisfy { $0.file.hasPrefix(room) }
    return isTheLearners ? .refused(messages) : nil
  }

  /// Builds with SwiftPM, and again where it has overlooked a change.
  private func swiftPM(
    _ swift: String, _ request: Request, _ texts: CompiledTexts, stop: StopSignal
  ) throws -> Outcome {
    let plan = PlannedBuild(house: house, request: request)
    for _ in 0..<2 {
      texts.discard(texts.stale())
      plan.forget()
      let command = ["-c", Self.hidingMark, "sh", swift, "build", "--build-tests"]
      let build = try watched(
        "/bin/sh", command + request.options, request.environment, request.isUnhurried, stop: stop)
      if stop.isStopped { return .stopped }
      guard build.ending == .exited(0) else {
        let messages = CompilerMessage.errors(in: build.output)
        guard messages.isEmpty else { return .refused(messages) }
        throw Self.explain(build.output, house)
      }
      if texts.stale().isEmpty {
        if request.answers == nil { plan.keep() }
        return .built
      }
    }
    throw KataError(
      "SwiftPM keeps linking an old build of \(texts.stale()[0]); try 'make clean'.", .environment)
  }

  /// Runs a command with its mark in a variable that SwiftPM doesn't look at.
  ///
  /// SwiftPM keeps what a manifest says for the environment it was read in. Another mark each time
  /// would have it compile the manifest each time; this variable it leaves out, as one that differs
  /// from terminal to terminal.
  private static let hidingMark = """
    export TERM_SESSION_ID="KATA_RUN=$KATA_RUN"; unset KATA_RUN; exec "$@"
    """

  /// Runs a build to its end, or until `stop` asks for it.
  private func watched(
    _ executable: String, _ arguments: [String], _ environment: [String: String],
    _ isUnhurried: Bool, stop: StopSignal
  ) throws -> (ending: ChildProcess.Ending, output: String) {
    var command = [executable] + arguments
    if isUnhurried, let nice = Toolchain.find("nice") {
      command = [nice, "-n", "19"] + command
    }
    let build = ChildProcess(
      command[0], Array(command.dropFirst()), environment: environment, in: house.root,
      outputCap: 1024 * 1024)
    do {
      try build.start()
    } catch {
      throw KataError("'\(executable)' can't be started; try 'make doctor'.", .environment)
    }
    while build.isRunning {
      if stop.isStopped { build.stop() }
      usleep(2_000)
    }
    return (build.waitForEnd(), build.output)
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
