import Foundation

/// The patience of one wait, and how much of it has been used up.
///
/// The waiting thread asks again and again whether any is left. Time counts
/// - as far as other threads of the process used processor time, but not faster than the clock; and
/// - while every other thread slept, as for a timer.
///
/// Time in which a thread could run but had no core doesn't count: that's the machine's doing. Nor
/// does time in which the waiting thread itself came to look late. So the bound is never reached
/// before as many seconds have passed on the clock, and on a free machine hardly later.
///
/// For one thread.
final class PatienceMeter {
  /// What is seen at one moment.
  struct Look {
    /// The time on the clock in seconds.
    var clock: Double
    /// The processor time in seconds that the other threads have used so far.
    var used: Double
    /// Whether every other thread sleeps; nil where the system doesn't tell.
    var allAsleep: Bool?
  }

  /// How far apart looks are, in seconds; they cost the process time, too.
  static let interval = 0.02

  /// How late a look may come so that the whole time since the last one counts, in seconds.
  static let lateness = 0.05

  private let seconds: Double
  private let farBound: Double
  private let clock: () -> Double
  private let look: () -> Look
  private let start: Double
  private var last: Look?
  private var spent = 0.0

  /// Begins a wait.
  ///
  /// - Parameters:
  ///   - seconds: How much patience there is.
  ///   - clock: The time, asked for each time; a look is taken now and then.
  ///   - look: What is seen at this moment.
  init(
    seconds: Double = Patience.seconds,
    clock: @escaping () -> Double = { clockSeconds(awakeClock) },
    look: @escaping () -> Look = { .now }
  ) {
    self.seconds = seconds
    farBound = Patience.farBound(for: seconds)
    self.clock = clock
    self.look = look
    start = clock()
  }

  /// Whether all patience is used up.
  var isUsedUp: Bool {
    let now = clock()
    if now - start >= farBound { return true }
    if spent < seconds, now - (last?.clock ?? start) >= Self.interval { spend(until: look()) }
    return spent >= seconds
  }

  private func spend(until next: Look) {
    defer { last = next }
    // A wait that is over by then has taken no look at all.
    guard let last else { return }
    let passed = next.clock - last.clock
    let used = max(next.used - last.used, 0)
    // Asleep at both ends: nobody waited for a core. Where threads can't be seen, the clock decides.
    let slept = next.allAsleep == nil || (next.allAsleep == true && last.allAsleep != false)
    spent += slept ? min(passed, Self.interval + Self.lateness) : min(passed, used)
  }
}

extension PatienceMeter.Look {
  /// What is seen now.
  static var now: Self {
    let asleep = Quiet.isObservable() ? ThreadSnapshot.take()?.allAsleep : nil
    return Self(
      clock: clockSeconds(awakeClock),
      used: clockSeconds(CLOCK_PROCESS_CPUTIME_ID) - clockSeconds(CLOCK_THREAD_CPUTIME_ID),
      allAsleep: asleep)
  }
}

/// What one of the system's clocks shows, in seconds.
package func clockSeconds(_ clock: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(clock, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
