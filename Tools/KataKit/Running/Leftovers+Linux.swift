#if canImport(Glibc) || canImport(Musl)
  import Foundation

  /// Processes that a run has left behind in groups of their own.
  ///
  /// A run's environment carries a mark, which whatever it starts inherits.
  enum Leftovers {
    /// Kills every process whose environment carries `mark`.
    ///
    /// Source: `/proc/<process>/environ`, proc(5).
    static func stop(markedBy mark: String) {
      let needle = Data(mark.utf8)
      let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      for process in processes.compactMap({ Int32($0) }) where process != getpid() {
        guard let file = FileHandle(forReadingAtPath: "/proc/\(process)/environ") else { continue }
        defer { try? file.close() }
        if let environment = try? file.readToEnd(), environment.range(of: needle) != nil {
          kill(process, SIGKILL)
        }
      }
    }
  }
#endif
