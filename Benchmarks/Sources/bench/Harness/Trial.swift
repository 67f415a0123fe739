import Foundation
import Measuring
import Synchronization

/// How much is done in one trial.
struct Load: Sendable {
  /// How many threads work at the same time.
  let threads: Int
  /// How many operations each of them does.
  let count: Int

  /// What all threads do together.
  var operations: Int { threads * count }
}

/// A subject that was made for one run, and what is to be done with it.
///
/// What comes of the work is added up and compared, so that nothing of it can be optimised away and a
/// subject that does it wrong is found.
struct Trial {
  /// What the results of all threads and that of `settle` are together.
  let expected: Int
  /// What one thread does; called with its number, from 0 up.
  let work: @Sendable (_ thread: Int) -> Int
  /// Waits for what the threads have begun; measured with it.
  let settle: () -> Int

  init(
    expected: Int, work: @escaping @Sendable (_ thread: Int) -> Int,
    settle: @escaping () -> Int = { 0 }
  ) {
    self.expected = expected
    self.work = work
    self.settle = settle
  }

  /// Does the work, once.
  ///
  /// - Parameter threads: How many do it; one is the calling thread.
  /// - Returns: What it took, from the start of the first thread until all is done.
  /// - Throws: A `BenchmarkError` where the results aren't what they must be.
  func run(threads: Int) throws -> Cost {
    let sum = Mutex(0)
    let cost = Cost.measure(.ownProcess) {
      if threads == 1 {
        sum.withLock { $0 = work(0) }
      } else {
        let group = DispatchGroup()
        for thread in 0..<threads {
          group.enter()
          Thread.detachNewThread { [work] in
            let result = work(thread)
            sum.withLock { $0 += result }
            group.leave()
          }
        }
        group.wait()
      }
      let rest = settle()
      sum.withLock { $0 += rest }
    }
    let result = sum.withLock { $0 }
    guard result == expected else {
      throw BenchmarkError("the results are \(result) together, and not \(expected)")
    }
    return cost
  }
}
