import Dispatch
import Foundation
import KataTesting
import Testing

/// Queues for the jobs and the notice, and a timeline that shows when they ran.
///
/// Each queue is serial, so a job that stays delays only the blocks behind it in its own queue.
final class JobYard: Sendable, OpaqueMirror {
  let timeline = Timeline()
  let notices = DispatchQueue(label: "katas.spec.all-done.notices")
  let places = Places([:])
  private let queues = (1...3).map { DispatchQueue(label: "katas.spec.all-done.queue-\($0)") }

  init() {
    for (index, queue) in queues.enumerated() { places.mark(queue, "on queue \(index + 1)") }
    places.mark(notices, "on the notice queue")
  }

  /// The queue of this number, from 1.
  func queue(_ number: Int) -> DispatchQueue { queues[number - 1] }

  /// A job that is inside while it waits at `gate`, and while it runs `body`.
  func job(
    _ name: String, on number: Int, until gate: Gate? = nil,
    _ body: @escaping @Sendable () -> Void = {}
  ) -> AllDone.Job {
    AllDone.Job(on: queue(number)) { [timeline] in
      timeline.visit(name) {
        gate?.wait()
        body()
      }
    }
  }

  /// Calls `init` with `jobs` on a thread of its own, which must return; the timeline shows the notice.
  @discardableResult
  func start(
    _ jobs: [AllDone.Job], noticeOn queue: DispatchQueue? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> AllDone {
    try mustReturn(
      "init", "It mustn't wait for a job or for the notice queue.",
      sourceLocation: sourceLocation
    ) { [self] in
      AllDone(jobs, noticeQueue: queue ?? notices) { [self] in
        timeline.mark("notice", places.current)
      }
    }
  }

  /// Calls `add` on a thread of its own, which must return.
  func add(
    _ job: AllDone.Job, to allDone: AllDone, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try mustReturn(
      "add", "It submits the job and returns; it mustn't wait for a job.",
      sourceLocation: sourceLocation
    ) { allDone.add(job) }
  }

  /// Where the notice came, in order; one entry in the end.
  var noticed: [Timeline.Event.Kind] {
    timeline.events.filter { $0.who == "notice" }.map(\.kind)
  }

  /// Waits until the job is inside.
  func expectBegun(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try #require(
      eventually(
        timeline.showing("\(name) was submitted to an idle queue, and never began."),
        sourceLocation: sourceLocation
      ) { timeline.entries(of: name) == 1 },
      sourceLocation: sourceLocation)
  }

  func expectNoNotice(_ sentence: String, sourceLocation: SourceLocation = #_sourceLocation) {
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(noticed.isEmpty, timeline.showing(sentence), sourceLocation: sourceLocation)
  }

  /// Waits for the notice, which must come once.
  func expectOneNotice(_ sentence: String, sourceLocation: SourceLocation = #_sourceLocation) {
    runUntilQuiet(sourceLocation: sourceLocation)
    let times = noticed.count
    #expect(
      times == 1,
      timeline.showing(
        times == 0 ? sentence : "The notice came \(times) times; it must come once."),
      sourceLocation: sourceLocation)
  }
}
