import Foundation

// A right answer: a recursive search with a stack of its own. Each place of the path keeps an
// iterator over what is still to be followed there; operations that were followed go into a set of
// their own.

public enum CycleDetector {
  public static func cycle(from operations: [Operation]) -> [Operation]? {
    var done: Set<ObjectIdentifier> = []
    var places: [ObjectIdentifier: Int] = [:]
    var path: [(operation: Operation, rest: IndexingIterator<[Operation]>)] = []

    func enter(_ operation: Operation) {
      let waits = !(operation.isExecuting || operation.isFinished || operation.isCancelled)
      places[ObjectIdentifier(operation)] = path.count
      path.append((operation, (waits ? operation.dependencies : []).makeIterator()))
    }

    for start in operations where !done.contains(ObjectIdentifier(start)) {
      enter(start)
      while !path.isEmpty {
        if let next = path[path.count - 1].rest.next() {
          if let place = places[ObjectIdentifier(next)] {
            return path[place...].map(\.operation)
          }
          if !done.contains(ObjectIdentifier(next)) { enter(next) }
        } else {
          let identity = ObjectIdentifier(path.removeLast().operation)
          places[identity] = nil
          done.insert(identity)
        }
      }
    }
    return nil
  }
}

public struct DependencyCycle: Error, CustomStringConvertible {
  public let operations: [Operation]

  public init(_ operations: [Operation]) {
    self.operations = operations
  }

  public var description: String {
    guard let first = operations.first else { return "" }
    func name(_ operation: Operation) -> String { operation.name ?? "\(type(of: operation))" }
    return operations.reduce("") { "\($0)\(name($1)) → " } + name(first)
  }
}

extension OperationQueue {
  public func addOperations(refusingCycles operations: [Operation]) throws(DependencyCycle) {
    if let cycle = CycleDetector.cycle(from: operations) { throw DependencyCycle(cycle) }
    addOperations(operations, waitUntilFinished: false)
  }
}
