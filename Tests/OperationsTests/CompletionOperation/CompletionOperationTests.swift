import Foundation
import KataTesting
import Testing

/// Proves that the completion is called once, on its queue, when all that was in the queues at the
/// activation has left them, finished or cancelled, and that no thread waits for that.
@Suite(.serialized, .kata) struct CompletionOperationTests {
  let timeline = Timeline()
  let queue = OperationQueue()
  let callbacks = DispatchQueue(label: "katas.spec.completion.callbacks")

  // MARK: - All done

  @Test func `it is told when all have finished`() throws {
    let jobs = timeline.jobs("first", "second")
    jobs[1].addDependency(jobs[0])
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    try activate(completion())
    timeline.expect(
      """
      first     ┆┄┄┄┄├──────────────…
      second              ┆┄┄┄┄┄┄┄┄┄…
      activate                 ●  called
      """, "The completion was called too early. Both operations are still to be done.")
    jobs[0].end()
    timeline.expect(
      """
      first     ┆┄┄┄┄├──────────────┤
      second              ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────…
      activate                 ●  called
      """,
      """
      The completion was called too early. One of two has finished, and the other was in the queue as \
      well.
      """)
    jobs[1].end()
    timeline.expect(
      """
      first       ┆┄┄┄┄├──────────────┤
      second                ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      activate                   ●  called
      completion                                     ●  all done
      """,
      """
      Both operations have finished. activate() has to let this operation depend on what is in the \
      queues, and to add it to a queue; main() has the completion called.
      """)
  }

  @Test func `whichever finishes last, it is told then`() throws {
    let jobs = timeline.jobs("first", "second", "last")
    queue.maxConcurrentOperationCount = jobs.count
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    try activate(completion())
    for job in [jobs[2], jobs[0]] {
      job.end()
      expectNotTold("\(job.label) has finished, and another one hasn't: each of them counts.")
    }
    jobs[1].end()
    timeline.expect(
      """
      first       ┆┄┄┄┄├──────────────────────────────────┤
      second                ┆┄┄┄┄├─────────────────────────────┤
      last                            ┆┄┄┄┄├─────────┤
      activate                                  ●  called
      completion                                                    ●  all done
      """, "All three have finished, in another order than they were added in.")
  }

  @Test func `it is told once, of many`() throws {
    let counter = Counter()
    queue.isSuspended = true
    for _ in 0..<40 { queue.addOperation { counter.increment() } }
    let completion = completion()
    try activate(completion)
    queue.isSuspended = false
    runUntilQuiet()
    #expect(
      counter.value == 40, "Forty operations were in the queue, and not all of them have run.")
    expectTold("Forty operations have finished.")
  }

  @Test func `of an empty queue it is told at once`() throws {
    try activate(completion())
    expectTold("Nothing was in the queue, so nothing is left to wait for.")
  }

  @Test func `of no queues it is told at once`() throws {
    try activate(completion(of: []))
    expectTold("It was given no queues at all, so nothing is left to wait for.")
  }

  @Test func `all of several queues are waited for`() throws {
    let other = OperationQueue()
    let jobs = timeline.jobs("here")
    let others = timeline.jobs("there")
    defer {
      clear(queue, of: jobs)
      clear(other, of: others)
    }
    add(jobs, to: queue)
    add(others, to: other)
    try activate(completion(of: [queue, other]))
    jobs[0].end()
    expectNotTold("The operation of the first queue has finished, that of the second hasn't.")
    others[0].end()
    expectTold("The operations of both queues have finished.")
  }

  @Test func `who depends on it begins when all have finished`() throws {
    let jobs = timeline.jobs("work", "clean up")
    defer { clear(queue, of: jobs) }
    add([jobs[0]], to: queue)
    let completion = completion()
    try activate(completion)
    jobs[1].addDependency(completion)
    add([jobs[1]], to: queue)
    #expect(
      timeline.inside == ["work"],
      timeline.showing("What depends on the completion has begun, and the work isn't done."))
    jobs[0].end()
    #expect(
      timeline.isInside("clean up"),
      timeline.showing(
        """
        All is done, and what depends on the completion never begins. It is an operation like others: \
        it has to be the one that waits in a queue.
        """))
  }

  @Test func `it doesn't wait for the callback queue`() throws {
    let jobs = timeline.jobs("work", "clean up")
    defer { clear(queue, of: jobs) }
    add([jobs[0]], to: queue)
    let completion = completion()
    try activate(completion)
    jobs[1].addDependency(completion)
    add([jobs[1]], to: queue)
    callbacks.suspend()
    jobs[0].end()
    expectNotTold("The callback queue is busy.")
    timeline.expect(
      """
      work      ┆┄┄┄┄├──────────────┤
      activate            ●  called
      clean up                 ┆┄┄┄┄┄┄┄┄┄├────…
      """,
      """
      The callback queue is busy, and so what depends on the completion never begins. The work is done: \
      put the completion in line with async, and finish.
      """)
    callbacks.resume()
    timeline.expect(
      """
      work        ┆┄┄┄┄├──────────────┤
      activate              ●  called
      clean up                   ┆┄┄┄┄┄┄┄┄┄├─────────…
      completion                                ●  all done
      """, "The callback queue has time again.")
  }

  @Test func `once it is activated, nobody has to hold it`() throws {
    let jobs = timeline.jobs("work")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    try activate(completion())
    jobs[0].end()
    expectTold(
      """
      Whoever activated it has let go of it since. A queue holds its operations: it has to be in one \
      while it waits, or be held by what waits for it.
      """)
  }

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
    let own = Counter()
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
    try meet("activate", { completion.activate() }, { completion.activate() })
    jobs[0].end()
    expectTold("Two threads have activated it.")
  }
}
