import Foundation

/// An answer that is compiled, with the program that can judge it; run as often as is asked for.
final class BuiltAnswer: Sendable {
  private let answer: StagedAnswer
  private let build: SpecBuild
  /// The folder of what was built for this answer alone.
  private let folder: URL
  let library: AnswerLibrary
  let program: SpecProgram

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
  /// Blocks until it's done or `stop` asks for the end. Whoever gets it calls ``remove()``.
  static func make(
    _ answer: StagedAnswer, for program: SpecProgram, _ build: SpecBuild,
    stop: StopSignal = StopSignal()
  ) throws -> SpecBuild.Outcome<BuiltAnswer> {
    let folder = build.house.folderForAnswer()
    let answers = AnswerBuild(house: build.house, toolchain: build.toolchain)
    let clearAway: @Sendable () -> Void = { try? FileManager.default.removeItem(at: folder) }
    var isKept = false
    defer { if !isKept { clearAway() } }
    return try LiveProcesses.withLastAct(clearAway) {
      switch try answers.library(of: answer, for: program, in: folder, stop: stop) {
      case .stopped: return .stopped
      case .refused(let messages): return .refused(messages)
      case .built(let library):
        let built = BuiltAnswer(answer, build, folder, library, program)
        let outcome =
          try library.hasStubsInterface ? .built(built) : built.withOwnProgram(stop: stop)
        if case .built = outcome { isKept = true }
        return outcome
      }
    }
  }

  /// The same answer with a program whose specs are compiled with it.
  private func withOwnProgram(
    stop: StopSignal = StopSignal()
  ) throws -> SpecBuild.Outcome<BuiltAnswer> {
    switch try build.program(of: answer, insteadOf: program, stop: stop) {
    case .stopped: .stopped
    case .refused(let messages): .refused(messages)
    case .built(let own): .built(BuiltAnswer(answer, build, folder, library, own))
    }
  }

  /// Removes what was built for this answer alone.
  func remove() {
    try? FileManager.default.removeItem(at: folder)
    if program.isOwn { try? FileManager.default.removeItem(at: build.house.url(program.folder)) }
  }

  /// Removes what commands have left that were killed, and ends what still runs of theirs.
  static func removeLeftovers(in house: House) {
    let folders = house.url(folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folders.path)) ?? []
    for name in names where isOfTheDead(name) {
      // A run is known by where its library is.
      Leftovers.stop(markedBy: "\(folders.appending(path: name).path)/")
      try? FileManager.default.removeItem(at: folders.appending(path: name))
    }
    SpecRunner.removeLeftovers()
  }

  /// Whether a name begins with the number of a process that is gone.
  static func isOfTheDead(_ name: String) -> Bool {
    guard let owner = name.split(separator: "-").first.flatMap({ Int32($0) }) else { return false }
    return kill(owner, 0) != 0 && errno == ESRCH
  }

  /// How a run differs from one of a learner's answer at home.
  struct Circumstances: Sendable {
    /// Whether the process is held to one core, where the system offers a way.
    var isPinned = false
    /// Where the process is at home, if not in the house.
    var desk: Desk?
    /// How much it may use, if not as much as a run that is alone.
    var limits: ResourceLimits?
  }

  /// Runs the spec.
  func run(
    _ options: SpecRunner.Options, _ circumstances: Circumstances = Circumstances(),
    stop: StopSignal = StopSignal(), onFailure: (TestReport) -> Void = { _ in }
  ) throws -> SpecRun {
    var runner = SpecRunner(
      house: build.house, toolchain: build.toolchain, program: program, library: library)
    runner.isPinned = circumstances.isPinned
    runner.desk = circumstances.desk
    runner.limits = circumstances.limits
    let run = try runner.run(answer.kata, options, stop: stop, onFailure: onFailure)
    guard run.lacksSymbols else { return run }
    throw KataError.building(
      "\(answer.kata.name) lacks something that its specs use, and the compiler didn't say what.")
  }
}
