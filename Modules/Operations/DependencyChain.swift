import Foundation

/// Runs operations one after another, each in a queue of its choice, as their dependencies say.
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
/// - A busy main thread holds up no operation.
/// - Operations that wait block no thread, however many they are.
/// - The completion blocks are left to the caller, who may set them at any time.
/// - `add` and `free` return without waiting.
/// - Every thread may use the chain, and several may use it at once.
/// - The caller needn't retain the chain: what was added goes on without it.
/// - The caller needn't retain an operation that is cancelled while it waits: those that it comes
///   after finish all the same.
///
/// The caller must add an operation only once, to one chain, and not call `addDependency` on it
/// elsewhere. Safe to use from every thread. A chain has no state of its own: what waits for what
/// stands in the operations.
///
/// - Warning: Operations that come after each other in a circle wait for ever.
///
/// Source: Apple's documentation of `Operation`, "Operation Dependencies".
public struct DependencyChain: Sendable {
  /// Creates a chain.
  public init() {}

  /// Adds an operation to a queue, which starts it when it may begin.
  ///
  /// - When `add` returns, the operation is in that queue, and is cancelled with the others there.
  /// - A dependency that is named twice counts once.
  ///
  /// The operation must not be in a queue yet.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - queue: The queue that is to run it.
  ///   - dependencies: The operations that it comes after.
  public func add(
    _ operation: Operation, to queue: OperationQueue, after dependencies: [Operation] = []
  ) {
    for dependency in dependencies {
      // Not `operation.addDependency(dependency)`: on Linux nobody comes free of that again.
      let link = Link(to: dependency)
      operation.addDependency(link)
      let follower = BlockOperation { link.open() }
      follower.addDependency(dependency)
      links.addOperation(follower)
      // Foundation on Linux doesn't retain what waits for the link. A cancelled operation leaves its queue
      // before the link finishes, and must still be there then. Each link has a keeper: one for all of
      // them could finish while a link still tells what waits for it.
      let keeper = BlockOperation { withExtendedLifetime(operation) {} }
      keeper.addDependency(link)
      links.addOperation(keeper)
    }
    // Last: as soon as it's in the queue, it may run.
    queue.addOperation(operation)
  }

  /// Lets an operation begin though one that it comes after hasn't finished.
  ///
  /// - `operation` no longer waits for `dependency`, and runs once.
  /// - `operation` still waits for its other dependencies, and for room in its queue.
  /// - `dependency` itself goes on: it isn't cancelled.
  /// - Other operations that come after `dependency` still wait for it.
  /// - If `operation` doesn't wait for `dependency`, or no longer does, `free` does nothing.
  ///
  /// - Parameters:
  ///   - operation: An operation that was added.
  ///   - dependency: What it no longer waits for.
  public func free(_ operation: Operation, from dependency: Operation) {
    for case let link as Link in operation.dependencies where link.dependency === dependency {
      link.open()
    }
  }
}

/// Stands between an operation and one that it comes after, and does nothing.
///
/// It's in no queue, so it never finishes, until it's opened.
private final class Link: Operation, @unchecked Sendable {  // Safe: guarded by `lock`.
  let dependency: Operation
  private let lock = NSLock()
  private var isOpen = false

  init(to dependency: Operation) {
    self.dependency = dependency
  }

  /// Lets through whoever waits at this link; the first time counts.
  func open() {
    let isFirst = lock.withLock {
      defer { isOpen = true }
      return !isOpen
    }
    if isFirst { links.addOperation(self) }
  }
}

/// Where links are run, and where those wait that open them; waiting there holds no thread.
private let links: OperationQueue = {
  let queue = OperationQueue()
  queue.name = "katas.operations.dependency-chain"
  return queue
}()
