import Foundation

/// Starts the processes of specs, and reports their state.
struct SpecLauncher: Sendable {
  enum Way: Sendable {
    /// The program of the specs, which loads the answer's library from the folder `library`.
    case program(SpecProgram, library: URL)
    /// `swift test`.
    case plain(PlainBuild)
  }

  let repository: Repository
  let toolchain: Toolchain
  let way: Way

  /// Whether Thread Sanitizer is built in.
  var isSanitized: Bool {
    switch way {
    case .program(let program, _): program.sanitized
    case .plain(let build): build.sanitized
    }
  }

  /// Whether Swift Testing also writes to the console what it writes as events.
  var hasConsole: Bool {
    if case .plain = way { true } else { false }
  }

  /// Whether the answer has points at which a thread can be held.
  var hasPoints: Bool {
    if case .program(let program, _) = way { program.hooks != nil } else { false }
  }

  // MARK: - Starting

  /// Creates the process that runs the tests selected by `filter`, and writes its reports into
  /// `folder`.
  ///
  /// It reports its progress through `pipes`.
  func process(
    _ filter: [String], _ options: SpecRunner.Options, folder: String, _ pipes: SessionPipes,
    printing printed: PrintedText
  ) throws -> ChildProcess {
    let selection =
      [
        "--event-stream-version", EventStream.version, "--event-stream-output-path",
        pipes.events.path,
      ] + filter.flatMap { ["--filter", $0] }
    let command =
      switch way {
      case .plain(let build): try build.test(selection)
      case .program(let program, let library):
        try self.command(program, library, selection, options, folder: folder)
      }
    return ChildProcess(
      command.executable, command.arguments,
      environment: command.environment.merging([
        "TEST_TIMEOUT": "\(options.timeout)", "KATA_HEARTBEAT": pipes.beats.path,
        "KATA_ATTESTATION": pipes.key.path,
        "TEST_SCHEDULES": "\(options.secondsToExplore)",
        "TEST_SCHEDULES_PART": options.partToExplore,
        "KATA_PICTURES": options.keepsPictures ? folder : "",
        "SWIFT_BACKTRACE": "enable=no",
        // Without the second that it sleeps before an exit, which looks like a hang.
        "TSAN_OPTIONS": "log_path='\(folder)/race' exitcode=66 atexit_sleep_ms=0",
      ]) { $1 },
      beside: options.environment ?? ProcessInfo.processInfo.environment,
      in: options.directory ?? repository.root, printing: printed)
  }

  private func command(
    _ program: SpecProgram, _ library: URL, _ selection: [String], _ options: SpecRunner.Options,
    folder: String
  ) throws -> Command {
    let libraries = try linked(library, of: program.module)
    let place = repository.url(program.folder)
    let command = try toolchain.start(
      // The console shows only what the answer prints.
      program.program, in: place, libraries: libraries, selection + ["--verbosity", "\(Int.min)"]
    ).launched(by: options.launcher)
    guard let isolation = options.isolation, let directory = options.directory else {
      return command
    }
    return isolation.isolated(
      command, reading: [place, libraries, URL(filePath: folder)], directory: directory,
      with: ["HOME", "TMPDIR"].compactMap { options.environment?[$0] })
  }

  /// Links the library into a folder with a unique name for one process, which may delete it.
  private func linked(_ library: URL, of module: Module) throws -> URL {
    let libraries = library.appending(path: UUID().uuidString)
    let name = Toolchain.libraryName(AnswerBuild.name(of: module))
    do {
      try FileManager.default.createDirectory(at: libraries, withIntermediateDirectories: true)
      let (own, link) = (library.appending(path: name), libraries.appending(path: name))
      if (try? FileManager.default.linkItem(at: own, to: link)) == nil {
        // Some file systems have no hard links.
        try FileManager.default.copyItem(at: own, to: link)
      }
      // If the compiler has made a dSYM, it contains the lines for reports, and is searched for
      // beside the library.
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

  // MARK: - Watching

  /// The state of the specs' process, which may not be the process that was started.
  func status(of process: ChildProcess, isIsolated: Bool) -> ProcessStatus? {
    if case .plain = way { return ProcessStatus.line(from: process.identifier).last }
    guard isIsolated else { return process.status }
    return ProcessStatus.line(from: process.identifier).dropFirst(Isolation.processesBefore).first
  }

  /// Waits until the specs' process has ended, and returns how it ended.
  func ending(of process: ChildProcess, isIsolated: Bool) -> ChildProcess.Ending {
    let ending = process.waitForEnd()
    if case .plain = way { return PlainBuild.ending(ending, output: process.output) }
    return isIsolated ? Isolation.ending(ending) : ending
  }
}
