#if canImport(Darwin)
  import Darwin

  extension ProcessStatus {
    /// The status of a process, or nil if it doesn't exist or belongs to another user.
    ///
    /// Source: `proc_pidinfo` of `libproc.h`.
    init?(of process: Int32) {
      var info = proc_taskallinfo()
      let size = Int32(MemoryLayout<proc_taskallinfo>.size)
      guard proc_pidinfo(process, PROC_PIDTASKALLINFO, 0, &info, size) == size else { return nil }
      self.init(
        process: process, parent: Int32(bitPattern: info.pbsd.pbi_ppid),
        group: Int32(bitPattern: info.pbsd.pbi_pgid), threads: Int(info.ptinfo.pti_threadnum),
        residentBytes: footprint(of: process) ?? Int(info.ptinfo.pti_resident_size),
        processorSeconds: seconds(info.ptinfo.pti_total_user &+ info.ptinfo.pti_total_system),
        isStopped: info.pbsd.pbi_status == UInt32(SSTOP))
    }

    /// Whether no thread of a process is running or ready to run.
    static func isAsleep(_ process: Int32) -> Bool {
      var info = proc_taskinfo()
      let size = Int32(MemoryLayout<proc_taskinfo>.size)
      guard proc_pidinfo(process, PROC_PIDTASKINFO, 0, &info, size) == size else { return false }
      return info.pti_numrunning == 0
    }

    /// Empty: only a debugger may inspect another process's threads here.
    static func threads(of process: Int32) -> String { "" }

    /// All processes that this one may inspect.
    static func all() -> [ProcessStatus] {
      // Room for processes that start meanwhile; unused entries stay zero.
      var processes = [Int32](repeating: 0, count: Int(max(0, proc_listallpids(nil, 0))) + 64)
      let size = Int32(processes.count * MemoryLayout<Int32>.size)
      _ = proc_listallpids(&processes, size)
      return processes.filter { $0 > 0 }.compactMap { ProcessStatus(of: $0) }
    }
  }

  /// The memory of a process, including compressed and swapped memory.
  ///
  /// Source: `proc_pid_rusage` of `libproc.h`.
  private func footprint(of process: Int32) -> Int? {
    var usage = rusage_info_v0()
    let result = withUnsafeMutablePointer(to: &usage) {
      $0.withMemoryRebound(to: rusage_info_t?.self, capacity: 1) {
        proc_pid_rusage(process, RUSAGE_INFO_V0, $0)
      }
    }
    return result == 0 ? Int(usage.ri_phys_footprint) : nil
  }

  /// Converts ticks of the processor's clock to seconds.
  private func seconds(_ ticks: UInt64) -> Double {
    var base = mach_timebase_info_data_t()
    guard mach_timebase_info(&base) == KERN_SUCCESS, base.denom > 0 else { return 0 }
    return Double(ticks) * Double(base.numer) / Double(base.denom) / 1e9
  }
#endif
