import Foundation
import Synchronization

// A right answer: each operation gets a follower in a queue that lives as long as it is needed, the
// followers leave a group, and the group calls onEmpty. A list of the queues that are being emptied
// has one entry for each call.

private let beingTold = Mutex<[ObjectIdentifier]>([])

extension OperationQueue {
  public func cancelAll(
    noticeQueue: DispatchQueue, onEmpty: @escaping @Sendable () -> Void
  ) {
    beingTold.withLock {
      $0.append(ObjectIdentifier(self))
      isSuspended = true
    }
    let followers = OperationQueue()
    let group = DispatchGroup()
    group.enter()
    for operation in operations.reversed() {
      keep(operation)
      group.enter()
      let follower = BlockOperation { group.leave() }
      follower.addDependency(operation)
      followers.addOperation(follower)
    }
    group.leave()
    group.notify(queue: noticeQueue) { withExtendedLifetime(followers, onEmpty) }
    cancelAllOperations()
    beingTold.withLock {
      $0.remove(at: $0.firstIndex(of: ObjectIdentifier(self))!)
      if !$0.contains(ObjectIdentifier(self)) { isSuspended = false }
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
