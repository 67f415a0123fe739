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

/// What every suite needs that proves something by running until quiet.
///
/// - One at a time: a proof of absence looks at all threads of the process, so nobody else's test
///   may run beside it. Xcode and `swift test` start suites in parallel; this holds apart those that wear
///   the trait. A test that wears no trait and keeps threads busy must wear it, too.
/// - A thread of its own: on Linux Swift's tasks run on Dispatch's pool, which is as wide as there
///   are cores. A test that blocks there would take a thread away from the code under test.
/// - A clean end: all gates of the process are opened when a test ends.
///
/// A time limit counts the waiting in line as well. Within a suite `.serialized` says the same to whoever reads it,
/// and keeps tests in their order.
public struct QuiescenceTrait: SuiteTrait, TestTrait, TestScoping {
  /// Creates the trait; `.quiescence` is shorter.
  public init() {}

  /// Applies to every test of a suite.
  public var isRecursive: Bool { true }

  /// Runs a test when its turn has come, on a thread of its own.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    // A test and its suite may both wear the trait.
    guard !Self.isItsTurn else { return try await function() }
    await OneAtATime.shared.begin()
    defer { OneAtATime.shared.end() }
    let executor = OwnThreadExecutor(name: "test")
    defer { executor.stop() }
    try await withTaskExecutorPreference(executor) {
      defer {
        OpenAtEnd.openAll()
        // A thread of the test's that is still running after that is killed with the process.
        Quiet.settle()
      }
      try await Self.$isItsTurn.withValue(true) { try await function() }
    }
  }

  @TaskLocal private static var isItsTurn = false
}

/// Lets one test at a time through, in the order of asking, without blocking a thread.
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

/// Runs the jobs of one test on one thread of its own.
final class OwnThreadExecutor: TaskExecutor {
  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var jobs: [UnownedJob] = []
  private nonisolated(unsafe) var isStopped = false
  private let condition = NSCondition()

  /// What marks the thread; on Linux a thread's name doesn't always stick.
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

  /// Lets the thread end once it has run what was enqueued.
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
