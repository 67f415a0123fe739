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
    let counter = SharedCounter()
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
}
