import Foundation

// A right answer, if not a thrifty one: a thread of its own waits for one operation after another.

extension OperationQueue {
  public func cancelAll(
    noticeQueue: DispatchQueue, onEmpty: @escaping @Sendable () -> Void
  ) {
    isSuspended = true
    let leaving = operations
    cancelAllOperations()
    isSuspended = false
    Thread.detachNewThread {
      for operation in leaving { operation.waitUntilFinished() }
      noticeQueue.async(execute: onEmpty)
    }
  }
}
