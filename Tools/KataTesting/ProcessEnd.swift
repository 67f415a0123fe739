import Foundation

/// Waits until a process has ended, for at most ten times ``TestTimeout`` and at least a minute.
///
/// It isn't known how much processor time the other process had, so the clock decides. A killed
/// process that hasn't been reaped yet has ended: an orphan is reaped by the process that inherits
/// it.
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

/// Whether a process is a zombie; always false if the system has no `/proc`.
private func isZombie(_ process: Int32) -> Bool {
  guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
    let state = stat.split(separator: ")").last?.split(separator: " ").first
  else { return false }
  return state == "Z" || state == "X"
}
