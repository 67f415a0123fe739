import Foundation

// A right answer: each operation gets a follower in a queue that lives as long as it is needed, the
// followers leave a group, and the group gives the notice.

extension OperationQueue {
  public func cancelAll(
    noticeQueue: DispatchQueue, onEmpty: @escaping @Sendable () -> Void
  ) {
    isSuspended = true
    let followers = OperationQueue()
    let group = DispatchGroup()
    group.enter()
    for operation in operations.reversed() {
      group.enter()
      let follower = BlockOperation { group.leave() }
      follower.addDependency(operation)
      followers.addOperation(follower)
    }
    group.leave()
    group.notify(queue: noticeQueue) { withExtendedLifetime(followers, onEmpty) }
    cancelAllOperations()
    isSuspended = false
  }
}
