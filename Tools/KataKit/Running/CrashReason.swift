import Foundation

/// Why a process died, in words.
enum CrashReason {
  static func text(_ ending: ChildProcess.Ending, output: String) -> String {
    let said = lastWords(in: output).map { " It said: \($0)" } ?? ""
    switch ending {
    case .exited(let code):
      return "The process ended itself in the middle of the test, with exit code \(code).\(said)"
    case .killed(let signal):
      let isSilentTrap = said.isEmpty && (signal == SIGILL || signal == SIGTRAP)
      return "The process was brought down by \(name(of: signal)).\(said)"
        + (isSilentTrap ? " \(usualTraps)" : "")
    }
  }

  /// The messages of code that ends a program: Swift, Apple's Foundation, its loader, and our host.
  private static let marks = [
    "Fatal error:", "*** Terminating app due to uncaught exception", "dyld[", "KataHost:",
  ]

  /// The last message of the code that ended the program, with the place before it.
  ///
  /// Other text in that line is left out if it's too long to be a place.
  private static func lastWords(in output: String) -> String? {
    let found = marks.compactMap { output.range(of: $0, options: .backwards) }
    guard let mark = found.max(by: { $0.lowerBound < $1.lowerBound }) else { return nil }
    let line =
      output[..<mark.lowerBound].split(
        separator: "\n", omittingEmptySubsequences: false
      ).last ?? ""
    let place = line.count > 300 ? "…" : line
    let rest = output[mark.lowerBound...].prefix { $0 != "\n" }
    return (place + rest).trimmingCharacters(in: .whitespaces)
  }

  /// Causes of traps in Dispatch and Foundation, whose messages aren't available here.
  private static let usualTraps = """
    Swift left no message, so it's most likely a trap of Dispatch or Foundation: sync on a queue \
    from a block that this queue already runs; leave more often than enter; a group, semaphore or \
    suspended queue that was released while in use; or an operation that is added to a queue when \
    it is finished, executing or in a queue already.
    """

  private static func name(of signal: Int32) -> String {
    switch signal {
    case SIGILL: "a trap (SIGILL)"
    case SIGTRAP: "a trap (SIGTRAP)"
    case SIGABRT: "abort (SIGABRT)"
    case SIGSEGV: "a bad memory access, or a stack that overflowed (SIGSEGV)"
    case SIGBUS: "a bad memory access, or a stack that overflowed (SIGBUS)"
    case SIGFPE: "a bad calculation (SIGFPE)"
    case SIGKILL: "a kill from outside, perhaps for lack of memory (SIGKILL)"
    default: "signal \(signal)"
    }
  }
}
