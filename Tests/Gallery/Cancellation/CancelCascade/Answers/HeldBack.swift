import Foundation

// All of them are made to depend on an operation that never runs, so that none begins while they
// are cancelled, in whatever order.
extension Operation {
  public func cancelCascade(among operations: [Operation]) {
    var followers: [ObjectIdentifier: Set<Operation>] = [:]
    for operation in operations {
      if operation.isFinished, !operation.isCancelled { continue }
      for dependency in operation.dependencies {
        followers[ObjectIdentifier(dependency), default: []].insert(operation)
      }
    }
    var line: [Operation] = [self]
    var inLine: Set<Operation> = [self]
    var next = 0
    while next < line.count {
      for follower in followers[ObjectIdentifier(line[next])] ?? [] {
        if inLine.insert(follower).inserted { line.append(follower) }
      }
      next += 1
    }
    let never = Operation()
    for operation in line where !operation.isFinished { operation.addDependency(never) }
    for operation in line { operation.cancel() }
    for operation in line { operation.removeDependency(never) }
  }
}
