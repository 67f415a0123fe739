import Foundation

/// One build at a time in a build folder, until what was built is put by.
///
/// SwiftPM lets one build in at a time too, but lets the next one in at once. A run that begins just
/// then would start a program that is being replaced.
struct BuildLock: Sendable {
  private let file: URL

  init(_ scratch: String, in house: House) {
    file = house.url(scratch).appending(path: "katas.lock")
  }

  /// Does something while nobody else, in any process, does it under this lock.
  ///
  /// Blocks until it's free or `stop` asks for the end, and goes ahead then; so it does where the
  /// file system knows no locks. The lock is gone with the process that holds it.
  func hold<Result>(stop: StopSignal, _ body: () throws -> Result) rethrows -> Result {
    try? FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return try body() }
    defer { close(descriptor) }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, [EWOULDBLOCK, EINTR].contains(errno),
      !stop.isStopped
    {
      usleep(5_000)
    }
    return try body()
  }
}
