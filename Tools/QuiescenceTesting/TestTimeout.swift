import Foundation
import Synchronization

/// How long a test waits for something that must happen.
///
/// The timeout costs nothing if the thing happens at once, and a wait that can't succeed ends as
/// soon as the process is quiet; so the timeout is generous. `TEST_TIMEOUT` sets it in seconds.
///
/// Only seconds count in which the process could have made progress: its threads ran, or all of
/// them slept and waited for a timer. Time in which a thread waits for a core doesn't count. So an
/// endless loop times out after that many seconds of work, and a process that shares its cores with
/// many others gets proportionally more time.
public enum TestTimeout {
  /// The timeout in seconds: `TEST_TIMEOUT`, or 20 if it's unset or not a positive number.
  public static let seconds: Double = {
    guard let text = ProcessInfo.processInfo.environment["TEST_TIMEOUT"],
      let seconds = Double(text), seconds.isFinite, seconds > 0
    else { return 20 }
    return seconds
  }()

  private static let wasUsedUp = Atomic(false)

  /// The timeout of a wait that begins now, in seconds.
  ///
  /// Once a wait has timed out, the test has failed in any case. The waits after it get a fifth of
  /// the timeout, though at least a second.
  static var now: Double {
    wasUsedUp.load(ordering: .relaxed) ? left(of: seconds) : seconds
  }

  /// The timeout of later waits once one has timed out.
  static func left(of seconds: Double) -> Double { min(seconds, max(seconds / 5, 1)) }

  /// Notes that a wait has timed out.
  static func noteUsedUp() { wasUsedUp.store(true, ordering: .relaxed) }

  /// The seconds on the clock after which a wait ends, whatever the process has done.
  ///
  /// Ten times the timeout and at least a minute: enough for a process that gets a tenth of a core.
  /// A thread that works and sleeps alternately on a busy machine may take that long.
  package static func farBound(for seconds: Double) -> Double { max(10 * seconds, 60) }
}
