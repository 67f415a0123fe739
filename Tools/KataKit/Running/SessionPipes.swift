import Foundation

/// The pipes between the runner and one process of a spec.
final class SessionPipes {
  /// Swift Testing's events.
  let events: EventPipe
  /// A byte when a wait has ended, and a line when a test has.
  let beats: EventPipe
  /// Contains the key for those lines.
  let key: EventPipe
  /// Thread Sanitizer's log, if the process can't create a file.
  private let races: EventPipe?
  private var raceLog = Data()

  /// Creates the pipes in `folder`.
  init(in folder: String, isIsolated: Bool) throws {
    events = try EventPipe("\(folder)/events")
    beats = try EventPipe("\(folder)/heartbeat")
    key = try EventPipe("\(folder)/attestation")
    races = isIsolated ? try EventPipe("\(folder)/race.\(Isolation.process)") : nil
  }

  /// The pipes that the process writes to.
  var all: [EventPipe] { [events, beats] + (races.map { [$0] } ?? []) }

  /// Reads what has been written of Thread Sanitizer's log.
  func takeRaces() {
    if let races { raceLog.append(races.read()) }
  }

  /// Closes the pipes, and saves Thread Sanitizer's log in a file.
  func close() {
    for pipe in all + [key] { pipe.close() }
    guard let races else { return }
    unlink(races.path)
    try? raceLog.write(to: URL(filePath: races.path))
  }
}
