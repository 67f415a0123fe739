// Page: make page KATA=DependencyChain (Docs/ConcurrencyKatas.docc/DependencyChain.md)

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
/// elsewhere.
///
/// Your turn. What comes after what is said with `addDependency`, before the operation is in its queue.
/// But `removeDependency` doesn't do on Linux: there an operation that has lost a dependency so is never
/// ready again. So put something in between: an operation of your own that does nothing and is in no queue,
/// a closed door. What comes after the door waits, until somebody adds it to a queue. Who does, when the
/// dependency finishes? Another operation, which depends on it. And `free` may do it earlier; but an
/// operation is added to a queue once. A cancelled operation leaves its queue before the door
/// finishes, and Foundation on Linux doesn't retain what waits for a door: let something retain it
/// until the door has finished.
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
    // TODO: Let it come after each of its dependencies, and add it to its queue.
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
    // TODO: It no longer waits for this one, and for the others as before.
  }
}
