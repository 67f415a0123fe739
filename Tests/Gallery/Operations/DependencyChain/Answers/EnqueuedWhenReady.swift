import Foundation

// Wrong: an operation is added to its queue when all its dependencies have finished. A follower of
// each dependency crosses that one off a list. Until then the operation isn't in its queue: it
// isn't counted there, nor cancelled with the others.

// Safe: guarded by `lock`.
public final class DependencyChain: @unchecked Sendable {
  private struct Waiting {
    let operation: Operation
    let queue: OperationQueue
    var dependencies: Set<Operation>
  }

  private let lock = NSLock()
  private var waiting: [Waiting] = []
  private let followers = OperationQueue()

  public init() {}

  public func add(
    _ operation: Operation, to queue: OperationQueue, after dependencies: [Operation] = []
  ) {
    guard !dependencies.isEmpty else { return queue.addOperation(operation) }
    lock.withLock {
      waiting.append(
        Waiting(operation: operation, queue: queue, dependencies: Set(dependencies)))
    }
    for dependency in Set(dependencies) {
      let follower = BlockOperation { self.free(operation, from: dependency) }
      follower.addDependency(dependency)
      followers.addOperation(follower)
    }
  }

  public func free(_ operation: Operation, from dependency: Operation) {
    let queue: OperationQueue? = lock.withLock {
      guard let index = waiting.firstIndex(where: { $0.operation === operation }) else {
        return nil
      }
      waiting[index].dependencies.remove(dependency)
      return waiting[index].dependencies.isEmpty ? waiting.remove(at: index).queue : nil
    }
    queue?.addOperation(operation)
  }
}
