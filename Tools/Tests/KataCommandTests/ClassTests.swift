import Foundation
import Testing

@testable import KataAuthor
@testable import KataKit
@testable import KataTeacher

/// How big the class is that 'make grade-class' grades.
private let sizeOfClass =
  ProcessInfo.processInfo.environment["KATA_CLASS"].flatMap { Int($0) } ?? 0

/// The built command grades a class of made-up submissions to all modules.
///
/// They are right answers, mistakes, mutants, hostile ones and nonsense.
@Suite(.ownThread, .enabled(if: sizeOfClass > 0, "'make grade-class'"))
struct ClassTests {
  /// A participant who hands in one answer.
  private struct Participant {
    let name: String
    let kata: Kata
    let answer: Data
    /// What is wrong with a verdict, in words; nil where nothing is.
    let objection: @Sendable (GradedKata) -> String?

    init(
      _ name: String, _ kata: Kata, _ answer: Data,
      objection: @escaping @Sendable (GradedKata) -> String?
    ) {
      (self.name, self.kata, self.answer, self.objection) = (name, kata, answer, objection)
    }

    init(_ candidate: Candidate) {
      self.init(
        "\(candidate.kata.name) \(candidate.name)", candidate.kata, Data(candidate.text.utf8)
      ) {
        switch candidate.role {
        case .reference, .rightAnswer: $0.verdict == .passed ? nil : "expected passed"
        case .stub: $0.verdict == .notStarted ? nil : "expected notStarted"
        case .mistake(let mistake), .transplant(let mistake, _):
          Self.isRejected($0, as: mistake)
            ? nil : "expected \(mistake.verdict) by \(mistake.rejectedBy)"
        case .mutant, .equivalent: $0.verdict == .passed ? "expected a rejection" : nil
        }
      }
    }

    /// Whether a verdict is that of a mistake, and of one of the tests that are to reject it.
    private static func isRejected(_ graded: GradedKata, as mistake: Mistake) -> Bool {
      let failing = graded.tests.filter(\.isFailure).map(\.name)
      return graded.verdict.rawValue == mistake.verdict.rawValue
        && (failing.isEmpty || failing.contains(where: mistake.rejectedBy.contains))
    }

    init(_ name: String, _ kata: Kata, _ answer: Data, expected: [Outcome]) {
      self.init(name, kata, answer) {
        expected.contains($0.verdict) ? nil : "expected one of \(expected)"
      }
    }
  }

  private let clone: Clone
  private let serialLog: Kata

  init() throws {
    clone = try Clone()
    serialLog = try Catalogue.kata(named: "SerialLog")
  }

  /// So many, spread evenly.
  private func some<Element>(_ count: Int, of all: [Element]) -> [Element] {
    guard count < all.count else { return all }
    return (0..<count).map { all[$0 * all.count / count] }
  }

  private func participants() throws -> [Participant] {
    let repository = clone.repository
    let answers = try Catalogue.katas.flatMap { try Candidate.all(of: $0, in: repository) }
    let wrong = try Catalogue.katas.flatMap { kata in
      let known = Set(kata.equivalents.map(\.mutant))
      return try Candidate.mutants(of: kata, in: repository).filter { !known.contains($0.name) }
    }
    let odd = try hostile() + nonsense()
    let rest = max(0, sizeOfClass - odd.count)
    let (right, mutants) = (rest * 3 / 10, rest * 2 / 10)
    return odd
      + (some(right, of: answers.filter(\.isRight)) + some(mutants, of: wrong)
      + some(rest - right - mutants, of: answers.filter { !$0.isRight })).map(Participant.init)
  }

  /// Answers that do their worst to what judges them.
  private func hostile() throws -> [Participant] {
    let reference = try clone.repository.text(clone.repository.referencePath(of: serialLog))
    return Fault.all.filter {
      // What waits for longer, and what is about a learner's clone, is elsewhere.
      !$0.sanitizedOnly && $0.statement != "break" && $0.timeout <= 20 && $0.destroys == nil
        && !$0.says.contains("deleted")
    }.map { fault in
      Participant(
        "hostile, \(fault.name)", serialLog, Data(fault.answer(basedOn: reference).utf8),
        expected: [Outcome(fault.verdict)])
    }
  }

  /// What people hand in by accident.
  private func nonsense() throws -> [Participant] {
    let photo = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])
    let texts: [(String, Data)] = [
      ("nothing at all", Data()), ("a remark", Data("// I'll do it tomorrow".utf8)),
      ("a photo", photo), ("prose", Data("Dear Ms Hopper, my dog ate the semaphore.".utf8)),
      ("the half of it", Data("import Dispatch\n\npublic final class SerialLog: Sendable {".utf8)),
      ("another type", Data("public struct SerialLog {}\n".utf8)),
      ("very much of it", Data(String(repeating: "// more\n", count: 100_000).utf8)),
      ("zeros", Data(count: 4096)), ("=SUM(A1:A9)", Data("let it = 1".utf8)),
      ("nested", Data((String(repeating: "(", count: 5000)).utf8)),
      ("Zoë, the 🧵 lady\tof \"locks\"", Data("import Dispatch\n}".utf8)),
    ]
    return texts.map { Participant($0.0, serialLog, $0.1, expected: [.doesNotCompile]) }
  }

  /// The processor time of all commands that have ended, in seconds.
  private var processorSeconds: Double {
    var used = tms()
    times(&used)
    return Double(used.tms_cutime + used.tms_cstime) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  @Test func `a class is graded, by a command that is killed in the middle`() throws {
    let participants = try participants()
    let folder = clone.sandbox.appending(path: "handed in")
    for (number, participant) in participants.enumerated() {
      let file = folder.appending(path: name(number, participant))
        .appending(path: participant.kata.file)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try participant.answer.write(to: file)
    }
    let results = folder.path + " results"
    var arguments = ["grade", folder.path, "--output", results]
    if Isolation.isHere(for: clone.repository) { arguments.append("--isolate") }
    let peak = Peak(of: clone)

    let first = try clone.start(arguments)
    var judged = 0
    while first.process.isRunning, judged < participants.count / 2 {
      peak.look(at: first.process)
      judged = names(in: "\(results)/submissions").count
    }
    kill(first.process.processIdentifier, SIGKILL)
    first.process.waitUntilExit()
    judged = names(in: "\(results)/submissions").count

    let second = try clone.start(arguments)
    while second.process.isRunning { peak.look(at: second.process) }
    let output = try second.output()
    #expect(output.code == 0, "\(output.standardError.suffix(2000))")
    let before = output.standardError.firstMatch(of: #/(\d+) of \d+ were judged before/#)
    #expect(before.flatMap { Int($0.1) } == judged)

    let report = try JSONDecoder().decode(
      GradeReport.self, from: Data(contentsOf: URL(filePath: "\(results)/results.json")))
    let found = Dictionary(
      uniqueKeysWithValues: report.submissions.map { ($0.participant, $0.katas) })
    #expect(found.count == participants.count)
    var counts: [String: Int] = [:]
    for (number, participant) in participants.enumerated() {
      let katas = found[name(number, participant)] ?? []
      #expect(katas.count == Catalogue.katas.count)
      for kata in katas where kata.kata != participant.kata.name {
        #expect(kata.verdict == .missing, "\(participant.name): \(kata.kata)")
      }
      guard let kata = katas.first(where: { $0.kata == participant.kata.name }) else { continue }
      counts[kata.verdict.rawValue, default: 0] += 1
      let objection = participant.objection(kata)
      #expect(
        objection == nil,
        "\(participant.name): \(kata.verdict), \(kata.failingTest ?? ""); \(objection ?? ""). \(kata.message ?? "")"
      )
    }
    try clone.expectNothingLeft()
    let verdicts = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    print(
      """
      \(participants.count) submissions (\(verdicts.joined(separator: ", "))), killed after \(judged) · \
      \(Int(processorSeconds)) CPU s, \(Int((processorSeconds / Double(participants.count)).rounded())) each, \
      builds of all specs included · at most \(peak.memory >> 20) MB of memory and \(peak.disk >> 20) MB of disk
      """)
  }

  private func name(_ number: Int, _ participant: Participant) -> String {
    "\(number) \(participant.name.replacing("/", with: " "))"
  }

  private func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }

  /// The most that commands have used.
  private final class Peak {
    private let clone: Clone
    private(set) var memory = 0
    private(set) var disk = 0
    private var looks = 0

    init(of clone: Clone) { self.clone = clone }

    /// Looks at a command and all that it has started; blocks for the tenth of a second.
    func look(at process: Process) {
      usleep(100_000)
      let tree = ProcessStatus.tree(of: process.processIdentifier)
      memory = max(memory, tree.reduce(0) { $0 + $1.residentBytes })
      looks += 1
      if looks.isMultiple(of: 50) {
        disk = max(disk, size(of: clone.root) + size(of: clone.sandbox))
      }
    }

    private func size(of folder: URL) -> Int {
      let files = FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: [.fileSizeKey])
      return files?.compactMap {
        ($0 as? URL).flatMap { try? $0.resourceValues(forKeys: [.fileSizeKey]).fileSize }
      }
      .reduce(0, +) ?? 0
    }
  }
}
