import AsyncOperations
import Foundation
import KataTesting
import Testing

/// A loop over items, three in a chunk.
///
/// Each chunk returns the sum of its items and is recorded.
final class CooperativeLoopRun: Sendable, OpaqueMirror {
  let loop: CooperativeLoop

  /// Makes a loop; `inChunk` is called inside each chunk, with the number of the chunk, from 1 on.
  init(
    over count: Int = 10, on timeline: Timeline,
    inChunk: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    let size = Self.chunkSize
    loop = CooperativeLoop(count: count, chunkSize: size) { items in
      timeline.visit(Self.name(of: items)) {
        // Chunks of another size are distinguished by their last item.
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

  /// The sum of the items: a different one for each start of a range.
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
        The loop wasn't cancelled, and main() never came to chunk \(parked). It must pass one \
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
      "result", "If a lock is held while a chunk runs, release it first.",
      sourceLocation: sourceLocation
    ) { run.loop.result }
  }

  func expectEnd(
    of run: CooperativeLoopRun, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let hasEnded = eventually(
      timeline.showing("The loop has nothing left to do, and it never finishes."),
      sourceLocation: sourceLocation
    ) { run.loop.isFinished }
    try #require(hasEnded, sourceLocation: sourceLocation)
    runUntilQuiet(sourceLocation: sourceLocation)
  }
}
