import KataPictures
import Foundation

/// Records the timelines of this process's tests as lines of JSON, for `kata verify`.
///
/// It exists only if `KATA_PICTURES` names a folder. Nothing is written while a test is running,
/// except when an expectation has failed.
final class PictureLog: Sendable {
  /// A line of the file.
  private struct Line: Encodable {
    let test: String
    var says: String?
    let events: [TimelineEvent]
  }

  /// The state of the running test; only one runs at a time.
  private struct Running {
    var test: String?
    var timelines: [Timeline] = []
    var hasObjected = false
  }

  /// Timelines with more events are too large to learn from.
  private static let largest = 30
  /// The number of events that are kept before a failure.
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

  /// A test begins; timelines that are created from now on belong to it.
  func begin(_ test: String) {
    running.withLock { $0 = Running(test: test) }
  }

  /// Keeps a new timeline until the test ends.
  func add(_ timeline: Timeline) {
    running.withLock { if $0.test != nil { $0.timelines.append(timeline) } }
  }

  /// An expectation has failed with `sentence`; its picture shows `events`.
  func object(_ sentence: String, _ events: [TimelineEvent]) {
    let test = running.withLock { running in
      running.hasObjected = true
      return running.test
    }
    guard let test else { return }
    append([Line(test: test, says: sentence, events: events.latest(Self.latest))])
  }

  /// The test has ended without throwing; its gates aren't open yet.
  ///
  /// Running work gets a moment to finish, so that a bar ends at the same place in every run.
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

  /// Appends lines in one write.
  ///
  /// A failure is ignored, since no verdict depends on pictures.
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
