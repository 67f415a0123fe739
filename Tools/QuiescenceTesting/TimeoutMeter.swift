import Foundation

/// The timeout of one wait, and how much of it has been used up.
///
/// The waiting thread checks `isUsedUp` again and again. Time counts
/// - as far as other threads of the process used processor time, but not faster than the clock; and
/// - while every other thread slept, as for a timer.
///
/// Time in which a thread is ready to run but has no core doesn't count. Nor does time in which the
/// waiting thread itself was late to take a sample. So the timeout never expires before that many
/// seconds have passed on the clock, and on a free machine hardly later.
///
/// Use it from one thread only.
final class TimeoutMeter {
  /// The state of the process at one moment.
  struct Sample {
    /// The time on the clock in seconds.
    var clock: Double
    /// The processor time in seconds that the other threads have used so far.
    var used: Double
    /// Whether every other thread sleeps; nil if the system doesn't show that.
    var allAsleep: Bool?
  }

  /// The time between samples, in seconds; taking them costs processor time, too.
  static let interval = 0.02

  /// How late a sample may be for the whole time since the last one to count, in seconds.
  static let lateness = 0.05

  private let seconds: Double
  private let farBound: Double
  private let clock: () -> Double
  private let sample: () -> Sample
  private let start: Double
  private var last: Sample?
  private var spent = 0.0

  /// Begins a wait.
  ///
  /// - Parameters:
  ///   - seconds: The timeout.
  ///   - clock: The time, read at each check; only some checks take a sample.
  ///   - sample: The state of the process now.
  init(
    seconds: Double = TestTimeout.seconds,
    clock: @escaping () -> Double = { clockSeconds(awakeClock) },
    sample: @escaping () -> Sample = { .now }
  ) {
    self.seconds = seconds
    farBound = TestTimeout.farBound(for: seconds)
    self.clock = clock
    self.sample = sample
    start = clock()
  }

  /// Whether the whole timeout is used up.
  var isUsedUp: Bool {
    let now = clock()
    if now - start >= farBound { return true }
    if spent < seconds, now - (last?.clock ?? start) >= Self.interval { spend(until: sample()) }
    return spent >= seconds
  }

  private func spend(until next: Sample) {
    defer { last = next }
    // A wait that ends before the first interval has passed takes no sample at all.
    guard let last else { return }
    let passed = next.clock - last.clock
    let used = max(next.used - last.used, 0)
    // Asleep in both samples: no thread waited for a core. If threads can't be observed, the clock
    // decides.
    let slept = next.allAsleep == nil || (next.allAsleep == true && last.allAsleep != false)
    spent += slept ? min(passed, Self.interval + Self.lateness) : min(passed, used)
  }
}

extension TimeoutMeter.Sample {
  /// The state of the process now.
  static var now: Self {
    let asleep = Quiet.isObservable() ? ThreadSnapshot.take()?.allAsleep : nil
    return Self(
      clock: clockSeconds(awakeClock),
      used: clockSeconds(CLOCK_PROCESS_CPUTIME_ID) - clockSeconds(CLOCK_THREAD_CPUTIME_ID),
      allAsleep: asleep)
  }
}

/// The current time of a system clock, in seconds.
package func clockSeconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
