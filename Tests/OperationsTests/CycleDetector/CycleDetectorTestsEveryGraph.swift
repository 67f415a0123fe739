import Foundation
import KataTesting
import Testing

extension CycleDetectorTests {
  // All that an operation may wait for, for each of three: 512 graphs.
  @Test func `three operations may wait for each other in any way`() throws {
    let nodes = ["x", "y", "z"].map { ListedNode($0) }
    let wrong = try mustReturn("cycle(from:)", "It's called for each graph of three operations.") {
      defer { for node in nodes { node.list.set([]) } }
      for graph in 0..<512 {
        for (index, node) in nodes.enumerated() {
          let bits = graph >> (3 * index)
          node.list.set((0..<3).filter { bits >> $0 & 1 == 1 }.map { nodes[$0] })
        }
        if let fault = nodes[0].fault(of: CycleDetector.cycle(from: [nodes[0]])) {
          return "\(fault)\n\n\(nodes.dependencyLines)"
        }
      }
      return ""
    }
    #expect(wrong.isEmpty, Comment(rawValue: wrong))
  }
}

/// An operation whose dependencies are a list, so that it costs nothing to change them.
private final class ListedNode: Operation, @unchecked Sendable {  // Safe: the list has a lock.
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

  /// Says what is wrong with the result of a search that begins here; nil if it's right.
  func fault(of cycle: [Operation]?) -> String? {
    let within = reached.union([self])
    let isThere = within.contains { $0.reached.contains($0) }
    guard let cycle else {
      return isThere
        ? """
        cycle(from: [x]) returned nil, and there is a cycle. An operation that waits in your list \
        hasn't been followed yet: it isn't done.
        """ : nil
    }
    let isRight = cycle.isCycle && cycle.allSatisfy { member in within.contains { $0 === member } }
    return isRight
      ? nil
      : """
      cycle(from: [x]) returned \(cycle.compactMap(\.name).joined(separator: ", ")), which isn't a \
      cycle that x leads to.
      """
  }
}
