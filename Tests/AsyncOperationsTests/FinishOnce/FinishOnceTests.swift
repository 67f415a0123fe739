import Foundation
import KataTesting
import Testing

/// Proves that of all who end the operation one does, with its answer, and that the others learn that they
/// come too late.
@Suite(.serialized, .kata) struct FinishOnceTests {
  let timeline = Timeline()

  // MARK: - Once

  @Test func `finish ends it with its answer`() throws {
    let job = FirstAnswerJob()
    try start(job)
    #expect(
      job.operation.isExecuting && !job.operation.isFinished && job.operation.answer == nil,
      """
      Its work has begun and nobody has called finish: it must be executing and not finished; here \
      isExecuting=\(job.operation.isExecuting), isFinished=\(job.operation.isFinished).
      """)
    #expect(
      job.operation.isAsynchronous, "isAsynchronous must be true: its work outlives start().")
    let isFirst = try finish(job, "reply")
    expectEnd(of: job, with: "reply", "finish was called.")
    #expect(isFirst, "The first call of finish ended it, so it must return true.")
  }

  @Test func `the second finish has no effect`() throws {
    let job = FirstAnswerJob()
    try start(job)
    try finish(job, "reply")
    let isFirst = try finish(job, "timed out")
    #expect(
      !isFirst,
      """
      finish was called a second time and returned true, as if this call had ended the operation. \
      The reply has; who comes later must get false. Write finish(_:).
      """)
    expectEnd(
      of: job, with: "reply",
      "finish was called by the reply and then, a second time, when the time was up.")
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
      call must return true and the second false, and the answer stay "\(answers[0])"; here it's \
      \(isFirst), \(isSecond) and \(job.operation.answer.map { "\"\($0)\"" } ?? "nil").
      """)
  }

  @Test func `its work begins once, on the thread that starts it`() throws {
    let (starter, strays) = (ThreadMark(), SharedCounter())
    let job = FirstAnswerJob { _ in
      if !starter.isCurrent { strays.increment() }
    }
    #expect(
      job.begins.value == 0 && job.operation.answer == nil,
      "It was made and not started, and its work has begun or it has an answer.")
    try mustReturn("start()", "Is a lock held while it notifies or calls out?") {
      starter.note()
      job.operation.start()
    }
    #expect(job.begins.value == 1, "Its work must begin once, not \(job.begins.value) times.")
    #expect(
      strays.value == 0,
      "Its work was called on another thread than start(): call main() in start() itself.")
  }

  @Test func `who keeps finish keeps it`() throws {
    let (watch, handedOut) = try startedAndDropped()
    let finish = try #require(handedOut, "The work was never given finish.")
    // The thread that has started it lets go of it, too.
    runUntilQuiet()
    #expect(
      !watch.isGone,
      """
      It was started by hand and works, and nobody keeps it but the finish that it has handed out: \
      and it's gone. Let finish capture it strongly, so that it can end.
      """)
    #expect(try mustReturn("finish") { finish("reply") }, "The first call must return true.")
  }

  @Test func `when it has ended and nobody keeps finish, it goes`() throws {
    let watch = try mustReturn("start()") {
      // A `finish` that anything of the work's keeps would keep the operation.
      let operation = FirstAnswerOperation { finish in _ = finish("reply") }
      operation.start()
      return WeakReference(operation)
    }
    eventually(
      """
      It has ended, and nobody keeps it or the finish that it has handed out: and it's still in memory. \
      finish keeps the operation, so an operation that keeps its finish is never let go of.
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
        Whoever hears "did isFinished" looks for the answer and must find it; here it was \
        \(heard.value.map { $0 ?? "nil" }). Keep the answer first, or together with the change.
        """))
  }

  // MARK: - At the same moment

  // first thread           second thread
  // decides to finish it
  // sends a notice
  // waits inside it        calls finish
  //                        is told that it comes too late
  // goes on
  @Test(.observesKVO) func `finish has no effect while another announces the end`() throws {
    let job = FirstAnswerJob()
    try start(job)
    let (second, current) = (ThreadMark(), LockedValue("none"))
    let results = LockedValue<[FinishResult]>([])
    let operation = job.operation
    let probe = KVOProbe(operation) { announcement in
      // A wrong answer's second call announces too, and mustn't start a third.
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
      Inside the notice "\(current.value)", which the first finish sends, another thread asked for \
      the state and called finish, and waits: a lock is held, or a queue occupied, while the \
      notice is sent. Decide and change under the lock; notify when you have let go of it.
      """
    ) { first.hasReturned }
    guard returned else { return }
    #expect(
      results.value.winners.isEmpty && results.value.count > 0,
      probe.showing(
        """
        One thread had decided to finish the operation and was announcing it, when another called \
        finish and was told that it ended the operation. Decide in one step under the lock, and \
        leave a note there: looking at isFinished isn't enough, since it's still false.
        """))
    #expect(try first.result(), "The first call decided first, and must return true.")
    expectEnd(of: job, with: "reply", "Two threads called finish at the same moment.")
    expectOneEnd(in: probe)
  }

  @Test(.observesKVO) func `who hears of the end may call finish`() throws {
    let job = FirstAnswerJob()
    try start(job)
    let (calls, results) = (SharedCounter(), LockedValue<[FinishResult]>([]))
    let probe = KVOProbe(job.operation) { _ in
      // A wrong answer would come back here for ever.
      if calls.increment() < 5 {
        results.append(FinishResult("timed out", job.finish("timed out")))
      }
    }
    try finish(job, "reply")
    #expect(
      results.value.winners.isEmpty && results.value.count > 0,
      probe.showing(
        """
        An observer called finish inside a notice of the end, on the same thread, and was told \
        that it ended the operation. A recursive lock lets the same thread in again: a note under \
        the lock keeps it out.
        """))
    expectEnd(of: job, with: "reply", "An observer called finish while the end was announced.")
  }

  @Test func `of several threads one ends it`() throws {
    let job = FirstAnswerJob()
    try start(job)
    let results = LockedValue<[FinishResult]>([])
    let finish = try #require(job.handedOut, "The work was never given finish.")
    try TestThread.race("finish by thread", threads: 4) { thread in
      let answer = "answer \(thread + 1)"
      results.append(FinishResult(answer, finish(answer)))
    }
    #expect(
      results.value.winners.count == 1,
      """
      Four threads called finish at once, and \(results.value.winners.count) of them were told that \
      they ended the operation. It must be one.
      """)
    expectEnd(of: job, with: results.value.winners.first, "Four threads called finish at once.")
  }
}
