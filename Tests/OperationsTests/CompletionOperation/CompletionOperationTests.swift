import Foundation
import KataTesting
import Testing

/// Proves that the completion is called once, on its queue, when all operations that were in the
/// queues at the activation have finished, cancelled or not; and that no thread waits for that.
@Suite(.serialized, .kata) struct CompletionOperationTests {
  let timeline = Timeline()
  let queue = OperationQueue()
  let callbacks = DispatchQueue(label: "katas.spec.completion.callbacks")

  // MARK: - All done

  @Test func `the completion is called when all have finished`() throws {
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
      """,
      """
      The completion was called too early. It must wait for both operations, and none has \
      finished.
      """)
    jobs[0].end()
    timeline.expect(
      """
      first     ┆┄┄┄┄├──────────────┤
      second              ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────…
      activate                 ●  called
      """,
      """
      The completion was called too early. It must wait for both operations, and only one has \
      finished.
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
      Both operations have finished, and the completion must be called once, on the callback \
      queue. Let activate() make them dependencies of this operation and add it to a queue, and \
      let main() submit the completion.
      """)
  }

  @Test func `the completion is called after the last one, whichever that is`() throws {
    let jobs = timeline.jobs("first", "second", "last")
    queue.maxConcurrentOperationCount = jobs.count
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    try activate(completion())
    for job in [jobs[2], jobs[0]] {
      job.end()
      expectNotTold(
        "\(job.label) has finished, and another operation hasn't. It must wait for each of them.")
    }
    jobs[1].end()
    timeline.expect(
      """
      first       ┆┄┄┄┄├──────────────────────────────────┤
      second                ┆┄┄┄┄├─────────────────────────────┤
      last                            ┆┄┄┄┄├─────────┤
      activate                                  ●  called
      completion                                                    ●  all done
      """,
      """
      All three have finished, not in the order of adding. The completion must be called once, \
      on the callback queue.
      """)
  }

  @Test func `the completion is called once, after many operations`() throws {
    let counter = SharedCounter()
    queue.isSuspended = true
    for _ in 0..<40 { queue.addOperation { counter.increment() } }
    let completion = completion()
    try activate(completion)
    queue.isSuspended = false
    runUntilQuiet()
    #expect(
      counter.value == 40, "Forty operations were in the queue, and some of them haven't run.")
    expectTold("Forty operations have finished.")
  }

  @Test func `with an empty queue, the completion is called soon`() throws {
    try expectSoon(completion(), "Nothing was in the queue, so nothing is left to wait for.")
  }

  @Test func `with no queues, the completion is called soon`() throws {
    try expectSoon(
      completion(of: []), "It was created without queues, so nothing is left to wait for.")
  }

  @Test func `it waits for the operations of all queues`() throws {
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
    expectNotTold(
      "The operation in the first queue has finished, and the one in the second hasn't.")
    others[0].end()
    expectTold("The operations in both queues have finished.")
  }

  @Test func `it waits for each of several operations that are equal`() throws {
    let keys = (0..<3).map { _ in BlockOperation {} }
    defer {
      for key in keys where !key.isFinished { key.start() }
      runUntilQuiet()
    }
    for key in keys {
      let job = EqualOperation()
      job.addDependency(key)
      queue.addOperation(job)
    }
    try activate(completion())
    for index in [2, 0] {
      keys[index].start()
      runUntilQuiet()
      expectNotTold(
        """
        Three operations in the queue are equal, by isEqual, and not all of them have finished. It \
        must wait for each of them.
        """)
    }
    keys[1].start()
    runUntilQuiet()
    expectTold("Three operations that are equal have finished.")
  }

  @Test(arguments: [0, 1])
  func `it waits for the operation that activates it`(place: Int) throws {
    let queues = [queue, OperationQueue()]
    let goOn = Gate("the operation ends")
    let owner = LockedValue<CompletionOperation?>(completion(of: queues))
    // An operation whose block retains what waits for it would be a retain cycle.
    defer { owner.set(nil) }
    let name = place == 0 ? "first" : "second"
    queues[place].addOperation { [timeline] in
      timeline.visit("work") {
        owner.value?.activate()
        goOn.wait()
      }
    }
    try #require(
      eventually("An operation has called activate(), which must return without waiting.") {
        goOn.waiting == 1
      })
    runUntilQuiet()
    expectNotTold(
      """
      An operation in the \(name) of two queues has called activate(), and hasn't finished. It \
      must wait for that one too.
      """)
    goOn.open()
    runUntilQuiet()
    expectTold("The operation that has called activate() has finished.")
  }

  @Test func `its dependents begin when all have finished`() throws {
    let jobs = timeline.jobs("work", "clean up")
    defer { clear(queue, of: jobs) }
    add([jobs[0]], to: queue)
    let completion = completion()
    try activate(completion)
    jobs[1].addDependency(completion)
    add([jobs[1]], to: queue)
    #expect(
      timeline.inside == ["work"],
      timeline.showing(
        """
        A dependent of the completion operation has begun before the work is done. It must begin \
        when the completion operation has finished.
        """))
    jobs[0].end()
    #expect(
      timeline.isInside("clean up"),
      timeline.showing(
        """
        The work is done, and a dependent of the completion operation never begins. It must begin \
        when the completion operation has finished: this operation itself has to wait in a queue.
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
      The callback queue is busy, and a dependent of the completion operation never begins. The \
      work is done: submit the completion without waiting for it, and finish.
      """)
    callbacks.resume()
    timeline.expect(
      """
      work        ┆┄┄┄┄├──────────────┤
      activate              ●  called
      clean up                   ┆┄┄┄┄┄┄┄┄┄├─────────…
      completion                                ●  all done
      """, "The callback queue is free again, and the completion must be called once.")
  }

  @Test func `once it is activated, the caller needn't retain it`() throws {
    let jobs = timeline.jobs("work")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    try activate(completion())
    jobs[0].end()
    expectTold(
      """
      The caller has activated it and released it, and then the work has finished. Something else \
      must retain it while it waits, for example a queue that it is in.
      """)
  }
}
