import Foundation

// The recursion written out: a path of iterators; an operation is cancelled when all its
// dependents are done.
extension Operation {
  public func cancelCascade(among operations: [Operation]) {
    let edges = operations.lazy
      .filter { !$0.isFinished || $0.isCancelled }
      .flatMap { operation in operation.dependencies.map { ($0, operation) } }
    let dependents = Dictionary(grouping: edges, by: { ObjectIdentifier($0.0) })
      .mapValues { $0.map(\.1) }
    func rest(of operation: Operation) -> IndexingIterator<[Operation]> {
      (dependents[ObjectIdentifier(operation)] ?? []).makeIterator()
    }

    var seen = [ObjectIdentifier(self): true]
    var path = [(operation: self, rest: rest(of: self))]
    while !path.isEmpty {
      if let next = path[path.count - 1].rest.next() {
        if seen.updateValue(true, forKey: ObjectIdentifier(next)) == nil {
          path.append((next, rest(of: next)))
        }
      } else {
        path.removeLast().operation.cancel()
      }
    }
  }
}
