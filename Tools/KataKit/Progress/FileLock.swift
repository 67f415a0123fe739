import Foundation

/// Mutual exclusion between threads and processes, by a lock on a file of its own.
///
/// The system releases the lock when its owner exits, so that no lock is ever left behind.
enum FileLock {
  /// Calls `body` while holding the lock at `path`.
  ///
  /// Waits for at most `timeout` seconds and then throws; calls `body` without the lock once `stop`
  /// is set. It also runs without the lock if the file can't be created (a read-only folder) or the
  /// file system has no locks (some network homes): a small risk is better than no progress at all.
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
