import Foundation
import KataTesting
import Testing

extension ThrottledQueueTests {
  /// A queue with a name, a limit and perhaps an underlying queue.
  func throttled(
    limit: Int, underlyingQueue: DispatchQueue? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ThrottledQueue {
    try mustReturn("init", sourceLocation: sourceLocation) {
      try ThrottledQueue(
        name: "com.example.spec", limit: limit, underlyingQueue: underlyingQueue)
    }
  }

  /// Calls `pause` on a thread that it mustn't keep, and waits until all that follows has happened.
  func pause(
    _ queue: ThrottledQueue, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    timeline.mark("pause", "called")
    try mustReturn(
      "pause",
      """
      pause must return without waiting for any operation: operations that run may need this \
      thread.
      """,
      sourceLocation: sourceLocation
    ) { queue.pause() }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Calls `resume` on a thread that it mustn't keep, and waits until all that follows has
  /// happened.
  func resume(
    _ queue: ThrottledQueue, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    timeline.mark("resume", "called")
    try mustReturn("resume", sourceLocation: sourceLocation) { queue.resume() }
    runUntilQuiet(sourceLocation: sourceLocation)
  }
}
