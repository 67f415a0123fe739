import Foundation
import KataTesting
import Testing

/// Proves that an operation cancelled before its turn still finishes and never works.
///
/// One cancelled later works on until finish is called. onCancel is called once, unless the
/// operation is over.
@Suite(.serialized, .kata) struct CancelBeforeStartTests {
  let timeline = Timeline()

  @Test func `started, it works until finish is called`() throws {
    let job = CancellableJob("job", on: timeline)
    try mustReturn("start()") { job.operation.start() }
    #expect(
      timeline.entries(of: "job") == 1,
      "It wasn't cancelled, so start() must call main(), which calls the work, once.")
    #expect(
      job.operation.isExecuting && !job.operation.isFinished,
      "The work goes on, so the operation must be executing and not finished.")
    try job.end()
    #expect(
      !job.operation.isExecuting && job.operation.isFinished,
      "The work has called finish: the operation must be finished and not executing.")
  }

  @Test func `it says that its work goes on after start`() throws {
    let job = CancellableJob("job", on: timeline)
    #expect(
      job.operation.isAsynchronous,
      "isAsynchronous must be true: the work may go on after start() has returned.")
  }

  @Test func `started a second time, it doesn't work again`() throws {
    let job = CancellableJob("job", on: timeline)
    for _ in 1...2 { try mustReturn("start()") { job.operation.start() } }
    #expect(
      timeline.entries(of: "job") == 1 && job.operation.isExecuting && !job.operation.isFinished,
      timeline.showing(
        """
        start() was called twice; the work must begin once, and go on. Check that change(from:to:) \
        has made the change before you call main().
        """))
    try job.end()
    try mustReturn("start()") { job.operation.start() }
    #expect(
      timeline.entries(of: "job") == 1 && job.operation.isFinished && !job.operation.isExecuting,
      timeline.showing("It was over when start() was called once more, and must stay over."))
  }

  @Test(.observesKVO) func `its start and its end are announced, once each`() throws {
    let job = CancellableJob("job", on: timeline)
    let probe = KVOProbe(job.operation)
    try mustReturn("start()") { job.operation.start() }
    #expect(
      probe.notices(of: .will(.isExecuting)).map(\.isExecuting) == [false]
        && probe.notices(of: .did(.isExecuting)).map(\.isExecuting) == [true],
      probe.showing(
        """
        It was started, and must announce "isExecuting" around the change. change(from:to:) does \
        that.
        """))
    try job.end()
    // The work calls finish a second time.
    try mustReturn("finish") { job.endIfBegun() }
    runUntilQuiet()
    let ends = probe.notices(of: .did(.isFinished)).count { $0.isFinished }
    #expect(
      ends == 1 && job.completions == 1,
      probe.showing(
        """
        The work called finish twice. The end must be announced once, and was announced \(ends) \
        times; the completion block was called \(job.completions) times.
        """))
  }

  // MARK: - What cancel does

  @Test func `cancel is seen at once`() throws {
    let job = CancellableJob("job", on: timeline)
    try job.cancel()
    #expect(
      job.operation.isCancelled,
      """
      cancel() has returned and isCancelled is false, so neither start() nor Foundation knows of \
      the cancellation. An override must call super.cancel().
      """)
    #expect(
      !job.operation.isFinished,
      """
      cancel() has finished an operation that hasn't been started. A queue traps when such an \
      operation is added to it. cancel() is only a request; start() must finish the operation when \
      its turn comes.
      """)
  }

  @Test func `cancel is passed on once, on the thread that cancels`() throws {
    let canceller = ThreadMark()
    let toldByCanceller = LockedValue<[Bool]>([])
    let job = CancellableJob("job", on: timeline) { _ in
      toldByCanceller.append(canceller.isCurrent)
    }
    try mustReturn("cancel()") {
      canceller.note()
      job.operation.cancel()
    }
    #expect(
      toldByCanceller.value == [true],
      """
      cancel() must call onCancel once, on the calling thread and before it returns: onCancel may \
      have something to stop. That holds before the start too.
      """)
    #expect(
      job.cancellations.allSatisfy { $0 },
      "When onCancel was called, isCancelled was still false: call super.cancel() first.")
    try job.cancel()
    #expect(
      job.cancellations.count == 1,
      "cancel() was called a second time, and onCancel too: it must be called once.")
  }

  @Test func `onCancel may call the operation`() throws {
    let calls = SharedCounter()
    let job = CancellableJob("job", on: timeline) { operation in
      _ = (operation.isExecuting, operation.isFinished)
      calls.increment()
      // Only once: an answer that passes on every call would never return.
      if calls.value == 1 { operation.cancel() }
    }
    try mustReturn(
      "cancel()", "onCancel reads the operation's state: release the lock before you call it."
    ) { job.operation.cancel() }
    #expect(job.cancellations.count == 1, "onCancel called cancel(), and was called again by it.")
  }
}
