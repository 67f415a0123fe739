import Foundation

// Wrong: an operation is cancelled when everything that depends on it has been cancelled. In a
// cycle each waits for the next, so none of them is cancelled, nor what they depend on.
extension Operation {
  public func cancelCascade(among operations: [Operation]) {
    var dependencies: [ObjectIdentifier: Set<Operation>] = [:]
    var dependents: [ObjectIdentifier: Set<Operation>] = [:]
    for operation in operations where !operation.isFinished || operation.isCancelled {
      for dependency in operation.dependencies {
        dependencies[ObjectIdentifier(operation), default: []].insert(dependency)
        dependents[ObjectIdentifier(dependency), default: []].insert(operation)
      }
    }
    var found: Set<Operation> = [self]
    var border = [self]
    while let operation = border.popLast() {
      for dependent in dependents[ObjectIdentifier(operation), default: []]
      where found.insert(dependent).inserted {
        border.append(dependent)
      }
    }
    var untold = found.reduce(into: [ObjectIdentifier: Int]()) { counts, operation in
      counts[ObjectIdentifier(operation)] = dependents[ObjectIdentifier(operation)]?.count ?? 0
    }
    var ready = found.filter { untold[ObjectIdentifier($0)] == 0 }
    while let operation = ready.popFirst() {
      operation.cancel()
      for dependency in dependencies[ObjectIdentifier(operation), default: []]
      where found.contains(dependency) {
        untold[ObjectIdentifier(dependency), default: 0] -= 1
        if untold[ObjectIdentifier(dependency)] == 0 { ready.insert(dependency) }
      }
    }
  }
}
