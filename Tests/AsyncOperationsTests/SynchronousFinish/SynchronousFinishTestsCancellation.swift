import Foundation
import KataTesting
import Testing

extension SynchronousFinishTests {
  // MARK: - Cancelled

  @Test func `cancelled and then started, it ends without calling cached`() throws {
    let job = CachedLoadJob(.atHand)
    try mustReturn("cancel()") { job.operation.cancel() }
    #expect(
      !job.operation.isFinished && job.operation.isCancelled,
      """
      It was cancelled and hasn't been started. isCancelled must be true and isFinished false: \
      only start() may finish an operation that never began.
      """)
    try start(job)
    #expect(job.looks == 0, "It was cancelled before its start, so main() must not be called.")
    #expect(
      job.operation.isFinished && !job.operation.isExecuting && job.operation.data == nil,
      """
      It was cancelled before its start and has been started now. No data will come to end it, so \
      start() must leave it finished, not executing, without data.
      """)
  }

  @Test(.observesKVO) func `cancelled and then started, its end is announced`() throws {
    let job = CachedLoadJob(.atHand)
    try mustReturn("cancel()") { job.operation.cancel() }
    let probe = KVOProbe(job.operation)
    try start(job)
    let wills = probe.notices(of: .will(.isFinished)).map(\.isFinished)
    let dids = probe.notices(of: .did(.isFinished)).map(\.isFinished)
    #expect(
      wills == [false] && dids == [true],
      probe.showing(
        """
        It was cancelled, and its start has ended it. This end must be announced like any other: \
        one "will isFinished", inside which it's false, and one "did isFinished", inside which \
        it's true.
        """))
    #expect(
      probe.notices.allSatisfy { !$0.isExecuting },
      probe.showing("It was cancelled before its start, so no notice may show it executing."))
  }

  // queue           operation
  // suspended       waits
  //                 cancelled
  //                 must wait
  // continues
  //                 is finished
  @Test func `cancelled in its queue, it ends when its queue starts it`() throws {
    let job = CachedLoadJob(.atHand)
    let queue = OperationQueue()
    queue.isSuspended = true
    queue.addOperation(job.operation)
    try mustReturn("cancel()") { job.operation.cancel() }
    runUntilQuiet()
    #expect(
      !job.operation.isFinished,
      "It is finished before its queue has started it. cancel() is a request; start() ends it.")
    queue.isSuspended = false
    expectDrained(queue, "The queue has started a cancelled operation: start() must finish it.")
    #expect(job.looks == 0, "It was cancelled before its start, so main() must not be called.")
  }

  @Test func `cancelled while it loads, it goes on until the data comes`() throws {
    let job = CachedLoadJob(.later)
    try start(job)
    try mustReturn("cancel()") { job.operation.cancel() }
    #expect(
      job.operation.isExecuting && !job.operation.isFinished,
      """
      It was cancelled while its data was loading, and no longer counts as executing: dependents \
      would begin beside work that is still running. cancel() is only a request.
      """)
    try deliver(to: job)
    expectEnd(of: job, "It was cancelled, and then the data arrived.")
  }

  // cached         load
  // cancels it
  //                must be called
  @Test func `cancelled inside cached, it still loads`() throws {
    let job = CachedLoadJob(.later) { $0.cancel() }
    try start(job)
    #expect(
      job.loads == 1 && job.operation.isExecuting && !job.operation.isFinished,
      """
      It was cancelled inside cached, after its start. It must continue and load the data: load \
      was called \(job.loads) times, isFinished=\(job.operation.isFinished).
      """)
    try deliver(to: job)
    expectEnd(of: job, "It was cancelled inside cached, and then the data arrived.")
  }

  // MARK: - Ownership

  @Test func `the completion retains it`() throws {
    let kept = LockedValue<[CachedLoadOperation.Completion]>([])
    let watch = try startedAndDropped(kept)
    // The thread that has started it releases it, too.
    runUntilQuiet()
    #expect(
      !watch.isGone,
      """
      It was started by hand and is loading, and only its completion may retain it, but it was \
      freed. Let the completion capture it strongly, so that it can end.
      """)
    try mustReturn("completion") {
      for completion in kept.value { completion(CachedLoadJob.data) }
    }
    #expect(
      watch.value?.isFinished ?? true, "The data has arrived, so it must be finished.")
  }

  private func startedAndDropped(
    _ kept: LockedValue<[CachedLoadOperation.Completion]>
  ) throws -> WeakReference<CachedLoadOperation> {
    let operation = CachedLoadOperation {
      nil
    } load: {
      kept.append($0)
    }
    try mustReturn("start()") { operation.start() }
    return WeakReference(operation)
  }

  // MARK: - Many threads

  // working thread            another thread
  // changes the state
  // begins to announce it     reads it: only a lock in the answer orders the two
  // goes on
  @Test(.observesKVO) func `its state may be read while it starts`() throws {
    let job = CachedLoadJob(.later)
    let operation = job.operation
    try meetInsideNotice(
      of: operation, "start()", { operation.start() },
      "isExecuting", { _ = operation.isExecuting })
    #expect(operation.isExecuting, "start() has returned, so isExecuting must be true.")
  }

  @Test(.observesKVO) func `its state may be read while it finishes`() throws {
    try call("isFinished", whileItFinishes: { _ = $0.operation.isFinished })
  }

  @Test(.observesKVO) func `its data may be read while it finishes`() throws {
    try call("data", whileItFinishes: { _ = $0.operation.data })
  }

  @Test(.observesKVO) func `the second data may come while it finishes`() throws {
    try call("the second completion", whileItFinishes: { $0.deliver(Data("another".utf8)) })
  }

  private func call(
    _ name: String, whileItFinishes look: @escaping @Sendable (CachedLoadJob) -> Void
  ) throws {
    let job = CachedLoadJob(.later)
    try start(job)
    try meetInsideNotice(of: job.operation, "completion", { job.deliver() }, name) { look(job) }
    expectEnd(of: job, "The data has arrived.")
  }
}
