import Foundation
import KataKit

/// Busy loops, one more than there are cores, until they are stopped.
final class BusyCores {
  private var processes: [ChildProcess] = []

  init() {
    let count = ProcessInfo.processInfo.activeProcessorCount + 1
    for _ in 0..<count {
      // Whatever becomes of this process, they end with it.
      let process = ChildProcess(
        "/bin/sh", ["-c", "while kill -0 $PPID; do :; done"], in: URL(filePath: "/"))
      if (try? process.start()) != nil { processes.append(process) }
    }
  }

  func stop() {
    for process in processes {
      process.stop()
      _ = process.waitForEnd()
    }
  }
}
