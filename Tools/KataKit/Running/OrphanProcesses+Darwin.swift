#if canImport(Darwin)
  import Darwin
  import Foundation

  /// Processes that a run has left behind in groups of their own.
  ///
  /// A run's environment contains a mark, which all processes that it starts inherit.
  enum OrphanProcesses {
    /// How many times it searches again for processes that started meanwhile.
    private static let looks = 50

    /// Kills every process of this account whose environment contains `mark`; a process whose
    /// environment the system hides is left alone.
    static func stop(markedBy mark: String) {
      let needle = Data(mark.utf8)
      for _ in 0..<looks {
        let marked = ProcessStatus.all().map(\.process).filter {
          $0 != getpid() && arguments(of: $0)?.range(of: needle) != nil
        }
        if marked.isEmpty { return }
        for process in marked { kill(process, SIGKILL) }
        usleep(2_000)
      }
    }

    /// The arguments and the environment of a process.
    ///
    /// Source: `KERN_PROCARGS2`, sysctl(3).
    private static func arguments(of process: Int32) -> Data? {
      var name: [Int32] = [CTL_KERN, KERN_PROCARGS2, process]
      var size = 0
      guard sysctl(&name, 3, nil, &size, nil, 0) == 0, size > 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctl(&name, 3, &bytes, &size, nil, 0) == 0 else { return nil }
      return Data(bytes.prefix(size))
    }
  }
#endif
