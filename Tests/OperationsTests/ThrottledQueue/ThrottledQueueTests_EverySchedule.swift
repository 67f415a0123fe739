import Dispatch
import Foundation
import KataTesting
import Testing

extension ThrottledQueueTests {
  // MARK: - Every schedule

  @Test func `in every schedule it runs if there are as many resumes as pauses`() {
    let (pause, resume) = (Self.pause, Self.resume)
    // The queue is paused already, so its last pause may be taken back by two resumes.
    let threads = [
      [[pause], [resume]],
      [[pause], [resume, resume]],
      [[pause, resume], [resume, resume]],
      [[pause], [resume], [resume]],
      [[pause, resume], [pause, resume]],
      [[pause], [pause], [resume]],
    ]
    explore(threads.map { Scenario(Self.subject(pauses: 1), threads: $0) })
  }

  // one thread     another thread
  // pause
  //                pause
  //                adds an operation: it must not begin
  @Test func `in every schedule no operation begins after a pause`() {
    let job = ModelledCall<PausedQueue, Int>("an operation that is added and waited for") {
      $0.runJob()
    } step: { pauses in
      pauses == 0 ? .returns : .waits
    }
    explore([Scenario(Self.subject(pauses: 0), threads: [[Self.pause], [Self.pause, job]])])
  }

  @Test func `in every schedule the main queue is refused, and no other`() {
    typealias Call = ModelledCall<NewQueues, Void>
    let onMain = Call("init(underlyingQueue: the main queue)") {
      $0.create(on: .main)
    } model: { _ in
      "refused"
    }
    let onOther = Call("init(underlyingQueue: another queue)") {
      $0.create(on: DispatchQueue(label: "com.example.database"))
    } model: { _ in
      "accepted"
    }
    let subject = ModelledSubject(model: (), { NewQueues() })
    explore([
      Scenario(subject, threads: [[onMain], [onMain]]),
      Scenario(subject, threads: [[onMain], [onOther]]),
    ])
  }

  static let calls = CallList(subject(pauses: 1), calls: [pause, resume])

  private static let pause = ModelledCall<PausedQueue, Int>("pause()") {
    $0.queue.pause()
  } model: { pauses in
    pauses += 1
  }

  private static let resume = ModelledCall<PausedQueue, Int>("resume()") {
    $0.queue.resume()
  } model: { pauses in
    pauses = max(0, pauses - 1)
  }

  // Paused once, two calls show the effect of a pause and a resume at the same moment.
  private static func subject(pauses: Int) -> ModelledSubject<PausedQueue, Int> {
    ModelledSubject(
      model: pauses, { PausedQueue(pauses: pauses) },
      end: { $0.runsNow ? "it runs" : "it's paused" },
      modelEnd: { $0 == 0 ? "it runs" : "it's paused" },
      tearDown: { $0.queue.isSuspended = false })
  }
}

final class PausedQueue: Sendable, OpaqueMirror {
  let queue: ThrottledQueue

  init(pauses: Int) {
    do {
      queue = try ThrottledQueue(name: "com.example.spec", limit: 2)
    } catch {
      preconditionFailure("a queue with the limit 2 was refused: \(error)")
    }
    for _ in 0..<pauses { queue.pause() }
  }

  /// Adds an operation and waits until it has finished.
  func runJob() {
    let job = BlockOperation {}
    queue.addOperation(job)
    job.waitUntilFinished()
  }

  /// Whether an operation that is added now finishes.
  var runsNow: Bool { !TestThread("a job in the end") { self.runJob() }.isBlocked() }
}

/// Queues that threads create, each its own.
private struct NewQueues: Sendable {
  /// Creates a queue, and says whether its underlying queue was accepted.
  func create(on underlyingQueue: DispatchQueue) -> String {
    do {
      _ = try ThrottledQueue(name: "com.example.spec", limit: 1, underlyingQueue: underlyingQueue)
      return "accepted"
    } catch {
      return "refused"
    }
  }
}
