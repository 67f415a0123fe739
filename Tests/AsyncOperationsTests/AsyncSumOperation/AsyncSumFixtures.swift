import Foundation
import KataTesting
import Testing

#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

// MARK: - Moves

extension AsyncSumOperationTests {
  /// Starts a sum by hand, on a thread that must not be held.
  func start(_ sum: AsyncSumOperation, sourceLocation: SourceLocation = #_sourceLocation) {
    let starter = TestThread("start()") { sum.start() }
    eventually(
      """
      start() never returns: main() waits for the queue that adds. It must submit the work with \
      `async` and return at once; the operation continues without a thread.
      """,
      sourceLocation: sourceLocation
    ) { starter.hasReturned }
  }

  func expectEnd(
    of sum: AsyncSumOperation, _ advice: String = "Call finish() when the sum is stored.",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    eventually("The operation never finishes. \(advice)", sourceLocation: sourceLocation) {
      sum.isFinished
    }
  }
}
