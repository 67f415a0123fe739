import Foundation
import Synchronization

extension OperationQueue {
  /// Cancels everything that is in the queue, and notifies the caller when all of it has left.
  ///
  /// ```swift
  /// imports.cancelAll(noticeQueue: .main) { status = "stopped" }
  /// imports.addOperation(next)  // runs
  /// ```
  ///
  /// A running operation leaves the queue when it has noticed the cancellation and has finished. A
  /// waiting one leaves without having begun. As long as a queue is suspended, no waiting operation
  /// leaves it, cancelled or not.
  ///
  /// - Every operation that is in the queue at the call is cancelled when `cancelAll` returns,
  ///   whether it runs, is ready or waits for a dependency.
  /// - An operation that waits in the queue never begins, even if a running one ends during the
  ///   call and makes room.
  /// - If calls for a queue overlap, none of its operations begins until the last call has
  ///   cancelled all that it found.
  /// - The completion block of each cancelled operation is called.
  /// - An operation that depends on a cancelled one runs if it is in another queue or is added
  ///   later.
  /// - An operation that a cancelled one depends on can still finish without a crash, even if the
  ///   caller doesn't retain the cancelled one.
  /// - A suspended queue is resumed, even an empty one, and stays resumed.
  /// - If no other call for the queue is under way, an operation added after the call is neither
  ///   cancelled nor held up, even while another queue is being emptied.
  /// - `cancelAll` waits neither for operations, nor for the notice queue, nor for another call.
  /// - `onEmpty` is called once for each call, when all operations that were in the queue at the
  ///   call have left, even if there were none.
  /// - `onEmpty` waits neither for operations that are added later nor for an `onEmpty` on another
  ///   notice queue.
  /// - `onEmpty` is called on the notice queue.
  /// - Nothing checks at intervals whether the operations have left.
  /// - Several threads may call `cancelAll` at once, for one queue or for several, without a data
  ///   race.
  ///
  /// The caller must not set `isSuspended` on another thread meanwhile.
  ///
  /// - Parameters:
  ///   - noticeQueue: The queue on which `onEmpty` is called.
  ///   - onEmpty: Called when everything that was in the queue has left it, perhaps at once.
  ///
  /// Safe to call from every thread.
  ///
  /// Source: `cancelAllOperations()` in Apple's documentation of `OperationQueue`.
  public func cancelAll(
    noticeQueue: DispatchQueue, onEmpty: @escaping @Sendable () -> Void
  ) {
    // They are cancelled one by one: a running operation may end and make room for one that isn't
    // cancelled yet. So the queue starts nothing until all of them are cancelled.
    calls.begin(on: self)
    let operations = operations
    for operation in operations { keep(operation) }
    for operation in operations { operation.cancel() }

    let notice = BlockOperation { noticeQueue.async(execute: onEmpty) }
    for operation in operations { notice.addDependency(operation) }
    // Not in this queue: the next call would cancel it.
    notices.addOperation(notice)
    // A queue on Linux may miss that an operation becomes ready while it's added: look again.
    notices.isSuspended = false
    calls.end(on: self)
  }
}

private let calls = CallsUnderWay()

/// For each queue, the number of calls that are cancelling its operations.
///
/// The first suspends the queue, the last resumes it.
private final class CallsUnderWay: Sendable {
  private let counts = Mutex<[ObjectIdentifier: Int]>([:])

  func begin(on queue: OperationQueue) {
    counts.withLock { counts in
      counts[ObjectIdentifier(queue), default: 0] += 1
      queue.isSuspended = true
    }
  }

  func end(on queue: OperationQueue) {
    counts.withLock { counts in
      let others = counts[ObjectIdentifier(queue), default: 1] - 1
      counts[ObjectIdentifier(queue)] = others > 0 ? others : nil
      // Resume under the lock: a call that begins at this moment suspends the queue after that.
      if others == 0 { queue.isSuspended = false }
    }
  }
}

/// Retains an operation until all its dependencies have finished.
///
/// Foundation on Linux doesn't retain what depends on an operation, and crashes if that is gone
/// when the operation finishes. Each dependency has a keeper of its own: a single one for all of
/// them could run while a dependency still follows its pointers.
private func keep(_ operation: Operation) {
  for dependency in operation.dependencies {
    let keeper = BlockOperation { withExtendedLifetime(operation) {} }
    keeper.addDependency(dependency)
    notices.addOperation(keeper)
  }
}

/// The queue in which notices and keepers wait for operations; they block no thread meanwhile.
private let notices: OperationQueue = {
  let queue = OperationQueue()
  queue.name = "katas.cancellation.cancel-all"
  return queue
}()
