import Dispatch
import Foundation
import KataTesting
import Testing

/// Queues for the jobs and the notice, and a timeline that shows where each of them ran.
///
/// Every queue has one thread at most, so that a job that stays holds nobody else up.
final class JobYard: Sendable, OpaqueMirror {
  let timeline = Timeline()
  let notices = DispatchQueue(label: "katas.spec.all-done.notices")
  private let queues: [DispatchQueue]
  private let key = DispatchSpecificKey<String>()

  init(queues count: Int = 3) {
    queues = (1...count).map { DispatchQueue(label: "katas.spec.all-done.queue-\($0)") }
    for (index, queue) in queues.enumerated() {
      queue.setSpecific(key: key, value: "on queue \(index + 1)")
    }
    notices.setSpecific(key: key, value: "on the notice queue")
  }

  /// The queue of this number, from 1.
  func queue(_ number: Int) -> DispatchQueue { queues[number - 1] }

  /// Where the calling code runs.
  private var place: String { DispatchQueue.getSpecific(key: key) ?? "elsewhere" }

  /// A job that is inside while it waits at `gate`, or while it runs `body`.
  func job(
    _ name: String, on number: Int, until gate: Gate? = nil,
    _ body: @escaping @Sendable () -> Void = {}
  ) -> AllDone.Job {
    job(name, on: queue(number), until: gate, body)
  }

  func job(
    _ name: String, on queue: DispatchQueue, until gate: Gate? = nil,
    _ body: @escaping @Sendable () -> Void = {}
  ) -> AllDone.Job {
    AllDone.Job(on: queue) { [self] in
      timeline.visit(name) {
        timeline.mark(name, place)
        gate?.wait()
        body()
      }
    }
  }

  /// Starts `jobs` on a thread of its own, which must return; the notice goes to the timeline.
  @discardableResult
  func start(
    _ jobs: [AllDone.Job], sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> AllDone {
    try start(jobs, noticeOn: notices, sourceLocation: sourceLocation)
  }

  func start(
    _ jobs: [AllDone.Job], noticeOn queue: DispatchQueue,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> AllDone {
    try mustReturn(
      "init", "It mustn't wait for the jobs: on the main thread that is a frozen app.",
      sourceLocation: sourceLocation
    ) { [self] in
      AllDone(jobs, noticeQueue: queue) { [self] in timeline.mark("notice", place) }
    }
  }

  /// Adds `job` on a thread of its own, which must return.
  func add(
    _ job: AllDone.Job, to allDone: AllDone, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try mustReturn(
      "add", "It mustn't wait for the jobs: it submits one, and its caller goes on.",
      sourceLocation: sourceLocation
    ) { allDone.add(job) }
  }

  /// Where `who` ran, or the notice came, in order.
  func places(of who: String) -> [Timeline.Event.Kind] {
    timeline.events.filter { $0.who == who && $0.kind != .entered && $0.kind != .left }.map(\.kind)
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
    #expect(
      places(of: "notice").isEmpty, timeline.showing(sentence), sourceLocation: sourceLocation)
  }

  /// Waits for the notice, which must come once.
  func expectOneNotice(_ sentence: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let came = eventually(timeline.showing(sentence), sourceLocation: sourceLocation) {
      !places(of: "notice").isEmpty
    }
    guard came else { return }
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(
      places(of: "notice").count == 1,
      timeline.showing("The notice came \(places(of: "notice").count) times; it must come once."),
      sourceLocation: sourceLocation)
  }
}
