import Foundation
import KataTesting
import Testing

extension CompletionOperationTests {
  // MARK: - Begin and end

  @Test func `before it is activated, no completion is called`() throws {
    let jobs = timeline.jobs("work")
    let completion = completion()
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    jobs[0].end()
    expectNotTold("It hasn't been activated yet: more work may be added.")
    try activate(completion)
    expectTold("It has been activated, and the queue is empty.")
  }

  @Test func `operations that were added after its creation count`() throws {
    let jobs = timeline.jobs("early", "added in between")
    defer { clear(queue, of: jobs) }
    add([jobs[0]], to: queue)
    let completion = completion()
    add([jobs[1]], to: queue)
    try activate(completion)
    jobs[0].end()
    expectNotTold(
      """
      An operation that was added between the creation and the activation hasn't finished. It must \
      wait for everything that is in the queue at the activation.
      """)
    jobs[1].end()
    expectTold("Both operations have finished.")
  }

  @Test func `operations that are added later are neither waited for nor held up`() throws {
    let jobs = timeline.jobs("work", "later")
    defer { clear(queue, of: jobs) }
    add([jobs[0]], to: queue)
    try activate(completion())
    add([jobs[1]], to: queue)
    timeline.expect(
      """
      work      ┆┄┄┄┄├───────────────────…
      activate            ●  called
      later                    ┆┄┄┄┄├────…
      """,
      "An operation that was added later never begins. It must not be held up.")
    jobs[0].end()
    timeline.expect(
      """
      work        ┆┄┄┄┄├───────────────────┤
      activate              ●  called
      later                      ┆┄┄┄┄├──────────────…
      completion                                ●  all done
      """,
      """
      All that was in the queue at the activation has finished, and the completion must be called. \
      It must not wait for later operations: a busy queue may never be empty.
      """)
  }

  @Test func `activated again, it does nothing`() throws {
    let jobs = timeline.jobs("work", "later")
    defer { clear(queue, of: jobs) }
    add([jobs[0]], to: queue)
    let completion = completion()
    try activate(completion)
    add([jobs[1]], to: queue)
    try activate(completion)
    jobs[0].end()
    expectTold("It was activated twice, and the second call must do nothing.")
  }

  @Test func `activated again after the completion, it does nothing`() throws {
    let jobs = timeline.jobs("later")
    defer { clear(queue, of: jobs) }
    let completion = completion()
    try activate(completion)
    add(jobs, to: queue)
    try activate(completion)
    jobs[0].end()
    expectTold(
      """
      It was activated with an empty queue, and again when work had been added. The second call \
      must do nothing, even then.
      """)
  }

  // MARK: - Cancelled

  @Test(arguments: [1, 2])
  func `it waits for a suspended queue, and doesn't resume it`(cancelled: Int) throws {
    queue.isSuspended = true
    let jobs = [BlockOperation {}, BlockOperation {}]
    defer { clear(queue, of: []) }
    queue.addOperations(jobs, waitUntilFinished: false)
    for job in jobs.suffix(cancelled) { job.cancel() }
    try activate(completion())
    expectNotTold("The queue is suspended: nothing in it has finished, cancelled or not.")
    try #require(
      queue.isSuspended,
      "activate() has resumed a suspended queue. It must not touch `isSuspended`.")
    queue.isSuspended = false
    runUntilQuiet()
    expectTold("The queue was resumed, and both operations have left it.")
  }

  @Test func `it waits for cancelled operations too`() throws {
    let jobs = timeline.jobs("running", "waiting")
    queue.maxConcurrentOperationCount = 1
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    for job in jobs { job.cancel() }
    try activate(completion())
    expectNotTold("A cancelled operation still runs: cancel() interrupts nothing.")
    jobs[0].end()
    expectTold(
      "One operation was cancelled while it ran, and one before; both have left the queue.")
  }

  @Test func `cancelling all operations of the queue doesn't cancel it`() throws {
    let jobs = timeline.jobs("running", "waiting")
    queue.maxConcurrentOperationCount = 1
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    try activate(completion())
    queue.cancelAllOperations()
    runUntilQuiet()
    expectNotTold("A cancelled operation still runs: cancel() interrupts nothing.")
    jobs[0].end()
    expectTold(
      """
      cancelAllOperations() was called on the queue. That must not cancel the completion \
      operation: let it wait in another queue.
      """)
  }

  @Test(arguments: [false, true])
  func `cancelled itself, it calls no completion, and finishes`(isBefore: Bool) throws {
    let jobs = timeline.jobs("work", "clean up")
    defer { clear(queue, of: jobs) }
    add([jobs[0]], to: queue)
    let completion = completion()
    if isBefore { completion.cancel() }
    try activate(completion)
    if !isBefore { completion.cancel() }
    jobs[1].addDependency(completion)
    add([jobs[1]], to: queue)
    jobs[0].end()
    let when = isBefore ? "before it was activated" : "while it waited"
    #expect(
      told.isEmpty,
      timeline.showing(
        "It was cancelled \(when), so the completion must not be called."))
    #expect(
      timeline.isInside("clean up"),
      timeline.showing(
        """
        It was cancelled \(when), all others have finished, and its dependent never begins. It \
        must finish even if it's cancelled, and for that a queue has to start it.
        """))
  }

  @Test func `cancelled after it has finished, it calls the completion all the same`() throws {
    let jobs = timeline.jobs("work")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    let completion = completion()
    try activate(completion)
    callbacks.suspend()
    jobs[0].end()
    let hasFinished = completion.isFinished
    timeline.mark("cancel", "called")
    completion.cancel()
    callbacks.resume()
    runUntilQuiet()
    #expect(
      hasFinished,
      timeline.showing(
        """
        The work is done, the callback queue is busy, and it hasn't finished. It must finish \
        without waiting for that queue: submit the completion with async.
        """))
    timeline.expect(
      """
      work        ┆┄┄┄┄├─────────┤
      activate              ●  called
      cancel                          ●  called
      completion                           ●  all done
      """,
      """
      It was cancelled after it had finished, when the completion was submitted but hadn't run. \
      The completion must be called all the same: a cancel after the end has no effect.
      """)
  }

  // MARK: - Other operations and threads

  @Test func `the operations keep their completion blocks`() throws {
    let (jobs, own) = (timeline.jobs("first", "second"), SharedCounter())
    defer { clear(queue, of: jobs) }
    jobs[0].completionBlock = { own.increment() }
    add(jobs, to: queue)
    try activate(completion())
    jobs[1].completionBlock = { own.increment() }
    for job in jobs { job.end() }
    #expect(
      own.value == 2,
      """
      \(own.value) of two completion blocks were called, one of them set after activate(). They must \
      stay as they are: use dependencies.
      """)
    expectTold("Both operations have finished.")
  }

  @Test func `many that wait block no threads`() throws {
    let jobs = timeline.jobs("work")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    let before = processThreadCount() ?? 0
    let many = (0..<150).map { _ in completion() }
    try mustReturn("activate, 150 times,") { for completion in many { completion.activate() } }
    runUntilQuiet()
    let more = (processThreadCount() ?? 0) - before
    #expect(
      more < 75,
      """
      150 completion operations wait, and the process has \(more) more threads than before. They \
      must block no thread while they wait. Use dependencies.
      """)
    jobs[0].end()
    #expect(
      told.count == 150,
      "150 waited for one that has finished: each completion must be called once.")
  }

  // Only the answer's lock orders the two calls.
  @Test func `two threads may activate it at once`() throws {
    let jobs = timeline.jobs("work")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    let completion = completion()
    try RelaxedRendezvous.meet("activate", { completion.activate() }, { completion.activate() })
    jobs[0].end()
    expectTold("Two threads have activated it at once, and the work has finished.")
  }
}
