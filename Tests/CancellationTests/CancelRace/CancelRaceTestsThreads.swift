import AsyncOperations
import Foundation
import KataTesting
import Testing

extension CancelRaceTests {
  // MARK: - Many threads

  // one thread    another thread
  // settles it
  //               comes too late: only a lock of the answer orders the two
  @Test(arguments: CancelRaceCall.allCases, CancelRaceCall.allCases)
  func `one thread settles it, and another comes too late`(
    first: CancelRaceCall, second: CancelRaceCall
  ) throws {
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...6 { try comeTooLate(first, second) }
  }

  private func comeTooLate(_ first: CancelRaceCall, _ second: CancelRaceCall) throws {
    let reports = SharedCounter()
    let begun = LockedValue<OneOutcomeOperation.Complete?>(nil)
    let operation = OneOutcomeOperation { _ in
      reports.increment()
    } work: {
      begun.set($0)
    }
    try mustReturn("start()") { operation.start() }
    let complete = try #require(begun.value, "start() calls main(), which must call work.")
    let make: @Sendable (CancelRaceCall) -> Void = { call in
      if call == .cancel { operation.cancel() } else { complete { Data([7]) } }
    }
    try RelaxedRendezvous.meet("\(first.rawValue), then \(second.rawValue)") {
      make(first)
    } _: {
      make(second)
    }
    try #require(
      reports.value == 1 && operation.isFinished,
      """
      One thread called \(first.rawValue), then another called \(second.rawValue). There must be \
      one report, and the operation must be finished.
      """)
  }

  // one thread    another thread
  // settles it
  //               reads the outcome: only a lock of the answer orders the two
  @Test(arguments: CancelRaceCall.allCases)
  func `the outcome may be read on any thread`(call: CancelRaceCall) throws {
    // Several times, as above.
    for _ in 1...6 { try readOutcome(after: call) }
  }

  private func readOutcome(after call: CancelRaceCall) throws {
    let begun = LockedValue<OneOutcomeOperation.Complete?>(nil)
    let operation = OneOutcomeOperation { _ in
    } work: {
      begun.set($0)
    }
    try mustReturn("start()") { operation.start() }
    let complete = try #require(begun.value, "start() calls main(), which must call work.")
    let meeting = RelaxedRendezvous()
    let reader = meeting.looker("outcome") { operation.outcome != nil }
    let settler = TestThread(call.rawValue) {
      if call == .cancel { operation.cancel() } else { complete { Data([7]) } }
      meeting.changed()
    }
    try settler.result(timersInPlay: true)
    try #require(
      try reader.result(timersInPlay: true),
      "\(call.rawValue) had returned when another thread read the outcome, and it was nil.")
  }
}
