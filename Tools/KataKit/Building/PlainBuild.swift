import Foundation

/// The plain way to a verdict: `swift build` and `swift test`, with common options only.
///
/// The package is built as an editor builds it: a kata's spec together with all the learner's
/// answers to the module. It takes longer than ``SpecBuild`` and needs none of its parts, so it
/// works where the fast way is refused.
struct PlainBuild: Sendable {
  let repository: Repository
  let toolchain: Toolchain
  let kata: Kata
  let sanitized: Bool

  /// Each kata has its own, since several may be judged at once.
  private var name: String { "\(kata.name)\(sanitized ? "-tsan" : "")" }

  private var options: [String] {
    [
      "--package-path", repository.url("\(SpecPackage.folder)/\(name)").path,
      "--scratch-path", repository.url(".build/plain\(sanitized ? "-tsan" : "")").path,
    ] + toolchain.buildSystemOptions
      + (sanitized ? ["--sanitize=thread"] : ["-debug-info-format", "none"])
  }

  /// Builds the spec with the learner's answers to the module.
  ///
  /// Blocks until it's done or `stop` is set; returns the compiler's errors if it fails.
  func build(stop: CancellationFlag) throws -> BuildOutcome<Void> {
    let package = SpecPackage(
      repository, kata.module, files: try repository.specFiles(of: kata), answers: .sources)
    _ = try package.write(as: name)
    let command = Command(
      toolchain.swift, ["build", "--build-tests", "-Xswiftc", "-diagnostic-style=llvm"] + options,
      environment: SpecPackage.environment)
    return try command.outcome(in: repository, stop: stop)
  }

  /// The command that runs the selected tests, and has Swift Testing write its events.
  func test(_ selection: [String]) throws -> Command {
    Command(
      toolchain.swift, ["test", "--skip-build", "--disable-xctest"] + options + selection,
      environment: SpecPackage.environment)
  }

  /// What runs the spec.
  var runner: SpecRunner {
    SpecRunner(
      launcher: SpecLauncher(repository: repository, toolchain: toolchain, way: .plain(self)),
      files: AnswerSource(learnersAnswerTo: kata, in: repository).files)
  }

  /// How the specs' process ended, from what `swift test` prints, since that has an exit code of
  /// its own.
  static func ending(
    _ ending: ChildProcess.Ending, output: String
  ) -> ChildProcess.Ending {
    guard let match = output.matches(of: #/unexpected signal code (\d+)/#).last,
      let signal = Int32(match.1)
    else { return ending }
    return .killed(signal: signal)
  }
}
