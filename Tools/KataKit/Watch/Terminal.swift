import Foundation
import Synchronization

/// The learner's terminal: single keys, and a screen that is drawn in place.
///
/// Ctrl-C still interrupts. However this process ends, except by SIGKILL, the terminal is restored:
/// ``giveBack()`` does that at a normal end, and a handler does when it crashes.
package final class Terminal: Sendable {
  private struct State {
    var isTaken = false
    var takings = 0
    var reader = KeyReader()
    /// The rows on the screen, and the screen's size when they were drawn.
    var drawn: [String] = []
    var drawnColumns = 0
  }

  private let state = Mutex(State())
  private let hasCursor: Bool
  /// A pipe whose end wakes a thread that waits for a key.
  private let bell: (read: Int32, write: Int32)

  /// The terminal, or nil if input or output isn't one.
  package static func current() -> Terminal? {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 ? Terminal() : nil
  }

  private init() {
    let kind = ProcessInfo.processInfo.environment["TERM"] ?? ""
    hasCursor = !kind.isEmpty && kind != "dumb"
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    bell = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  /// Whether lines can only be printed one below the other.
  package var isDumb: Bool { !hasCursor }

  /// The number of columns, or 80 if the terminal doesn't say.
  package static var width: Int { size.columns }

  /// The current size of the window, or 80 by 24 if the terminal doesn't say.
  static var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  // MARK: - Taking and giving back

  /// Delivers single keys, doesn't echo them, and shows an empty screen if possible.
  func takeOver() {
    state.withLock { state in
      guard !state.isTaken, TerminalSettings.save() else { return }
      state.isTaken = true
      state.takings += 1
      state.drawn = []
      var settings = termios()
      tcgetattr(STDIN_FILENO, &settings)
      settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
      tcsetattr(STDIN_FILENO, TCSANOW, &settings)
      if hasCursor {
        TerminalSettings.hasScreen = true
        Self.send(TerminalSettings.enterScreen)
      }
    }
  }

  /// How many times the terminal was taken over; each time its screen is empty.
  var takings: Int { state.withLock { $0.takings } }

  /// Restores the terminal and its former contents.
  package func giveBack() {
    state.withLock { state in
      guard state.isTaken else { return }
      state.isTaken = false
      TerminalSettings.restore()
    }
  }

  /// Restores the terminal, stops this process as Ctrl-Z does, and takes the terminal over when it
  /// continues.
  package func suspend() {
    let wasTaken = state.withLock { $0.isTaken }
    giveBack()
    // Sent to this thread, so that it's stopped before it continues.
    raise(SIGSTOP)
    if wasTaken { takeOver() }
    wake()
  }

  // MARK: - Keys

  /// The pressed keys; waits for at most this many seconds, or until ``wake()``.
  func keys(within seconds: Double) -> [Key] {
    let isWaiting = state.withLock { $0.reader.isWaiting }
    var inputs = [
      pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
      pollfd(fd: bell.read, events: Int16(POLLIN), revents: 0),
    ]
    // The bytes after an escape arrive with it; otherwise it was the escape key.
    let count = poll(&inputs, 2, Int32((isWaiting ? min(seconds, 0.03) : seconds) * 1000))
    guard count > 0 else {
      return count == 0 && isWaiting ? state.withLock { $0.reader.giveUpWaiting() } : []
    }
    if inputs[1].revents != 0 {
      var rung = [UInt8](repeating: 0, count: 64)
      while read(bell.read, &rung, rung.count) > 0 {}
    }
    guard inputs[0].revents != 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 256)
    let length = read(STDIN_FILENO, &bytes, bytes.count)
    if length < 0, errno == EINTR || errno == EAGAIN { return [] }
    guard length > 0 else { return [.endOfInput] }
    return state.withLock { $0.reader.keys(of: Array(bytes.prefix(length))) }
  }

  /// Ends a wait for keys; may be called on any thread.
  func wake() {
    var byte: UInt8 = 1
    _ = write(bell.write, &byte, 1)
  }

  // MARK: - The screen

  /// Shows these rows from the top; writes only rows that differ from those on the screen.
  func draw(_ rows: [String]) {
    state.withLock { state in
      guard state.isTaken, hasCursor else { return }
      var text = ""
      let columns = Self.size.columns
      if columns != state.drawnColumns {
        // A terminal rewraps its lines when its window changes.
        text = "\u{1B}[2J"
        state.drawn = []
        state.drawnColumns = columns
      }
      for (index, row) in rows.enumerated()
      where !state.drawn.indices.contains(index) || state.drawn[index] != row {
        text += "\u{1B}[\(index + 1);1H\u{1B}[K\(row)"
      }
      if rows.count < state.drawn.count { text += "\u{1B}[\(rows.count + 1);1H\u{1B}[J" }
      state.drawn = rows
      if !text.isEmpty { Self.send(text) }
    }
  }

  private static func send(_ text: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  }
}
