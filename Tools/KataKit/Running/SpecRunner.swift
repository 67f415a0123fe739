import Foundation

/// Runs the spec of one kata, in a process that it may hang or bring down.
///
/// A watchdog outside the process ends it when it makes no progress; the test that was running is
/// named from the event stream, and the tests after it run in a new process.
package struct SpecRunner: Sendable {
  package struct Options: Sendable {
    /// How long the spec waits for what must happen, in seconds.
    package var patience: Double
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

    package init(patience: Double) {
      self.patience = patience
    }
  }

  /// How the specs' process is started.
  enum Start: Sendable {
    /// The program of the specs, which loads the answer's library from the folder `library`.
    case program(SpecProgram, library: URL)
    /// `swift test`.
    case plain(PlainBuild)

    /// Whether Thread Sanitizer is built in.
    var isSanitized: Bool {
      switch self {
      case .program(let program, _): program.sanitized
      case .plain(let build): build.sanitized
      }
    }

    /// Whether Swift Testing writes to the console what it writes as events, too.
    var hasConsole: Bool {
      if case .plain = self { true } else { false }
    }

    /// Whether the answer has points at which a thread can be held.
    var hasPoints: Bool {
      if case .program(let program, _) = self { program.hooks != nil } else { false }
    }
  }

  let repository: Repository
  let toolchain: Toolchain
  let start: Start
  /// The files of the answer.
  let files: [URL]

  /// Runs the spec of `kata`, and blocks until its end, or until `stop` asks for it.
  package func run(
    _ kata: Kata, _ options: Options, stop: CancellationFlag = CancellationFlag(),
    onNews: (SpecNews) -> Void = { _ in }
  ) throws -> SpecRun {
    let folder = Self.temporaryFolder()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw KataError.cannotWrite(folder.path, error)
    }
    let clearAway: @Sendable () -> Void = { try? FileManager.default.removeItem(at: folder) }
    defer { clearAway() }
    return try ProcessRegistry.withTerminationCleanup(clearAway) {
      try run(kata, options, in: folder, stop: stop, onNews: onNews)
    }
  }

  /// What the names of the folders begin with that runs write into, beside the process that made them.
  private static let folderPrefix = "katas-"

  private static func temporaryFolder() -> URL {
    FileManager.default.temporaryDirectory
      .appending(path: "\(folderPrefix)\(getpid())-\(UUID().uuidString)")
  }

  /// Removes what commands have left that were killed.
  static func removeLeftovers() {
    let folder = FileManager.default.temporaryDirectory
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where name.hasPrefix(folderPrefix) {
      guard BuiltAnswer.isOfTheDead(String(name.dropFirst(folderPrefix.count))) else { continue }
      try? FileManager.default.removeItem(at: folder.appending(path: name))
    }
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
    let specs = try repository.swiftFiles(in: kata.module.specs)
    run.races += try RaceReport.read(
      in: folder.path, answer: files.map(\.path), specs: specs.map { repository.url($0).path })
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
        runner: self, filter: filter, options: options, folder: attemptFolder, report: run)
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
      // A person waits for no more than one hang that took all the patience there was.
      let isLate = start.duration(to: .now) > .milliseconds(Int(options.patience * 1000))
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

  /// The process that runs the tests which `filter` selects, and whose reports go into `folder`.
  ///
  /// It tells how it goes on by `pipes`.
  func process(
    filter: [String], _ specOptions: Options, folder: String, _ pipes: SessionPipes,
    printing printed: PrintedText
  ) throws -> ChildProcess {
    var options = [
      "--event-stream-version", EventStream.version, "--event-stream-output-path",
      pipes.events.path,
    ]
    for pattern in filter { options += ["--filter", pattern] }
    let command: Command
    switch start {
    case .plain(let build): command = try build.test(options)
    case .program(let program, let library):
      // What it prints is the answer's alone.
      options += ["--verbosity", "\(Int.min)"]
      command = try self.command(program, library, options, specOptions, folder: folder)
    }
    return ChildProcess(
      command.executable, command.arguments,
      environment: command.environment.merging([
        "TEST_PATIENCE": "\(specOptions.patience)", "KATA_HEARTBEAT": pipes.beats.path,
        "KATA_ATTESTATION": pipes.key.path,
        "TEST_SCHEDULES": "\(specOptions.secondsToExplore)",
        "KATA_PICTURES": specOptions.keepsPictures ? folder : "",
        "SWIFT_BACKTRACE": "enable=no",
        // Without the second that it sleeps before an exit, and which looks like a hang.
        "TSAN_OPTIONS": "log_path='\(folder)/race' exitcode=66 atexit_sleep_ms=0",
      ]) { $1 },
      beside: specOptions.environment ?? ProcessInfo.processInfo.environment,
      in: specOptions.directory ?? repository.root, printing: printed)
  }

  private func command(
    _ program: SpecProgram, _ library: URL, _ options: [String], _ specOptions: Options,
    folder: String
  ) throws -> Command {
    let libraries = try linked(library, of: program.module)
    let place = repository.url(program.folder)
    let command = try toolchain.start(program.program, in: place, libraries: libraries, options)
      .launched(by: specOptions.launcher)
    guard let isolation = specOptions.isolation, let directory = specOptions.directory else {
      return command
    }
    return isolation.isolated(
      command, reading: [place, libraries, URL(filePath: folder)], directory: directory,
      with: ["HOME", "TMPDIR"].compactMap { specOptions.environment?[$0] })
  }

  /// A folder with a name of the library's own for this process, which may delete it.
  private func linked(_ library: URL, of module: Module) throws -> URL {
    let libraries = library.appending(path: UUID().uuidString)
    let name = Toolchain.libraryName(AnswerBuild.name(of: module))
    do {
      try FileManager.default.createDirectory(at: libraries, withIntermediateDirectories: true)
      let (own, link) = (library.appending(path: name), libraries.appending(path: name))
      if (try? FileManager.default.linkItem(at: own, to: link)) == nil {
        // Not every file system can.
        try FileManager.default.copyItem(at: own, to: link)
      }
      // Where the compiler leaves one, the lines of reports are in it, and it's looked for beside the library.
      let symbols = own.appendingPathExtension("dSYM")
      if FileManager.default.fileExists(atPath: symbols.path) {
        try FileManager.default.createSymbolicLink(
          at: link.appendingPathExtension("dSYM"), withDestinationURL: symbols)
      }
    } catch {
      throw KataError.cannotWrite(libraries.path, error)
    }
    return libraries
  }
}
