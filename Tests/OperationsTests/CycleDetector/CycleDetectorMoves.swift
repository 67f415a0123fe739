import Foundation
import KataTesting
import Testing

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
      cycle?.isCycle == true,
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
