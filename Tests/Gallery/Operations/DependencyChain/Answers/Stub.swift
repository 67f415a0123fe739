// Page: make page KATA=DependencyChain (Docs/ConcurrencyKatas.docc/DependencyChain.md)

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
/// elsewhere.
///
/// Your turn. `addDependency` makes an operation wait; call it before the operation is in its
/// queue. But `removeDependency` doesn't help on Linux: there an operation whose unfinished
/// dependency is removed never becomes ready. So put a *link* between the two: an operation of your
/// own that does nothing and is in no queue yet. `operation` depends on the link. To *open* the
/// link is to add it to a queue of your own, where it finishes at once.
///
/// Two things open the link: a *follower*, an operation of yours that depends on the dependency,
/// and `free`. Whichever comes first adds the link to the queue, and the other must do nothing,
/// since adding an operation twice is a fatal error: decide that in a critical section. `free` has
/// to find the link, so keep a table of links, guarded by a lock.
///
/// A cancelled operation leaves its queue before the link finishes and may be deallocated, but
/// Foundation on Linux keeps an unretained pointer to it in the link. So retain it until the link
/// has finished: a third operation, in a queue of yours too, depends on the link and captures the
/// operation.
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
    // TODO: Make it wait for each of its dependencies, then add it to its queue.
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
    // TODO: Open what makes it wait for this dependency. It still waits for the others.
  }
}
