import Synchronization

/// Counts completed work.
final class Counter: Sendable {
  private let done = Atomic(0)

  var number: Int { done.load(ordering: .sequentiallyConsistent) }

  /// Adds one, after the given number of steps of work.
  func count(steps: Int = 0) {
    // The result is never zero, which the compiler can't know.
    done.add(work(on: 1, steps: steps) == 0 ? 2 : 1, ordering: .relaxed)
  }
}

/// Keeps a core busy for about a nanosecond for each step.
///
/// Each step depends on the previous one (Marsaglia's xorshift), so that none can be optimised
/// away.
func work(on number: Int, steps: Int) -> Int {
  var state = UInt(bitPattern: number)
  for _ in 0..<steps {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
  }
  return Int(bitPattern: state)
}
