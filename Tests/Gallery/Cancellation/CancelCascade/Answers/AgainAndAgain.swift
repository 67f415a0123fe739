import Foundation

// Wrong: goes through all of them until nothing changes any more, which may take a pass for each.
extension Operation {
  public func cancelCascade(among operations: [Operation]) {
    var levels: [[Operation]] = [[self]]
    var found: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
    while let last = levels.last, !last.isEmpty {
      let before = found
      levels.append(
        operations.filter { operation in
          (!operation.isFinished || operation.isCancelled)
            && !before.contains(ObjectIdentifier(operation))
            && operation.dependencies.contains { before.contains(ObjectIdentifier($0)) }
            && found.insert(ObjectIdentifier(operation)).inserted
        })
    }
    for operation in levels.joined().reversed() { operation.cancel() }
  }
}
