import Foundation
import Synchronization

/// An answer that was compiled into a library, with the program that can judge it; it can be run
/// any number of times.
///
/// Everything that was built for it is in one folder, which the caller of ``JudgingBench`` owns.
package final class CompiledAnswer: Sendable {
  private let source: AnswerSource
  /// The folder that holds the library and nothing else.
  private let library: URL
  private let build: SpecBuild
  /// The folder of what was built for this answer alone.
  private let folder: URL
  private let program: Mutex<(SpecProgram, isOwn: Bool)>

  init(
    _ source: AnswerSource, library: URL, for program: SpecProgram, _ build: SpecBuild,
    in folder: URL
  ) {
    self.source = source
    self.library = library
    self.build = build
    self.folder = folder
    self.program = Mutex((program, isOwn: false))
  }

  /// Compiles the specs with this answer, whose interface differs from its stub's, or returns the
  /// compiler's errors.
  func makeOwnProgram(stop: CancellationFlag) throws -> BuildOutcome<CompiledAnswer> {
    let usual = program.withLock { $0.0 }
    return try build.program(
      of: source, library: library, insteadOf: usual, in: folder.appending(path: "own"), stop: stop
    ).then { own in
      program.withLock { $0 = (own, isOwn: true) }
      return .built(self)
    }
  }

  /// Runs the spec.
  ///
  /// Blocks until its end, or until `stop` is set. If the answer lacks a symbol although its
  /// interface is its stub's, the specs are compiled with it after all.
  package func run(
    _ options: SpecRunner.Options, stop: CancellationFlag = CancellationFlag(),
    onNews: (SpecNews) -> Void = { _ in }
  ) throws -> SpecRun {
    let isOwn = program.withLock { $0.isOwn }
    var run = try runOnce(options, stop, onNews)
    if run.lacksSymbols, !isOwn {
      switch try makeOwnProgram(stop: stop) {
      case .stopped: run.wasStopped = true
      case .built: run = try runOnce(options, stop, onNews)
      case .refused(let messages):
        throw KataError.building(messages.first.map { "\($0.message)." } ?? "")
      }
    }
    guard run.lacksSymbols, !run.wasStopped else { return run }
    throw KataError.building("The specs can't load \(source.kata.name).")
  }

  private func runOnce(
    _ options: SpecRunner.Options, _ stop: CancellationFlag, _ onNews: (SpecNews) -> Void
  ) throws -> SpecRun {
    let launcher = SpecLauncher(
      repository: build.repository, toolchain: build.toolchain,
      way: .program(program.withLock { $0.0 }, library: library))
    return try SpecRunner(launcher: launcher, files: source.files)
      .run(source.kata, options, stop: stop, onNews: onNews)
  }
}
