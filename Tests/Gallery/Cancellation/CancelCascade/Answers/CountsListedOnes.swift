import Foundation

// Wrong: Kahn's algorithm, with a count that includes an operation as often as it's listed.
extension Operation {
  public func cancelCascade(among operations: [Operation]) {
    // Invert the dependencies once, instead of searching all operations for each.
    var dependents: [ObjectIdentifier: [Operation]] = [:]
    var dependencies: [ObjectIdentifier: [Operation]] = [:]
    for operation in operations where !operation.isFinished || operation.isCancelled {
      let needed = operation.dependencies
      dependencies[ObjectIdentifier(operation)] = needed
      for dependency in needed {
        dependents[ObjectIdentifier(dependency), default: []].append(operation)
      }
    }

    // Find all that depends on this operation, nearest first.
    var found: [Operation] = [self]
    var isFound: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
    var next = 0
    while next < found.count {
      for dependent in dependents[ObjectIdentifier(found[next]), default: []]
      where isFound.insert(ObjectIdentifier(dependent)).inserted {
        found.append(dependent)
      }
      next += 1
    }

    // Kahn's algorithm: an operation's turn comes when none of its dependents is left.
    var left = dependents.mapValues(\.count)
    var ready = found.filter { left[ObjectIdentifier($0), default: 0] == 0 }
    var isCancelledNow: Set<ObjectIdentifier> = []
    while let operation = ready.popLast() {
      let id = ObjectIdentifier(operation)
      isCancelledNow.insert(id)
      operation.cancel()
      for dependency in dependencies[id, default: []] {
        let id = ObjectIdentifier(dependency)
        guard isFound.contains(id), let count = left[id] else { continue }
        left[id] = count - 1
        if count == 1 { ready.append(dependency) }
      }
    }

    // Only cycles, and what they depend on, are left.
    for operation in found where !isCancelledNow.contains(ObjectIdentifier(operation)) {
      operation.cancel()
    }
  }
}
