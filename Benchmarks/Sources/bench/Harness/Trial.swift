import Foundation
import Measuring
import Synchronization

/// How much work is done in one trial.
struct Load: Sendable {
  /// How many threads work at the same time.
  let threads: Int
  /// How many operations each of them does.
  let count: Int

  /// The operations of all threads together.
  var operations: Int { threads * count }
}

/// A subject that was made for one run, and the work to do with it.
///
/// The results of the work are added up and compared, so that nothing can be optimised away and a
/// wrong subject is found.
struct Trial {
  /// The sum of the results of all threads and of `settle`.
  let expected: Int
  /// The work of one thread; called with its number, from 0 up.
  let work: @Sendable (_ thread: Int) -> Int
  /// Waits for what the threads have begun; its time counts too.
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
  /// - Parameter threads: How many threads do it; if one, it's the calling thread.
  /// - Returns: The cost, from the start of the first thread until all is done.
  /// - Throws: A `BenchmarkError` if the results aren't what they must be.
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
