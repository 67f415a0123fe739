import Foundation

/// One process that runs tests of a spec, watched from outside.
final class SpecSession {
  enum Ending: Equatable {
    /// The run is complete.
    case complete
    /// The process ended early, by itself or because one of its tests hung.
    case broken
    /// The watchdog killed the process.
    case stalled
  }

  /// Why the process has ended.
  private enum Watched {
    /// By itself, or because it's no longer useful.
    case ended
    /// It made no progress; with a sentence on its state, if it's known.
    case stalled(String?)
    /// It exceeded a limit, in a sentence.
    case exceeded(String)
  }

  /// The time between samples of the process while nothing arrives from it, in milliseconds.
  private static let interval: Int32 = 100
  /// One of this many samples includes everything that it started.
  private static let looksAtTree = 3

  /// The results so far; begins with those of the processes before this one.
  private(set) var report: SpecRun

  private let launcher: SpecLauncher
  private let filter: [String]
  private let options: SpecRunner.Options
  private let folder: String
  private var isIsolated: Bool { options.isolation != nil }
  private var events = EventStream()
  private var attestation = Attestation()
  private var record = ProcessRecord()
  private var running: String?
  private var runEnded = false
  /// The test in which the spec itself has found a hang; its process is no longer useful.
  private var hungTest: String?

  init(
    launcher: SpecLauncher, filter: [String], options: SpecRunner.Options, folder: String,
    report: SpecRun
  ) {
    self.launcher = launcher
    self.filter = filter
    self.options = options
    self.folder = folder
    self.report = report
  }

  func run(stop: CancellationFlag, onNews: (SpecNews) -> Void) throws -> Ending {
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let pipes = try SessionPipes(in: folder, isIsolated: isIsolated)
    defer { pipes.close() }
    pipes.key.leave(attestation.keyText)
    let printed = PrintedText(hasConsole: launcher.hasConsole)
    let process = try launcher.process(
      filter, options, folder: folder, pipes, printing: printed)
    do {
      try process.start()
    } catch {
      throw KataError("The specs' program can't be started; try 'make clean'.", .environment)
    }
    let watched = watch(process, pipes, stop: stop, onNews: onNews)
    let ending = launcher.ending(of: process, isIsolated: isIsolated)
    listen(to: pipes, onNews)
    defer {
      for index in report.tests.indices {
        let test = report.tests[index]
        report.tests[index].printed = printed.text(of: test.name) ?? test.printed
      }
    }
    if attestation.schedules > 0 {
      report.schedules = (report.schedules ?? 0) + attestation.schedules
    }
    if options.keepsRecords {
      record.output = process.output
      report.processes.append(record)
    }
    switch watched {
    case .stalled(let doing):
      settle(as: .hung, issue: doing.map(TestIssue.init(fromOutside:)), onNews)
      return .stalled
    case .exceeded(let excess):
      settle(as: .crashed, crash: excess, onNews)
      // The next test would most likely take as long again.
      return .stalled
    case .ended: break
    }
    if stop.isStopped || hungTest != nil { return .broken }
    if runEnded { return .complete }
    if report.tests.isEmpty, Toolchain.isLoadersRefusal(process.output) {
      report.lacksSymbols = true
      return .broken
    }
    settle(as: .crashed, crash: CrashReason.text(ending, output: process.output), onNews)
    return .broken
  }

  /// Follows the process until it ends, or kills it.
  private func watch(
    _ process: ChildProcess, _ pipes: SessionPipes, stop: CancellationFlag,
    onNews: (SpecNews) -> Void
  ) -> Watched {
    let limits = options.limits ?? ResourceLimits(sanitized: launcher.isSanitized)
    var watchdog = Watchdog(timeout: options.timeout)
    var look = 0
    return stop.whileListening({ process.stop() }) {
      while process.isRunning {
        process.wait(orFor: pipes.all.map(\.descriptor), milliseconds: Self.interval)
        if listen(to: pipes, onNews) { watchdog.feed() }
        if hungTest != nil && running != hungTest { process.stop() }
        guard watchdog.isDue, let status = launcher.status(of: process, isIsolated: isIsolated)
        else { continue }
        look += 1
        let judgement = watchdog.look(
          computed: status.processorSeconds, isAsleep: ProcessStatus.isAsleep(status.process),
          hasBegun: running != nil)
        switch judgement {
        case .alive: break
        case .stalled where runEnded:
          process.stop()
          return .ended
        case .stalled:
          record.threads = ProcessStatus.threads(of: status.process)
          let isStopped = process.tree.contains(where: \.isStopped)
          process.stop()
          return .stalled(isStopped ? Self.stoppedItself : nil)
        }
        if runEnded, watchdog.hasWaited(seconds: 1) { process.stop() }
        let counted = look.isMultiple(of: Self.looksAtTree) ? process.tree : [status]
        if let excess = limits.excess(of: counted) {
          process.stop()
          return .exceeded(excess)
        }
      }
      return .ended
    }
  }

  private static let stoppedItself = """
    The process was stopped by a signal (SIGSTOP, or another that stops), and nothing continued it; \
    so it was killed.
    """

  /// Reads what the process has written.
  ///
  /// Returns whether there was anything.
  @discardableResult
  private func listen(to pipes: SessionPipes, _ onNews: (SpecNews) -> Void) -> Bool {
    let data = pipes.events.read()
    if options.keepsRecords { record.events.append(data) }
    let new = events.take(data)
    // A test reports its end before its event does.
    let beats = pipes.beats.read()
    let schedules = attestation.schedules
    attestation.take(beats)
    if attestation.schedules > schedules {
      onNews(.explored((report.schedules ?? 0) + attestation.schedules))
    }
    pipes.takeRaces()
    for event in new { take(event, onNews) }
    return !new.isEmpty || !beats.isEmpty
  }

  private func take(_ event: EventStream.Event, _ onNews: (SpecNews) -> Void) {
    switch event {
    case .test(let id, let name, let file, let line):
      guard index(of: id) == nil else { return }
      report.tests.append(
        TestReport(name: name, status: .notReached, file: file, line: line, id: id))
      // In the order in which they run: the files of a spec by name, and each from its beginning.
      report.tests.sort { ($0.file ?? "", $0.line) < ($1.file ?? "", $1.line) }
    case .testStarted(let id):
      if index(of: id) != nil { running = id }
    case .issue(let id, let issue):
      guard let index = index(of: id ?? running) else { return }
      report.tests[index].issues.append(issue)
      if issue.isHang { hungTest = report.tests[index].id }
    case .testEnded(let id):
      guard let index = index(of: id) else { return }
      if report.tests[index].issues.isEmpty, !attestation.holds(for: report.tests[index].name) {
        report.tests[index].issues.append(.forgedEnd)
      }
      let issues = report.tests[index].issues
      report.tests[index].status =
        issues.isEmpty ? .passed : issues.contains(where: \.isHang) ? .hung : .failed
      if running == id { running = nil }
      if !issues.isEmpty { onNews(.failed(report.tests[index])) }
    case .runEnded:
      runEnded = true
    }
  }

  /// The process has ended: blames the test that was running, or the first that never ran.
  private func settle(
    as status: TestReport.Status, crash: String? = nil, issue: TestIssue? = nil,
    _ onNews: (SpecNews) -> Void
  ) {
    let blamed = index(of: running) ?? report.tests.firstIndex { $0.status == .notReached }
    guard let blamed else {
      // It died before it listed its tests.
      report.tests.append(
        TestReport(
          name: "the spec starts", status: status, issues: issue.map { [$0] } ?? [], crash: crash,
          line: 0, id: ""))
      onNews(.failed(report.tests[report.tests.count - 1]))
      return
    }
    report.tests[blamed].status = status
    report.tests[blamed].crash = crash
    if let issue { report.tests[blamed].issues.append(issue) }
    onNews(.failed(report.tests[blamed]))
  }

  private func index(of id: String?) -> Int? {
    id.flatMap { id in report.tests.firstIndex { $0.id == id } }
  }
}

extension TestIssue {
  /// A test has passed according to its events only.
  fileprivate static let forgedEnd = TestIssue(
    fromOutside: """
      An event says that this test has passed, but the test itself hasn't reported it: code in the answer wrote into \
      the event stream of its spec, from which verdicts are made.
      """)

  /// An issue that was observed from outside the process.
  fileprivate init(fromOutside sentence: String) {
    expectation = ""
    message = sentence
    file = nil
    line = nil
  }
}
