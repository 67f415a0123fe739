import Foundation
import KataTesting
import Testing

/// An operation that has a name, and says that it has run.
// Safe: never changed after it was made.
final class CycleNode: Operation, @unchecked Sendable {
  private let body: @Sendable () -> Void
  /// Foundation on Linux never returns from `addDependency` with an operation itself, so it says so
  /// in another way.
  private let waitsForItself: Bool

  init(_ name: String, waitsForItself: Bool = false, body: @escaping @Sendable () -> Void) {
    self.body = body
    self.waitsForItself = waitsForItself
    super.init()
    self.name = name
  }

  override var dependencies: [Operation] {
    waitsForItself ? super.dependencies + [self] : super.dependencies
  }

  override var isReady: Bool { waitsForItself ? isCancelled : super.isReady }

  override func main() { body() }
}

/// Operations that depend on each other, by name.
struct CycleGraph: Sendable {
  /// The names, in the order in which they were written.
  let names: [String]
  private let nodes: [String: CycleNode]

  /// Makes operations, each with the names of those that it waits for.
  ///
  /// `body` is called when one runs, with its name.
  init(
    _ waiting: KeyValuePairs<String, [String]>,
    body: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    names = waiting.map(\.key)
    nodes = Dictionary(
      uniqueKeysWithValues: waiting.map { name, others in
        (name, CycleNode(name, waitsForItself: others.contains(name)) { body(name) })
      })
    for (name, others) in waiting {
      for other in others where other != name { self[name].addDependency(self[other]) }
    }
  }

  subscript(name: String) -> CycleNode {
    guard let node = nodes[name] else { preconditionFailure("No operation is called \(name).") }
    return node
  }

  func callAsFunction(_ names: [String]) -> [Operation] { names.map { self[$0] } }

  /// Who waits for whom, one a line, for messages.
  var lines: String {
    names.map { name in
      let others = self[name].dependencies.compactMap(\.name).joined(separator: " and ")
      return "  \(name) \(others.isEmpty ? "waits for nobody" : "waits for \(others)")"
    }
    .joined(separator: "\n")
  }

  /// Whether each of `cycle` waits for the next, and the last for the first, and nobody is there twice.
  func isCycle(_ cycle: [Operation]) -> Bool {
    guard let first = cycle.first, Set(cycle.map { ObjectIdentifier($0) }).count == cycle.count
    else { return false }
    return zip(cycle, cycle.dropFirst() + [first]).allSatisfy { operation, next in
      operation.dependencies.contains { $0 === next }
    }
  }

  /// Lets them go: operations that wait for each other keep each other alive.
  ///
  /// One is cancelled at a time. On Linux an operation that ends locks those that wait for it, so two
  /// of a cycle that end at the same moment may wait for each other's lock for ever.
  func takeApart() {
    runUntilQuiet()
    for name in names where !self[name].isFinished {
      self[name].cancel()
      runUntilQuiet()
    }
    for name in names {
      for other in self[name].dependencies { self[name].removeDependency(other) }
    }
  }
}

// MARK: - Moves

extension CycleDetectorTests {
  /// What the answer finds, asked on a thread that it must give back.
  func find(
    in graph: CycleGraph, from names: [String]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Operation]? {
    try mustReturn(
      "cycle(from:)",
      """
      Does it follow the same operations round and round? Whoever stands on the path already closes \
      a cycle.
      """,
      sourceLocation: sourceLocation
    ) { CycleDetector.cycle(from: graph(names ?? graph.names)) }
  }

  /// Expects that a cycle is found, and that it's one.
  func expectCycle(
    in graph: CycleGraph, from names: [String]? = nil, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let cycle = try find(in: graph, from: names, sourceLocation: sourceLocation)
    let found = cycle.map { $0.map { $0.name ?? "?" }.joined(separator: ", ") } ?? "nil"
    #expect(
      cycle.map(graph.isCycle) == true,
      """
      \(sentence) cycle(from:) gave \(found). It must give operations of which each waits for the \
      next, and the last for the first, each of them once.

      \(graph.lines)
      """, sourceLocation: sourceLocation)
  }

  /// Expects that none is found.
  func expectNone(
    in graph: CycleGraph, from names: [String]? = nil, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let cycle = try find(in: graph, from: names, sourceLocation: sourceLocation)
    #expect(
      cycle == nil,
      """
      \(sentence) There is no cycle here, and cycle(from:) gave \
      \((cycle ?? []).map { $0.name ?? "?" }.joined(separator: ", ")).

      \(graph.lines)
      """, sourceLocation: sourceLocation)
  }
}
