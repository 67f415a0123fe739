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
/// An operation begins when everything it comes after has finished, whatever queues those are in, and
/// when its own queue has room. **The order of adding doesn't matter**: it may come after operations that
/// are added later, or that have long finished. One that was cancelled counts as finished when it has left
/// its queue. Nobody waits in person, so any number of operations in line hold no thread.
///
/// Completion blocks are left to the caller, who may set them at any time.
///
/// An operation belongs in one chain, and is added once; `addDependency` isn't called for it elsewhere.
/// Safe to use from every thread; everything returns at once. Nobody need hold the chain: what was added
/// goes on without it. Nor need the caller keep an operation that was cancelled while it waited: what it
/// comes after finishes all the same.
///
/// Your turn. What comes after what is said with `addDependency`, before the operation is in its queue.
/// But `removeDependency` doesn't do on Linux: there an operation that has lost a dependency so is never
/// ready again. So put something in between: an operation of your own that does nothing and is in no queue,
/// a closed door. What comes after the door waits, until somebody adds it to a queue. Who does, when the
/// dependency finishes? Another operation, which depends on it. And `free` may do it earlier; but an
/// operation is added to a queue once. A cancelled operation leaves its queue before the door finishes, and
/// Foundation on Linux doesn't retain what waits for a door: let something retain it until the door has finished.
///
/// - Warning: Operations that come after each other in a circle wait for ever.
///
/// Source: Apple's documentation of `Operation`, "Operation Dependencies".
public struct DependencyChain: Sendable {
  /// Creates a chain.
  public init() {}

  /// Adds an operation to a queue, which starts it when it may begin.
  ///
  /// It's in that queue when this returns, and is cancelled with the others there.
  ///
  /// - Parameters:
  ///   - operation: The operation; it's in no queue yet.
  ///   - queue: The queue that is to run it.
  ///   - dependencies: What has to be finished before it begins. One that's named twice counts once.
  public func add(
    _ operation: Operation, to queue: OperationQueue, after dependencies: [Operation] = []
  ) {
    // TODO: Let it come after each of its dependencies, and add it to its queue.
  }

  /// Lets an operation begin though one that it comes after hasn't finished.
  ///
  /// It still waits for the others, and for room in its queue. The one that it waited for isn't
  /// concerned, and whoever else comes after that goes on waiting. Nothing happens where `operation`
  /// doesn't wait for `dependency`.
  ///
  /// - Parameters:
  ///   - operation: An operation that was added.
  ///   - dependency: What it no longer waits for.
  public func free(_ operation: Operation, from dependency: Operation) {
    // TODO: It no longer waits for this one, and for the others as before.
  }
}
