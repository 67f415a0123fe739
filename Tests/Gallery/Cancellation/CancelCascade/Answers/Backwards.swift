import Foundation

// Wrong: found level by level, cancelled in the reverse order of finding.
extension Operation {
  public func cancelCascade(among operations: [Operation]) {
    var dependents: [ObjectIdentifier: [Operation]] = [:]
    for operation in operations where !operation.isFinished || operation.isCancelled {
      for dependency in operation.dependencies {
        dependents[ObjectIdentifier(dependency), default: []].append(operation)
      }
    }
    var line: [Operation] = [self]
    var found: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
    var next = 0
    while next < line.count {
      for dependent in dependents[ObjectIdentifier(line[next]), default: []]
      where found.insert(ObjectIdentifier(dependent)).inserted {
        line.append(dependent)
      }
      next += 1
    }
    for operation in line.reversed() { operation.cancel() }
  }
}
