import Foundation
import KataTesting
import Testing

extension ThrottledQueueTests {
  /// A queue as the spec likes it, unless the test says otherwise.
  func throttled(
    limit: Int, underlyingQueue: DispatchQueue? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ThrottledQueue {
    try mustReturn("init", sourceLocation: sourceLocation) {
      try ThrottledQueue(
        name: "com.example.spec", limit: limit, underlyingQueue: underlyingQueue)
    }
  }

  /// Calls `pause` on a thread that it must give back, and lets end and begin whatever may.
  func pause(
    _ queue: ThrottledQueue, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    timeline.mark("pause", "called")
    try mustReturn(
      "pause", "Who pauses a queue isn't held: what runs may need them.",
      sourceLocation: sourceLocation
    ) { queue.pause() }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Calls `resume` on a thread that it must give back, and lets end and begin whatever may.
  func resume(
    _ queue: ThrottledQueue, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    timeline.mark("resume", "called")
    try mustReturn("resume", sourceLocation: sourceLocation) { queue.resume() }
    runUntilQuiet(sourceLocation: sourceLocation)
  }
}
