// Page: make page KATA=CancelCascade (Docs/ConcurrencyKatas.docc/CancelCascade.md)

import Foundation

extension Operation {
  /// Cancels this operation and every one in `operations` that depends on it, however far away.
  ///
  /// When a download fails, or is no longer wanted, the operations that decode, filter and save it
  /// can no longer succeed. `cancel()` doesn't cancel them: a cancelled operation counts as
  /// finished, so its dependents begin, and find nothing. This function cancels them first.
  ///
  /// ```swift
  /// let all = imports.operations + uploads.operations  // kept until all have left
  /// download.cancelCascade(among: all)
  /// ```
  ///
  /// An operation knows what it depends on, not what depends on it. So the caller passes all
  /// operations that may depend on this one: the contents of the queues, or a list that it keeps.
  ///
  /// - This operation is cancelled, and so is every operation in `operations` that depends on it,
  ///   directly or through others there.
  /// - No other operation is cancelled: none outside `operations`, and none that depends on this
  ///   one only through operations outside `operations`.
  /// - `operations` may have any order, may hold an operation twice, and needn't hold this
  ///   operation.
  /// - `cancel()` is called once for each operation that wasn't cancelled before, even if several
  ///   paths lead to it.
  /// - No waiting operation that the cascade cancels begins because another was cancelled before
  ///   it, if there is no cycle.
  /// - A running operation is cancelled like one that waits, and so is what depends on it.
  /// - If a dependent has finished without being cancelled, it is left alone, and so is what
  ///   depends on this operation only through it.
  /// - The cascade goes on past an operation that was cancelled before, whether or not that has
  ///   finished.
  /// - If this operation has finished, its dependents are cancelled all the same.
  /// - If operations that depend on this one also depend on each other in a cycle, each of them is
  ///   cancelled once.
  /// - The cascade follows the graph as it is at the call, even if an operation finishes or its
  ///   dependencies change meanwhile.
  /// - `cancelCascade` returns when every `cancel()` has returned, and doesn't wait until a
  ///   cancelled operation ends.
  /// - Every `cancel()` is called on the calling thread.
  /// - A `cancel()` may begin another cascade or the same one, on its own thread or another, and
  ///   wait for it.
  /// - Several threads may begin cascades at once, without a data race.
  /// - The call takes time proportional to the number of operations and dependencies.
  /// - A chain of dependencies may have any length: it doesn't overflow the stack.
  ///
  /// A waiting operation leaves its queue by being started and finished, like every cancelled
  /// operation. One that begins by itself meanwhile is cancelled while it runs. It is left open
  /// whether an operation that was cancelled before is cancelled again, which operation of a cycle
  /// comes first, and whether another in the cycle begins meanwhile.
  ///
  /// Your turn. Operations know their `dependencies`; invert that first.
  ///
  /// - Go once through `operations`, and store for each dependency what depends on it, in a
  ///   dictionary by `ObjectIdentifier`. Leave out an operation that has finished without being
  ///   cancelled. Searching all operations for each one found is too slow: there may be 100,000.
  /// - Then follow the dependents, and theirs: a depth-first search. Remember which operations you
  ///   have found; `isCancelled` can't say it, because other code may have cancelled them.
  /// - A recursive function needs a stack frame for each step, and a chain may be longer than the
  ///   stack. Keep an array of the steps that remain.
  /// - Mind the order: when an operation is cancelled, everything that depends on it must have been
  ///   cancelled before. That isn't the order in which you find them, and not always its reverse.
  ///   Search for: postorder, topological order.
  ///
  /// - Warning: Retain the operations until their dependencies have finished, or are gone too.
  ///   Foundation on Linux doesn't retain what depends on an operation. A cancelled operation
  ///   leaves its queue, and if it's gone when one of its dependencies finishes, the process
  ///   crashes.
  ///
  /// - Parameter operations: The operations that may depend on this one, in any order.
  ///
  /// Source: depth-first search and topological order, Tarjan, 1976.
  public func cancelCascade(among operations: [Operation]) {
    // TODO: Find all that depends on this operation, and cancel it in the right order.
  }
}
