import Foundation
import KataTesting
import Testing

/// Expects that `queue` is empty, or soon will be.
func expectDrained(
  _ queue: OperationQueue, _ advice: String = "An operation in it never finishes.",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let drained = TestThread("waitUntilAllOperationsAreFinished()") {
    queue.waitUntilAllOperationsAreFinished()
  }
  eventually("The queue never empties. \(advice)", sourceLocation: sourceLocation) {
    drained.hasReturned
  }
}
