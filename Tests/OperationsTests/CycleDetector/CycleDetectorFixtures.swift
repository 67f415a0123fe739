import Foundation
import KataTesting
import Testing

/// An operation that has a name, and calls `body` when it runs.
// Safe: never changes after `init`.
final class CycleNode: Operation, @unchecked Sendable {
  private let body: @Sendable () -> Void
  /// Foundation on Linux never returns from `addDependency` with the operation itself, so this
  /// operation overrides `dependencies` instead.
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

/// An operation whose dependencies are a list, so that it costs nothing to change them.
final class ListedNode: Operation, @unchecked Sendable {  // Safe: the list has a lock.
  let list = LockedValue<[ListedNode]>([])

  init(_ name: String) {
    super.init()
    self.name = name
  }

  override var dependencies: [Operation] { list.value }
  override var isReady: Bool { list.value.isEmpty }

  /// Every operation that this one waits for, directly or through others.
  private var reached: Set<ListedNode> {
    var (found, left) = (Set<ListedNode>(), list.value)
    while let next = left.popLast() {
      if found.insert(next).inserted { left += next.list.value }
    }
    return found
  }

  /// Says what is wrong with the result of a search that begins at `start`; nil if it's right.
  static func fault(of result: [Operation]?, from start: ListedNode) -> String? {
    let reached = start.reached.union([start])
    let waiting = reached.sorted { ($0.name ?? "") < ($1.name ?? "") }.map { node in
      let names = node.list.value.compactMap(\.name)
      return
        "  \(node.name ?? "") waits for \(names.isEmpty ? "nothing" : names.joined(separator: " and "))"
    }
    let sentence: String
    if let result {
      let ring = result as? [ListedNode] ?? []
      let isRing =
        !ring.isEmpty && Set(ring).count == ring.count && reached.isSuperset(of: ring)
        && zip(ring, ring.dropFirst() + ring.prefix(1)).allSatisfy { $0.list.value.contains($1) }
      if isRing { return nil }
      let names = result.map { $0.name ?? "?" }.joined(separator: ", ")
      sentence = "cycle(from: [x]) returned \(names), which isn't a cycle."
    } else {
      if reached.allSatisfy({ !$0.reached.contains($0) }) { return nil }
      sentence = """
        cycle(from: [x]) returned nil, and there is a cycle. An operation that waits in your list \
        hasn't been followed yet: it isn't done.
        """
    }
    return "\(sentence)\n\n\(waiting.joined(separator: "\n"))"
  }
}

/// Operations that depend on each other, by name.
struct CycleGraph: Sendable {
  /// The names, in the order of the literal.
  let names: [String]
  private let nodes: [String: CycleNode]

  /// Creates operations, each with the names of those that it waits for.
  ///
  /// `body` is called with the name of each operation that runs.
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

  /// What each operation waits for, one a line, for messages.
  var lines: String {
    names.map { name in
      let others = self[name].dependencies.compactMap(\.name).joined(separator: " and ")
      return "  \(name) \(others.isEmpty ? "waits for nothing" : "waits for \(others)")"
    }
    .joined(separator: "\n")
  }

  /// Whether each of `cycle` waits for the next, and the last for the first, and none is there
  /// twice.
  func isCycle(_ cycle: [Operation]) -> Bool {
    guard let first = cycle.first, Set(cycle.map { ObjectIdentifier($0) }).count == cycle.count
    else { return false }
    return zip(cycle, cycle.dropFirst() + [first]).allSatisfy { operation, next in
      operation.dependencies.contains { $0 === next }
    }
  }

  /// Releases them: operations that wait for each other retain each other.
  ///
  /// They are cancelled one at a time. On Linux an operation that finishes locks its dependents, so
  /// two of a cycle that finish at the same moment may wait for each other's lock for ever.
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
  /// What the answer finds, called on a thread that it mustn't keep.
  func find(
    in graph: CycleGraph, from names: [String]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Operation]? {
    try mustReturn(
      "cycle(from:)",
      """
      Does the search follow the same operations again and again? One that is already on the path \
      closes a cycle.
      """,
      sourceLocation: sourceLocation
    ) { CycleDetector.cycle(from: graph(names ?? graph.names)) }
  }

  /// Expects that a cycle is found, and that it really is one.
  func expectCycle(
    in graph: CycleGraph, from names: [String]? = nil, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let cycle = try find(in: graph, from: names, sourceLocation: sourceLocation)
    let found = cycle.map { $0.map { $0.name ?? "?" }.joined(separator: ", ") } ?? "nil"
    #expect(
      cycle.map(graph.isCycle) == true,
      """
      \(sentence) cycle(from:) returned \(found). It must return operations of which each waits \
      for the next, and the last for the first, each of them once.

      \(graph.lines)
      """, sourceLocation: sourceLocation)
  }

  /// Expects that no cycle is found.
  func expectNone(
    in graph: CycleGraph, from names: [String]? = nil, _ sentence: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let cycle = try find(in: graph, from: names, sourceLocation: sourceLocation)
    #expect(
      cycle == nil,
      """
      \(sentence) There is no cycle here, and cycle(from:) returned \
      \((cycle ?? []).map { $0.name ?? "?" }.joined(separator: ", ")).

      \(graph.lines)
      """, sourceLocation: sourceLocation)
  }
}
