import Foundation
import KataTesting
import Testing

/// An operation that does nothing, and is equal to every other of its kind.
// Safe: it has no state of its own.
final class EqualOperation: Operation, @unchecked Sendable {
  override var hash: Int { 0 }
  override func isEqual(_ object: Any?) -> Bool { object is EqualOperation }
}

extension CompletionOperationTests {
  /// An operation for `queue` or for other queues, whose completion shows on the timeline.
  func completion(of others: [OperationQueue]? = nil) -> CompletionOperation {
    let places = Places(["all done": callbacks])
    return CompletionOperation(of: others ?? [queue], callbackQueue: callbacks) { [timeline] in
      timeline.mark("completion", places.current)
    }
  }

  /// Activates it on a thread that it mustn't keep, and waits until all that follows has happened.
  func activate(
    _ completion: CompletionOperation, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    timeline.mark("activate", "called")
    try mustReturn(
      "activate", "activate() must return without waiting: the work may need the caller's thread.",
      sourceLocation: sourceLocation
    ) { completion.activate() }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// The calls of the completion so far.
  var told: [Timeline.Event.Kind] {
    timeline.events.filter { $0.who == "completion" }.map(\.kind)
  }

  /// Expects that it needn't wait for anything.
  func expectSoon(
    _ completion: CompletionOperation, _ reason: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try activate(completion, sourceLocation: sourceLocation)
    expectTold(reason, sourceLocation: sourceLocation)
    eventually(
      "\(reason) It never finishes, so what depends on it can't begin.",
      sourceLocation: sourceLocation
    ) { completion.isFinished }
  }

  func expectTold(_ sentence: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      told == [.mark("all done")],
      timeline.showing("\(sentence) The completion must be called once, on the callback queue."),
      sourceLocation: sourceLocation)
  }

  func expectNotTold(_ sentence: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      told.isEmpty, timeline.showing("The completion was called too early. \(sentence)"),
      sourceLocation: sourceLocation)
  }
}
