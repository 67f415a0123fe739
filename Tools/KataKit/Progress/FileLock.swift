import Foundation

/// A lock that threads and processes take in turn, kept on a file of its own.
///
/// The system gives it back when its holder dies, so that none is ever left behind.
enum FileLock {
  /// Does `body` while nobody else who asks for the lock at `path` does theirs.
  ///
  /// Waits for at most `timeout` seconds and then throws; goes ahead where `stop` asks for the end.
  /// Where the file can't be made (a read-only folder) or the file system knows no locks (some network
  /// homes), `body` is done without: better a small risk than no progress at all.
  static func whileHolding<Result>(
    _ path: String, timeout: Double = .infinity, stop: CancellationFlag = CancellationFlag(),
    _ body: () throws -> Result
  ) throws -> Result {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard file >= 0 else { return try body() }
    defer { close(file) }  // which unlocks it
    let start = ContinuousClock.now
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR, !stop.isStopped else { break }
      guard start.duration(to: .now) / .seconds(1) < timeout else {
        throw KataError(
          "Another kata command has held \(path) for too long; end it and try again.",
          .environment)
      }
      usleep(2_000)
    }
    return try body()
  }
}
