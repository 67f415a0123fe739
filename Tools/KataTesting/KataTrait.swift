import Foundation
import Testing

extension Trait where Self == KataTrait {
  /// Runs the tests of a kata one at a time in this process, each on a thread of its own.
  public static var kata: Self { Self() }
}

/// What every kata's suite needs, however it is started.
///
/// - One at a time: a proof of absence looks at all threads of the process, so nobody else's test
///   may run beside it. Xcode and `swift test` start suites in parallel; this holds them apart. Tests
///   of the tools that keep threads busy wear the trait for the same reason.
/// - A thread of its own: on Linux Swift's tasks run on Dispatch's pool, which is as wide as there
///   are cores. A test that blocks there would take a thread away from the answer.
/// - A clean end: the gates of a test are opened when it ends.
public struct KataTrait: SuiteTrait, TestTrait, TestScoping {
  /// Applies to every test of a suite.
  public var isRecursive: Bool { true }

  /// Runs a test when its turn has come, on a thread of its own.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    await OneAtATime.shared.begin()
    defer { OneAtATime.shared.end() }
    KVOProbe.prepare()
    let executor = OwnThreadExecutor(name: "spec")
    defer { executor.stop() }
    PictureLog.ofThisProcess?.begin(test.displayName ?? test.name)
    try await withTaskExecutorPreference(executor) {
      defer {
        OpenAtEnd.openAll()
        // What the test left behind gets a moment to end, which is as long as it needs on a busy
        // machine; a thread that is still running is killed with the process.
        _ = Quiet.wait(PatienceMeter(seconds: 0.2))
      }
      try await function()
      PictureLog.ofThisProcess?.endWithoutError()
    }
  }
}

/// Lets one test at a time through, in the order of asking, without blocking a thread.
private final class OneAtATime: Sendable {
  static let shared = OneAtATime()

  private struct Line {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let line = Locked(Line())

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
  private static let mark = "katas.spec"

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
