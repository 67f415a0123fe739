#if canImport(Darwin)
  import Darwin

  extension ThreadSnapshot {
    /// How many times in a row two samples must be equal.
    ///
    /// Processor time is counted in whole microseconds, so a shorter run may leave no trace in one
    /// pair.
    static let roundsUntilQuiet = 2

    /// Samples all threads but the calling one; nil if the system doesn't show them.
    ///
    /// Source: `task_threads` and `thread_info` in the Mach interface. Darwin doesn't count a
    /// thread's time slices, so its processor time stands in for them, in microseconds.
    static func take() -> ThreadSnapshot? {
      var list: thread_act_array_t?
      var count: mach_msg_type_number_t = 0
      guard task_threads(mach_task_self_, &list, &count) == KERN_SUCCESS, let list else {
        return nil
      }
      defer {
        for index in 0..<Int(count) { mach_port_deallocate(mach_task_self_, list[index]) }
        vm_deallocate(
          mach_task_self_, vm_address_t(UInt(bitPattern: list)),
          vm_size_t(Int(count) * MemoryLayout<thread_t>.stride))
      }
      let caller = currentThreadNumber()
      var snapshot = ThreadSnapshot()
      for index in 0..<Int(count) {
        let number = Int32(bitPattern: list[index])
        guard number != caller else { continue }
        var info = thread_extended_info()
        var size = mach_msg_type_number_t(
          MemoryLayout<thread_extended_info>.size / MemoryLayout<natural_t>.size)
        let result = withUnsafeMutablePointer(to: &info) {
          $0.withMemoryRebound(to: integer_t.self, capacity: Int(size)) {
            thread_info(list[index], thread_flavor_t(THREAD_EXTENDED_INFO), $0, &size)
          }
        }
        // A thread that ends meanwhile is a change that the next sample shows.
        snapshot.threads.append(
          ThreadSample(
            number: number, work: info.pth_user_time &+ info.pth_system_time,
            isAsleep: result == KERN_SUCCESS && info.pth_run_state == TH_STATE_WAITING))
      }
      return snapshot
    }

    /// Whether all threads but the calling one sleep, and nothing has run between two samples.
    static var isAllAsleep: Bool {
      guard let first = take(), first.allAsleep else { return false }
      return (0..<roundsUntilQuiet).allSatisfy { _ in take() == first }
    }

    /// The Mach port name of the calling thread.
    static func currentThreadNumber() -> Int32 {
      Int32(bitPattern: pthread_mach_thread_np(pthread_self()))
    }
  }
#endif
