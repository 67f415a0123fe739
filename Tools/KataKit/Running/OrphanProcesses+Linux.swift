#if canImport(Glibc) || canImport(Musl)
  import Foundation

  /// Processes that a run has left behind in groups of their own.
  ///
  /// A run's environment contains a mark, which all processes that it starts inherit.
  enum OrphanProcesses {
    /// How many times it searches again for processes that started meanwhile.
    private static let looks = 50

    /// Kills every process whose environment contains `mark`.
    ///
    /// Source: `/proc/<process>/environ`, proc(5).
    static func stop(markedBy mark: String) {
      let needle = Data(mark.utf8)
      for _ in 0..<looks {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let marked = processes.compactMap { Int32($0) }.filter {
          $0 != getpid() && environment(of: $0)?.range(of: needle) != nil
        }
        if marked.isEmpty { return }
        for process in marked { kill(process, SIGKILL) }
        // A killed process keeps its environment until the kernel has cleaned up.
        usleep(2_000)
      }
    }

    /// The environment of a process; nil if it has ended or belongs to another user.
    private static func environment(of process: Int32) -> Data? {
      guard let file = FileHandle(forReadingAtPath: "/proc/\(process)/environ") else { return nil }
      defer { try? file.close() }
      return try? file.readToEnd()
    }
  }
#endif
