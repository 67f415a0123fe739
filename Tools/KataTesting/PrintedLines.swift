@preconcurrency import Foundation

/// Marks in what the process prints where a test begins, so that the runner can tell in which an answer has printed
/// something.
enum PrintedLines {
  /// Where it's printed, by a descriptor of our own, for an answer may close its; nil where no runner reads it.
  ///
  /// From then on each line is out when it ends, also before a crash.
  private static let file: Int32? = {
    guard Heartbeat.isMonitored else { return nil }
    setvbuf(stdout, nil, _IOLBF, 0)
    let file = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 64)
    return file >= 0 ? file : nil
  }()

  /// What stands before the name of a test in a line of its own.
  static let mark = "\u{1}"

  /// What is printed from now on belongs to the test of this name.
  static func begin(_ test: String) {
    guard let file else { return }
    fflush(stdout)
    let line = "\n\(mark)\(test)\n"
    _ = write(file, line, line.utf8.count)
  }
}
