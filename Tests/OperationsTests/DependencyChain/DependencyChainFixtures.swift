import Foundation
import KataTesting
import Testing

/// A queue that starts an operation that is ready before the call that adds it returns.
///
/// So an answer that adds dependencies too late is too late every time. It polls: use
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

/// An operation that, after `noteDependencies()`, returns its dependencies without Foundation's
/// lock.
///
/// That lock would order two threads that read them.
final class OperationWithAKnownList: Operation, @unchecked Sendable {
  // Safe: written once, before other threads read it.
  private nonisolated(unsafe) var known: [Operation]?

  override var dependencies: [Operation] { known ?? super.dependencies }

  func noteDependencies() { known = super.dependencies }
}

/// When the download finishes that decrypt is freed from.
enum DownloadEnd: String, CaseIterable, Sendable {
  case beforeAdding = "before decrypt was added"
  case beforeFreeing = "before decrypt was freed from it"
  case afterFreeing = "after decrypt was freed from it"
}

// MARK: - Moves

extension DependencyChainTests {
  /// Adds an operation on a thread that `add` mustn't keep, and waits until all that may begin has
  /// begun.
  func add(
    _ operation: Operation, to queue: OperationQueue, after dependencies: [Operation] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    (operation as? StagedOperation)?.ask()
    try mustReturn(
      "add", "add must return without waiting until the operation may begin.",
      sourceLocation: sourceLocation
    ) { chain.add(operation, to: queue, after: dependencies) }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// Frees an operation on a thread that `free` mustn't keep, and waits until all that may begin
  /// has begun.
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

  /// Ends a test: the steps and others leave their queues.
  func clearUp(_ others: [StagedOperation] = []) {
    clear(network, processing, of: steps + others)
  }

  /// Compares the operations that execute now.
  func expectInside(
    _ labels: [String], _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let inside = timeline.inside
    #expect(
      Set(inside) == Set(labels) && inside.count == labels.count,
      timeline.showing(
        "Must be executing: \(labels.isEmpty ? "none" : labels.joined(separator: ", ")). \(sentence)"
      ),
      sourceLocation: sourceLocation)
  }
}
