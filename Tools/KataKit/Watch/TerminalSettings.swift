import Foundation

/// The terminal's original settings, kept where a signal handler can read them.
///
/// Only one thread at a time saves and restores, which `Terminal` ensures. A handler may interrupt
/// it; the functions that it calls, `write` and `tcsetattr`, are async-signal-safe.
///
/// Source: signal-safety(7).
enum TerminalSettings {
  /// Switches to an empty second screen without a cursor.
  static let enterScreen = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
  private static let leaveScreen: StaticString = "\u{1B}[?25h\u{1B}[?1049l"

  private nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>.allocate(
    capacity: 1)  // Safe: as the type's documentation says; so are the next two.
  private nonisolated(unsafe) static var isSaved = false
  nonisolated(unsafe) static var hasScreen = false

  private static let crashes = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP]

  /// Saves the current settings, and installs handlers that restore them after a crash.
  ///
  /// - Returns: False if there is no terminal.
  static func save() -> Bool {
    guard tcgetattr(STDIN_FILENO, before) == 0 else { return false }
    isSaved = true
    for number in crashes {
      _ = signal(number) { number in
        TerminalSettings.restore()
        _ = signal(number, SIG_DFL)
        raise(number)
      }
    }
    return true
  }

  /// Restores the terminal.
  ///
  /// Does nothing if it was never taken over. Safe in a signal handler.
  static func restore() {
    guard isSaved else { return }
    isSaved = false
    if hasScreen { _ = write(STDOUT_FILENO, leaveScreen.utf8Start, leaveScreen.utf8CodeUnitCount) }
    hasScreen = false
    tcsetattr(STDIN_FILENO, TCSANOW, before)
  }
}
