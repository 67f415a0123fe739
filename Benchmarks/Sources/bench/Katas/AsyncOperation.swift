import AsyncOperations
import Foundation

enum AsyncOperationBenchmark {
  static let all = [
    Measurement(
      kata: "AsyncOperation", subject: "operations through a queue",
      reference: operations { FinishingOperation($0) },
      contenders: [
        Contender(
          "BlockOperation", aim: 0.9, operations { done in BlockOperation { done.count() } }),
        Contender("state behind barriers", aim: 3, operations { FinishingBarrierOperation($0) }),
      ]),
    Measurement(
      kata: "AsyncOperation", subject: "operations started by hand",
      reference: starts { FinishingOperation($0) },
      contenders: [
        Contender("BlockOperation", starts { done in BlockOperation { done.count() } }),
        Contender("state behind barriers", starts { FinishingBarrierOperation($0) }),
      ]),
  ]

  /// Operations that count and end, in a queue whose limit is the number of threads that add to it.
  private static func operations(
    _ make: @escaping @Sendable (Counter) -> Operation
  ) -> Preparation {
    { load in
      let queue = OperationQueue()
      queue.maxConcurrentOperationCount = load.threads
      let done = Counter()
      return Trial(expected: load.operations) { _ in
        for _ in 0..<load.count { queue.addOperation(make(done)) }
        return 0
      } settle: {
        queue.waitUntilAllOperationsAreFinished()
        return done.number
      }
    }
  }

  /// Operations without a queue: the cost of the class itself.
  private static func starts(_ make: @escaping @Sendable (Counter) -> Operation) -> Preparation {
    { load in
      let done = Counter()
      return Trial(expected: 2 * load.operations) { _ in
        (0..<load.count).count { _ in
          let operation = make(done)
          operation.start()
          return operation.isFinished
        }
      } settle: {
        done.number
      }
    }
  }
}

private final class FinishingOperation: AsyncOperation, @unchecked Sendable {
  // Safe: what it adds is constant.
  private let done: Counter

  init(_ done: Counter) {
    self.done = done
  }

  override func main() {
    done.count()
    finish()
  }
}

private final class FinishingBarrierOperation: BarrierOperation, @unchecked Sendable {
  // Safe: what it adds is constant.
  private let done: Counter

  init(_ done: Counter) {
    self.done = done
  }

  override func main() {
    done.count()
    finish()
  }
}
