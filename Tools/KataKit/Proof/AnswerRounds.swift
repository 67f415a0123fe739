import Foundation

/// Builds answers round by round, an answer to every kata at a time, and runs their specs.
struct AnswerRounds: Sendable {
  /// Where the answers of a round are put together, in place of `Katas/`.
  private static let answers = ".build/verify/answers"
  /// A wrong answer needn't be waited for as long as a right one may take.
  private static let patienceWithMistakes = 5.0

  let house: House
  let patience: Double
  /// How often each answer is judged.
  ///
  /// Beyond one, under load.
  let repeats: Int
  let say: @Sendable (String) -> Void

  /// How many specs run side by side.
  ///
  /// Those of wrong answers mostly wait, so there are more than cores.
  private var specsAtOnce: Int {
    (repeats > 1 ? 4 : 2) * ProcessInfo.processInfo.activeProcessorCount
  }

  /// Judges the answers to several katas, a queue of them to each, and those that pass and need it once
  /// more under Thread Sanitizer.
  ///
  /// Blocks until it's done.
  func findings(of queues: [[Candidate]]) throws -> [Finding] {
    try? FileManager.default.removeItem(at: house.url(Self.answers))
    // Katas of one module need no other to be built.
    let modules = Set(queues.joined().map(\.kata.module))
    let module = modules.count == 1 ? modules.first : nil
    let load = repeats > 1 ? BusyCores() : nil
    defer { load?.stop() }

    var findings = try judge(BuildOrder(queues).rounds, in: module, sanitized: false)
    let unproven = findings.filter { $0.candidate.needsSanitizer && $0.passedEveryTime }
    let sanitizedQueues = queues.map { queue in
      queue.filter { candidate in unproven.contains { $0.isAbout(candidate) } }
    }
    for sanitized in try judge(BuildOrder(sanitizedQueues).rounds, in: module, sanitized: true) {
      let index = findings.firstIndex { $0.isAbout(sanitized.candidate) }
      if let index {
        findings[index].sanitized = sanitized.runs
        findings[index].firstLook = findings[index].firstLook ?? sanitized.firstLook
        findings[index].firstRuns += sanitized.firstRuns
      }
    }
    return findings
  }

  /// Builds the answers of each round, of one module or of all, and runs their specs.
  ///
  /// Specs mostly wait and builds mostly work, so the specs of a round run while the next is built.
  private func judge(
    _ rounds: [[Candidate]], in module: Module?, sanitized: Bool
  ) throws -> [Finding] {
    let request = SwiftBuild.Request(
      module: module, answers: Self.answers,
      scratch: sanitized ? ".build/verify-tsan" : ".build/verify",
      sanitized: sanitized)
    var findings: [Finding] = []
    var underWay: ThreadedMap<Candidate, Finding>?
    defer { underWay?.wait() }
    for (number, candidates) in rounds.enumerated() {
      let title = sanitized ? " with Thread Sanitizer" : ""
      say("Round \(number + 1) of \(rounds.count)\(title): building …\n")
      var standing = candidates
      try build(request, &standing, refused: &findings)
      let program = try SpecRunner.keepProgram(of: request, number: number, in: house)
      if let finished = underWay { findings += try finished.outputs() }
      let width = specsAtOnce
      let runs = max(1, width / max(1, standing.count))
      let round = ThreadedMap(standing, width: width) {
        try finding(of: $0, request, program, runsAtOnce: runs)
      }
      underWay = round
      // The next build would replace the only program there is.
      if program == nil { round.wait() }
    }
    if let finished = underWay { findings += try finished.outputs() }
    return findings
  }

  /// Judges one answer as often as is asked for.
  private func finding(
    of candidate: Candidate, _ request: SwiftBuild.Request, _ program: String?, runsAtOnce: Int
  ) throws -> Finding {
    var finding = try look(at: candidate, times: repeats, request, program, runsAtOnce)
    // Where every run is to be as it must, nothing is looked at again.
    if repeats == 1, let first = finding.unsteadiness(sanitized: request.sanitized) {
      let firstRuns = finding.runs
      finding = try look(at: candidate, times: 2, request, program, runsAtOnce)
      finding.firstLook = first
      finding.firstRuns = firstRuns
    }
    say("  \(finding.progressLine(sanitized: request.sanitized))\n")
    return finding
  }

  private func look(
    at candidate: Candidate, times: Int, _ request: SwiftBuild.Request, _ program: String?,
    _ runsAtOnce: Int
  ) throws -> Finding {
    var finding = Finding(candidate: candidate)
    finding.runs = try ThreadedMap(Array(0..<times), width: runsAtOnce) { number in
      try SpecRunner(house: house, build: request, program: program, isPinned: number % 4 == 3)
        .run(candidate.kata, options(for: candidate, request.sanitized))
    }.outputs()
    return finding
  }

  private func options(for candidate: Candidate, _ isSanitized: Bool) -> SpecRunner.Options {
    var options = SpecRunner.Options(
      patience: candidate.isRight ? patience : min(patience, Self.patienceWithMistakes))
    if isSanitized {
      options.patience *= Judge.sanitizedSlowdown
      options.only = candidate.sanitizedTests
    }
    options.goesOnAfterHang = true
    // Pictures are of threads that have room: neither slowed down nor beside a load.
    options.keepsPictures = !isSanitized && repeats == 1
    return options
  }

  /// Builds answers, leaving out those that don't compile.
  private func build(
    _ request: SwiftBuild.Request, _ standing: inout [Candidate], refused: inout [Finding]
  ) throws {
    let texts = Dictionary(uniqueKeysWithValues: standing.map { ($0.kata.name, $0.text) })
    let messages = try AnswerRoom(house: house, request: request, references: house)
      .build(AnswerRoom.Answers(texts: texts))
    for candidate in standing {
      guard let messages = messages[candidate.kata.name] else { continue }
      var finding = Finding(candidate: candidate)
      finding.compilerMessages = messages
      refused.append(finding)
      say("  \(finding.progressLine(sanitized: request.sanitized))\n")
    }
    standing.removeAll { messages[$0.kata.name] != nil }
  }
}
