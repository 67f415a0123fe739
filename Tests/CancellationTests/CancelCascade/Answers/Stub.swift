// Page: make page KATA=CancelCascade (Docs/ConcurrencyKatas.docc/CancelCascade.md)

import Foundation

extension Operation {
  /// Cancels this operation and everything among `operations` that depends on it, however far away.
  ///
  /// When a download fails, or nobody wants it any more, whatever was to decode, decorate and save
  /// it can no longer succeed. `cancel()` doesn't tell them: a cancelled operation counts as
  /// finished, so they begin, and find nothing. This tells them first, and nobody else.
  ///
  /// ```swift
  /// let all = imports.operations + uploads.operations  // kept until all have left
  /// download.cancelCascade(among: all)
  /// ```
  ///
  /// An operation knows what it depends on, not what depends on it. So name all operations that may:
  /// the contents of the queues, or a list that you keep, in any order. What isn't among them is left
  /// alone, and so is what depends on this operation through it alone. This operation itself needn't
  /// be among them.
  ///
  /// **Each is told once**, by one call of its `cancel()`, in how many ways it may depend on this
  /// operation. **Nobody begins because another was told.** As soon as an operation has left, a queue
  /// begins whoever depends on it; so that one is told before, or held back until it is.
  ///
  /// - Who waits, never begins, and leaves its queue by being started and finished, as cancelled
  ///   operations do. One that begins by itself meanwhile is told while it runs.
  /// - Who runs is told, and ends when it has looked; whatever depends on it is told too.
  /// - Who has finished has what it needed: it's left alone, and whatever depends only on it may still
  ///   succeed. But one that was cancelled has nothing to hand on, whether it has finished or not: the
  ///   cascade goes on past it. Whether that one is told again is left open.
  /// - This operation may have finished, with an error say: what depends on it is cancelled all the
  ///   same.
  /// - Operations that depend on each other in a cycle are cancelled too, each once. Which of them comes
  ///   first is left open, and whether another begins meanwhile.
  ///
  /// Returns when all are told, and waits for nobody's end. It takes the graph as it's at the time of
  /// the call, in time proportional to the number of operations and dependencies; a chain may be as
  /// long as you like. Safe to call from every thread; every `cancel()` is called on the calling one.
  /// No lock is held meanwhile, so a `cancel()` may begin a cascade of its own, there or elsewhere.
  ///
  /// Your turn. Operations know their `dependencies`; turn that round first.
  ///
  /// - Go once through `operations` and note for each dependency who depends on it, in a dictionary by
  ///   `ObjectIdentifier`. Whoever has finished, and not because it was cancelled, needs no place in
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
