import AsyncOperations
import Foundation
import KataTesting
import Testing

// MARK: - Moves

extension CancelAllTests {
  /// A queue with `jobs` in it, of which as many work as there is room for, unless it's suspended.
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

  /// Calls `cancelAll`; its notice is recorded on the timeline.
  func cancelAll(
    _ queue: OperationQueue, notice: String = "notice",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    timeline.mark("cancelAll", "called")
    try mustReturn(
      "cancelAll", "It mustn't wait for the operations that run: they may need the calling thread.",
      sourceLocation: sourceLocation
    ) { callCancelAll(queue, notice: notice) }
  }

  func callCancelAll(_ queue: OperationQueue, notice: String = "notice") {
    queue.cancelAll(noticeQueue: notices) { [timeline, places] in
      timeline.mark(
        notice, places.current == "elsewhere" ? "empty, told on another queue" : "empty")
    }
  }

  /// What notices of this name have recorded.
  func told(_ notice: String = "notice") -> [Timeline.Event.Kind] {
    timeline.events.filter { $0.who == notice }.map(\.kind)
  }

  func expectNotice(
    _ notice: String = "notice", sourceLocation: SourceLocation = #_sourceLocation
  ) {
    eventually(
      timeline.showing(
        """
        Everything that was in the queue has left, nothing runs, and onEmpty wasn't called. Each \
        call of cancelAll must call it; code that only checks at intervals notices the end late. \
        Let something be called when the last operation has left.
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
        \(job.label) was cancelled and never leaves its queue. A cancelled operation leaves when \
        the queue starts it, and a suspended queue starts none.
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
