import Foundation
import KataTesting
import Testing

extension CompletionOperationTests {
  // MARK: - Not retained by the caller

  // work                eight completion operations that wait for both jobs
  // continues
  //                     are cancelled, leave their queue, and the spec doesn't retain them
  // ends
  //
  // Foundation on Linux doesn't retain dependents: a job that finishes follows pointers to them. If
  // they were deallocated, the process crashes. On other systems nothing is to be seen.
  @Test func `cancelled, it needn't be retained until the others finish`() throws {
    let jobs = timeline.jobs("first", "second")
    queue.maxConcurrentOperationCount = jobs.count
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    try activate(completion())
    try activateAndCancel(count: 8)
    for job in jobs { job.end() }
    expectTold(
      """
      Nine completion operations waited for two operations, eight of the nine were cancelled, and \
      both operations have finished.
      """)
  }

  @Test(arguments: [false, true])
  func `nothing retains it when all have finished`(isCancelled: Bool) throws {
    let jobs = timeline.jobs("work")
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    let watched = try activateAndLetGo(isCancelled: isCancelled)
    jobs[0].end()
    let ending = isCancelled ? "It was cancelled while it waited" : "It has called its completion"
    eventually(
      """
      \(ending), all operations have finished, the caller has released it, and it still exists. \
      Nothing else may retain it then. An operation retains its dependencies, so none of them may \
      retain it.
      """
    ) { watched.isGone }
  }

  @Test(arguments: [0, 1, 3])
  func `a completion that waits for its queue doesn't retain it`(count: Int) throws {
    let jobs = (0..<count).map { StagedOperation("work \($0)", on: timeline) }
    queue.maxConcurrentOperationCount = 3
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    callbacks.suspend()
    let watched = try activateAndLetGo(isCancelled: false)
    for job in jobs { job.end() }
    eventually(
      """
      The callback queue is busy. All operations have finished, the completion operation too, the \
      caller has released it, and it still exists. Submit the completion itself: a block that uses \
      self retains the operation.
      """
    ) { watched.isGone }
    callbacks.resume()
    runUntilQuiet()
    expectTold("The callback queue is free again.")
  }

  /// Activates operations that only the answer retains from then on, and cancels them.
  ///
  /// All of them are created before one is deallocated, so no two have the same address.
  private func activateAndCancel(count: Int) throws {
    let many = (0..<count).map { _ in completion() }
    try mustReturn("activate, \(count) times,") { for completion in many { completion.activate() } }
    runUntilQuiet()
    for completion in many { completion.cancel() }
    runUntilQuiet()
  }

  // MARK: - A dependency of the caller's

  @Test func `activate doesn't wait for a dependency of the caller's`() throws {
    let prior = StagedOperation("prior", on: timeline)
    let others = OperationQueue()
    let completion = completion()
    completion.addDependency(prior)
    defer { clear(others, of: [prior]) }
    add([prior], to: others)
    try activate(completion)
    prior.end()
    runUntilQuiet()
  }

  // MARK: - A cancelled operation ends first

  @Test func `it waits for what a cancelled operation depended on`() throws {
    let jobs = timeline.jobs("first", "second")
    jobs[1].addDependency(jobs[0])
    queue.maxConcurrentOperationCount = 2
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    try activate(completion())
    jobs[1].cancel()
    runUntilQuiet()
    expectNotTold(
      """
      The second operation depended on the first, and was cancelled: it has finished, and the \
      first still runs. Wait for each operation that was in the queue, not only for the last.
      """)
    jobs[0].end()
    expectTold("The first operation has finished after the second, which was cancelled.")
  }

  /// Activates an operation that only the answer retains from then on, and perhaps cancels it.
  private func activateAndLetGo(isCancelled: Bool) throws -> WeakReference<CompletionOperation> {
    let completion = completion()
    try activate(completion)
    if isCancelled { completion.cancel() }
    runUntilQuiet()
    return WeakReference(completion)
  }
}
