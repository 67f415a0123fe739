#if canImport(Glibc) || canImport(Musl)
  import Foundation

  /// A look at the other threads of this process: how often each has run, and whether all sleep.
  ///
  /// Source: `/proc/self/task`, proc(5).
  struct ThreadSnapshot: Equatable {
    /// The other threads by number, each with the time slices that it has run.
    var threads: [Int32: ThreadLook] = [:]

    /// Looks at all threads but the calling one, or nil where the system doesn't tell.
    ///
    /// The count is read before the state. A thread with the same count in two looks, asleep in
    /// the first, has slept from the first look's state to the second look's count; so in two
    /// equal looks there is a moment, after all of the first and before any of the second, at
    /// which everybody slept and nobody was left to wake anybody.
    static func take() -> ThreadSnapshot? {
      guard let tasks = opendir("/proc/self/task") else { return nil }
      defer { closedir(tasks) }
      let caller = currentThreadNumber()
      var snapshot = ThreadSnapshot()
      while let entry = readdir(tasks) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        guard let thread = Int32(name), thread != caller, thread != Sanitizer.ownThread
        else { continue }
        // A thread that ends between the listing and the look is a change that the next look sees.
        let slices = slices(of: thread)
        snapshot.threads[thread] = ThreadLook(
          work: slices ?? 0, isAsleep: slices != nil && isAsleep(thread))
      }
      return snapshot
    }

    /// The kernel's number of the calling thread.
    static func currentThreadNumber() -> Int32 {
      // "<process>/task/<thread>"; glibc's gettid isn't visible to Swift.
      withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
        let count = readlink("/proc/thread-self", buffer.baseAddress!, buffer.count)
        let digits = buffer.prefix(max(count, 0)).reversed().prefix { $0 != UInt8(ascii: "/") }
        return digits.reversed().reduce(Int32(0)) { $0 &* 10 &+ Int32($1 - UInt8(ascii: "0")) }
      }
    }

    /// The third figure of `schedstat`: how often the thread was given a core.
    private static func slices(of thread: Int32) -> UInt64? {
      contents(of: "/proc/self/task/\(thread)/schedstat") { bytes in
        let figures = bytes.split(separator: UInt8(ascii: " "))
        guard figures.count >= 3 else { return nil }
        return figures[2].reduce(UInt64(0)) { value, digit in
          digit >= 48 && digit <= 57 ? value &* 10 &+ UInt64(digit - 48) : value
        }
      }
    }

    /// The state in `stat`, which follows the command's name in parentheses.
    private static func isAsleep(_ thread: Int32) -> Bool {
      contents(of: "/proc/self/task/\(thread)/stat") { bytes in
        guard let close = bytes.lastIndex(of: UInt8(ascii: ")")), close + 2 < bytes.endIndex
        else { return nil }
        return bytes[close + 2] == UInt8(ascii: "S")
      } ?? false
    }

    private static func contents<Value>(
      of path: String, read: (UnsafeMutableRawBufferPointer.SubSequence) -> Value?
    ) -> Value? {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      return withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
        let count = Foundation.read(file, buffer.baseAddress, buffer.count)
        guard count > 0 else { return nil }
        return read(buffer[..<count])
      }
    }
  }
#endif
