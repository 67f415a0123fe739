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
    var marks: [ObjectIdentifier: CycleMark] = [:]
    // The way from a start to where we are: each waits for the next.
    var path: [Operation] = []
    // A stack of our own: the thread's would overflow where a chain is long.
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

  /// What an operation still waits for.
  private static func waited(for operation: Operation) -> [Operation] {
    if operation.isExecuting { return [] }
    if operation.isFinished { return [] }
    if operation.isCancelled { return [] }
    return operation.dependencies
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
    (operations + operations.prefix(1))
      .map { $0.name ?? "\(type(of: $0))" }
      .joined(separator: " → ")
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
    if let cycle = CycleDetector.cycle(from: operations) { throw DependencyCycle(cycle) }
    addOperations(operations, waitUntilFinished: false)
  }
}

/// What the search knows of an operation that it has come upon.
private enum CycleMark {
  /// It stands on the path, at this place.
  case onPath(Int)
  /// All that it waits for was followed to the end; no cycle can be reached from there.
  case done
}

/// What remains to be done.
private enum CycleStep {
  /// To look what an operation waits for.
  case follow(Operation)
  /// To leave the last operation of the path: all that it waits for was followed.
  case goBack
}
