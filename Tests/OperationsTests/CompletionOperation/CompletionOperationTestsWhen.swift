import Foundation
import KataTesting
import Testing

extension CompletionOperationTests {
  // MARK: - From when, and until when

  @Test func `before it is activated, nothing is told`() throws {
    let jobs = timeline.jobs("work")
    let completion = completion()
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    jobs[0].end()
    expectNotTold("Nobody has activated it: more work may come.")
    try activate(completion)
    expectTold("It is activated, and nothing is left in the queue.")
  }

  @Test func `what was added after it was made counts`() throws {
    let jobs = timeline.jobs("early", "added in between")
    defer { clear(queue, of: jobs) }
    add([jobs[0]], to: queue)
    let completion = completion()
    add([jobs[1]], to: queue)
    try activate(completion)
    jobs[0].end()
    expectNotTold(
      """
      An operation was added after the completion was made and before it was activated. What counts \
      is what is in the queue when it's activated.
      """)
    jobs[1].end()
    expectTold("Both operations have finished.")
  }

  @Test func `what is added later is neither waited for nor held up`() throws {
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
      """, "Work that was added after the activation has room, and never begins.")
    jobs[0].end()
    timeline.expect(
      """
      work        ┆┄┄┄┄├───────────────────┤
      activate              ●  called
      later                      ┆┄┄┄┄├──────────────…
      completion                                ●  all done
      """,
      """
      Everything that was in the queue at the activation has finished. What was added later is still \
      at work: a queue that is used is never empty.
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
    expectTold("It was activated twice; the first time counts.")
  }

  @Test func `activated again when it has told, it does nothing`() throws {
    let jobs = timeline.jobs("later")
    defer { clear(queue, of: jobs) }
    let completion = completion()
    try activate(completion)
    add(jobs, to: queue)
    try activate(completion)
    jobs[0].end()
    expectTold(
      """
      It was activated when nothing was in the queue, and was told; then work came, and it was \
      activated again. The first time counts, also where there was nothing to wait for.
      """)
  }

  // MARK: - Cancelled

  @Test func `a suspended queue lets nobody go`() throws {
    queue.isSuspended = true
    let jobs = [BlockOperation {}, BlockOperation {}]
    defer {
      queue.isSuspended = false
      runUntilQuiet()
    }
    queue.addOperations(jobs, waitUntilFinished: false)
    jobs[1].cancel()
    try activate(completion())
    expectNotTold("The queue is suspended, so nothing in it has finished.")
    try #require(
      queue.isSuspended,
      "The queue was suspended, and activate() has resumed it. It belongs to somebody else.")
    queue.isSuspended = false
    runUntilQuiet()
    expectTold("The queue was resumed, and both have left it.")
  }

  @Test func `cancelled ones count when they have left`() throws {
    let jobs = timeline.jobs("running", "waiting")
    queue.maxConcurrentOperationCount = 1
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    for job in jobs { job.cancel() }
    try activate(completion())
    expectNotTold("A cancelled operation still runs: cancel() stops nothing.")
    jobs[0].end()
    expectTold("One was cancelled while it ran, one before; both have left the queue.")
  }

  @Test func `whoever empties the queue doesn't silence it`() throws {
    let jobs = timeline.jobs("running", "waiting")
    queue.maxConcurrentOperationCount = 1
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    try activate(completion())
    queue.cancelAllOperations()
    runUntilQuiet()
    expectNotTold("A cancelled operation still runs: cancel() stops nothing.")
    jobs[0].end()
    expectTold(
      """
      cancelAllOperations() was called for the queue, and all have left it. Who waits for the \
      completion still waits: it mustn't be in that queue itself.
      """)
  }

  @Test(arguments: [false, true])
  func `cancelled itself, it calls nobody, and finishes`(isBefore: Bool) throws {
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
      timeline.showing("The completion was cancelled \(when), and was called all the same."))
    #expect(
      timeline.isInside("clean up"),
      timeline.showing(
        """
        The completion was cancelled \(when), all others have finished, and what depends on it never \
        begins. A cancelled operation has to leave a queue in order to finish: add it to one all the \
        same.
        """))
  }

  @Test func `cancelled when it has finished, it is told all the same`() throws {
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
        The work is done, and the completion hasn't finished, for the callback queue is busy: put the \
        completion in line with async, and finish.
        """))
    timeline.expect(
      """
      work        ┆┄┄┄┄├─────────┤
      activate              ●  called
      cancel                          ●  called
      completion                           ●  all done
      """,
      """
      The work was done and the completion stood in line when somebody cancelled it. It had finished, \
      so there was nothing to cancel: what stands in line stays there.
      """)
  }

  // MARK: - Nobody is disturbed

  @Test func `the operations keep their completion blocks`() throws {
    let jobs = timeline.jobs("first", "second")
    defer { clear(queue, of: jobs) }
    let own = SharedCounter()
    for job in jobs { job.completionBlock = { own.increment() } }
    add(jobs, to: queue)
    try activate(completion())
    for job in jobs { job.end() }
    #expect(
      own.value == 2,
      """
      Two operations had completion blocks of their own, and \(own.value) of those were called. They \
      belong to whoever made the operations: depend on their end.
      """)
    expectTold("Both operations have finished.")
  }

  @Test func `many that wait hold no threads`() throws {
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
      150 completions wait, and the process has \(more) threads more than before. An operation that \
      waits for its dependencies needs no thread.
      """)
    jobs[0].end()
    #expect(told.count == 150, "150 completions waited for one operation, which has finished.")
  }

  // Nothing but a lock of the answer's orders the two.
  @Test func `two threads may activate it at once`() throws {
    let jobs = timeline.jobs("work")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    let completion = completion()
    try RelaxedRendezvous.meet("activate", { completion.activate() }, { completion.activate() })
    jobs[0].end()
    expectTold("Two threads have activated it.")
  }
}
