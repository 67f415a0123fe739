import Foundation

/// Why a process died, in words.
enum CrashReason {
  static func text(_ ending: ChildProcess.Ending, output: String) -> String {
    let said =
      output.split(separator: "\n").last { $0.contains("Fatal error:") }
      .map { " It said: \($0.trimmingCharacters(in: .whitespaces))" } ?? ""
    switch ending {
    case .exited(let code):
      return "The process ended itself in the middle of the test, with exit code \(code).\(said)"
    case .killed(let signal):
      let isSilentTrap = said.isEmpty && (signal == SIGILL || signal == SIGTRAP)
      return "The process was brought down by \(name(of: signal)).\(said)"
        + (isSilentTrap ? " \(usualTraps)" : "")
    }
  }

  /// Dispatch and Foundation trap without a message that reaches us.
  private static let usualTraps = """
    Swift left no message, so it's most likely a trap of Dispatch or Foundation: sync on a queue \
    from a block that this queue already runs; leave more often than enter; a group, semaphore or \
    suspended queue that went away in use; or an operation that is given to a queue when it is \
    finished, executing or in a queue already.
    """

  private static func name(of signal: Int32) -> String {
    switch signal {
    case SIGILL: "a trap (SIGILL)"
    case SIGTRAP: "a trap (SIGTRAP)"
    case SIGABRT: "abort (SIGABRT)"
    case SIGSEGV: "a bad memory access, or a stack that overflowed (SIGSEGV)"
    case SIGBUS: "a bad memory access (SIGBUS)"
    case SIGFPE: "a bad calculation (SIGFPE)"
    case SIGKILL: "a kill from outside, perhaps for lack of memory (SIGKILL)"
    default: "signal \(signal)"
    }
  }
}
