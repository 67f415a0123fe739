#if canImport(Glibc) || canImport(Musl)
  import Foundation

  extension ProcessStatus {
    /// The status of a process, or nil if it doesn't exist.
    ///
    /// Source: `/proc/<process>/stat`, proc_pid_stat(5).
    init?(of process: Int32) {
      // Without Foundation: this is called very often.
      let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var buffer = [UInt8](repeating: 0, count: 1024)
      let count = read(file, &buffer, buffer.count)
      // The name is in parentheses, and may contain any byte.
      guard count > 0, let bracket = buffer[..<count].lastIndex(of: UInt8(ascii: ")")) else {
        return nil
      }
      let fields = buffer[(bracket + 1)..<count].split(separator: UInt8(ascii: " "))
        .map { String(decoding: $0, as: UTF8.self) }
      guard fields.count > 21, let parent = Int32(fields[1]), let group = Int32(fields[2]),
        let user = Double(fields[11]), let system = Double(fields[12]),
        let threads = Int(fields[17]), let pages = Int(fields[21])
      else { return nil }
      self.init(
        process: process, parent: parent, group: group, threads: threads,
        residentBytes: pages * Int(sysconf(Int32(_SC_PAGESIZE))),
        processorSeconds: (user + system) / Double(sysconf(Int32(_SC_CLK_TCK))),
        isStopped: fields[0] == "T")
    }

    /// Whether every thread of a process sleeps; a thread that is ready to run but has no core
    /// doesn't.
    static func isAsleep(_ process: Int32) -> Bool {
      let folder = "/proc/\(process)/task"
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return !threads.isEmpty
        && threads.allSatisfy { thread in
          guard let stat = FileManager.default.contents(atPath: "\(folder)/\(thread)/stat"),
            let bracket = stat.lastIndex(of: UInt8(ascii: ")")), bracket + 2 < stat.endIndex
          else { return true }
          return [UInt8(ascii: "S"), UInt8(ascii: "T")].contains(stat[bracket + 2])
        }
    }

    /// The threads of a process in words: name, state, and where in the kernel each waits.
    ///
    /// Source: `/proc/<process>/task`, proc(5).
    static func threads(of process: Int32) -> String {
      let folder = "/proc/\(process)/task"
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return threads.sorted().map { thread in
        ["stat", "wchan", "syscall"].map { name in
          let data = FileManager.default.contents(atPath: "\(folder)/\(thread)/\(name)") ?? Data()
          return String(decoding: data, as: UTF8.self).trimmingCharacters(
            in: .whitespacesAndNewlines)
        }.joined(separator: " · ") + "\n"
      }.joined()
    }

    /// All processes of the machine.
    static func all() -> [ProcessStatus] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return names.compactMap { Int32($0) }.compactMap { ProcessStatus(of: $0) }
    }
  }
#endif
