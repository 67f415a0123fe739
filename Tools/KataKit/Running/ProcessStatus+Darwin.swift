#if canImport(Darwin)
  import Darwin

  extension ProcessStatus {
    /// The status of a process, or nil where there is none or it is somebody else's.
    ///
    /// Source: `proc_pidinfo` of `libproc.h`.
    init?(of process: Int32) {
      var info = proc_taskallinfo()
      let size = Int32(MemoryLayout<proc_taskallinfo>.size)
      guard proc_pidinfo(process, PROC_PIDTASKALLINFO, 0, &info, size) == size else { return nil }
      self.init(
        process: process, parent: Int32(bitPattern: info.pbsd.pbi_ppid),
        group: Int32(bitPattern: info.pbsd.pbi_pgid), threads: Int(info.ptinfo.pti_threadnum),
        residentBytes: Int(info.ptinfo.pti_resident_size),
        isStopped: info.pbsd.pbi_status == UInt32(SSTOP))
    }

    /// All processes that this one may look at.
    static func all() -> [ProcessStatus] {
      // Room for those that start meanwhile; what isn't filled stays zero.
      var processes = [Int32](repeating: 0, count: Int(max(0, proc_listallpids(nil, 0))) + 64)
      let size = Int32(processes.count * MemoryLayout<Int32>.size)
      _ = proc_listallpids(&processes, size)
      return processes.filter { $0 > 0 }.compactMap { ProcessStatus(of: $0) }
    }
  }
#endif
