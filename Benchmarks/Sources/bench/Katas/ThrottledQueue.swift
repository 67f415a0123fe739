import Foundation
import Measuring
import Operations
import Synchronization

enum ThrottledQueueBenchmark {
  static let all = [
    measurement("operations, one at a time", limit: 1),
    measurement("operations, two at once", limit: 2),
  ]

  private static func measurement(_ subject: String, limit: Int) -> Measurement {
    Measurement(
      kata: "ThrottledQueue", subject: subject,
      reference: operations { OperationLine(throttledQueue(limit: limit)) },
      contenders: [
        Contender("plain OperationQueue", operations { OperationLine(plainQueue(limit: limit)) }),
        Contender("a semaphore in each operation", operations { WaitingLine(limit: limit) }),
      ])
  }

  private static func throttledQueue(limit: Int) -> OperationQueue {
    do {
      return try ThrottledQueue(name: "benchmarks.throttled", limit: limit)
    } catch {
      preconditionFailure("a limit of \(limit) is refused: \(error)")
    }
  }

  private static func plainQueue(limit: Int) -> OperationQueue {
    let queue = OperationQueue()
    queue.qualityOfService = .utility
    queue.maxConcurrentOperationCount = limit
    return queue
  }

  /// Operations with a little work.
  private static func operations(_ make: @escaping @Sendable () -> some Line) -> Preparation {
    { load in
      let line = make()
      let done = Counter()
      return Trial(expected: load.operations) { _ in
        for _ in 0..<load.count { line.add { done.count(steps: 500) } }
        return 0
      } settle: {
        line.wait()
        return done.number
      }
    }
  }
}

/// A line of work.
private protocol Line: Sendable {
  func add(_ work: @escaping @Sendable () -> Void)
  func wait()
}

private struct OperationLine: Line {
  private let queue: OperationQueue

  init(_ queue: OperationQueue) {
    self.queue = queue
  }

  func add(_ work: @escaping @Sendable () -> Void) { queue.addOperation(work) }

  func wait() { queue.waitUntilAllOperationsAreFinished() }
}

/// Operations without a limit, each of which waits for a slot.
private struct WaitingLine: Line {
  private let queue = OperationQueue()
  private let slots: DispatchSemaphore

  init(limit: Int) {
    slots = DispatchSemaphore(value: limit)
    queue.qualityOfService = .utility
  }

  func add(_ work: @escaping @Sendable () -> Void) {
    queue.addOperation { [slots] in
      slots.wait()
      work()
      slots.signal()
    }
  }

  func wait() { queue.waitUntilAllOperationsAreFinished() }
}
