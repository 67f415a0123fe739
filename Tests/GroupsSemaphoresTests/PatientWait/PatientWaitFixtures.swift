import Dispatch
import Foundation
import KataTesting
import Testing

/// A moment that a spec's deadline may tell.
///
/// No spec waits for time: a moment that is long over ends a wait at once, unless the jobs are done;
/// and one that never comes leaves only the jobs to end it.
enum Moment: Sendable {
  case longOver
  case never

  var time: DispatchTime {
    switch self {
    case .longOver: DispatchTime(uptimeNanoseconds: 1)
    case .never: .distantFuture
    }
  }
}

/// A deadline that tells the moments that the spec put down, and remembers what it was asked.
final class ToldDeadline: Sendable, OpaqueMirror {
  private let lock = NSLock()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var moments: [Moment] = []
  private nonisolated(unsafe) var questions: [Double] = []
  private nonisolated(unsafe) var gate: Gate?  // Safe: as above.

  /// The seconds of every question so far.
  var asked: [Double] { lock.withLock { questions } }

  /// The next question gets this answer; one that nothing was put down for gets `never`.
  ///
  /// Whoever asks it has to wait for the answer until `gate` opens.
  func tellNext(_ moment: Moment, behind gate: Gate? = nil) {
    lock.withLock {
      moments = [moment]
      self.gate = gate
    }
  }

  func tell(_ seconds: Double) -> DispatchTime {
    let (moment, gate) = lock.withLock {
      questions.append(seconds)
      defer { self.gate = nil }
      return (moments.isEmpty ? Moment.never : moments.removeFirst(), self.gate)
    }
    gate?.wait()
    return moment.time
  }
}

/// A wait whose deadlines the spec tells, and jobs for it that show on a timeline.
final class WaitingRoom: Sendable, OpaqueMirror {
  let timeline = Timeline()
  let deadline = ToldDeadline()
  let wait: PatientWait
  private let queues =
    (1...3).map { DispatchQueue(label: "katas.spec.patient-wait.queue-\($0)") }
    + [DispatchQueue(label: "katas.spec.patient-wait.queue-4", attributes: .concurrent)]
  private let key = DispatchSpecificKey<Int>()

  init() {
    wait = PatientWait { [deadline] seconds in deadline.tell(seconds) }
    for (index, queue) in queues.enumerated() { queue.setSpecific(key: key, value: index + 1) }
  }

  /// The queue of this number, from 1; number 4 is concurrent, the others are serial.
  func queue(_ number: Int) -> DispatchQueue { queues[number - 1] }

  /// Runs a job that is inside until `gate` opens.
  func run(
    _ name: String, on number: Int, until gate: Gate? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let queue = queue(number)
    try mustReturn(
      "run", "It submits a job and its caller goes on: only wait may wait.",
      sourceLocation: sourceLocation
    ) { [self] in
      wait.run(on: queue) { [self] in
        timeline.visit(name) {
          if DispatchQueue.getSpecific(key: key) != number {
            timeline.mark(name, "on a wrong queue")
          }
          gate?.wait()
        }
      }
    }
  }

  /// Runs a job that stays inside until `gate` opens, and waits until it is.
  func runAndBegin(
    _ name: String, on number: Int, until gate: Gate,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try run(name, on: number, until: gate, sourceLocation: sourceLocation)
    try #require(
      eventually(
        timeline.showing("\(name) was submitted to an idle queue, and never began."),
        sourceLocation: sourceLocation
      ) { timeline.isInside(name) },
      sourceLocation: sourceLocation)
  }

  /// A wait that begins on a thread of its own, with a deadline at `moment`.
  ///
  /// Returns when nothing more happens: the wait has its answer by then, or the jobs hold it, or its
  /// deadline is behind `gate`.
  func beginWait(
    atMost seconds: Double = 5, until moment: Moment, behind gate: Gate? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> TestThread<PatientWait.Outcome> {
    deadline.tellNext(moment, behind: gate)
    let waiter = TestThread("wait") { [wait] in wait.wait(atMost: seconds) }
    runUntilQuiet(sourceLocation: sourceLocation)
    return waiter
  }

  /// The outcome of a wait that must come back: its time is over, or the jobs are done.
  func outcome(
    atMost seconds: Double = 5, until moment: Moment, advice: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> PatientWait.Outcome {
    try beginWait(atMost: seconds, until: moment, sourceLocation: sourceLocation)
      .result(Comment(rawValue: advice), sourceLocation: sourceLocation)
  }

  /// Waits until everything that was begun has ended.
  func expectEnds(of names: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    eventually(
      timeline.showing("These must run to their end: \(names.joined(separator: ", "))."),
      sourceLocation: sourceLocation
    ) { Set(names).isSubset(of: timeline.orderOfLeaving) }
    // It has left; its block may still have to return.
    runUntilQuiet(sourceLocation: sourceLocation)
  }
}
