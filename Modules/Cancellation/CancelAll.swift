import Foundation

extension OperationQueue {
  /// Cancels everything that is in the queue now, and tells when all of that has left it.
  ///
  /// ```swift
  /// imports.cancelAll(noticeQueue: .main) { status = "stopped" }
  /// imports.addOperation(next)  // runs
  /// ```
  ///
  /// Operations that run are told: `isCancelled` is true from now on, and they leave when they have
  /// looked and finished. Operations that wait never begin. They leave too, and on their way out
  /// their completion blocks are called and their dependents go on, in this queue and in others. None
  /// of them begins while the others are being told, even where a running one ends at that moment
  /// and makes room. Where calls overlap, nothing begins until the last of them has told everybody.
  /// The caller need not keep what was cancelled: what it depends on finishes all the same.
  ///
  /// **A suspended queue is resumed**, since only a queue that runs lets go of cancelled operations,
  /// and it stays so. What's added after this call is none of its business: it is neither cancelled
  /// nor held up, and `onEmpty` doesn't wait for it.
  ///
  /// Returns at once, and nothing looks again and again whether they have left. Safe to call from
  /// every thread, again and again; each call has its notice. Who sets `isSuspended` meanwhile, on
  /// another thread, interferes.
  ///
  /// - Parameters:
  ///   - noticeQueue: The queue that `onEmpty` is called on.
  ///   - onEmpty: Called once when everything that was in the queue has left it, perhaps at once.
  ///
  /// Source: `cancelAllOperations()` in Apple's documentation of `OperationQueue`.
  public func cancelAll(
    noticeQueue: DispatchQueue, onEmpty: @escaping @Sendable () -> Void
  ) {
    // Told one after another, a running operation may end and make room for one that hasn't been
    // told yet. So nothing starts until everybody has been.
    calls.begin(on: self)
    let operations = operations
    for operation in operations { keep(operation) }
    for operation in operations { operation.cancel() }

    let notice = BlockOperation { noticeQueue.async(execute: onEmpty) }
    for operation in operations { notice.addDependency(operation) }
    // Not in this queue: the next call would cancel it.
    notices.addOperation(notice)
    calls.end(on: self)
  }
}

private let calls = CallsUnderWay()

/// How many calls are telling a queue's operations: the first suspends the queue, the last resumes it.
private final class CallsUnderWay: Sendable {
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var counts: [ObjectIdentifier: Int] = [:]
  private let lock = NSLock()

  func begin(on queue: OperationQueue) {
    lock.withLock {
      counts[ObjectIdentifier(queue), default: 0] += 1
      queue.isSuspended = true
    }
  }

  func end(on queue: OperationQueue) {
    lock.withLock {
      let others = counts[ObjectIdentifier(queue), default: 1] - 1
      counts[ObjectIdentifier(queue)] = others > 0 ? others : nil
      // Resumed with the lock held: a call that begins just now suspends it after that.
      if others == 0 { queue.isSuspended = false }
    }
  }
}

/// Retains an operation until each that it depends on has finished.
///
/// Foundation on Linux doesn't retain what depends on an operation, and crashes if it has gone by then. Each
/// has a keeper: one for all of them could finish while an operation still tells what depends on it.
private func keep(_ operation: Operation) {
  for dependency in operation.dependencies {
    let keeper = BlockOperation { withExtendedLifetime(operation) {} }
    keeper.addDependency(dependency)
    notices.addOperation(keeper)
  }
}

/// Where notices and keepers wait for operations; waiting there holds no thread.
private let notices: OperationQueue = {
  let queue = OperationQueue()
  queue.name = "katas.cancellation.cancel-all"
  return queue
}()
