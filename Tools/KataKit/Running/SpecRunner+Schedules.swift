import Foundation
import Synchronization

extension SpecRunner {
  /// How long these tests explore altogether in each process, in seconds of processor time, by
  /// default.
  private static let usualSecondsToExplore = 1.5

  /// How many processes explore schedules if nothing else is judged at the same time: one on each
  /// core, up to eight.
  package static var processesToExploreAlone: Int {
    min(8, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// The time from `KATA_SCHEDULES`; 0 for no exploration.
  static func secondsToExplore() throws -> Double {
    try secondsToExplore(chosenBy: ProcessInfo.processInfo.environment["KATA_SCHEDULES"])
  }

  static func secondsToExplore(chosenBy text: String?) throws -> Double {
    guard let text, !text.isEmpty else { return usualSecondsToExplore }
    guard let seconds = Double(text), seconds.isFinite, seconds >= 0 else {
      throw KataError(
        """
        KATA_SCHEDULES is '\(text)'; give the seconds for exploring schedules, such as \
        KATA_SCHEDULES=10, or 0 to explore none.
        """, .usage)
    }
    return seconds
  }

  /// Runs the tests that explore schedules once more if the spec has passed, and adds their
  /// results.
  ///
  /// Blocks until their end, or until `stop` is set.
  func inSchedules(
    _ known: SpecRun, _ options: Options, in folder: URL, _ stop: CancellationFlag,
    _ onNews: (SpecNews) -> Void
  ) throws -> SpecRun {
    var run = known
    let chosen = run.tests.indices.filter { index in
      let test = run.tests[index]
      return test.file?.hasSuffix(options.filesOfSchedules) == true
        && (known.passed || test.status == .passed && options.exploresAnyway.contains(test.name))
    }
    let seconds = try Self.secondsToExplore()
    guard seconds > 0, !chosen.isEmpty, !launcher.isSanitized, !run.wasStopped else { return run }
    guard launcher.hasPoints else {
      run.lacksPoints = true
      return run
    }
    for index in chosen {
      run.tests[index].status = .notReached
      run.tests[index].printed = nil
    }
    // An answer that has deleted the folder it runs in can't be explored, so it doesn't pass.
    guard let library, FileManager.default.fileExists(atPath: library.path) else { return run }
    var options = options
    options.secondsToExplore = seconds / Double(chosen.count)
    run = told(
      try explored(
        run, chosen.map { Self.escaped(run.tests[$0].id) }, options, in: folder, stop, onNews))
    run.isBrokenByScheduleAlone = known.passed && !run.passed && !run.wasStopped
    if let failure = run.firstFailure { onNews(.failed(failure)) }
    return run
  }

  /// Runs the tests in several processes at the same time, and adds the results of the first one
  /// that finds something, or else of one that has passed.
  ///
  /// Each process explores its part of the schedules; the first that finds something ends the
  /// others.
  private func explored(
    _ known: SpecRun, _ filter: [String], _ options: Options, in folder: URL,
    _ stop: CancellationFlag, _ onNews: (SpecNews) -> Void
  ) throws -> SpecRun {
    let count = options.processesToExplore
    let isOver = CancellationFlag()
    let parts = Mutex(ScheduleParts(after: known))
    var told = 0
    func tell() {
      let schedules = parts.withLock { $0.sumOfSchedules }
      guard schedules > told else { return }
      told = schedules
      onNews(.explored(schedules))
    }
    return try stop.whileListening({ isOver.stop() }) {
      let runs = BoundedParallelMap(Array(0..<count), width: count) { part in
        var options = options
        options.partToExplore = "\(part + 1)/\(count)"
        if count > 1, options.limits == nil {
          options.limits = ResourceLimits(sanitized: false, oneOf: count)
        }
        let run = try sessions(
          known, filter, options, in: folder.appending(path: "\(part)"), stop: isOver
        ) { news in
          // A failure is reported once its lines are known.
          if case .explored(let schedules) = news {
            parts.withLock { $0.schedules[part] = schedules }
          }
        }
        if parts.withLock({ $0.isFirstToFindSomething(run) }) { isOver.stop() }
        return run
      }
      while !runs.areDone(in: .milliseconds(50)) { tell() }
      tell()
      let passed = try runs.outputs()[0]
      var run = parts.withLock { $0.broken } ?? passed
      if run.schedules != nil { run.schedules = parts.withLock { $0.sumOfSchedules } }
      run.wasStopped = stop.isStopped
      return run
    }
  }

  /// The library of the answer; nil if `swift test` runs the specs.
  private var library: URL? {
    guard case .program(let program, let folder) = launcher.way else { return nil }
    return folder.appending(path: Toolchain.libraryName(AnswerBuild.name(of: program.module)))
  }

  /// Replaces a library's offsets with source lines in the messages of these tests; a race that one
  /// of them has seen is reported as a race.
  private func told(_ run: SpecRun) -> SpecRun {
    guard let library else { return run }
    let names = Set(files.map(\.lastPathComponent))
    var told = run
    for index in told.tests.indices where told.tests[index].status != .passed {
      for number in told.tests[index].issues.indices {
        let finding = ScheduleFinding(told.tests[index].issues[number], in: library) { offsets in
          // A line of a library whose code is inlined in the answer says nothing to a learner.
          launcher.toolchain.places(of: offsets, in: library, files: names)
        }
        told.tests[index].issues[number] = finding.issue
        if let race = finding.race(answer: files.map(\.path)) { told.races.append(race) }
      }
    }
    return told
  }
}

/// The results of several processes that explore schedules.
struct ScheduleParts: Sendable {
  var schedules: [Int: Int] = [:]
  private(set) var broken: SpecRun?
  /// The tests that had failed before.
  private let failing: Set<String>

  init(after known: SpecRun) { failing = Set(known.tests.failing.map(\.id)) }

  var sumOfSchedules: Int { schedules.values.reduce(0, +) }

  /// Whether this run is the first that has found something.
  mutating func isFirstToFindSomething(_ run: SpecRun) -> Bool {
    let isBroken = run.tests.contains { $0.status != .passed && !failing.contains($0.id) }
    guard broken == nil, isBroken, !run.wasStopped else { return false }
    broken = run
    return true
  }
}

/// The message of a test that has found a schedule, with source lines in it.
struct ScheduleFinding {
  let issue: TestIssue
  /// The two sides of a race, if it's one: read or write, with "after" if the place is the line
  /// before, and the place if it's known.
  private var sides: [(word: String, place: SourcePlace?)] = []

  /// - Parameters:
  ///   - issue: The test's message, with places as offsets in a library.
  ///   - library: The library of the answer.
  ///   - places: The source locations of such offsets.
  init(
    _ issue: TestIssue, in library: URL, places: ([UInt]) -> [SourcePlace?]
  ) {
    let name = NSRegularExpression.escapedPattern(for: library.lastPathComponent)
    guard let place = try? Regex<(Substring, Substring)>("⟨\(name)\\+((?:0x[0-9a-f]+,?)+)⟩") else {
      self.issue = issue
      return
    }
    func offsetsIn(_ match: Regex<(Substring, Substring)>.Match) -> [UInt] {
      match.1.split(separator: ",").compactMap { UInt($0.dropFirst(2), radix: 16) }
    }
    let offsets = issue.message.matches(of: place).flatMap(offsetsIn)
    guard !offsets.isEmpty else {
      self.issue = issue
      return
    }
    let found = Dictionary(zip(offsets, places(offsets)).map { ($0, $1) }) { first, _ in first }
    var lines: [String] = []
    var heldAt: [TestIssue.Line] = []
    for line in issue.message.split(separator: "\n", omittingEmptySubsequences: false) {
      guard let match = line.firstMatch(of: place) else {
        lines.append(String(line))
        continue
      }
      // The place itself, or else the nearest known caller of its function.
      let source = offsetsIn(match).lazy.compactMap { found[$0] ?? nil }.first
      if issue.isRace, let word = line.firstMatch(of: #/^(read|write)  /#) {
        sides.append((source?.isBefore == true ? "\(word.1) after" : "\(word.1)", source))
        continue
      }
      // A place without a line, such as the end of a function, says nothing to a reader.
      guard let source else { continue }
      lines.append(String(line).replacing(place) { _ in Self.text(of: source) })
      heldAt.append(TestIssue.Line(file: source.file, line: source.line))
    }
    self.issue = issue.saying(lines.joined(separator: "\n"), heldAt: heldAt)
  }

  private static func text(of place: SourcePlace) -> String {
    let text = try? String(contentsOfFile: place.file, encoding: .utf8)
    let lines = text?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
    let number = "\(place.isBefore ? "after " : "")line \(place.line)"
    guard lines.indices.contains(place.line - 1) else { return number }
    return "\(number)  \(lines[place.line - 1].trimmingCharacters(in: .whitespaces))"
  }

  /// The race as a report, for an answer in these files; nil if it's none.
  func race(answer: [String]) -> RaceReport? {
    guard issue.isRace else { return nil }
    return RaceReport(
      accesses: sides.map { word, place in
        RaceReport.Access(
          kind: word,
          frames: place.map { place in
            [
              RaceReport.Frame(
                function: "", file: place.file, line: place.line,
                isOfAnswer: answer.contains(place.file))
            ]
          } ?? [])
      })
  }
}
