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
    var marks: [ObjectIdentifier: CycleMark] = [:]
    // The path from a start to here: each operation waits for the next.
    var path: [Operation] = []
    // A stack on the heap: a long chain would overflow the thread's.
    var steps = operations.map(CycleStep.follow)
    while let step = steps.popLast() {
      switch step {
      case .follow(let operation):
        switch marks[ObjectIdentifier(operation)] {
        case .done: continue
        case .onPath(let place): return Array(path[place...])
        case nil:
          marks[ObjectIdentifier(operation)] = .onPath(path.count)
          path.append(operation)
          steps.append(.goBack)
          steps += waited(for: operation).map(CycleStep.follow)
        }
      case .goBack:
        marks[ObjectIdentifier(path.removeLast())] = .done
      }
    }
    return nil
  }

  /// The operations that an operation still waits for.
  private static func waited(for operation: Operation) -> [Operation] {
    if operation.isExecuting { return [] }
    if operation.isFinished { return [] }
    if operation.isCancelled { return [] }
    return operation.dependencies
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
    (operations + operations.prefix(1))
      .map { $0.name ?? "\(type(of: $0))" }
      .joined(separator: " → ")
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
    if let cycle = CycleDetector.cycle(from: operations) { throw DependencyCycle(cycle) }
    addOperations(operations, waitUntilFinished: false)
  }
}

/// What the search knows about an operation that it has reached.
private enum CycleMark {
  /// It's on the path, at this place.
  case onPath(Int)
  /// Everything that it waits for was followed to the end: no cycle can be reached from it.
  case done
}

/// A step that remains to be done.
private enum CycleStep {
  /// Follow what an operation waits for.
  case follow(Operation)
  /// Remove the last operation of the path: everything that it waits for was followed.
  case goBack
}
