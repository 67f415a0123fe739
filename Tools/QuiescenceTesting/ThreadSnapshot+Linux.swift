#if canImport(Glibc) || canImport(Musl)
  import KataThreads

  extension ThreadSnapshot {
    /// How many times in a row two samples must be equal: the kernel counts each time that a thread
    /// gets a core.
    static let roundsUntilQuiet = 1

    /// Samples all threads but the calling one; nil if the system doesn't show them.
    ///
    /// Source: `/proc/self/task`, proc(5).
    static func take() -> ThreadSnapshot? {
      var capacity = 64
      while true {
        var snapshot = ThreadSnapshot()
        let count = withUnsafeTemporaryAllocation(of: kata_thread_sample.self, capacity: capacity) {
          let count = Int(kata_sample_threads($0.baseAddress, Int32(capacity)))
          var index = 0
          while index < min(count, capacity) {
            let look = $0[index]
            index += 1
            guard look.number != sanitizerThread else { continue }
            snapshot.threads.append(
              ThreadSample(number: look.number, work: look.slices, isAsleep: look.is_asleep))
          }
          return count
        }
        if count < 0 { return nil }
        if count <= capacity { return snapshot }
        capacity = 2 * count
      }
    }

    /// Whether all threads but the calling one sleep, judging by a quick sample.
    static var isAllAsleep: Bool { kata_all_asleep() }

    /// Thread Sanitizer's own thread, if this program is built with the sanitizer.
    ///
    /// It wakes about ten times a second in any case, and no other thread waits for it.
    static let sanitizerThread: Int32? = {
      let number = kata_thread_of_sanitizer()
      return number == 0 ? nil : number
    }()

    /// The kernel's number of the calling thread.
    static func currentThreadNumber() -> Int32 { kata_current_thread() }
  }
#endif
