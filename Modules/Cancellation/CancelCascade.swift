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
  /// - Warning: Keep the operations until what they depend on has finished, or has gone too. Foundation on
  ///   Linux doesn't retain what depends on an operation. What was cancelled leaves its queue, and the
  ///   process crashes if it has gone when an operation finishes that it depends on.
  ///
  /// - Parameter operations: The operations that may depend on this one, in any order.
  ///
  /// Safe to call from every thread.
  ///
  /// Source: depth-first search and topological order, Tarjan, 1976.
  public func cancelCascade(among operations: [Operation]) {
    // Turned round once, instead of being searched for each operation.
    var dependents: [ObjectIdentifier: [Operation]] = [:]
    for operation in operations where !operation.isFinished || operation.isCancelled {
      for dependency in operation.dependencies {
        dependents[ObjectIdentifier(dependency), default: []].append(operation)
      }
    }

    // A stack of our own: the thread's would overflow where the graph is deep. What is pushed later
    // is done earlier, so an operation is told when all that depend on it have been.
    var steps = [CascadeStep.follow(self)]
    var found: Set<ObjectIdentifier> = []
    while let step = steps.popLast() {
      switch step {
      case .follow(let operation):
        guard found.insert(ObjectIdentifier(operation)).inserted else { continue }
        steps.append(.cancel(operation))
        for dependent in dependents[ObjectIdentifier(operation), default: []] {
          steps.append(.follow(dependent))
        }
      case .cancel(let operation):
        operation.cancel()
      }
    }
  }
}

/// What remains to be done for an operation of a cascade.
private enum CascadeStep {
  /// To look what depends on it, unless it was found before.
  case follow(Operation)
  /// To tell it: all that depends on it has been told.
  case cancel(Operation)
}
