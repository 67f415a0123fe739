import Foundation
import KataTesting
import Testing

extension CompletionOperationTests {
  // MARK: - Kept by nothing but itself

  // work                eight completions that wait for both operations
  // goes on
  //                     are cancelled, leave their queue, and the spec doesn't keep them
  // ends
  //
  // Foundation on Linux doesn't retain them: what finishes looks for them where they were, and the process
  // crashes. Elsewhere there's nothing to see.
  @Test func `cancelled, it may go before what it waits for finishes`() throws {
    let jobs = timeline.jobs("first", "second")
    queue.maxConcurrentOperationCount = jobs.count
    defer { clear(queue, of: jobs) }
    add(jobs, to: queue)
    try activate(completion())
    try activateAndCancel(count: 8)
    for job in jobs { job.end() }
    expectTold(
      """
      Nine completions waited for two operations, and eight of them were cancelled. Both operations have \
      finished.
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
      \(ending), and all have finished; the spec doesn't keep it, and it's still in memory. An operation \
      retains its dependencies: none of them may retain it, in a block for example.
      """
    ) { watched.isGone }
  }

  /// Activates completions that only their own queue keeps from then on, and cancels them.
  ///
  /// All of them are made before one of them goes: no two have stood at the same place in memory.
  private func activateAndCancel(count: Int) throws {
    let many = (0..<count).map { _ in completion() }
    try mustReturn("activate, \(count) times,") { for completion in many { completion.activate() } }
    runUntilQuiet()
    for completion in many { completion.cancel() }
    runUntilQuiet()
  }

  /// Activates a completion that only its own queue keeps from then on, and perhaps cancels it.
  private func activateAndLetGo(isCancelled: Bool) throws -> WeakReference<CompletionOperation> {
    let completion = completion()
    try activate(completion)
    if isCancelled { completion.cancel() }
    runUntilQuiet()
    return WeakReference(completion)
  }
}
