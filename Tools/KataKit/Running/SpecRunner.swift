import Foundation

/// Runs the spec of one kata, in a process that it may hang or bring down.
///
/// A watchdog outside the process ends it when it makes no progress; the test that was running is
/// named from the event stream, and the tests after it run in a new process.
package struct SpecRunner: Sendable {
  package struct Options: Sendable {
    /// How long the spec waits for what must happen, in seconds.
    package var timeout: Double
    /// The tests to run, by name; nil for all.
    package var only: [String]?
    /// What the names of all tests begin with, where it isn't the kata's suite.
    package var suite: String?
    /// How many times the tests after a dead process get a new one.
    var restarts = 40
    /// Whether a hang that the watchdog had to end is followed by the remaining tests.
    package var goesOnAfterHang = false
    /// Whether what was seen of the run's processes is kept.
    package var keepsRecords = false
    /// The tests that look for schedules although others have failed, by name; where all have passed, all do.
    package var exploresAnyway: [String] = []
    /// What the files end with whose tests look for a schedule that breaks the answer; they sort last.
    package var filesOfSchedules = "Tests_EverySchedule.swift"
    /// How long each test that looks for schedules does so; at 0 it runs each scenario once.
    var secondsToExplore = 0.0
    /// Whether the spec keeps what its timelines show.
    package var keepsPictures = false
    /// The words before the program's own by which it's started; they become the program (`exec`).
    package var launcher: [String] = []
    /// The working directory, if it isn't the repository's.
    package var directory: URL?
    /// What it sees of this process's environment, if not all.
    package var environment: [String: String]?
    /// What keeps it to itself, if anything does; goes with a directory.
    package var isolation: Isolation?
    /// How much it may use, if not as much as a run that is alone.
    package var limits: ResourceLimits?

    package init(timeout: Double) {
      self.timeout = timeout
    }
  }

  let launcher: SpecLauncher
  /// The files of the answer.
  let files: [URL]

  /// Runs the spec of `kata`, and blocks until its end, or until `stop` asks for it.
  package func run(
    _ kata: Kata, _ options: Options, stop: CancellationFlag = CancellationFlag(),
    onNews: (SpecNews) -> Void = { _ in }
  ) throws -> SpecRun {
    try OwnFolder.with(in: FileManager.default.temporaryDirectory, prefix: Self.folderPrefix) {
      do {
        try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: true)
      } catch {
        throw KataError.cannotWrite($0.path, error)
      }
      return try run(kata, options, in: $0, stop: stop, onNews: onNews)
    }
  }

  /// What the names of the folders begin with that runs write into.
  private static let folderPrefix = "katas-"

  /// Removes what commands have left that were killed.
  static func removeLeftovers() {
    OwnFolder.removeLeftovers(
      in: FileManager.default.temporaryDirectory, prefix: folderPrefix)
  }

  /// Runs the spec; what it writes goes into `folder`.
  private func run(
    _ kata: Kata, _ options: Options, in folder: URL, stop: CancellationFlag,
    onNews: (SpecNews) -> Void
  ) throws -> SpecRun {
    var run = try sessions(
      SpecRun(), Self.filter(options.suite ?? "\(kata.suite)/", only: options.only), options,
      in: folder, stop: stop, onNews: onNews)
    run = try inSchedules(run, options, in: folder.appending(path: "schedules"), stop, onNews)
    // Events that find no room are lost, and what they would have told is held against nobody.
    if !run.passed, !run.wasStopped, DiskSpace.isShort(of: DiskSpace.neededByRun, in: folder) {
      throw KataError.diskFull
    }
    let specs = try launcher.repository.swiftFiles(in: kata.module.specs)
    run.races += try RaceReport.read(
      in: folder.path, answer: files.map(\.path),
      specs: specs.map { launcher.repository.url($0).path })
    return run
  }

  /// Runs the tests that `filter` selects, in as many processes as it takes, and adds to what is known.
  func sessions(
    _ known: SpecRun, _ filter: [String], _ options: Options, in folder: URL,
    stop: CancellationFlag, onNews: (SpecNews) -> Void
  ) throws -> SpecRun {
    let start = ContinuousClock.now
    var run = known
    var filter = filter
    for attempt in 0...options.restarts {
      let attemptFolder = folder.appending(path: "\(attempt)").path
      let session = SpecSession(
        launcher: launcher, filter: filter, options: options, folder: attemptFolder, report: run)
      let ending = try session.run(stop: stop, onNews: onNews)
      run = session.report
      if options.keepsPictures,
        let lines = try? Data(contentsOf: URL(filePath: "\(attemptFolder)/pictures.jsonl"))
      {
        // The last line may have been cut short.
        run.pictureLines += lines + [UInt8(ascii: "\n")]
      }
      if run.lacksSymbols { return run }
      if stop.isStopped {
        run.wasStopped = true
        break
      }
      let left = run.tests.filter { $0.status == .notReached }
      if left.isEmpty || ending == .complete { break }
      // A person waits for no more than one hang that took all the timeout there was.
      let isLate = start.duration(to: .now) > .milliseconds(Int(options.timeout * 1000))
      if ending == .stalled || isLate, !options.goesOnAfterHang { break }
      filter = left.map { Self.escaped($0.id) }
    }
    return run
  }

  /// The arguments that select tests by what their names begin with: all, or some by name.
  private static func filter(_ beginning: String, only: [String]?) -> [String] {
    let suite = "^" + escaped(beginning)
    guard let only else { return [suite] }
    return only.map { "\(suite)`\(escaped($0))`\\(" }
  }

  static func escaped(_ text: String) -> String {
    NSRegularExpression.escapedPattern(for: text)
  }
}
