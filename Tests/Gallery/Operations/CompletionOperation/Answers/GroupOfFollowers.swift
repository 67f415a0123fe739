import Dispatch
import Foundation

// A right answer: each operation gets a follower, the followers leave a group, and when all have
// left it this operation goes into a queue. A serial queue remembers whether it was activated.

public final class CompletionOperation: Operation, @unchecked Sendable {
  private let queues: [OperationQueue]
  private let callbackQueue: DispatchQueue
  private let completion: @Sendable () -> Void
  private let followers = OperationQueue()
  private let guardian = DispatchQueue(label: "katas.answers.completion-operation")
  // Safe: only touched on `guardian`.
  private var activations = 0

  public init(
    of queues: [OperationQueue], callbackQueue: DispatchQueue,
    completion: @escaping @Sendable () -> Void
  ) {
    self.queues = queues
    self.callbackQueue = callbackQueue
    self.completion = completion
    super.init()
  }

  public func activate() {
    let number = guardian.sync {
      activations += 1
      return activations
    }
    if number > 1 { return }
    let group = DispatchGroup()
    for queue in queues {
      for operation in queue.operations {
        group.enter()
        let follower = BlockOperation { group.leave() }
        follower.addDependency(operation)
        followers.addOperation(follower)
      }
    }
    group.notify(queue: .global()) { self.followers.addOperation(self) }
  }

  public override func main() {
    callbackQueue.async(execute: completion)
  }
}
