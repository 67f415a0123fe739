import Foundation

// A right answer, if not an economical one: a thread of its own waits for one operation after
// another. A serial queue counts the calls.

private let counting = DispatchQueue(label: "katas.cancel-all.counting")
// Safe: used on `counting` alone.
private nonisolated(unsafe) var callsUnderWay: [OperationQueue: Int] = [:]

extension OperationQueue {
  public func cancelAll(
    noticeQueue: DispatchQueue, onEmpty: @escaping @Sendable () -> Void
  ) {
    counting.sync {
      callsUnderWay[self, default: 0] += 1
      isSuspended = true
    }
    let leaving = operations
    for operation in leaving { keep(operation) }
    cancelAllOperations()
    counting.sync {
      callsUnderWay[self, default: 0] -= 1
      guard callsUnderWay[self] == 0 else { return }
      callsUnderWay[self] = nil
      isSuspended = false
    }
    Thread.detachNewThread {
      for operation in leaving { operation.waitUntilFinished() }
      noticeQueue.async(execute: onEmpty)
    }
  }
}

// On Linux an operation doesn't retain what depends on it: a keeper for each does, until that has finished.
private let keepers = OperationQueue()

private func keep(_ operation: Operation) {
  for dependency in operation.dependencies {
    let keeper = BlockOperation { withExtendedLifetime(operation) {} }
    keeper.addDependency(dependency)
    keepers.addOperation(keeper)
  }
}
