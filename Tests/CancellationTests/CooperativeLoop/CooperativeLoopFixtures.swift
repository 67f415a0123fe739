import AsyncOperations
import Foundation
import KataTesting
import Testing

/// A loop over items, three a chunk, whose chunks come to the sum of their items and are recorded.
final class CooperativeLoopRun: Sendable, OpaqueMirror {
  let loop: CooperativeLoop

  /// Makes a loop; `inChunk` is called within each chunk, with the number of the chunk from 1 on.
  init(
    over count: Int = 10, on timeline: Timeline,
    inChunk: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    let size = Self.chunkSize
    loop = CooperativeLoop(count: count, chunkSize: size) { items in
      timeline.visit(Self.name(of: items)) {
        // Chunks of another size are told apart by their last item.
        inChunk((items.upperBound - 1) / size + 1)
      }
      return Self.worth(of: items)
    }
  }

  private static let chunkSize = 3

  /// The result of a loop over ten items that has worked on `chunks` of its four chunks.
  static func result(after chunks: Int) -> LoopResult {
    let count = min(chunks * chunkSize, 10)
    return LoopResult(total: worth(of: 0..<count), itemCount: count, isComplete: count == 10)
  }

  /// The rows of a timeline that the first `chunks` of the four chunks leave.
  static func names(ofFirst chunks: Int) -> [String] {
    (0..<chunks).map { name(of: ($0 * chunkSize)..<min($0 * chunkSize + chunkSize, 10)) }
  }

  /// What items come to: another sum for each beginning.
  private static func worth(of items: Range<Int>) -> Int { items.reduce(0) { $0 + $1 + 100 } }

  private static func name(of items: Range<Int>) -> String {
    "items \(items.lowerBound)..<\(items.upperBound)"
  }
}

// MARK: - Moves

extension CooperativeLoopTests {
  /// A loop that is parked inside one of its chunks, in a queue of its own.
  func parkedRun(
    inChunk parked: Int, until gate: Gate, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> CooperativeLoopRun {
    let run = CooperativeLoopRun(on: timeline) { if $0 == parked { gate.wait() } }
    queue.addOperation(run.loop)
    let isParked = eventually(
      timeline.showing(
        """
        Nobody has cancelled the loop, and main() never came to chunk \(parked). It must give one \
        chunk after another to the work.
        """),
      sourceLocation: sourceLocation
    ) { gate.waiting == 1 }
    try #require(isParked, sourceLocation: sourceLocation)
    // Whatever else runs at the same time has begun by now.
    runUntilQuiet(sourceLocation: sourceLocation)
    return run
  }

  func cancel(
    _ run: CooperativeLoopRun, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    timeline.mark("cancel", "cancelled")
    try mustReturn(
      "cancel()", "cancel() is a request; it mustn't wait for the chunk that runs.",
      sourceLocation: sourceLocation
    ) { run.loop.cancel() }
  }

  func result(
    of run: CooperativeLoopRun, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> LoopResult {
    try mustReturn(
      "result", "If you hold a lock while a chunk runs, let go of it first.",
      sourceLocation: sourceLocation
    ) { run.loop.result }
  }

  func expectEnd(
    of run: CooperativeLoopRun, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let hasEnded = eventually(
      timeline.showing("The loop has nothing left to do, and it is never finished."),
      sourceLocation: sourceLocation
    ) { run.loop.isFinished }
    try #require(hasEnded, sourceLocation: sourceLocation)
    runUntilQuiet(sourceLocation: sourceLocation)
  }
}
