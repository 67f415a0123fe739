#if canImport(Glibc) || canImport(Musl)
  import Foundation

  extension ProcessStatus {
    /// The status of a process, or nil where there is none.
    ///
    /// Source: `/proc/<process>/stat`, proc_pid_stat(5).
    init?(of process: Int32) {
      // Not by Foundation: this is asked for all the time.
      let file = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var buffer = [UInt8](repeating: 0, count: 1024)
      let count = read(file, &buffer, buffer.count)
      // The name stands in brackets, and may have any byte in it.
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

    /// Whether every thread of a process waits to be woken; one that could run and has no core doesn't.
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

    /// The threads of a process in words: name, state, and what the kernel says it waits in.
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

    /// All processes that there are.
    static func all() -> [ProcessStatus] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return names.compactMap { Int32($0) }.compactMap { ProcessStatus(of: $0) }
    }
  }
#endif
