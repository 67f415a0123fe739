import Foundation
import Synchronization

/// The terminal that a learner sits at, for keys that needn't be followed by return.
public final class Terminal: Sendable {
  private let settings: Mutex<termios?> = Mutex(nil)

  /// The terminal, or nil where input or output isn't one.
  public static func current() -> Terminal? {
    isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 ? Terminal() : nil
  }

  private init() {}

  /// The number of columns, or 80 where the terminal doesn't tell.
  public static var width: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Delivers keys one by one and doesn't echo them.
  ///
  /// Ctrl-C still interrupts.
  func takeKeys() {
    settings.withLock { settings in
      var attributes = termios()
      guard settings == nil, tcgetattr(STDIN_FILENO, &attributes) == 0 else { return }
      settings = attributes
      attributes.c_lflag &= ~tcflag_t(ICANON | ECHO)
      tcsetattr(STDIN_FILENO, TCSANOW, &attributes)
    }
  }

  /// Sets the terminal back to what it was.
  public func giveBack() {
    settings.withLock { settings in
      guard var attributes = settings else { return }
      tcsetattr(STDIN_FILENO, TCSANOW, &attributes)
      settings = nil
    }
  }

  /// The next key, waited for at most so many seconds.
  ///
  /// The end of input is "q".
  func key(within seconds: Double) -> Character? {
    var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&input, 1, Int32(seconds * 1000)) > 0 else { return nil }
    var byte: UInt8 = 0
    return read(STDIN_FILENO, &byte, 1) == 1 ? Character(UnicodeScalar(byte)) : "q"
  }
}
