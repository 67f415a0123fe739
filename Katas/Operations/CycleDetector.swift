// Page: make page KATA=CycleDetector (Docs/ConcurrencyKatas.docc/CycleDetector.md)

import Foundation

/// Finds operations that wait for each other in a cycle, and so would never begin.
///
/// Foundation doesn't check for this circular wait: it accepts dependencies that form a cycle, and
/// the operations of that cycle never begin.
///
/// ```swift
/// do {
///   try imports.addOperations(refusingCycles: [download, decrypt, tiltShift])
/// } catch {
///   log("never: \(error)")  // "decrypt → tiltShift → decrypt"
/// }
/// ```
///
/// Your turn: first find a cycle with a depth-first search, then let the queue refuse it.
///
/// - Go from an operation to its dependencies, and on from there. Keep the path from the start to
///   here. If you reach an operation that is already on the path, there is a cycle, which begins at
///   that operation's place in the path.
/// - Two paths may lead to the same operation without a cycle. So keep a second mark for operations
///   whose dependencies have all been followed, and don't follow them twice.
/// - An operation that has begun, has finished or was cancelled doesn't wait: don't follow it.
/// - A recursive function needs a stack frame for each step, and a chain may be too long for the
///   thread's stack. Keep the steps that are still to do in an array instead. Going back, where a
///   recursive function returns, is such a step too.
/// - `contains` searches a whole array. With 100,000 operations, look them up by `ObjectIdentifier`
///   in a set or a dictionary.
///
/// Source: depth-first search as in Tarjan, 1972; `addDependency(_:)` in Apple's documentation of
/// `Operation`.
public enum CycleDetector {
  /// Looks for a cycle of operations that wait for each other.
  ///
  /// - A cycle of any length is found if it can be reached from one of `operations` along
  ///   dependencies, through operations that still wait.
  /// - The search begins at each of `operations`; neither their order matters, nor whether one is
  ///   listed twice.
  /// - Dependencies are followed to operations that aren't in the list, and to those in other
  ///   queues.
  /// - In the result each operation waits for the next, and the last for the first.
  /// - The result has each member of the cycle once.
  /// - The result is one cycle, even if there are several, without operations that merely wait for
  ///   it.
  /// - An operation that waits for itself is a cycle of one.
  /// - Operations are compared by identity: two that are equal by `isEqual` are two all the same.
  /// - If there is no cycle, the result is nil, even if several paths lead to the same operation.
  /// - An operation that has begun, has finished or was cancelled waits for nothing, whatever it
  ///   depends on: a cycle through it isn't reported.
  /// - Each call sees the dependencies as they are at the time of the call.
  /// - Several threads may search at once.
  /// - The time is proportional to the number of operations and dependencies.
  /// - A long chain of dependencies needs no more of the thread's stack than a short one.
  ///
  /// The caller must not let another thread add dependencies during the search.
  ///
  /// - Parameter operations: The operations at which the search begins.
  /// - Returns: The members of a cycle; nil if there is none.
  public static func cycle(from operations: [Operation]) -> [Operation]? {
    // TODO: Follow the dependencies, and keep the path from the start to here.
    nil
  }
}

/// A cycle of operations that wait for each other.
public struct DependencyCycle: Error, CustomStringConvertible {
  /// The members of the cycle: each waits for the next, and the last for the first.
  public let operations: [Operation]

  /// Creates the error for a cycle.
  ///
  /// - `operations` keeps the members in the order in which they were given.
  public init(_ operations: [Operation]) {
    self.operations = operations
  }

  /// The cycle as text: "decrypt → tiltShift → decrypt".
  ///
  /// - The text has the names in order, joined by " → ", and the first one once more at the end.
  /// - If an operation has no name, the text has the name of its type instead.
  public var description: String {
    // TODO: Join the names in this order, with the first one once more at the end.
    ""
  }
}

extension OperationQueue {
  /// Adds operations, unless one of them is part of a cycle or waits for one.
  ///
  /// A dependency that is added later isn't checked.
  ///
  /// - All or none: if one of the operations is refused, none is added to the queue.
  /// - An operation is refused if it is part of a cycle or waits for one, however far away the
  ///   cycle is, and in whatever queues its members are.
  /// - `addOperations` returns without waiting for the operations to finish.
  ///
  /// - Parameter operations: The operations to add, with the dependencies that they already have.
  /// - Throws: A `DependencyCycle` that has the members of the cycle, and no other operations.
  public func addOperations(refusingCycles operations: [Operation]) throws(DependencyCycle) {
    // TODO: Look for a cycle before you add anything.
  }
}
