import Foundation

/// The plain way to a verdict: `swift build` and `swift test`, with nothing but options that anybody has.
///
/// The package is built as an editor builds it: a kata's spec together with all the learner's answers to the
/// module. It takes longer than ``SpecBuild``, and nothing of that is needed here, so it's there where the fast
/// way is refused.
struct PlainBuild: Sendable {
  let repository: Repository
  let toolchain: Toolchain
  let kata: Kata
  let sanitized: Bool

  private var options: [String] {
    let scratch = repository.url(".build/plain\(sanitized ? "-tsan" : "")").path
    return ["--scratch-path", scratch] + toolchain.buildSystemOptions
      + (sanitized ? ["--sanitize=thread"] : ["-debug-info-format", "none"])
  }

  private func environment() throws -> [String: String] {
    [
      "KATA_MODULE": kata.module.rawValue, "KATA_ANSWERS": "", "KATA_INTERFACE": "",
      "KATA_SPECS": try repository.specFiles(of: kata).joined(separator: ","),
    ]
  }

  /// Builds the spec with the learner's answers to the module.
  ///
  /// Blocks until it's done or `stop` asks for the end; what the compiler refuses is told by its messages.
  func build(stop: CancellationFlag) throws -> SpecBuild.Outcome<Void> {
    let command = Command(
      toolchain.swift, ["build", "--build-tests", "-Xswiftc", "-diagnostic-style=llvm"] + options,
      environment: try environment())
    return try command.outcome(in: repository, stop: stop)
  }

  /// The command that runs the tests which the patterns select, and has Swift Testing write its events.
  func test(_ selection: [String]) throws -> Command {
    Command(
      toolchain.swift, ["test", "--skip-build", "--disable-xctest"] + options + selection,
      environment: try environment())
  }

  /// What runs the spec.
  var runner: SpecRunner {
    let answer = StagedAnswer(learnersAnswerTo: kata, in: repository)
    return SpecRunner(
      repository: repository, toolchain: toolchain, start: .plain(self),
      files: [answer.file] + answer.companions)
  }

  /// How the specs' process ended, as `swift test` says, which itself ends with a code of its own.
  static func ending(
    _ ending: ChildProcess.Ending, output: String
  ) -> ChildProcess.Ending {
    guard let match = output.matches(of: #/unexpected signal code (\d+)/#).last,
      let signal = Int32(match.1)
    else { return ending }
    return .killed(signal: signal)
  }
}
