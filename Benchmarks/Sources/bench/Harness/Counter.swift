import Synchronization

/// Counts finished work.
final class Counter: Sendable {
  private let done = Atomic(0)

  var number: Int { done.load(ordering: .sequentiallyConsistent) }

  /// Counts one, after so many steps of work.
  func count(steps: Int = 0) {
    // Never zero, but the compiler can't know that.
    done.add(work(on: 1, steps: steps) == 0 ? 2 : 1, ordering: .relaxed)
  }
}

/// Keeps a core busy, a nanosecond or so for each step.
///
/// Each step needs the result of the one before it (Marsaglia's xorshift), so none can be skipped.
func work(on number: Int, steps: Int) -> Int {
  var state = UInt(bitPattern: number)
  for _ in 0..<steps {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
  }
  return Int(bitPattern: state)
}
