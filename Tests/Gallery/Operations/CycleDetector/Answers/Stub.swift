// Page: make page KATA=CycleDetector (Docs/ConcurrencyKatas.docc/CycleDetector.md)

import Foundation

/// Finds operations that wait for each other, and so would wait for ever.
///
/// Foundation doesn't look: it takes any dependency, and a cycle shows only in that nothing happens.
///
/// ```swift
/// do {
///   try imports.addOperations(refusingCycles: [download, decrypt, tiltShift])
/// } catch {
///   log("never: \(error)")  // "decrypt → tiltShift → decrypt"
/// }
/// ```
///
/// Your turn: find the cycle first, then let the queue refuse it.
///
/// - Go from an operation to what it depends on, and on from there. Keep the path that you came by:
///   whoever stands on it already closes a cycle, which begins where it stands.
/// - Two ways may lead to the same operation and be no cycle at all. So remember whom you have followed
///   to the end, apart from who stands on the path; and don't follow anybody twice.
/// - A function that calls itself for each step needs a stack frame for each, and a chain may be longer
///   than the thread's stack: keep an array of what is to be done, with an entry for the way back.
/// - `contains` goes through an array. With 100,000 operations, look them up by `ObjectIdentifier`, in
///   a set or a dictionary.
///
/// Source: depth-first search as in Tarjan, 1972; `addDependency(_:)` in Apple's documentation of
/// `Operation`.
public enum CycleDetector {
  /// Looks for operations that wait for each other, and so would never begin.
  ///
  /// The search begins at `operations` and follows the dependencies of each operation that still waits,
  /// to operations in other queues too. **It names one cycle**, each of its members once, and no
  /// operation that merely waits for it. Where there are several, it's one of them. One that waits for
  /// itself is a cycle of one.
  ///
  /// Whoever has begun, has finished or was cancelled waits for nobody, whatever it depends on: a
  /// cycle through such an operation comes undone by itself, and isn't reported.
  ///
  /// It takes time proportional to the number of operations and dependencies, and no more stack for a
  /// long chain than for a short one. It sees the graph as it's at the time of the call. Safe to call
  /// from every thread, as long as nobody adds dependencies meanwhile.
  ///
  /// - Parameter operations: Where to begin, in any order; the list may name an operation twice.
  /// - Returns: Operations of which each waits for the next, and the last for the first; nil where
  ///   there are none.
  public static func cycle(from operations: [Operation]) -> [Operation]? {
    // TODO: Follow the dependencies, with the path that you came by.
    nil
  }
}

/// Operations that wait for each other.
public struct DependencyCycle: Error, CustomStringConvertible {
  /// The members of the cycle: each waits for the next, and the last for the first.
  public let operations: [Operation]

  /// Creates the error for a cycle.
  public init(_ operations: [Operation]) {
    self.operations = operations
  }

  /// The names, each followed by whom it waits for: "decrypt → tiltShift → decrypt".
  ///
  /// An operation without a name goes by its type.
  public var description: String {
    // TODO: The names in this order, and the first one once more.
    ""
  }
}

extension OperationQueue {
  /// Adds operations, unless one of them would wait for ever.
  ///
  /// All or none: where one of them is part of a cycle, or waits for one, however far away and in
  /// whichever queue, none is added. Returns at once, and waits for nobody's end.
  ///
  /// - Parameter operations: The operations to add, with the dependencies that they already have. A
  ///   dependency that's added later isn't looked at.
  /// - Throws: The cycle.
  public func addOperations(refusingCycles operations: [Operation]) throws(DependencyCycle) {
    // TODO: Look for a cycle before you add anything.
  }
}
