import Foundation
import Synchronization

/// Delays by chance, wherever a test and the code under test meet: for tests of tests.
///
/// A test that says something else when one of its threads is late hangs on chance, and says so once in a
/// thousand runs. `TEST_NOISE=25` makes it say so soon: at one in six of the places where a thread records
/// something, begins, ends, or has waited, it is late by up to 25 milliseconds. Without the variable nothing
/// of it happens. Nor does it ever at a gate, where threads meet for Thread Sanitizer to see them race: the later
/// one of two is, the likelier something else has ordered them.
///
/// Known as noise injection.
final class Noise: Sendable {
  /// The noise of this process; whoever makes threads of the code under test late gets hold of it before.
  static let ofThisProcess = Noise()

  /// One place in so many is noisy.
  private static let rarity = 6
  /// So often within one wait, and no more: code that calls this library ten thousand times must come to its
  /// end before patience does.
  private static let most = 50

  /// How long a delay may be, in seconds; 0 for none.
  private let longest: Double
  private let left = Atomic(Noise.most)
  private let lateThreads = Atomic(0)

  private init() {
    let text = ProcessInfo.processInfo.environment["TEST_NOISE"] ?? ""
    let milliseconds = Double(text) ?? 0
    longest = milliseconds.isFinite && milliseconds > 0 ? milliseconds / 1_000 : 0
  }

  /// Whether a thread is late now: it sleeps, and will go on by itself.
  var isHeard: Bool { lateThreads.load(ordering: .relaxed) > 0 }

  /// A wait begins.
  func renew() { left.store(Self.most, ordering: .relaxed) }

  /// Makes the calling thread late, or doesn't.
  func perhaps() {
    guard longest > 0, Int.random(in: 0..<Self.rarity) == 0,
      left.subtract(1, ordering: .relaxed).newValue >= 0
    else { return }
    makeLate(seconds: .random(in: 0...longest))
  }

  /// Makes the calling thread late by so much.
  func makeLate(seconds: Double) {
    lateThreads.add(1, ordering: .relaxed)
    usleep(UInt32(seconds * 1_000_000))
    lateThreads.subtract(1, ordering: .relaxed)
  }
}
