import Foundation
import KataTesting
import Testing

/// A queue that has begun an operation, if that may begin, before the call that adds it returns.
///
/// So whoever says too late what an operation comes after is too late every time. It polls: use
/// `timersInPlay` around it.
final class PromptQueue: OperationQueue, @unchecked Sendable {  // Safe: has no state.
  override func addOperation(_ operation: Operation) {
    super.addOperation(operation)
    letBegin(operation)
  }

  override func addOperations(_ operations: [Operation], waitUntilFinished wait: Bool) {
    super.addOperations(operations, waitUntilFinished: wait)
    for operation in operations { letBegin(operation) }
  }

  private func letBegin(_ operation: Operation) {
    let deadline = ContinuousClock.now.advanced(by: .seconds(TestTimeout.seconds))
    while operation.isReady, !operation.isExecuting, !operation.isFinished,
      ContinuousClock.now < deadline
    {
      usleep(100)
    }
  }
}

/// An operation that, once it has noted what it depends on, says so without a lock of Foundation's.
///
/// Such a lock would put two threads in order that ask for it.
final class OperationWithAKnownList: Operation, @unchecked Sendable {
  // Safe: written once, before other threads ask.
  private nonisolated(unsafe) var known: [Operation]?

  override var dependencies: [Operation] { known ?? super.dependencies }

  func noteDependencies() { known = super.dependencies }
}

/// When the download finishes, from which decrypt is freed.
enum DownloadEnd: String, CaseIterable, Sendable {
  case beforeAdding = "before decrypt was added"
  case beforeFreeing = "before decrypt was freed from it"
  case afterFreeing = "after decrypt was freed from it"
}

// MARK: - Moves

extension DependencyChainTests {
  /// Adds an operation on a thread that `add` must give back, and lets begin whatever may.
  func add(
    _ operation: Operation, to queue: OperationQueue, after dependencies: [Operation] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    (operation as? StagedOperation)?.ask()
    try mustReturn(
      "add", "Who adds an operation isn't held until it may begin.",
      sourceLocation: sourceLocation
    ) { chain.add(operation, to: queue, after: dependencies) }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Frees an operation on a thread that `free` must give back, and lets begin whatever may.
  func free(
    _ operation: Operation, from dependency: Operation,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    timeline.mark("free", "called")
    try mustReturn("free", sourceLocation: sourceLocation) {
      chain.free(operation, from: dependency)
    }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Ends a test: whatever works or waits leaves, the steps and others.
  func clearUp(_ others: [StagedOperation] = []) {
    clear(network, processing, of: steps + others)
  }

  /// Compares who works now.
  func expectInside(
    _ labels: [String], _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let inside = timeline.inside
    #expect(
      Set(inside) == Set(labels) && inside.count == labels.count,
      timeline.showing(
        "At work must be: \(labels.isEmpty ? "nobody" : labels.joined(separator: ", ")). \(sentence)"
      ),
      sourceLocation: sourceLocation)
  }
}
