import Foundation
import Synchronization

/// How long a test waits for something that must happen.
///
/// The bound costs nothing when the thing happens at once, and a wait that can't end is cut short
/// as soon as the process is quiet; so the bound is generous. `TEST_PATIENCE` sets it in seconds.
///
/// What counts are seconds in which the process could have done something about it: those in which
/// its threads ran, and those in which all of them slept, waiting for a timer. While a thread waits
/// for a core none pass. So a loop that never ends is out of patience after that many seconds, and a
/// process that has to share its cores with many others waits as much longer as it's slowed down.
public enum Patience {
  /// The bound in seconds: `TEST_PATIENCE`, or 20 where it is unset or not a positive number.
  public static let seconds: Double = {
    guard let text = ProcessInfo.processInfo.environment["TEST_PATIENCE"],
      let seconds = Double(text), seconds.isFinite, seconds > 0
    else { return 20 }
    return seconds
  }()

  private static let wasUsedUp = Atomic(false)

  /// The bound of a wait that begins now, in seconds.
  ///
  /// Once a wait has used up the whole bound, the test has failed whatever comes, and the waits after
  /// it get a fifth, though no less than a second: somebody has waited long enough.
  static var now: Double {
    wasUsedUp.load(ordering: .relaxed) ? left(of: seconds) : seconds
  }

  /// What is left of a bound once a wait has used it up.
  static func left(of seconds: Double) -> Double { min(seconds, max(seconds / 5, 1)) }

  /// Notes that a wait was in vain and used up all that it had.
  static func noteUsedUp() { wasUsedUp.store(true, ordering: .relaxed) }

  /// The seconds on the clock after which a wait is over, whatever the process came to do.
  ///
  /// Ten times the bound and at least a minute: far enough for a process that gets a tenth of a core.
  /// A thread that works and sleeps by turns on a machine that is never free may take as long.
  package static func farBound(for seconds: Double) -> Double { max(10 * seconds, 60) }
}
