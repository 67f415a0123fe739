@_exported import KataPictures
@_exported import QuiescenceTesting
import Testing

extension Trait where Self == KataTrait {
  /// Runs the tests of a kata one at a time in this process, each on a thread of its own.
  public static var kata: Self { Self() }
}

/// What every kata's suite needs, however it is started: what `QuiescenceTrait` gives, and that
/// `kata` can follow from outside.
public struct KataTrait: SuiteTrait, TestTrait, TestScoping {
  /// Applies to every test of a suite.
  public var isRecursive: Bool { true }

  /// Of every test, and of each of its cases.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    test.isSuite ? nil : self
  }

  /// Runs a case of a test when its turn has come, on a thread of its own; a test has ended when all of them have.
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

/// Tells the runner outside what happens in a test.
private struct KataRun: RunObserver {
  static let shared = KataRun()

  func waitEnded() { Heartbeat.beat() }
  func explored(_ schedules: Int) { Heartbeat.tell("+\(schedules)\n") }
  func began(_ timeline: Timeline) { PictureLog.ofThisProcess?.add(timeline) }
  func objected(_ sentence: String, _ events: [TimelineEvent]) {
    PictureLog.ofThisProcess?.object(sentence, events)
  }
}
