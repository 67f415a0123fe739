import Foundation

/// What the terminal was set to before it was taken, kept where a signal handler may read it.
///
/// One thread at a time saves and restores; `Terminal` sees to it. A handler may come in between: what
/// it calls, `write` and `tcsetattr`, is safe there.
///
/// Source: signal-safety(7).
enum TerminalSettings {
  /// A second screen, empty, and no cursor on it.
  static let enterScreen = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
  private static let leaveScreen: StaticString = "\u{1B}[?25h\u{1B}[?1049l"

  private nonisolated(unsafe) static let before = UnsafeMutablePointer<termios>.allocate(
    capacity: 1)  // Safe: as the type's documentation says; so are the next two.
  private nonisolated(unsafe) static var isSaved = false
  nonisolated(unsafe) static var hasScreen = false

  private static let crashes = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP]

  /// Keeps the settings as they are now, and sees that a crash sets them back.
  ///
  /// - Returns: False where there is no terminal.
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

  /// Sets the terminal back.
  ///
  /// Harmless when it was never taken, and in a signal handler.
  static func restore() {
    guard isSaved else { return }
    isSaved = false
    if hasScreen { _ = write(STDOUT_FILENO, leaveScreen.utf8Start, leaveScreen.utf8CodeUnitCount) }
    hasScreen = false
    tcsetattr(STDIN_FILENO, TCSANOW, before)
  }
}
