import Foundation

// Wrong: one door for each operation, which counts the dependencies that haven't finished. One that
// had finished when the operation was added isn't counted, but `free` subtracts it all the same.

public struct DependencyChain: Sendable {
  public init() {}

  public func add(
    _ operation: Operation, to queue: OperationQueue, after dependencies: [Operation] = []
  ) {
    let named = Set(dependencies)
    let underWay = named.filter { !$0.isFinished }
    if !underWay.isEmpty {
      let door = Door(behind: named, waitingFor: underWay.count)
      operation.addDependency(door)
      let keeper = BlockOperation { withExtendedLifetime(operation) {} }
      keeper.addDependency(door)
      followers.addOperation(keeper)
      for dependency in underWay {
        let follower = BlockOperation { door.countOff(dependency) }
        follower.addDependency(dependency)
        followers.addOperation(follower)
      }
    }
    queue.addOperation(operation)
  }

  public func free(_ operation: Operation, from dependency: Operation) {
    for case let door as Door in operation.dependencies { door.countOff(dependency) }
  }
}

private let followers = OperationQueue()

private final class Door: Operation, @unchecked Sendable {  // Safe: guarded by `lock`.
  private let lock = NSLock()
  private var named: Set<Operation>
  private var waiting: Int

  init(behind named: Set<Operation>, waitingFor waiting: Int) {
    self.named = named
    self.waiting = waiting
  }

  func countOff(_ dependency: Operation) {
    let isLast = lock.withLock {
      guard named.remove(dependency) != nil else { return false }
      waiting -= 1
      return waiting == 0
    }
    if isLast { followers.addOperation(self) }
  }
}
