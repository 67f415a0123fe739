import Foundation

/// How long a spec waits for something that must happen.
///
/// The bound costs nothing when the thing happens at once, and a wait that can't end is cut short
/// as soon as the process is quiet; so the bound is generous. `KATA_PATIENCE` sets it in seconds.
public enum Patience {
  /// The bound in seconds: `KATA_PATIENCE`, or 20 where it is unset or not a positive number.
  public static let seconds: Double = {
    guard let text = ProcessInfo.processInfo.environment["KATA_PATIENCE"],
      let seconds = Double(text), seconds.isFinite, seconds > 0
    else { return 20 }
    return seconds
  }()

  /// The moment at which a wait that begins now gives up.
  static var deadline: ContinuousClock.Instant {
    .now.advanced(by: .milliseconds(Int(seconds * 1000)))
  }
}
