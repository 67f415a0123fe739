import Dispatch
import Foundation

/// What is the same for all submissions that are graded together.
final class GradingTerms: Sendable {
  /// The katas that count, in teaching order.
  let katas: [Kata]
  /// How long specs wait for what must happen, in seconds.
  let patience: Double
  /// Whether Thread Sanitizer looks at what passes.
  let looksForRaces: Bool
  /// How many submissions are under way at once.
  let slots: Int
  /// What is known of the catalogue's mistakes.
  let book: PatternBook
  private let stubs: [String: String]
  /// Builds work and runs mostly wait, so there are fewer builds at once than submissions.
  private let builds: DispatchSemaphore

  /// How long a build may take, in seconds; only a compiler that never ends takes that long.
  private static let longestBuild = 900.0

  init(
    katas: [Kata], patience: Double, looksForRaces: Bool, for submissions: [Submission],
    in house: House
  ) throws {
    self.katas = katas
    self.patience = patience
    self.looksForRaces = looksForRaces
    book = PatternBook.read(in: house) ?? PatternBook()
    let stubs = Dictionary(
      uniqueKeysWithValues: try katas.map { ($0.name, try house.text(house.stubPath(of: $0))) })
    self.stubs = stubs
    let begun = submissions.map { submission in
      katas.count { kata in
        submission.texts[kata.name].map { !Self.isSame($0, stubs[kata.name]) } ?? false
      }
    }
    slots = Self.slots(forAnswers: begun.reduce(0, +))
    builds = DispatchSemaphore(value: max(1, Self.cores / 2))
  }

  private static var cores: Int { ProcessInfo.processInfo.activeProcessorCount }

  /// How many submissions are under way at once on this machine, with so many answers in all.
  ///
  /// Each takes a slot, and in every slot all is built for the first time once, which takes as long as
  /// to judge some dozen answers. So a slot more has to have that much to do.
  static func slots(
    forAnswers answers: Int, cores: Int = GradingTerms.cores,
    memory: UInt64 = ProcessInfo.processInfo.physicalMemory
  ) -> Int {
    let most = min(max(2, cores), Int(clamping: memory >> 30) / 3)
    return max(1, min(most, 1 + answers / 32))
  }

  /// How many specs of a submission run at once; those of wrong answers mostly wait.
  var runsAtOnce: Int { max(2, 2 * Self.cores / slots) }

  /// How much a run may use, so that all together leave the machine room.
  func limits(sanitized: Bool) -> ResourceLimits {
    ResourceLimits(sanitized: sanitized, oneOf: slots * runsAtOnce)
  }

  /// Whether a text is the stub that nobody has touched, whatever its line ends have become.
  func isStub(_ text: String, of kata: Kata) -> Bool { Self.isSame(text, stubs[kata.name]) }

  private static func isSame(_ text: String, _ stub: String?) -> Bool {
    text.replacing("\r\n", with: "\n") == stub
  }

  /// Builds when it's their turn, and not for ever.
  func build(_ answers: AnswerRoom.Answers, in room: AnswerRoom) throws -> AnswerRoom.Refusals {
    builds.wait()
    defer { builds.signal() }
    let stop = StopSignal()
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.longestBuild) { stop.stop() }
    do {
      let refused = try room.build(answers, stop: stop)
      if !refused.isEmpty { try checkDisk(room.house) }
      return refused
    } catch {
      try checkDisk(room.house)
      guard stop.isStopped else { throw error }
      throw KataError(
        "The compiler hasn't come to an end within \(Int(Self.longestBuild)) s.", .notDone)
    }
  }

  /// Tells a full disk from whatever a compiler makes of it.
  private func checkDisk(_ house: House) throws {
    if DiskSpace.isShort(of: DiskSpace.neededByBuild, in: house.root) { throw KataError.diskFull }
  }
}
