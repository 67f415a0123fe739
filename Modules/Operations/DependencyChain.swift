import Foundation

/// Runs operations in the order of their dependencies, each in a queue that the caller chooses.
///
/// ```swift
/// let chain = DependencyChain()
/// chain.add(tiltShift, to: processing, after: [decrypt])
/// chain.add(decrypt, to: processing, after: [download])
/// chain.add(download, to: network)
///
/// chain.free(decrypt, from: download)  // the file is in the cache
/// ```
///
/// - An operation begins when all operations that it comes after have finished, in whatever queues,
///   and its own queue has room.
/// - The order of adding doesn't matter: an operation may come after operations that are added
///   later or have finished long before.
/// - A cancelled operation counts as finished when it has left its queue, not before.
/// - A busy main thread holds up no operation, unless that or one that it comes after is in the
///   main queue.
/// - Operations that wait block no thread, however many they are.
/// - The completion blocks are left to the caller, who may set them at any time.
/// - `add` and `free` return without waiting.
/// - Every thread may use the chain, and several may use it at once.
/// - The caller needn't retain the chain: what was added goes on without it.
/// - The caller needn't retain an operation that is cancelled while it waits: its dependencies
///   finish all the same, without a crash.
///
/// The caller must add an operation only once, to one chain, and not call `addDependency` on it
/// elsewhere. Safe to use from every thread. A chain has no state of its own: the operations know
/// what they wait for.
///
/// - Warning: Operations that wait for each other in a circle (circular wait) never begin.
///
/// Source: Apple's documentation of `Operation`, "Operation Dependencies".
public struct DependencyChain: Sendable {
  /// Creates a chain.
  public init() {}

  /// Adds an operation to a queue, which starts it when its dependencies have finished.
  ///
  /// - When `add` returns, the operation is in that queue unless it has already finished, and is
  ///   cancelled with the others there.
  /// - A dependency that is named twice counts once.
  ///
  /// The operation must not be in a queue yet.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - queue: The queue that runs it.
  ///   - dependencies: The operations that it comes after.
  public func add(
    _ operation: Operation, to queue: OperationQueue, after dependencies: [Operation] = []
  ) {
    for dependency in dependencies {
      // Not `operation.addDependency(dependency)`: on Linux that can't be undone.
      let link = Link(to: dependency)
      operation.addDependency(link)
      let follower = BlockOperation { link.open() }
      follower.addDependency(dependency)
      links.addOperation(follower)
      // Foundation on Linux doesn't retain an operation's dependents. A cancelled operation leaves
      // its queue before the link finishes, and must still exist then. Each link has a keeper of
      // its own: a shared one could finish while another link still notifies its dependents.
      let keeper = BlockOperation { withExtendedLifetime(operation) {} }
      keeper.addDependency(link)
      links.addOperation(keeper)
    }
    // A queue on Linux may miss that an operation becomes ready while it's added. The gate finishes
    // only after that; the queue of the links looks again.
    let gate = Operation()
    operation.addDependency(gate)
    // Last: as soon as it's in the queue, it may run.
    queue.addOperation(operation)
    gate.start()
    links.isSuspended = false
  }

  /// Frees an operation from a dependency that hasn't finished.
  ///
  /// - `operation` no longer waits for `dependency`, and still runs only once.
  /// - `operation` still waits for its other dependencies, and for room in its queue.
  /// - `dependency` itself goes on: it isn't cancelled.
  /// - Other operations that come after `dependency` still wait for it.
  /// - If `operation` doesn't wait for `dependency`, or no longer does, `free` does nothing.
  ///
  /// - Parameters:
  ///   - operation: An operation that was added.
  ///   - dependency: The operation that it no longer waits for.
  public func free(_ operation: Operation, from dependency: Operation) {
    for case let link as Link in operation.dependencies where link.dependency === dependency {
      link.open()
    }
  }
}

/// Stands between an operation and one of its dependencies, and does nothing.
///
/// It's in no queue, so it doesn't finish until it's opened.
private final class Link: Operation, @unchecked Sendable {  // Safe: guarded by `lock`.
  let dependency: Operation
  private let lock = NSLock()
  private var isOpen = false

  init(to dependency: Operation) {
    self.dependency = dependency
  }

  /// Lets the waiting operation begin; only the first call has an effect.
  func open() {
    let isFirst = lock.withLock {
      defer { isOpen = true }
      return !isOpen
    }
    if isFirst { links.addOperation(self) }
  }
}

/// The queue of links, followers and keepers; an operation that waits there blocks no thread.
private let links: OperationQueue = {
  let queue = OperationQueue()
  queue.name = "katas.operations.dependency-chain"
  return queue
}()
