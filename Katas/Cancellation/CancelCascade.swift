// Page: make page KATA=CancelCascade (Docs/ConcurrencyKatas.docc/CancelCascade.md)

import Foundation

extension Operation {
  /// Cancels this operation and everything among `operations` that depends on it, however far away.
  ///
  /// When a download fails, or is no longer wanted, the operations that were to decode, decorate
  /// and save it can no longer succeed. `cancel()` doesn't tell them: a cancelled operation counts
  /// as finished, so its dependents begin, and find nothing. This function cancels them first.
  ///
  /// ```swift
  /// let all = imports.operations + uploads.operations  // kept until all have left
  /// download.cancelCascade(among: all)
  /// ```
  ///
  /// An operation knows what it depends on, not what depends on it. So `operations` names all
  /// operations that may: the contents of the queues, or a list that the caller keeps.
  ///
  /// - This operation is cancelled, and so is all in `operations` that depends on it, directly or
  ///   through others there.
  /// - No other operation is cancelled: none that isn't in `operations`, and none that depends on
  ///   this one only through such an operation.
  /// - `operations` may have any order, may hold an operation twice, and needn't hold this
  ///   operation.
  /// - `cancel()` is called once for each operation, in however many ways that depends on this one.
  /// - No waiting operation begins because another was cancelled before it, except in a cycle.
  /// - A running operation is cancelled like one that waits, and so is what depends on it.
  /// - If a dependent has finished without being cancelled, it is left alone, and so is what
  ///   depends on this operation only through it.
  /// - The cascade goes on past an operation that was cancelled before, whether or not that has
  ///   finished.
  /// - If this operation has finished, what depends on it is cancelled all the same.
  /// - Operations that depend on each other in a cycle are cancelled too, each once.
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
  /// An operation that waited leaves its queue by being started and finished, as cancelled
  /// operations do. One that begins by itself meanwhile is cancelled while it runs. Left open are
  /// whether an operation that was cancelled before is cancelled again, which operation of a cycle
  /// comes first, and whether another in the cycle begins meanwhile.
  ///
  /// Your turn. Operations know their `dependencies`; turn that round first.
  ///
  /// - Go once through `operations` and note for each dependency what depends on it, in a dictionary by
  ///   `ObjectIdentifier`. An operation that has finished without being cancelled needs no place in
  ///   it. To look through all operations for each one found is too slow: there may be 100,000.
  /// - Then follow the dependents, and theirs. Remember whom you have found; `isCancelled` can't tell,
  ///   since somebody else may have cancelled it. A function that calls itself for each step needs a
  ///   stack frame for each, and a chain may be longer than the stack: keep an array of what is to be
  ///   done.
  /// - Mind the order in which you tell them: when an operation is told, everything that depends on it
  ///   must have been. That isn't the order in which you find them, nor always its reverse.
  ///
  /// - Warning: Keep the operations until what they depend on has finished, or has gone too. Foundation on
  ///   Linux doesn't retain what depends on an operation. What was cancelled leaves its queue, and the
  ///   process crashes if it has gone when an operation finishes that it depends on.
  ///
  /// - Parameter operations: The operations that may depend on this one, in any order.
  ///
  /// Source: depth-first search and topological order, Tarjan, 1976.
  public func cancelCascade(among operations: [Operation]) {
    // TODO: Find all that depends on this operation, and cancel it in the right order.
  }
}
