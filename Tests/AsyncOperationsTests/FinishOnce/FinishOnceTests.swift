import Foundation
import KataTesting
import Testing

/// Proves that of several calls of `finish` one ends the operation, with its answer, and that the
/// others learn that they are too late.
@Suite(.serialized, .kata) struct FinishOnceTests {
  let timeline = Timeline()

  // MARK: - Once

  @Test func `finish ends it with its answer`() throws {
    let job = FirstAnswerJob()
    try start(job)
    #expect(
      job.operation.isExecuting && !job.operation.isFinished && job.operation.answer == nil,
      """
      Its work has begun and finish hasn't been called: it must be executing and not finished; \
      here isExecuting=\(job.operation.isExecuting), isFinished=\(job.operation.isFinished).
      """)
    #expect(
      job.operation.isAsynchronous, "isAsynchronous must be true: its work may outlast start().")
    let isFirst = try finish(job, "reply")
    expectEnd(of: job, with: "reply", "finish was called.")
    #expect(isFirst, "The first call of finish ended it, so it must return true.")
  }

  @Test func `the second finish has no effect`() throws {
    let job = FirstAnswerJob()
    try start(job)
    try finish(job, "reply")
    let late = try (2...300).first { _ in try finish(job, "timed out") }
    #expect(
      late == nil,
      """
      finish was called for the \(late == 2 ? "second" : "\(late ?? 0)th") time and returned true, \
      as if this call had ended the operation. The first call has; every later one must return \
      false. Write finish(_:).
      """)
    expectEnd(
      of: job, with: "reply", "finish was called by the reply and then, 299 times, by timeouts.")
  }

  @Test(arguments: [["reply", "reply"], ["", "timed out"], ["", ""]])
  func `the second finish has no effect, whatever the answers`(answers: [String]) throws {
    let job = FirstAnswerJob()
    try start(job)
    let isFirst = try finish(job, answers[0])
    let isSecond = try finish(job, answers[1])
    #expect(
      isFirst && !isSecond && job.operation.answer == answers[0],
      """
      finish was called with "\(answers[0])", and a second time with "\(answers[1])". The first \
      call must return true and the second false, and the answer must stay "\(answers[0])"; here \
      it's \(isFirst), \(isSecond) and \(job.operation.answer.map { "\"\($0)\"" } ?? "nil").
      """)
  }

  @Test func `its work begins once, on the thread that starts it`() throws {
    let (starter, strays) = (ThreadMark(), SharedCounter())
    let job = FirstAnswerJob { _ in
      if !starter.isCurrent { strays.increment() }
    }
    #expect(
      job.begins.value == 0 && job.operation.answer == nil,
      "It was created but not started, and its work has begun or it has an answer.")
    try mustReturn("start()", "Is a lock held while it notifies or calls a closure?") {
      starter.note()
      job.operation.start()
    }
    #expect(job.begins.value == 1, "Its work must begin once, not \(job.begins.value) times.")
    #expect(
      strays.value == 0,
      "Its work was called on another thread than start(): call main() in start() itself.")
  }

  @Test func `finish retains it`() throws {
    let (watch, handedOut) = try startedAndDropped()
    let finish = try #require(handedOut, "The work never received finish.")
    // The thread that has started it releases it, too.
    runUntilQuiet()
    #expect(
      !watch.isGone,
      """
      It was started by hand and is working, and only the finish that its work received may retain \
      it, but it was freed. Let finish capture it strongly, so that it can end.
      """)
    #expect(try mustReturn("finish") { finish("reply") }, "The first call must return true.")
  }

  @Test func `when it has ended and finish is released, it is freed`() throws {
    let watch = try mustReturn("start()") {
      // A `finish` that the work stored would retain the operation.
      let operation = FirstAnswerOperation { finish in _ = finish("reply") }
      operation.start()
      return WeakReference(operation)
    }
    eventually(
      """
      It has ended, and neither it nor its finish is used any more, but it's still in memory. \
      finish retains the operation, so an operation that retains its own finish is never freed.
      """
    ) { watch.isGone }
  }

  func startedAndDropped() throws -> (
    WeakReference<FirstAnswerOperation>, FirstAnswerOperation.Finish?
  ) {
    let job = FirstAnswerJob()
    try start(job)
    return (WeakReference(job.operation), job.handedOut)
  }

  @Test func `finish called twice inside the work ends it once`() throws {
    let results = LockedValue<[FinishResult]>([])
    let job = FirstAnswerJob { finish in
      for answer in ["reply", "timed out"] { results.append(FinishResult(answer, finish(answer))) }
    }
    try start(job)
    #expect(
      results.value.winners == ["reply"],
      "finish was called twice inside the work: only the first call may return true.")
    expectEnd(of: job, with: "reply", "finish was called twice inside the work.")
  }

  // MARK: - What is announced

  @Test(.observesKVO) func `the end is announced once`() throws {
    let job = FirstAnswerJob()
    try start(job)
    let probe = KVOProbe(job.operation)
    try finish(job, "reply")
    try finish(job, "timed out")
    expectOneEnd(in: probe)
  }

  @Test(.observesKVO) func `the answer is there when the end is announced`() throws {
    let job = FirstAnswerJob()
    try start(job)
    let heard = LockedValue<[String?]>([])
    let operation = job.operation
    let probe = KVOProbe(operation) {
      if $0 == .did(.isFinished), operation.isFinished { heard.append(operation.answer) }
    }
    try finish(job, "reply")
    #expect(
      !heard.value.isEmpty && heard.value.allSatisfy { $0 == "reply" },
      probe.showing(
        """
        Inside "did isFinished" an observer reads the answer and must find it; here it was \
        \(heard.value.map { $0 ?? "nil" }). Store the answer first, or together with the change.
        """))
  }

  // MARK: - At the same moment

  // first thread           second thread
  // decides to finish it
  // sends a notice
  // waits inside it        calls finish
  //                        learns that it's too late
  // continues
  @Test(.observesKVO) func `finish has no effect while another call announces the end`() throws {
    let job = FirstAnswerJob()
    try start(job)
    let (second, current) = (ThreadMark(), LockedValue("none"))
    let results = LockedValue<[FinishResult]>([])
    let operation = job.operation
    let probe = KVOProbe(operation) { announcement in
      // In a wrong answer the second call announces too, and mustn't start a third.
      guard !second.isCurrent else { return }
      current.set("\(announcement)")
      onAnotherThread("second thread") {
        second.note()
        _ = (operation.isExecuting, operation.isFinished, operation.answer)
        results.append(FinishResult("timed out", job.finish("timed out")))
      }
      current.set("none")
    }
    let first = TestThread("finish") { job.finish("reply") }
    let returned = eventually(
      """
      Inside the notice "\(current.value)", which the first finish sends, another thread read the \
      state and called finish, and waits: a lock is held, or a queue occupied, while the notice is \
      sent. Decide and change under the lock, and send notices only when you have released it.
      """
    ) { first.hasReturned }
    guard returned else { return }
    #expect(
      results.value.winners.isEmpty && results.value.count > 0,
      probe.showing(
        """
        One call of finish was announcing the end when another thread called finish, which must \
        return false; it returned true. Decide in one step under the lock, and set a flag there: a \
        check of isFinished isn't enough, because it's still false.
        """))
    #expect(try first.result(), "The first call decided first, so it must return true.")
    expectEnd(of: job, with: "reply", "Two threads called finish at the same moment.")
    expectOneEnd(in: probe)
  }

  @Test(.observesKVO) func `an observer of the end may call finish`() throws {
    let job = FirstAnswerJob()
    try start(job)
    let (calls, results) = (SharedCounter(), LockedValue<[FinishResult]>([]))
    let probe = KVOProbe(job.operation) { _ in
      // A wrong answer would recurse here forever.
      if calls.increment() < 5 {
        results.append(FinishResult("timed out", job.finish("timed out")))
      }
    }
    try finish(job, "reply")
    #expect(
      results.value.winners.isEmpty && results.value.count > 0,
      probe.showing(
        """
        An observer called finish inside a notice of the end, on the same thread, which must \
        return false; it returned true. A recursive lock lets its own thread in again: a flag \
        under the lock keeps it out.
        """))
    expectEnd(of: job, with: "reply", "An observer called finish while the end was announced.")
  }

  @Test func `if several threads call finish, one of them ends it`() throws {
    let job = FirstAnswerJob()
    try start(job)
    let results = LockedValue<[FinishResult]>([])
    let finish = try #require(job.handedOut, "The work never received finish.")
    try TestThread.race("finish by thread", threads: 4) { thread in
      let answer = "answer \(thread + 1)"
      results.append(FinishResult(answer, finish(answer)))
    }
    #expect(
      results.value.winners.count == 1,
      """
      Four threads called finish at once, and \(results.value.winners.count) of the calls returned \
      true. It must be one.
      """)
    expectEnd(of: job, with: results.value.winners.first, "Four threads called finish at once.")
  }
}
