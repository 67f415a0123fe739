import Foundation
import KataTesting
import Testing

extension AsyncOperationTests {
  /// Whether a dependent is in the queue of its dependency.
  enum Queues: Sendable {
    case same, different
  }

  /// When an operation is started a second time.
  enum Moment: String, CaseIterable, Sendable {
    case whileItWorks = "while it works"
    case whileItWorksCancelled = "while it works and is cancelled"
    case afterItsEnd = "after its end"
    case afterItsCancelledEnd = "after it was cancelled and ended by its start"
  }

  func start(_ work: AsyncOperation, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try mustReturn(
      "start()", "If a lock is held while the notices are sent, release it first.",
      sourceLocation: sourceLocation
    ) { work.start() }
    // main() may be called on another thread; another test checks on which.
    runUntilQuiet()
  }

  func end(_ work: Work, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try mustReturn(
      "finish()", "If a lock is held while the notices are sent, release it first.",
      sourceLocation: sourceLocation
    ) { work.end() }
  }

  func queue(
    _ works: [Work], width: Int = OperationQueue.defaultMaxConcurrentOperationCount,
    suspended: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    queue.isSuspended = suspended
    for work in works { try add(work, to: queue, sourceLocation: sourceLocation) }
    return queue
  }

  /// Adds an operation to a queue, unless that would trap or corrupt the queue.
  func add(
    _ work: Work, to queue: OperationQueue, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try #require(
      !work.isFinished && !work.isExecuting,
      """
      \(work.label) wasn't started yet, but isFinished=\(work.isFinished) and \
      isExecuting=\(work.isExecuting). Both must be false: a queue stops the program if such an \
      operation is added to it.
      """,
      sourceLocation: sourceLocation)
    // Read first: a dependency in a queue may be finished a moment later.
    let isReady = work.isReady
    let mayBeReady = work.isCancelled || work.dependencies.allSatisfy(\.isFinished)
    try #require(
      mayBeReady || !isReady,
      """
      isReady is true, but a dependency isn't finished. Leave isReady to Foundation, or return \
      `super.isReady && …`: only the superclass knows the dependencies.
      """,
      sourceLocation: sourceLocation)
    queue.addOperation(work)
  }

  func cancel(_ work: Work, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try mustReturn("cancel()", sourceLocation: sourceLocation) { work.cancel() }
  }

  /// Waits until main() of an operation in a queue was called.
  func expectAtWork(_ label: String = "work", sourceLocation: SourceLocation = #_sourceLocation) {
    eventually(
      "The queue started the operation, but main() was never called.",
      sourceLocation: sourceLocation
    ) { timeline.isInside(label) }
  }

  func expectOneCompletion(sourceLocation: SourceLocation = #_sourceLocation) {
    eventually(
      "It is finished, but its completionBlock was never called.", sourceLocation: sourceLocation
    ) { completions > 0 }
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(
      completions == 1, "The completionBlock must be called once, not \(completions) times.",
      sourceLocation: sourceLocation)
  }

  func expectCancelledEnd(
    of work: Work, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    eventually(
      "It was cancelled before its start: its completionBlock must be called when it is finished.",
      sourceLocation: sourceLocation
    ) { completions > 0 }
    runUntilQuiet(sourceLocation: sourceLocation)
    #expect(
      timeline.entries(of: work.label) == 0,
      timeline.showing("It was cancelled before its start, so main() must never be called."),
      sourceLocation: sourceLocation)
    #expect(
      work.isFinished && !work.isExecuting && completions == 1,
      """
      It was cancelled before its start, and its queue has started it. It must be finished, not \
      executing and completed once; here isFinished=\(work.isFinished), \
      isExecuting=\(work.isExecuting), completed \(completions) times.
      """,
      sourceLocation: sourceLocation)
  }

  func expectChange(
    of key: KVOProbe.Key, from old: Bool, to new: Bool, in probe: KVOProbe, during call: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let will = probe.notices(of: .will(key)).map { $0.value(of: key) }
    let did = probe.notices(of: .did(key)).map { $0.value(of: key) }
    #expect(
      will.first == old,
      probe.showing(
        """
        \(call) changes \(key), so it must call willChangeValue(forKey: "\(key)") before the \
        change, while \(key) is still \(old).
        """),
      sourceLocation: sourceLocation)
    #expect(
      did.last == new,
      probe.showing(
        """
        \(call) changes \(key), so it must call didChangeValue(forKey: "\(key)") after the change, \
        when \(key) is \(new).
        """),
      sourceLocation: sourceLocation)
  }

  func expectBalance(
    in probe: KVOProbe, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for key in [KVOProbe.Key.isExecuting, .isFinished] {
      #expect(
        probe.notices(of: .will(key)).count == probe.notices(of: .did(key)).count,
        probe.showing("Every \"will \(key)\" needs its \"did \(key)\", and every did its will."),
        sourceLocation: sourceLocation)
    }
  }
}
