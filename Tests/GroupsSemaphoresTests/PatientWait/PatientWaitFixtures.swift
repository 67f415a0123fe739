import Dispatch
import Foundation
import KataTesting
import Testing

// The moments that a spec's deadline returns.
//
// No spec waits for time to pass: a moment that is long past ends a wait at once, unless the jobs are
// done; with one that never comes, only the jobs can end it.
extension DispatchTime {
  static let longOver = DispatchTime(uptimeNanoseconds: 1)
  static let never = DispatchTime.distantFuture
}

/// A wait whose deadlines the spec chooses, and jobs for it; a timeline shows both.
final class WaitingRoom: Sendable, OpaqueMirror {
  let timeline = Timeline()
  let wait: PatientWait
  /// The seconds that the deadline was called with so far.
  let asked: LockedValue<[Double]>
  /// What the next call of the deadline returns, and the gate at which it waits before.
  private let told: LockedValue<(DispatchTime, behind: Gate?)>
  private let waits = SharedCounter()
  /// The jobs that didn't run on their queues.
  let strays = LockedValue<[String]>([])
  private let places = Places([:])
  private let queues = (1...4).map {
    DispatchQueue(
      label: "katas.spec.patient-wait.queue-\($0)", attributes: $0 == 4 ? .concurrent : [])
  }

  init() {
    let (asked, told) = (
      LockedValue<[Double]>([]), LockedValue((DispatchTime.never, behind: Gate?.none))
    )
    (self.asked, self.told) = (asked, told)
    wait = PatientWait { seconds in
      asked.append(seconds)
      let (moment, gate) = told.value
      told.set((.never, behind: nil))
      gate?.wait()
      return moment
    }
    for (index, queue) in queues.enumerated() { places.mark(queue, "queue \(index + 1)") }
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
      "run", "It submits a job and returns: only wait may block.",
      sourceLocation: sourceLocation
    ) { [self] in
      wait.run(on: queue) { [self] in
        timeline.visit(name) {
          if places.current != "queue \(number)" { strays.append(name) }
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
  /// Returns when no thread runs any more: by then the wait has returned, or waits for the jobs, or its
  /// deadline waits at `gate`.
  func beginWait(
    atMost seconds: Double = 5, until moment: DispatchTime, behind gate: Gate? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> TestThread<PatientWait.Outcome> {
    told.set((moment, behind: gate))
    let name = "wait \(waits.increment())"
    let waiter = timeline.asks(name) { [wait, timeline] in
      let outcome = wait.wait(atMost: seconds)
      timeline.visit(name) {}
      return outcome
    }
    runUntilQuiet(sourceLocation: sourceLocation)
    return waiter
  }

  /// The outcome of a wait that must return: its deadline has passed, or the jobs are done.
  func outcome(
    atMost seconds: Double = 5, until moment: DispatchTime,
    advice: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> PatientWait.Outcome {
    try beginWait(atMost: seconds, until: moment, sourceLocation: sourceLocation)
      .result(Comment(rawValue: advice()), sourceLocation: sourceLocation)
  }

  /// Waits until the jobs with these names have ended.
  func expectEnds(of names: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    eventually(
      timeline.showing("These must run to their end: \(names.joined(separator: ", "))."),
      sourceLocation: sourceLocation
    ) { Set(names).isSubset(of: timeline.orderOfLeaving) }
    // The job has ended; its block may still have to return.
    runUntilQuiet(sourceLocation: sourceLocation)
  }
}
