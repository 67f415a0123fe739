import KataPictures
import Foundation

/// What the timelines of this process's tests showed, as lines of JSON for `kata verify`.
///
/// Only where `KATA_PICTURES` names a folder; anywhere else there is none. Nothing is written while a
/// test is under way, except when an expectation has failed.
final class PictureLog: Sendable {
  /// A line of the file.
  private struct Line: Encodable {
    let test: String
    var says: String?
    let events: [TimelineEvent]
  }

  /// What is known of the test that is running; one at a time is.
  private struct Running {
    var test: String?
    var timelines: [Timeline] = []
    var hasObjected = false
  }

  /// Longer ones are no pictures to learn from.
  private static let largest = 30
  /// As much of a mistake's as leads up to it.
  private static let latest = 24

  static let ofThisProcess: PictureLog? = {
    guard let folder = ProcessInfo.processInfo.environment["KATA_PICTURES"], !folder.isEmpty
    else { return nil }
    return PictureLog(folder: URL(filePath: folder, directoryHint: .isDirectory))
  }()

  private let file: URL
  private let running = LockedValue(Running())

  init(folder: URL) {
    file = folder.appending(path: "pictures.jsonl")
  }

  /// A test begins; the timelines that are made from now on are its own.
  func begin(_ test: String) {
    running.withLock { $0 = Running(test: test) }
  }

  /// Keeps a new timeline until the test ends.
  func add(_ timeline: Timeline) {
    running.withLock { if $0.test != nil { $0.timelines.append(timeline) } }
  }

  /// An expectation has failed: `sentence` is what it says and `events` what its picture shows.
  func object(_ sentence: String, _ events: [TimelineEvent]) {
    let test = running.withLock { running in
      running.hasObjected = true
      return running.test
    }
    guard let test else { return }
    append([Line(test: test, says: sentence, events: events.latest(Self.latest))])
  }

  /// The test has come to its end and has thrown nothing; its gates aren't opened yet.
  ///
  /// Whoever is under way gets a moment, so that a bar ends in each run where it ends in the others.
  func endWithoutError() {
    let ended = running.withLock { running in
      defer { running = Running() }
      return running
    }
    guard let test = ended.test, !ended.hasObjected, !ended.timelines.isEmpty else { return }
    Quiet.settle()
    let pictures = ended.timelines.map(\.events).filter { (1...Self.largest).contains($0.count) }
    append(pictures.map { Line(test: test, events: $0) })
  }

  /// Appends in one go, and is content where that can't be done: pictures decide nothing.
  private func append(_ lines: [Line]) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
    let text = lines.compactMap { try? encoder.encode($0) }
      .reduce(into: Data()) { $0 += $1 + Data("\n".utf8) }
    guard !text.isEmpty else { return }
    let handle = open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard handle >= 0 else { return }
    defer { close(handle) }
    _ = text.withUnsafeBytes { write(handle, $0.baseAddress, $0.count) }
  }
}
