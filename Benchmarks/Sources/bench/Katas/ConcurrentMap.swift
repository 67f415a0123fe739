import Foundation
import GCDBasics

enum ConcurrentMapBenchmark {
  static let all = [
    measurement("elements that take next to nothing", steps: 1),
    measurement("elements that take some microseconds", steps: 3_000),
  ]

  private static func measurement(_ subject: String, steps: Int) -> Measurement {
    let transform: @Sendable (Int) -> Int = { work(on: $0, steps: steps) }
    return Measurement(
      kata: "ConcurrentMap", subject: subject, reference: maps(transform) { $0.concurrentMap($1) },
      contenders: [
        Contender("an async block for each", aim: 1, maps(transform) { $0.asyncMap($1) }),
        Contender("an operation for each", maps(transform) { $0.operationMap($1) }),
        Contender("a lock around both", aim: 1, maps(transform) { $0.lockedMap($1) }),
        Contender("a lock around the keeping", maps(transform) { $0.keepingMap($1) }),
        Contender("map", maps(transform) { $0.map($1) }),
      ])
  }

  /// Maps a thousand numbers; an operation is one of them.
  private static func maps(
    _ transform: @escaping @Sendable (Int) -> Int,
    _ map: @escaping @Sendable ([Int], @escaping @Sendable (Int) -> Int) -> [Int]
  ) -> Preparation {
    let numbers = Array(0..<1_000)
    let results = numbers.map(transform)
    return { load in
      Trial(expected: load.operations) { _ in
        (0..<load.count).count { _ in map(numbers, transform) == results }
      }
    }
  }
}

extension [Int] {
  fileprivate func asyncMap(_ transform: @escaping @Sendable (Int) -> Int) -> [Int] {
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "benchmarks.async-map", attributes: .concurrent)
    let lock = NSLock()
    nonisolated(unsafe) var results = self  // Safe: guarded by `lock`, and read when all are done.
    for (index, element) in enumerated() {
      queue.async(group: group) {
        let result = transform(element)
        lock.withLock { results[index] = result }
      }
    }
    group.wait()
    return results
  }

  fileprivate func operationMap(_ transform: @escaping @Sendable (Int) -> Int) -> [Int] {
    let queue = OperationQueue()
    let lock = NSLock()
    nonisolated(unsafe) var results = self  // Safe: guarded by `lock`, and read when all are done.
    for (index, element) in enumerated() {
      queue.addOperation {
        let result = transform(element)
        lock.withLock { results[index] = result }
      }
    }
    queue.waitUntilAllOperationsAreFinished()
    return results
  }

  fileprivate func lockedMap(_ transform: @Sendable (Int) -> Int) -> [Int] {
    let lock = NSLock()
    nonisolated(unsafe) var results = self  // Safe: guarded by `lock`, and read when all are done.
    DispatchQueue.concurrentPerform(iterations: count) { index in
      lock.withLock { results[index] = transform(self[index]) }
    }
    return results
  }

  fileprivate func keepingMap(_ transform: @Sendable (Int) -> Int) -> [Int] {
    let lock = NSLock()
    nonisolated(unsafe) var results = self  // Safe: guarded by `lock`, and read when all are done.
    DispatchQueue.concurrentPerform(iterations: count) { index in
      let result = transform(self[index])
      lock.withLock { results[index] = result }
    }
    return results
  }
}
