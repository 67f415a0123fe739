import Foundation

// A right answer: removes operations that wait for nothing, again and again (Kahn, 1962). Each that
// is left waits for another that is left, so a walk among them must reach one of them again.

public enum CycleDetector {
  public static func cycle(from operations: [Operation]) -> [Operation]? {
    // All reachable operations, what each waits for, and which operations wait for it.
    var everybody: [Operation] = []
    var waits: [ObjectIdentifier: [Operation]] = [:]
    var waiting: [ObjectIdentifier: [ObjectIdentifier]] = [:]
    var line = operations
    while let operation = line.popLast() {
      let id = ObjectIdentifier(operation)
      guard waits[id] == nil else { continue }
      everybody.append(operation)
      let isFree = operation.isExecuting || operation.isFinished || operation.isCancelled
      let needed = isFree ? [] : operation.dependencies
      waits[id] = needed
      for other in needed { waiting[ObjectIdentifier(other), default: []].append(id) }
      line += needed
    }

    var open = waits.mapValues(\.count)
    var free = open.filter { $0.value == 0 }.map(\.key)
    while let id = free.popLast() {
      open[id] = nil
      for other in waiting[id, default: []] {
        guard let count = open[other] else { continue }
        open[other] = count - 1
        if count == 1 { free.append(other) }
      }
    }
    guard var here = everybody.first(where: { open[ObjectIdentifier($0)] != nil }) else {
      return nil
    }

    var path: [Operation] = []
    var places: [ObjectIdentifier: Int] = [:]
    while places[ObjectIdentifier(here)] == nil {
      places[ObjectIdentifier(here)] = path.count
      path.append(here)
      guard
        let next = waits[ObjectIdentifier(here)]?.first(where: { open[ObjectIdentifier($0)] != nil }
        )
      else { return nil }
      here = next
    }
    return places[ObjectIdentifier(here)].map { Array(path[$0...]) }
  }
}

public struct DependencyCycle: Error, CustomStringConvertible {
  public let operations: [Operation]

  public init(_ operations: [Operation]) {
    self.operations = operations
  }

  public var description: String {
    let names = operations.map { $0.name ?? String(describing: type(of: $0)) }
    return names.map { "\($0) → " }.joined() + (names.first ?? "")
  }
}

extension OperationQueue {
  public func addOperations(refusingCycles operations: [Operation]) throws(DependencyCycle) {
    guard let cycle = CycleDetector.cycle(from: operations) else {
      for operation in operations { addOperation(operation) }
      return
    }
    throw DependencyCycle(cycle)
  }
}
