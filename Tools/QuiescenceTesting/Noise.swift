import Foundation

/// Delays by chance, wherever a test and the code under test meet: for tests of tests.
///
/// A test that says something else when one of its threads is late hangs on chance, and says so once in a
/// thousand runs. `TEST_NOISE=25` makes it say so soon: at one in six of the places where a thread calls
/// this library, or is let go on by it, the thread computes for up to 25 milliseconds. It doesn't sleep, so
/// nothing is quiet meanwhile. Without the variable nothing of it happens.
///
/// Known as noise injection.
enum Noise {
  /// One place in so many is noisy.
  private static let rarity = 6

  /// How long a delay may be, in seconds; 0 for none.
  private static let longest: Double = {
    guard let text = ProcessInfo.processInfo.environment["TEST_NOISE"],
      let milliseconds = Double(text), milliseconds.isFinite, milliseconds > 0
    else { return 0 }
    return milliseconds / 1_000
  }()

  /// Holds the calling thread up, or doesn't.
  ///
  /// Orders nothing: threads share no state here, so that Thread Sanitizer sees as much as without.
  static func perhaps() {
    guard longest > 0, Int.random(in: 0..<rarity) == 0 else { return }
    compute(seconds: .random(in: 0...longest))
  }

  /// Keeps the calling thread at work, though it lets others have its core.
  static func compute(seconds: Double) {
    let end = clockSeconds(CLOCK_MONOTONIC) + seconds
    while clockSeconds(CLOCK_MONOTONIC) < end { sched_yield() }
  }
}
