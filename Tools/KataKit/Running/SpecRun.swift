import Foundation

/// A spec's results for an answer, test by test.
package struct SpecRun: Sendable {
  /// The tests in the order of the spec.
  package var tests: [TestReport] = []
  /// Thread Sanitizer's reports, if it was built in.
  package var races: [RaceReport] = []
  /// What the timelines showed, as lines of JSON, if that was asked for.
  package var pictureLines = Data()
  /// The processes of the run, if that was asked for.
  package var processes: [ProcessRecord] = []
  /// The number of schedules in which the answer was run, if schedules were explored.
  package var schedules: Int?
  /// Whether the spec explores schedules, but the answer has no points at which a thread could be
  /// held.
  package var lacksPoints = false
  /// Whether only a schedule has found something wrong with the answer.
  package var isBrokenByScheduleAlone = false
  /// What it did to files around it, if that was checked.
  package var changes = ProtectedFiles.Changes()
  /// Whether the run was stopped before its end.
  package var wasStopped = false
  /// Whether the program couldn't start, since the answer lacks a symbol that its specs use.
  var lacksSymbols = false

  package init() {}

  /// The first test that the answer doesn't pass.
  package var firstFailure: TestReport? {
    tests.failing.first
  }

  /// Whether the specs' process ended before it had listed its tests.
  package var cameToNoTest: Bool { !wasStopped && tests.allSatisfy { $0.id.isEmpty } }

  /// Whether the spec passed without schedules, whatever these have found afterwards.
  package var passedAsItCame: Bool { passed || isBrokenByScheduleAlone }

  /// Whether every test ran and passed.
  package var passed: Bool { !tests.isEmpty && tests.allSatisfy { $0.status == .passed } }
}

/// News of a run before its end.
package enum SpecNews: Sendable {
  /// A test has failed.
  case failed(TestReport)
  /// The spec has passed, and this many schedules of the answer have found nothing wrong.
  case explored(Int)
}

/// A record of one process of a run.
package struct ProcessRecord: Sendable {
  /// Swift Testing's events, unchanged.
  package var events = Data()
  /// What it has printed: all of it, or its beginning and its end.
  package var output = ""
  /// Its threads, a line each, when the watchdog killed it; otherwise empty.
  package var threads = ""
}

extension [TestReport] {
  /// The tests that the answer doesn't pass, in order.
  package var failing: [TestReport] { filter { $0.status != .passed && $0.status != .notReached } }
}

/// The result of one test.
package struct TestReport: Codable, Sendable {
  package enum Status: String, Codable, Sendable {
    case passed, failed, hung, crashed, notReached
  }

  /// The test's name, a sentence.
  package let name: String
  package var status: Status
  /// The failures, in the order of recording.
  package var issues: [TestIssue] = []
  /// How the process died, if it died in this test.
  package var crash: String?
  /// What the answer printed during the test, if anything: the first and the last lines.
  package var printed: String?
  /// The file of the test, if it's known; a long spec has several.
  package var file: String?
  /// The line of the test in its file.
  package var line: Int

  package let id: String

  /// What the message of a test shows of the run that failed.
  package enum Run: CaseIterable, Sendable {
    case schedule, sequence

    /// The beginning of the test's name.
    private var prefix: String {
      switch self {
      case .schedule: "in every schedule "
      case .sequence: "in any sequence "
      }
    }

    /// Of a test with this name; nil if it makes one run alone.
    package init?(ofTest name: String) {
      guard let run = Self.allCases.first(where: { name.hasPrefix($0.prefix) }) else { return nil }
      self = run
    }
  }

  private enum CodingKeys: String, CodingKey {
    case name, status, issues, crash, printed, file, line, id
  }
}
