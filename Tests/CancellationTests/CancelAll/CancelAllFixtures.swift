import AsyncOperations
import Foundation
import KataTesting
import Testing

// MARK: - Moves

extension CancelAllTests {
  /// A queue with `jobs` in it, of which as many work as have room, unless it's suspended.
  func queue(
    _ jobs: [CancelAllJob], width: Int = 1, suspended: Bool = false,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    queue.isSuspended = suspended
    for job in jobs { queue.addOperation(job) }
    runUntilQuiet(sourceLocation: sourceLocation)
    return queue
  }

  /// Calls `cancelAll`; its notice goes to the timeline.
  func cancelAll(
    _ queue: OperationQueue, notice: String = "notice",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    timeline.mark("cancelAll", "called")
    try mustReturn(
      "cancelAll", "It mustn't wait for the operations that run: they may need its caller.",
      sourceLocation: sourceLocation
    ) { callCancelAll(queue, notice: notice) }
  }

  func callCancelAll(_ queue: OperationQueue, notice: String = "notice") {
    queue.cancelAll(noticeQueue: notices) { [timeline, places] in
      timeline.mark(
        notice, places.current == "elsewhere" ? "empty, told on another queue" : "empty")
    }
  }

  /// What was told by notices of this name.
  func told(_ notice: String = "notice") -> [Timeline.Event.Kind] {
    timeline.events.filter { $0.who == notice }.map(\.kind)
  }

  func expectNotice(
    _ notice: String = "notice", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    eventually(
      timeline.showing(
        """
        Everything that was in the queue has left, nothing runs, and onEmpty isn't called. Whoever \
        looks for the end now and then may see it later; let yourself be told of it.
        """),
      sourceLocation: sourceLocation
    ) { !told(notice).isEmpty }
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(
      told(notice) == [.mark("empty")],
      timeline.showing("onEmpty must be called once, on the notice queue."),
      sourceLocation: sourceLocation)
  }

  func expectGone(
    _ job: CancelAllJob, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    eventually(
      timeline.showing(
        """
        \(job.label) was cancelled and never leaves its queue. Cancelled operations leave by being \
        started, which a suspended queue doesn't do.
        """),
      sourceLocation: sourceLocation
    ) { job.isFinished }
  }

  func expectNeverBegan(
    _ jobs: [CancelAllJob], _ sentence: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for job in jobs {
      #expect(
        timeline.entries(of: job.label) == 0,
        timeline.showing("\(job.label) waited in the queue, and began. \(sentence)"),
        sourceLocation: sourceLocation)
    }
  }
}
