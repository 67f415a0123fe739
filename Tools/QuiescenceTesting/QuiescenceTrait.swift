import Foundation
import Testing

extension Trait where Self == QuiescenceTrait {
  /// Runs tests one at a time in this process, each on a thread of its own.
  ///
  /// ```swift
  /// @Suite(.quiescence) struct CacheTests { … }
  /// ```
  public static var quiescence: Self { Self() }
}

/// What every suite needs if it proves something by running until quiet.
///
/// - One test at a time: a proof of absence samples all threads of the process, so no other test
///   may run beside it. Xcode and `swift test` start suites in parallel; this trait runs those that
///   have it one at a time. Give it to every other test that keeps threads busy as well.
/// - A thread of its own for each test: on Linux, Swift's tasks run on Dispatch's pool, which has
///   as many threads as the machine has cores. A test that blocks there takes a thread away from
///   the code under test.
/// - Cleanup: all gates of the process are opened when a test ends.
///
/// A test's time limit includes the time that it waits for other tests. `.serialized` on a suite
/// says the same to its readers, and keeps its tests in order.
public struct QuiescenceTrait: SuiteTrait, TestTrait, TestScoping {
  /// Creates the trait; `.quiescence` is shorter.
  public init() {}

  /// Applies to every test of a suite.
  public var isRecursive: Bool { true }

  /// Runs a test on a thread of its own, when the tests before it have ended.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    // A test and its suite may both have the trait.
    guard !Self.isItsTurn else { return try await function() }
    await OneAtATime.shared.begin()
    defer { OneAtATime.shared.end() }
    let executor = OwnThreadExecutor(name: "test")
    defer { executor.stop() }
    try await withTaskExecutorPreference(executor) {
      defer {
        OpenAtEnd.openAll()
        // A thread of the test that still runs after that ends with the process.
        Quiet.settle()
      }
      try await Self.$isItsTurn.withValue(true) { try await function() }
    }
  }

  @TaskLocal private static var isItsTurn = false
}

/// Admits one test at a time, in the order of arrival, without blocking a thread.
private final class OneAtATime: Sendable {
  static let shared = OneAtATime()

  private struct Line {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let line = LockedValue(Line())

  func begin() async {
    await withCheckedContinuation { continuation in
      let goesAhead = line.withLock { line in
        if line.isTaken {
          line.waiting.append(continuation)
          return false
        }
        line.isTaken = true
        return true
      }
      if goesAhead { continuation.resume() }
    }
  }

  func end() {
    let next: CheckedContinuation<Void, Never>? = line.withLock { line in
      guard !line.waiting.isEmpty else {
        line.isTaken = false
        return nil
      }
      return line.waiting.removeFirst()
    }
    next?.resume()
  }
}

/// Runs the jobs of one test on a thread of its own.
final class OwnThreadExecutor: TaskExecutor {
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var jobs: [UnownedJob] = []
  private nonisolated(unsafe) var isStopped = false
  private let condition = NSCondition()

  // On Linux a thread's name doesn't always stick, so a key in its dictionary marks it.
  private static let mark = "quiescence.test"

  /// Whether the calling thread belongs to one of these.
  static var isOnOwnThread: Bool { Thread.current.threadDictionary[mark] != nil }

  init(name: String) {
    Thread.start {
      Thread.current.name = name
      Thread.current.threadDictionary[Self.mark] = true
      self.run()
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock {
      jobs.append(job)
      condition.signal()
    }
  }

  /// Ends the thread once it has run what was enqueued.
  func stop() {
    condition.withLock {
      isStopped = true
      condition.signal()
    }
  }

  private func run() {
    while let job = nextJob() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  private func nextJob() -> UnownedJob? {
    condition.withLock {
      while jobs.isEmpty, !isStopped { condition.wait() }
      return jobs.isEmpty ? nil : jobs.removeFirst()
    }
  }
}
