import Foundation
import KataTesting
import Testing

extension CycleDetectorTests {
  // All that an operation may wait for, for each of three: 512 graphs.
  @Test func `three operations may wait for each other in any way`() throws {
    let nodes = ["x", "y", "z"].map { ListedNode($0) }
    let wrong = try mustReturn("cycle(from:)", "It's called for each graph of three operations.") {
      defer { for node in nodes { node.list.set([]) } }
      return (0..<512).lazy.compactMap { number in
        for (index, node) in nodes.enumerated() {
          node.list.set((0..<3).filter { number >> (3 * index + $0) & 1 == 1 }.map { nodes[$0] })
        }
        return ListedNode.fault(of: CycleDetector.cycle(from: [nodes[0]]), from: nodes[0])
      }.first
    }
    #expect(wrong == nil, Comment(rawValue: wrong ?? ""))
  }
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
