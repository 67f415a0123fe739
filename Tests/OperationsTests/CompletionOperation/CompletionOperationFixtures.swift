import Foundation
import KataTesting
import Testing

extension CompletionOperationTests {
  /// A completion that shows on the timeline, of the queue or of others.
  func completion(of others: [OperationQueue]? = nil) -> CompletionOperation {
    let places = Places(["all done": callbacks])
    return CompletionOperation(of: others ?? [queue], callbackQueue: callbacks) { [timeline] in
      timeline.mark("completion", places.current)
    }
  }

  /// Activates it on a thread that it must give back, and lets happen whatever may.
  func activate(
    _ completion: CompletionOperation, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    timeline.mark("activate", "called")
    try mustReturn(
      "activate", "Who activates it isn't held until all is done: the work may need its caller.",
      sourceLocation: sourceLocation
    ) { completion.activate() }
    runUntilQuiet(sourceLocation: sourceLocation)
  }

  /// What was told so far.
  var told: [Timeline.Event.Kind] {
    timeline.events.filter { $0.who == "completion" }.map(\.kind)
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
