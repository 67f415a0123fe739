import Foundation
import Testing

/// A terminal that a program runs in, as tests see it: keys go in, and a screen comes out.
///
/// Not thread-safe. Source: posix_openpt(3); the sequences are those of ECMA-48.
final class PseudoTerminal {
  /// How long a wait may take: there may be a whole module to build.
  private static let timeout = Duration.seconds(600)

  private let control: Int32
  private var process: pid_t = 0
  private(set) var screen: Screen
  /// Everything that the program has written.
  private(set) var written = ""

  /// Starts a program with the terminal as its own, so that Ctrl-C and the window's size reach it.
  init(
    _ program: URL, _ arguments: [String], in folder: URL, environment: [String: String],
    columns: Int = 80, rows: Int = 24
  ) throws {
    screen = Screen(columns: columns, rows: rows)
    let pair = try #require(Self.open(), "There is no pseudo-terminal to be had.")
    control = pair.control
    _ = fcntl(control, F_SETFD, FD_CLOEXEC)
    resize(columns: columns, rows: rows)

    var actions = Self.noActions
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for file in [Int32(0), 1, 2] {
      posix_spawn_file_actions_addopen(&actions, file, "/dev/null", O_RDWR, 0)
    }
    var attributes = Self.noAttributes
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Self.newSession | Int16(POSIX_SPAWN_SETSIGMASK))
    // Threads of a test may block signals, and what they start would inherit that.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    let shell = "/bin/sh"
    // A session's leader that opens a terminal makes it its own. The shell leads the session by then;
    // on Darwin what posix_spawn opens is open before.
    let move = [
      "-c", #"exec 0<>"$0" 1>&0 2>&0 && cd "$1" && shift && exec "$@""#, pair.name, folder.path,
    ]
    let words = ([shell] + move + [program.path] + arguments).map { strdup($0) } + [nil]
    let settings = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + settings { free(text) } }
    let result = posix_spawn(&process, shell, &actions, &attributes, words, settings)
    try #require(
      result == 0, "\(program.path) can't be started: \(String(cString: strerror(result)))")
  }

  deinit {
    if process > 0 {
      kill(process, SIGKILL)
      var status: Int32 = 0
      waitpid(process, &status, 0)
    }
    close(control)
  }

  /// Presses keys.
  func type(_ keys: String) {
    var bytes = Array(keys.utf8)
    _ = write(control, &bytes, bytes.count)
  }

  func send(_ signal: Int32) { kill(process, signal) }

  /// Gives the window another size.
  func resize(columns: Int, rows: Int) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(control, UInt(TIOCSWINSZ), &size)
    screen = Screen(columns: columns, rows: rows, copying: screen)
  }

  /// Whether keys are delivered one by one and not echoed.
  var isTaken: Bool {
    var settings = termios()
    tcgetattr(control, &settings)
    return settings.c_lflag & tcflag_t(ICANON | ECHO) == 0
  }

  /// Reads what the program writes until `condition` holds of the screen.
  ///
  /// Fails after ``timeout``.
  func wait(
    _ expected: String, sourceLocation: SourceLocation = #_sourceLocation,
    until condition: (Screen) -> Bool
  ) throws {
    let start = ContinuousClock.now
    while !condition(screen) {
      let isOpen = readSome()
      if condition(screen) { return }
      let isLate = start.duration(to: .now) > Self.timeout
      try #require(
        isOpen && !isLate, "Not on the screen: \(expected)\n\(screen.text)",
        sourceLocation: sourceLocation)
    }
  }

  /// Waits until `text` stands on the screen.
  func wait(for text: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try wait(text, sourceLocation: sourceLocation) { $0.text.contains(text) }
  }

  /// Waits until the program has ended; its exit code, or the negative number of the signal that ended
  /// it.
  ///
  /// One that doesn't end is killed after ``timeout``.
  func waitForEnd() -> Int32 {
    let start = ContinuousClock.now
    while readSome() {
      if start.duration(to: .now) > Self.timeout { kill(process, SIGKILL) }
    }
    var status: Int32 = 0
    waitpid(process, &status, 0)
    process = 0
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
  }

  /// Waits until the program is stopped, as by Ctrl-Z; fails after ``timeout``.
  func waitForStop(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let start = ContinuousClock.now
    var status: Int32 = 0
    while waitpid(process, &status, WUNTRACED | WNOHANG) != process || status & 0xFF != 0x7F {
      _ = readSome()
      try #require(
        start.duration(to: .now) < Self.timeout, "It wasn't stopped.\n\(screen.text)",
        sourceLocation: sourceLocation)
    }
    // What it wrote before it stopped.
    var input = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
    while poll(&input, 1, 0) > 0, readSome() {}
  }

  /// Reads for a moment; false once the program has gone.
  private func readSome() -> Bool {
    var input = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
    guard poll(&input, 1, 50) > 0 else { return true }
    var bytes = [UInt8](repeating: 0, count: 16 * 1024)
    let count = read(control, &bytes, bytes.count)
    guard count > 0 else { return false }
    let text = bytes.prefix(count)
    written += String(decoding: text, as: UTF8.self)
    screen.take(Array(text))
    return true
  }
}
