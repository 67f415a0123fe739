@_exported import KataPictures
@_exported import QuiescenceTesting
import Testing

extension Trait where Self == KataTrait {
  /// Runs the tests of a kata one at a time in this process, each on a thread of its own.
  public static var kata: Self { Self() }
}

/// What every kata's suite needs, however it's started: a `QuiescenceTrait`, and progress that
/// `kata` can follow.
public struct KataTrait: SuiteTrait, TestTrait, TestScoping {
  /// Applies to every test of a suite.
  public var isRecursive: Bool { true }

  /// Applies to every test, and to each of its cases.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    test.isSuite ? nil : self
  }

  /// Runs a test case on a thread of its own, when those before it have ended.
  ///
  /// A test has ended when all its cases have.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else {
      let attestation = Attestation.ofThisProcess
      try await function()
      attestation?.attest(to: test.displayName ?? test.name)
      return
    }
    RunObservers.current.set(KataRun.shared)
    try await QuiescenceTrait().provideScope(for: test, testCase: testCase) {
      KVOProbe.prepare()
      PrintedLines.begin(test.displayName ?? test.name)
      PictureLog.ofThisProcess?.begin(test.displayName ?? test.name)
      try await function()
      PictureLog.ofThisProcess?.endWithoutError()
    }
  }
}

/// Tells the runner what happens in a test.
private struct KataRun: RunObserver {
  static let shared = KataRun()

  func waitEnded() { Heartbeat.beat() }
  func explored(_ schedules: Int) { Heartbeat.tell("+\(schedules)\n") }
  func runBegan() { PrintedLines.beginAnew() }
  func runEnded() { PrintedLines.end() }
  func began(_ timeline: Timeline) { PictureLog.ofThisProcess?.add(timeline) }
  func objected(_ sentence: String, _ events: [TimelineEvent]) {
    PictureLog.ofThisProcess?.object(sentence, events)
  }
}
