import Foundation
import Synchronization

/// Delays by chance, wherever a test and the code under test meet: for tests of tests.
///
/// A test that says something else when one of its threads is late hangs on chance, and says so once in a
/// thousand runs. `TEST_NOISE=25` makes it say so soon: at one in six of the places where a thread calls
/// this library, or is let go on by it, the thread is late by up to 25 milliseconds. Without the variable
/// nothing of it happens.
///
/// Known as noise injection.
enum Noise {
  /// One place in so many is noisy.
  private static let rarity = 6
  /// So often within one wait, and no more: code that calls this library ten thousand times must come to its
  /// end before patience does.
  private static let most = 50

  /// How long a delay may be, in seconds; 0 for none.
  private static let longest: Double = {
    guard let text = ProcessInfo.processInfo.environment["TEST_NOISE"],
      let milliseconds = Double(text), milliseconds.isFinite, milliseconds > 0
    else { return 0 }
    return milliseconds / 1_000
  }()

  private static let left = Atomic(most)
  private static let lateThreads = Atomic(0)

  /// Whether a thread is late now: it sleeps, and will go on by itself.
  static var isHeard: Bool { lateThreads.load(ordering: .relaxed) > 0 }

  /// A wait begins.
  static func renew() { left.store(most, ordering: .relaxed) }

  /// Makes the calling thread late, or doesn't.
  ///
  /// Orders nothing, so that Thread Sanitizer sees as much as without.
  static func perhaps() {
    guard longest > 0, Int.random(in: 0..<rarity) == 0,
      left.subtract(1, ordering: .relaxed).newValue >= 0
    else { return }
    makeLate(seconds: .random(in: 0...longest))
  }

  /// Makes the calling thread late by so much.
  static func makeLate(seconds: Double) {
    lateThreads.add(1, ordering: .relaxed)
    usleep(UInt32(seconds * 1_000_000))
    lateThreads.subtract(1, ordering: .relaxed)
  }
}
