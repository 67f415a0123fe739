import Foundation
import KataKit

/// Busy loops, until they are stopped.
final class BusyCores {
  private var processes: [ChildProcess] = []

  /// Starts `count` loops.
  init(count: Int) {
    for _ in 0..<count {
      // However this process ends, the loops end with it.
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
