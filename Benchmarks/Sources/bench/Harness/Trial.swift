import Foundation
import Measuring
import Synchronization

/// The amount of work in one trial.
struct Load: Sendable {
  /// The number of concurrent threads.
  let threads: Int
  /// The number of operations of each thread.
  let count: Int

  /// The number of operations of all threads together.
  var operations: Int { threads * count }
}

/// A subject for one run, and the work to do on it.
///
/// The results are added up and compared, so that no work can be optimised away, and a wrong
/// subject is found.
struct Trial {
  /// The expected sum of the results of all threads and of `settle`.
  let expected: Int
  /// The work of one thread; called with its number, from 0.
  let work: @Sendable (_ thread: Int) -> Int
  /// Waits for work that the threads have started; included in the measurement.
  let settle: () -> Int

  init(
    expected: Int, work: @escaping @Sendable (_ thread: Int) -> Int,
    settle: @escaping () -> Int = { 0 }
  ) {
    self.expected = expected
    self.work = work
    self.settle = settle
  }

  /// Does the work once.
  ///
  /// - Parameter threads: The number of threads; one is the calling thread.
  /// - Returns: The cost, from the start of the first thread until all work is done.
  /// - Throws: A `BenchmarkError` if the results are wrong.
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
