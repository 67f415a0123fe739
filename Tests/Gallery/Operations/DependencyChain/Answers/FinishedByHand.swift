import Foundation

// A right answer: its links are never in a queue. They keep their state themselves, and notify
// Foundation when they have finished.

public struct DependencyChain: Sendable {
  public init() {}

  public func add(
    _ operation: Operation, to queue: OperationQueue, after dependencies: [Operation] = []
  ) {
    let links = Set(dependencies).map { Door(for: $0) }
    for link in links {
      operation.addDependency(link)
      // It retains the operation too: that may have been cancelled, and on Linux the link doesn't
      // retain it.
      let follower = BlockOperation { withExtendedLifetime(operation) { link.finish() } }
      follower.addDependency(link.waitedFor)
      followers.addOperation(follower)
    }
    queue.addOperation(operation)
  }

  public func free(_ operation: Operation, from dependency: Operation) {
    let links = operation.dependencies.compactMap { $0 as? Door }
    links.first { $0.waitedFor == dependency }?.finish()
  }
}

private let followers = OperationQueue()

// Safe: guarded by `lock`.
private final class Door: Operation, @unchecked Sendable {
  let waitedFor: Operation
  private let lock = NSLock()
  private var hasFinished = false
  private var isTold = false

  init(for operation: Operation) {
    waitedFor = operation
  }

  override var isFinished: Bool { lock.withLock { hasFinished } }

  func finish() {
    let isFirst = lock.withLock {
      defer { isTold = true }
      return !isTold
    }
    guard isFirst else { return }
    willChangeValue(forKey: "isFinished")
    lock.withLock { hasFinished = true }
    didChangeValue(forKey: "isFinished")
  }
}
