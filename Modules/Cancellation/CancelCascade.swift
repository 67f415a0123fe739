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
  /// - Warning: Retain the operations until their dependencies have finished, or are gone too.
  ///   Foundation on Linux doesn't retain what depends on an operation. A cancelled operation
  ///   leaves its queue, and if it's gone when one of its dependencies finishes, the process
  ///   crashes.
  ///
  /// - Parameter operations: The operations that may depend on this one, in any order.
  ///
  /// Safe to call from every thread.
  ///
  /// Source: depth-first search and topological order, Tarjan, 1976.
  public func cancelCascade(among operations: [Operation]) {
    // Invert the dependencies once, instead of searching all operations for each.
    var dependents: [ObjectIdentifier: [Operation]] = [:]
    for operation in operations where !operation.isFinished || operation.isCancelled {
      for dependency in operation.dependencies {
        dependents[ObjectIdentifier(dependency), default: []].append(operation)
      }
    }

    // An explicit stack: the thread's would overflow if the graph is deep. What is pushed later
    // is done earlier, so an operation is cancelled after all its dependents: in postorder.
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
  /// To follow its dependents, unless it was found before.
  case follow(Operation)
  /// To cancel it: all its dependents have been cancelled.
  case cancel(Operation)
}
