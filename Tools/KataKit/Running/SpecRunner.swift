import Foundation

/// Runs the spec of one kata, in a process that may hang or crash.
///
/// A watchdog outside the process kills it when it makes no progress. The event stream names the
/// test that was running, and the tests after it run in a new process.
package struct SpecRunner: Sendable {
  package struct Options: Sendable {
    /// How long the spec waits for something that must happen, in seconds.
    package var timeout: Double
    /// The tests to run, by name; nil for all.
    package var only: [String]?
    /// The prefix of all tests' names, if it isn't the kata's suite.
    package var suite: String?
    /// How many new processes may be started for the tests after one that died.
    var restarts = 40
    /// Whether the remaining tests run after a hang that the watchdog had to end.
    package var goesOnAfterHang = false
    /// Whether records of the run's processes are kept.
    package var keepsRecords = false
    /// The tests that explore schedules although others have failed, by name; if all have passed,
    /// all do.
    package var exploresAnyway: [String] = []
    /// The suffix of files whose tests explore schedules; they sort last.
    package var filesOfSchedules = "Tests_EverySchedule.swift"
    /// How long each test explores schedules; with 0 it runs each scenario once.
    var secondsToExplore = 0.0
    /// How many processes explore schedules at the same time, each for that long.
    package var processesToExplore = 1
    /// Which part of the schedules a process explores, such as 2/4.
    var partToExplore = "1/1"
    /// Whether the spec keeps what its timelines show.
    package var keepsPictures = false
    /// The words before the program's own that launch it; they become the program (`exec`).
    package var launcher: [String] = []
    /// The working directory, if it isn't the repository's.
    package var directory: URL?
    /// The environment that it inherits, if not this process's.
    package var environment: [String: String]?
    /// What isolates it, if anything does; needs a directory.
    package var isolation: Isolation?
    /// How much it may use, if it doesn't run alone.
    package var limits: ResourceLimits?

    package init(timeout: Double) {
      self.timeout = timeout
    }
  }

  let launcher: SpecLauncher
  /// The files of the answer.
  let files: [URL]

  /// Runs the spec of `kata`, and blocks until its end, or until `stop` is set.
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

  /// The prefix of the folders that runs write into.
  private static let folderPrefix = "katas-"

  /// Removes what killed commands have left behind.
  static func removeLeftovers() {
    OwnFolder.removeLeftovers(
      in: FileManager.default.temporaryDirectory, prefix: folderPrefix)
  }

  /// Runs the spec, with its files in `folder`.
  private func run(
    _ kata: Kata, _ options: Options, in folder: URL, stop: CancellationFlag,
    onNews: (SpecNews) -> Void
  ) throws -> SpecRun {
    var run = try sessions(
      SpecRun(), Self.filter(options.suite ?? "\(kata.suite)/", only: options.only), options,
      in: folder, stop: stop, onNews: onNews)
    run = try inSchedules(run, options, in: folder.appending(path: "schedules"), stop, onNews)
    // Without room on the disk, events are lost, and no answer is blamed for that.
    if !run.passed, !run.wasStopped, DiskSpace.isShort(of: DiskSpace.neededByRun, in: folder) {
      throw KataError.diskFull
    }
    let specs = try launcher.repository.swiftFiles(in: kata.module.specs)
    run.races += try RaceReport.read(
      in: folder.path, answer: files.map(\.path),
      specs: specs.map { launcher.repository.url($0).path })
    return run
  }

  /// Runs the tests selected by `filter`, in as many processes as needed, and adds their results.
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
        // The last line may be incomplete.
        run.pictureLines += lines + [UInt8(ascii: "\n")]
      }
      if run.lacksSymbols { return run }
      if stop.isStopped {
        run.wasStopped = true
        break
      }
      let left = run.tests.filter { $0.status == .notReached }
      if left.isEmpty || ending == .complete { break }
      // After one hang that took the whole timeout, a waiting person shouldn't wait for another.
      let isLate = start.duration(to: .now) > .milliseconds(Int(options.timeout * 1000))
      if ending == .stalled || isLate, !options.goesOnAfterHang { break }
      filter = left.map { Self.escaped($0.id) }
    }
    return run
  }

  /// The arguments that select tests by a prefix of their names: all, or some by name.
  private static func filter(_ beginning: String, only: [String]?) -> [String] {
    let suite = "^" + escaped(beginning)
    guard let only else { return [suite] }
    return only.map { "\(suite)`\(escaped($0))`\\(" }
  }

  static func escaped(_ text: String) -> String {
    NSRegularExpression.escapedPattern(for: text)
  }
}
