import Foundation

/// What one process of a spec tells the runner by, and the runner it.
final class SessionPipes {
  /// Swift Testing's events.
  let events: EventPipe
  /// A byte whenever a wait has ended, and a line when a test has.
  let beats: EventPipe
  /// Holds the key for those lines.
  let key: EventPipe
  /// Thread Sanitizer's log, where the process can't make a file.
  private let races: EventPipe?
  private var raceLog = Data()

  /// Makes them in `folder`.
  init(in folder: String, isIsolated: Bool) throws {
    events = try EventPipe("\(folder)/events")
    beats = try EventPipe("\(folder)/heartbeat")
    key = try EventPipe("\(folder)/attestation")
    races = isIsolated ? try EventPipe("\(folder)/race.\(Isolation.process)") : nil
  }

  /// Those that the process writes to.
  var all: [EventPipe] { [events, beats] + (races.map { [$0] } ?? []) }

  /// Takes in what has been written of Thread Sanitizer's log.
  func takeRaces() {
    if let races { raceLog.append(races.read()) }
  }

  /// Closes them, and leaves Thread Sanitizer's log as a file of its own.
  func close() {
    for pipe in all + [key] { pipe.close() }
    guard let races else { return }
    unlink(races.path)
    try? raceLog.write(to: URL(filePath: races.path))
  }
}
