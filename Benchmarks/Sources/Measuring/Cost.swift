import Foundation

/// The time that something took.
public struct Cost: Sendable {
  /// The processes whose processor time counts.
  public enum Account: Sendable {
    /// This process, with all of its threads.
    case ownProcess
    /// The child processes that were waited for.
    case childProcesses
  }

  /// The time on the clock, in seconds.
  public var wall: Double
  /// The time on all cores together, in seconds; other load on the machine hardly affects it.
  public var processor: Double

  /// The cost of each of `count` things that took this together.
  public func each(of count: Int) -> Cost {
    Cost(wall: wall / Double(count), processor: processor / Double(count))
  }

  /// Measures the cost of `body`.
  public static func measure(_ account: Account, _ body: () throws -> Void) rethrows -> Cost {
    let start = ContinuousClock.now
    let before = processorTime(of: account)
    try body()
    let processor = processorTime(of: account) - before
    return Cost(wall: seconds(since: start), processor: processor)
  }

  /// The time on the clock since `start`, in seconds.
  public static func seconds(since start: ContinuousClock.Instant) -> Double {
    let (seconds, attoseconds) = start.duration(to: .now).components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  /// The processor time used so far, in seconds.
  private static func processorTime(of account: Account) -> Double {
    switch account {
    case .ownProcess:
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    case .childProcesses:
      var usage = rusage()
      getrusage(RUSAGE_CHILDREN.asWho, &usage)
      return [usage.ru_utime, usage.ru_stime]
        .map { Double($0.tv_sec) + Double($0.tv_usec) * 1e-6 }.reduce(0, +)
    }
  }
}

#if canImport(Darwin)
  extension Int32 {
    fileprivate var asWho: Int32 { self }
  }
#else
  extension __rusage_who {
    fileprivate var asWho: __rusage_who_t { __rusage_who_t(rawValue) }
  }
#endif
