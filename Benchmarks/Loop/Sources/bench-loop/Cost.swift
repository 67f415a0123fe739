import Foundation

/// What something took.
struct Cost {
  /// On the clock, in seconds.
  var wall: Double
  /// On all cores together, in seconds; hardly depends on who else uses the machine.
  var processor: Double

  static func + (a: Cost, b: Cost) -> Cost {
    Cost(wall: a.wall + b.wall, processor: a.processor + b.processor)
  }

  /// What `body` and the processes that it starts and waits for take.
  static func measure(_ body: () throws -> Void) rethrows -> Cost {
    let start = ContinuousClock.now
    let before = processorTime()
    try body()
    return Cost(wall: seconds(since: start), processor: processorTime() - before)
  }

  static func seconds(since start: ContinuousClock.Instant) -> Double {
    let (seconds, attoseconds) = start.duration(to: .now).components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  /// What all processes that were waited for have used, in seconds.
  private static func processorTime() -> Double {
    var usage = rusage()
    getrusage(RUSAGE_CHILDREN.asWho, &usage)
    return [usage.ru_utime, usage.ru_stime]
      .map { Double($0.tv_sec) + Double($0.tv_usec) * 1e-6 }.reduce(0, +)
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

/// A median with the quartiles on both sides of it.
struct Spread: CustomStringConvertible {
  let low: Double
  let median: Double
  let high: Double

  init(_ values: [Double]) {
    let sorted = values.sorted()
    func at(_ share: Double) -> Double {
      guard let last = sorted.indices.last else { return .nan }
      let place = share * Double(last)
      let below = Int(place)
      let above = min(below + 1, last)
      return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
    }
    (low, median, high) = (at(0.25), at(0.5), at(0.75))
  }

  var description: String {
    String(format: "%.2f  (%.2f … %.2f)", median, low, high)
  }
}
