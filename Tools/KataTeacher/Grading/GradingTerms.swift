import Foundation
import KataKit

/// The settings for all submissions that are graded together.
final class GradingTerms: Sendable {
  /// The katas that count, in teaching order.
  let katas: [Kata]
  /// How long specs wait for something that must happen, in seconds.
  let timeout: Double
  /// Whether Thread Sanitizer checks answers that pass.
  let looksForRaces: Bool
  /// What isolates each run, if anything does.
  let isolation: Isolation?
  private let stubs: [String: String]

  init(
    katas: [Kata], timeout: Double, looksForRaces: Bool, isolation: Isolation? = nil,
    in repository: Repository
  ) throws {
    self.katas = katas
    self.timeout = timeout
    self.looksForRaces = looksForRaces
    self.isolation = isolation
    stubs = Dictionary(
      uniqueKeysWithValues: try katas.map {
        ($0.name, try repository.text(repository.stubPath(of: $0)))
      })
  }

  /// How many answers are judged at once with this many cores and this much memory.
  static func runsAtOnce(cores: Int, memory: UInt64) -> Int {
    max(1, min(2 * cores, Int(clamping: memory >> 30)))
  }

  /// How many answers are judged at once; wrong ones mostly wait.
  var runsAtOnce: Int {
    let machine = ProcessInfo.processInfo
    return Self.runsAtOnce(cores: machine.activeProcessorCount, memory: machine.physicalMemory)
  }

  /// The limits of a run, so that all together leave room on the machine.
  func limits(sanitized: Bool) -> ResourceLimits {
    ResourceLimits(sanitized: sanitized, oneOf: runsAtOnce)
  }

  /// Whether a file of the repository can affect verdicts.
  func decides(_ path: String) -> Bool {
    guard path.hasPrefix("Tests/") else { return !path.hasPrefix("Tools/Tests/") }
    let folders = katas.flatMap { [$0.module.specs, $0.module.gallery] }
    return folders.contains { path.hasPrefix("\($0)/") } || path.hasSuffix("/Stub.swift")
  }

  /// Whether a text is the unchanged stub, with any line ends.
  func isStub(_ text: String, of kata: Kata) -> Bool { Self.isSame(text, stubs[kata.name]) }

  private static func isSame(_ text: String, _ stub: String?) -> Bool {
    text.replacing("\r\n", with: "\n") == stub
  }
}
