import Foundation
import Synchronization

/// An answer that is compiled, with the program that can judge it; run as often as is asked for.
package final class BuiltAnswer: Sendable {
  private let answer: StagedAnswer
  private let build: SpecBuild
  /// The folder of what was built for this answer alone.
  private let folder: URL
  private let library: AnswerLibrary
  private let program: SpecProgram
  /// A program whose specs are compiled with this answer, where there had to be one.
  private let own = Mutex<SpecProgram?>(nil)

  private init(
    _ answer: StagedAnswer, _ build: SpecBuild, _ folder: URL, _ library: AnswerLibrary,
    _ program: SpecProgram
  ) {
    self.answer = answer
    self.build = build
    self.folder = folder
    self.library = library
    self.program = program
  }

  /// Where answers are compiled: a folder for each, named after the process that does it.
  static let folder = "\(SpecBuild.folder)/answers"

  /// Compiles an answer for a program of specs, or for one of its own where it doesn't show what its
  /// stub does.
  ///
  /// Blocks until it's done or `stop` asks for the end. Whoever gets it calls ``remove()``. Where
  /// `isAlone`, what doesn't compile by itself is refused, whatever the reason.
  package static func make(
    _ answer: StagedAnswer, for program: SpecProgram, _ build: SpecBuild, isAlone: Bool = false,
    stop: CancellationFlag = CancellationFlag()
  ) throws -> SpecBuild.Outcome<BuiltAnswer> {
    let folder = build.repository.folderForAnswer()
    let answers = AnswerBuild(repository: build.repository, toolchain: build.toolchain)
    let clearAway: @Sendable () -> Void = { try? FileManager.default.removeItem(at: folder) }
    var isKept = false
    defer { if !isKept { clearAway() } }
    return try ProcessRegistry.withTerminationCleanup(clearAway) {
      switch try answers.library(
        of: answer, for: program, in: folder, isAlone: isAlone, stop: stop)
      {
      case .stopped: return .stopped
      case .refused(let messages): return .refused(messages)
      case .built(let library):
        let built = BuiltAnswer(answer, build, folder, library, program)
        if !library.hasStubsInterface {
          switch try built.makeOwnProgram(stop: stop) {
          case .stopped: return .stopped
          case .refused(let messages): return .refused(messages)
          case .built: break
          }
        }
        isKept = true
        return .built(built)
      }
    }
  }

  /// Compiles the specs with this answer, or tells what the compiler says of the two.
  private func makeOwnProgram(
    stop: CancellationFlag = CancellationFlag()
  ) throws -> SpecBuild.Outcome<SpecProgram> {
    let outcome = try build.program(of: answer, library, insteadOf: program, stop: stop)
    if case .built(let new) = outcome { own.withLock { $0 = new } }
    return outcome
  }

  /// Removes what was built for this answer alone.
  package func remove() {
    try? FileManager.default.removeItem(at: folder)
    guard let own = own.withLock({ $0 }) else { return }
    try? FileManager.default.removeItem(at: build.repository.url(own.folder))
  }

  /// Removes what commands have left that were killed, and ends what still runs of theirs.
  package static func removeLeftovers(in repository: Repository) {
    let folders = repository.url(folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folders.path)) ?? []
    for name in names where isOfTheDead(name) {
      // A run is known by where its library is.
      OrphanProcesses.stop(markedBy: "\(folders.appending(path: name).path)/")
      try? FileManager.default.removeItem(at: folders.appending(path: name))
    }
    SpecRunner.removeLeftovers()
  }

  /// Whether a name begins with the number of a process that is gone.
  static func isOfTheDead(_ name: String) -> Bool {
    guard let owner = name.split(separator: "-").first.flatMap({ Int32($0) }) else { return false }
    return kill(owner, 0) != 0 && errno == ESRCH
  }

  /// Runs the spec.
  ///
  /// Where the program finds that the answer lacks something, though it shows all that its stub does, the
  /// specs are compiled with it after all.
  package func run(
    _ options: SpecRunner.Options,
    stop: CancellationFlag = CancellationFlag(), onNews: (SpecNews) -> Void = { _ in }
  ) throws -> SpecRun {
    let known = own.withLock { $0 }
    var run = try run(by: known ?? program, options, stop, onNews)
    if run.lacksSymbols, known == nil {
      switch try makeOwnProgram(stop: stop) {
      case .stopped: run.wasStopped = true
      case .built(let new): run = try self.run(by: new, options, stop, onNews)
      case .refused(let messages):
        throw KataError.building(messages.first.map { "\($0.message)." } ?? "")
      }
    }
    guard run.lacksSymbols, !run.wasStopped else { return run }
    throw KataError.building("The specs can't load \(answer.kata.name).")
  }

  private func run(
    by program: SpecProgram, _ options: SpecRunner.Options,
    _ stop: CancellationFlag, _ onNews: (SpecNews) -> Void
  ) throws -> SpecRun {
    let runner = SpecRunner(
      repository: build.repository, toolchain: build.toolchain,
      start: .program(program, library: library.folder), files: [answer.file] + answer.companions)
    return try runner.run(answer.kata, options, stop: stop, onNews: onNews)
  }
}
