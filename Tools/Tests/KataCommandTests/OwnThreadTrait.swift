import Testing

@testable import QuiescenceTesting

extension Trait where Self == OwnThreadTrait {
  /// Runs each test on a thread of its own.
  static var ownThread: Self { Self() }
}

/// For tests that start programs and block until those end.
///
/// Suites run beside each other, on threads that aren't the pool's: a blocked test takes none from the others.
struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
  /// Applies to every test of a suite.
  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
    testCase == nil ? nil : self
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let executor = OwnThreadExecutor(name: "test")
    defer { executor.stop() }
    try await withTaskExecutorPreference(executor) { try await function() }
  }
}
