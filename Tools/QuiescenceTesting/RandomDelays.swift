import Foundation
import Synchronization

/// Random delays wherever a test and the code under test meet: for tests of tests.
///
/// If a test's result depends on how late one of its threads is, it fails perhaps once in a
/// thousand runs. `TEST_DELAYS=25` makes it fail soon: in one of six places where a thread records
/// something, begins, ends or has waited, it sleeps for up to 25 milliseconds. Without the variable
/// there are no delays. Gates never delay: there threads meet for Thread Sanitizer to see them
/// race, and a longer delay makes it likelier that something else orders them.
///
/// In the literature this is noise injection.
final class RandomDelays: Sendable {
  /// The delays of this process; read it before the code under test runs, since the first access
  /// takes a lock.
  static let ofThisProcess = RandomDelays()

  /// One place in this many is delayed.
  private static let rarity = 6
  /// The most delays in one wait: code that calls this library ten thousand times must end before
  /// the timeout expires.
  private static let most = 50

  /// The longest delay in seconds; 0 for none.
  private let longest: Double
  private let left = Atomic(RandomDelays.most)
  private let lateThreads = Atomic(0)

  private init() {
    let text = ProcessInfo.processInfo.environment["TEST_DELAYS"] ?? ""
    let milliseconds = Double(text) ?? 0
    longest = milliseconds.isFinite && milliseconds > 0 ? milliseconds / 1_000 : 0
  }

  /// Whether a thread is delayed now: it sleeps, and will continue by itself.
  var hasDelayedThreads: Bool { lateThreads.load(ordering: .relaxed) > 0 }

  /// Allows as many delays again: a wait begins.
  func renew() { left.store(Self.most, ordering: .relaxed) }

  /// Delays the calling thread, or doesn't, at random.
  func delayRandomly() {
    guard longest > 0, Int.random(in: 0..<Self.rarity) == 0,
      left.subtract(1, ordering: .relaxed).newValue >= 0
    else { return }
    makeLate(seconds: .random(in: 0...longest))
  }

  /// Delays the calling thread by the given time.
  func makeLate(seconds: Double) {
    lateThreads.add(1, ordering: .relaxed)
    usleep(UInt32(seconds * 1_000_000))
    lateThreads.subtract(1, ordering: .relaxed)
  }
}
