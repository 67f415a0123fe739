import Foundation

// Wrong: a call for each step, so that a long chain overflows the stack.
extension Operation {
  public func cancelCascade(among operations: [Operation]) {
    var dependents: [ObjectIdentifier: [Operation]] = [:]
    for operation in operations where !operation.isFinished || operation.isCancelled {
      for dependency in operation.dependencies {
        dependents[ObjectIdentifier(dependency), default: []].append(operation)
      }
    }
    var found: Set<ObjectIdentifier> = []
    func follow(_ operation: Operation) {
      guard found.insert(ObjectIdentifier(operation)).inserted else { return }
      for dependent in dependents[ObjectIdentifier(operation), default: []] { follow(dependent) }
      operation.cancel()
    }
    follow(self)
  }
}
