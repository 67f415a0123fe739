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
        more than before. Nobody has to wait for the time to pass: the timer calls.
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
      "Of a hundred, a third completed, a third timed out and a third was cancelled, it says not.")
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
  //               comes too late: nothing but a lock of the answer's orders the two
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
        "One thread called \(first.rawValue), then another \(second.rawValue): the first one settles."
      )
    }
  }

  // its start          another thread
  // sets the timer,
  // or begins the work
  //                    cancels it: nothing but a lock of the answer's orders the two
  // keeps how to undo that, or does it
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
        "It was cancelled while it was begun: it must be cancelled and finished.")
      guard meeting.didMeet else { continue }
      try #require(
        timerCancels.value > 0 && stops.value == (moment == .beginningWork ? 1 : 0),
        """
        It was cancelled while \(moment). The timer was cancelled \(timerCancels.value) times, and \
        the work told to stop \(stops.value) times. What comes too late to be kept must be undone at \
        once.
        """)
    }
  }

  // one thread    another thread
  // settles it
  //               reads the outcome: nothing but a lock of the answer's orders the two
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
        "\(call.rawValue) had returned when another thread asked for the outcome, and got nil.")
    }
  }
}
