import Foundation

// Kahn's algorithm: of the doomed operations, one is cancelled when none is left that depends on
// it.
extension Operation {
  public func cancelCascade(among operations: [Operation]) {
    var needs: [Operation: [Operation]] = [:]
    var neededBy: [Operation: [Operation]] = [:]
    for operation in Set(operations) {
      if operation.isFinished && !operation.isCancelled { continue }
      needs[operation] = operation.dependencies
      for dependency in needs[operation] ?? [] {
        neededBy[dependency, default: []].append(operation)
      }
    }

    var doomed: Set<Operation> = [self]
    var border = [self]
    while !border.isEmpty {
      border = border.flatMap { neededBy[$0] ?? [] }.filter { doomed.insert($0).inserted }
    }

    var untold = doomed.reduce(into: [Operation: Int]()) { $0[$1] = neededBy[$1]?.count ?? 0 }
    var free = Array(doomed.filter { untold[$0] == 0 })
    var told: Set<Operation> = []
    while let operation = free.popLast() ?? doomed.subtracting(told).first {
      told.insert(operation)
      operation.cancel()
      for dependency in needs[operation] ?? [] where doomed.contains(dependency) {
        untold[dependency, default: 0] -= 1
        if untold[dependency] == 0, !told.contains(dependency) { free.append(dependency) }
      }
    }
  }
}
