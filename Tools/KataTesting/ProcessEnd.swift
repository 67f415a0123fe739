import Foundation

/// Waits until a process has ended, at most until the far end of ``TestTimeout``.
///
/// What another process could have done meanwhile isn't known here, so the clock decides.
///
/// A process that was killed and that nobody has buried yet has ended: burying an orphan is up to
/// whatever inherits it.
///
/// - Returns: Whether it has ended.
public func hasEnded(_ process: Int32) -> Bool {
  let end = clockSeconds(awakeClock) + TestTimeout.farBound(for: TestTimeout.seconds)
  while kill(process, 0) == 0, !isZombie(process) {
    guard clockSeconds(awakeClock) < end else { return false }
    usleep(1_000)
  }
  return true
}

/// Whether a process is a zombie; always false where the system has no `/proc`.
private func isZombie(_ process: Int32) -> Bool {
  guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
    let state = stat.split(separator: ")").last?.split(separator: " ").first
  else { return false }
  return state == "Z" || state == "X"
}
