@preconcurrency import Foundation

/// Marks in the process's output where a test begins, so that the runner can tell during which test
/// an answer has printed something.
enum PrintedLines {
  /// A duplicate of the standard output's descriptor, since an answer may close its own; nil if no
  /// runner reads it.
  ///
  /// From then on, each line is written when it ends, also before a crash.
  private static let file: Int32? = {
    guard Heartbeat.isMonitored else { return nil }
    setvbuf(stdout, nil, _IOLBF, 0)
    let file = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 64)
    return file >= 0 ? file : nil
  }()

  /// The prefix of a line that names a test, or no test if nothing follows.
  private static let mark = "\u{1}"
  /// The same, if what the test has printed before matters no more.
  private static let markAnew = "\u{2}"

  private static let current = LockedValue("")

  /// Output from now on belongs to the test with this name.
  static func begin(_ test: String) {
    current.set(test)
    tell(mark, test)
  }

  /// Output from now on belongs to the current test, in place of what it has printed before.
  static func beginAnew() { tell(markAnew, current.value) }

  /// Output from now on belongs to no test, until one begins.
  static func end() { tell(mark, "") }

  private static func tell(_ mark: String, _ test: String) {
    guard let file else { return }
    fflush(stdout)
    let line = "\n\(mark)\(test)\n"
    _ = write(file, line, line.utf8.count)
  }
}
