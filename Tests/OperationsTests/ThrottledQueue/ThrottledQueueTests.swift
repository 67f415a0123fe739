import Dispatch
import Foundation
import KataTesting
import Testing

/// Proves that the limit holds; that a paused queue begins nothing until each pause has its resume;
/// that operations run on the underlying queue; and that the main queue and limits below one are
/// refused.
@Suite(.serialized, .kata) struct ThrottledQueueTests {
  let timeline = Timeline()

  // MARK: - What was passed to init

  @Test(arguments: [QualityOfService.userInitiated, .utility, .background])
  func `it has the name and the quality of service that were asked for`(
    quality: QualityOfService
  ) throws {
    let queue = try ThrottledQueue(
      name: "com.example.uploads", limit: 3, qualityOfService: quality)
    #expect(
      queue.name == "com.example.uploads",
      """
      The queue was created with the name com.example.uploads, and its name is \
      \(queue.name ?? "nothing"). Set the properties of OperationQueue in init.
      """)
    #expect(
      queue.qualityOfService == quality,
      """
      The queue doesn't have the quality of service that it was created with. Set the property in \
      init.
      """)
    let other = try ThrottledQueue(
      name: "com.example.rows", limit: 1, qualityOfService: quality,
      underlyingQueue: DispatchQueue(label: "com.example.database"))
    #expect(
      other.name == "com.example.rows",
      """
      A queue with an underlying queue was created with the name com.example.rows, and its name is \
      \(other.name ?? "nothing"). Each queue has the name that was asked for.
      """)
  }

  @Test(arguments: [0, -1]) func `a limit below one is refused`(limit: Int) {
    #expect(
      throws: ThrottledQueue.Refusal.limit(limit),
      """
      With the limit 0 no operation would ever start, and to Foundation -1 means "as many as the \
      system allows". A limit below one must be refused: throw .limit(\(limit)).
      """
    ) { try ThrottledQueue(name: "com.example.spec", limit: limit) }
  }

  @Test(arguments: [-2, .min]) func `a limit far below one is refused too`(limit: Int) {
    #expect(
      throws: ThrottledQueue.Refusal.limit(limit),
      """
      The limit \(limit) has no meaning, not even to Foundation. Every limit below one must be \
      refused: throw .limit(\(limit)).
      """
    ) { try ThrottledQueue(name: "com.example.spec", limit: limit) }
  }

  // MARK: - The limit

  @Test(arguments: [1, 3]) func `never more than the limit execute at once`(limit: Int) throws {
    let queue = try throttled(limit: limit)
    let jobs = timeline.jobs("first", "second", "third", "fourth", "fifth")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    #expect(
      timeline.inside.count <= limit,
      timeline.showing(
        """
        The limit is \(limit), and \(timeline.inside.count) operations execute at once. No more \
        than the limit may. Set maxConcurrentOperationCount.
        """))
  }

  @Test(arguments: [1, 3]) func `as many execute at once as the limit allows`(limit: Int) throws {
    let queue = try throttled(limit: limit)
    let jobs = timeline.jobs("first", "second", "third", "fourth", "fifth")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    #expect(
      timeline.inside.count >= limit,
      timeline.showing(
        """
        The limit is \(limit) and five operations are ready, and \(timeline.inside.count) execute. \
        The queue isn't paused, so as many as the limit must execute.
        """))
  }

  @Test func `a large limit is a limit like any other`() throws {
    let limit = 600
    let queue = try throttled(limit: limit)
    let jobs = (0...limit).map { StagedOperation("operation \($0 + 1)", on: timeline) }
    defer { clear(queue, of: jobs) }
    queue.addOperations(jobs, waitUntilFinished: false)
    runUntilQuiet()
    let count = timeline.inside.count
    #expect(
      count == limit,
      """
      The limit is \(limit), one more is ready, and \(count) execute. None of them blocks a \
      thread, so many may execute at once. Use the limit as it was passed.
      """)
  }

  @Test func `the next operation begins when one has ended`() throws {
    let queue = try throttled(limit: 2)
    let jobs = timeline.jobs("first", "second", "third", "fourth")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    jobs[0].end()
    timeline.expect(
      """
      first   ┆┄┄┄┄├────────────────────────┤
      second            ┆┄┄┄┄├────────────────────────…
      third                       ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────…
      fourth                           ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      """,
      """
      The limit is 2, four operations were added and the first has ended: exactly the second and \
      the third must execute now.
      """)
  }

  @Test func `without an underlying queue, blocks run side by side`() throws {
    let queue = try throttled(limit: 2)
    let release = Gate("let both end")
    for label in ["first", "second"] {
      queue.addOperation { [timeline] in timeline.visit(label, until: release) }
    }
    eventually(
      timeline.showing(
        """
        The limit is 2, no underlying queue was passed, and two blocks don't run side by side. A \
        serial underlying queue would run one at a time, whatever the limit. If the caller passes \
        no queue, set none.
        """)
    ) { timeline.inside.count == 2 }
    release.open()
    runUntilQuiet()
  }

  // In a hundred queues, since a pause that comes later is only nearly always too late.
  @Test func `an operation that is added right after a pause doesn't begin`() throws {
    let begun = SharedCounter()
    let queues = try (0..<100).map { _ in try throttled(limit: 2) }
    // In some of them an operation waits for this one.
    let dependency = Operation()
    let waiting = queues.prefix(50).map { queue in
      let operation = BlockOperation {}
      operation.addDependency(dependency)
      queue.addOperation(operation)
      return operation
    }
    for (index, queue) in queues.enumerated() {
      queue.pause()
      if index.isMultiple(of: 2) {
        queue.resume()
        queue.pause()
      }
      queue.addOperation { begun.increment() }
    }
    runUntilQuiet()
    #expect(
      begun.value == 0,
      """
      A hundred queues were paused, and an operation was added to each as soon as pause() had \
      returned. \(begun.value) of them began. pause() must suspend the queue before it returns.
      """)
    // Foundation on Linux doesn't retain what waits, if a wrong answer has cancelled it.
    withExtendedLifetime(waiting) { dependency.start() }
    for queue in queues { queue.isSuspended = false }
    runUntilQuiet()
  }
}
