import Foundation

/// Tries a way to a verdict on this machine, with the first test of a kata's stub.
struct WayTrial {
  let repository: Repository
  let kata: Kata

  /// Why no test is reached; nil if one is.
  ///
  /// Blocks, and builds what isn't built yet; the first verdict needs the same products.
  func obstacle(_ way: JudgingWay, sanitized: Bool = false) -> String? {
    do {
      let run = try way == .fast ? fastRun(sanitized) : plainRun()
      return run.cameToNoTest ? run.firstFailure?.crash ?? "The specs ran no test." : nil
    } catch {
      return "\(error)"
    }
  }

  /// One test is enough to see that tests run.
  private func options() throws -> SpecRunner.Options {
    var options = SpecRunner.Options(timeout: Judge.defaultTimeout)
    options.only = try Array(repository.testNames(of: kata).prefix(1))
    return options
  }

  private func fastRun(_ sanitized: Bool) throws -> SpecRun {
    let bench = try JudgingBench(
      repository: repository, WorkspaceSnapshot(of: repository), isForOne: true)
    return try repository.withFolderForAnswers { folder in
      let stub = try repository.text(repository.stubPath(of: kata))
      let answer = try AnswerSource(to: kata, text: stub, in: folder)
      guard
        case .built(let compiled) = try bench.compile(answer, sanitized: sanitized, in: folder)
      else { throw KataError.building("The stub of \(kata.name) doesn't compile.") }
      return try compiled.run(options())
    }
  }

  private func plainRun() throws -> SpecRun {
    let build = PlainBuild(
      repository: repository, toolchain: try Toolchain(for: repository), kata: kata,
      sanitized: false)
    guard case .built = try build.build(stop: CancellationFlag()) else {
      throw KataError(
        "Your answers to \(kata.module.rawValue) don't compile yet, so it wasn't tried.", .notDone)
    }
    return try build.runner.run(kata, options())
  }
}
