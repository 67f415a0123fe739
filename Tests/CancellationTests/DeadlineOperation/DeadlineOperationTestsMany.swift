import AsyncOperations
import Foundation
import KataTesting
import Testing

extension DeadlineOperationTests {
  // MARK: - Many

  @Test func `a hundred of them work on one thread`() throws {
    let jobs = (0..<100).map { _ in DeadlineJob() }
    let threadsBefore = processThreadCount()
    try mustReturn(
      "start(), a hundred times on one thread,", "main() has to begin the work and to return."
    ) { for job in jobs { job.operation.start() } }
    runUntilQuiet()
    #expect(
      jobs.allSatisfy { $0.works == 1 && $0.operation.isExecuting },
      "One thread has started a hundred of them; all of them must be at work at once.")
    if let threadsBefore, let threadsNow = processThreadCount() {
      #expect(
        threadsNow < threadsBefore + 50,
        """
        A hundred of them are at work, and the process has \(threadsNow - threadsBefore) threads \
        more than before. No thread has to wait until the time is up: the timer calls its action.
        """)
    }
    try mustReturn("the ends of a hundred") {
      for (index, job) in jobs.enumerated() { job.make(DeadlineCall.allCases[index % 3]) }
    }
    runUntilQuiet()
    #expect(
      jobs.enumerated().allSatisfy { index, job in
        job.operation.isFinished && job.outcome == DeadlineCall.allCases[index % 3].outcome
      },
      "A third had to be completed, a third timed out, a third cancelled, and they aren't.")
  }

  @Test func `the timer of Dispatch ends it`() throws {
    let stops = SharedCounter()
    let operation = DeadlineOperation(deadline: 0.1) { _ in { stops.increment() } }
    let queue = OperationQueue()
    queue.addOperation(operation)
    eventually("It has a tenth of a second, and it never ends.", timersInPlay: true) {
      operation.isFinished && stops.value == 1
    }
    #expect(
      DeadlineJob.name(of: operation.outcome) == "timed out",
      "Its time is up, and the outcome isn't timedOut.")
  }

  // one thread    another thread
  // settles it
  //               comes too late: only a lock of the answer orders the two
  @Test(arguments: DeadlineCall.allCases, DeadlineCall.allCases)
  func `one thread settles it, and another comes too late`(
    first: DeadlineCall, second: DeadlineCall
  ) throws {
    // Several times, for Thread Sanitizer misses one pair of accesses in a while.
    for _ in 1...4 {
      let calls = try DeadlineBareCalls()
      try RelaxedRendezvous.meet("\(first.rawValue), then \(second.rawValue)") {
        calls.make(first)
      } _: {
        calls.make(second)
      }
      try #require(
        calls.operation.isFinished
          && DeadlineJob.name(of: calls.operation.outcome) == first.outcome,
        "One thread called \(first.rawValue), then another \(second.rawValue): the first settles."
      )
    }
  }

  // its start          another thread
  // sets the timer,
  // or begins the work
  //                    cancels it: only a lock of the answer orders the two
  // keeps the closure that undoes it, or calls it
  @Test(arguments: DeadlineBeginning.allCases)
  func `cancelled by another thread while it begins, it undoes what it has begun`(
    moment: DeadlineBeginning
  ) throws {
    // Several times, as above.
    for _ in 1...4 {
      let meeting = RelaxedRendezvous()
      let timerCancels = SharedCounter()
      let stops = SharedCounter()
      let operation = DeadlineOperation(
        deadline: 5,
        schedule: { _, _ in
          if moment == .settingTimer { meeting.changed() }
          return { timerCancels.increment() }
        }
      ) { _ in
        if moment == .beginningWork { meeting.changed() }
        return { stops.increment() }
      }
      let canceller = meeting.looker("cancel()") { operation.cancel() }
      let starter = TestThread("start()") { operation.start() }
      try starter.result(timersInPlay: true)
      try canceller.result(timersInPlay: true)
      try #require(
        DeadlineJob.name(of: operation.outcome) == "cancelled" && operation.isFinished,
        "It was cancelled while it began: it must be cancelled and finished.")
      guard meeting.didMeet else { continue }
      try #require(
        timerCancels.value > 0 && stops.value == (moment == .beginningWork ? 1 : 0),
        """
        It was cancelled while \(moment). The timer was cancelled \(timerCancels.value) times, and \
        the work stopped \(stops.value) times. A closure that you receive too late to keep must be \
        called at once.
        """)
    }
  }

  // one thread    another thread
  // settles it
  //               reads the outcome: only a lock of the answer orders the two
  @Test(arguments: DeadlineCall.allCases)
  func `the outcome may be read on any thread`(call: DeadlineCall) throws {
    for _ in 1...6 {
      let calls = try DeadlineBareCalls()
      let meeting = RelaxedRendezvous()
      let reader = meeting.looker("outcome") { calls.operation.outcome != nil }
      let settler = TestThread(call.rawValue) {
        calls.make(call)
        meeting.changed()
      }
      try settler.result(timersInPlay: true)
      try #require(
        try reader.result(timersInPlay: true),
        "\(call.rawValue) had returned when another thread read the outcome, and it was nil.")
    }
  }
}
