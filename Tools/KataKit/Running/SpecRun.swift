import Foundation

/// What a spec says of an answer, test by test.
package struct SpecRun: Sendable {
  /// The tests in the order of the spec.
  package var tests: [TestReport] = []
  /// Thread Sanitizer's reports, if it was built in.
  package var races: [RaceReport] = []
  /// What the timelines showed, as lines of JSON, where that was asked for.
  package var pictureLines = Data()
  /// The processes that it took, as they were followed, where that was asked for.
  package var processes: [ProcessRecord] = []
  /// In how many schedules the answer was run, where it was looked for one that breaks it.
  package var schedules: Int?
  /// Whether the spec looks for schedules, and the answer has no points at which a thread could be held.
  package var lacksPoints = false
  /// Whether such a schedule is all that is wrong with the answer.
  package var isBrokenByScheduleAlone = false
  /// What it did to files around it, where somebody has looked.
  package var changes = ProtectedFiles.Changes()
  /// Whether the run was stopped before its end.
  package var wasStopped = false
  /// Whether the program couldn't even start, since the answer lacks something that its specs use.
  var lacksSymbols = false

  package init() {}

  /// The first test that the answer doesn't pass.
  package var firstFailure: TestReport? {
    tests.failing.first
  }

  /// Whether the specs' process ended before it had told of its tests.
  package var cameToNoTest: Bool { !wasStopped && tests.allSatisfy { $0.id.isEmpty } }

  /// Whether the spec passed, as it comes: whatever a schedule has shown afterwards.
  package var passedAsItCame: Bool { passed || isBrokenByScheduleAlone }

  /// Whether every test ran and passed.
  package var passed: Bool { !tests.isEmpty && tests.allSatisfy { $0.status == .passed } }
}

/// What is known of a run before its end.
package enum SpecNews: Sendable {
  /// A test has failed.
  case failed(TestReport)
  /// The spec has passed, and so many schedules of the answer have shown nothing wrong.
  case explored(Int)
}

/// What was seen of one process of a run.
package struct ProcessRecord: Sendable {
  /// Swift Testing's events, as they came.
  package var events = Data()
  /// What it has printed: all of it, or its beginning and its end.
  package var output = ""
  /// Its threads, a line each, when the watchdog ended it; empty where it ended otherwise.
  package var threads = ""
}

extension [TestReport] {
  /// Those that the answer doesn't pass, in their order.
  package var failing: [TestReport] { filter { $0.status != .passed && $0.status != .notReached } }
}

/// What one test says.
package struct TestReport: Codable, Sendable {
  package enum Status: String, Codable, Sendable {
    case passed, failed, hung, crashed, notReached
  }

  /// The test's name, a sentence.
  package let name: String
  package var status: Status
  /// What it objects to, in the order of recording.
  package var issues: [TestIssue] = []
  /// How the process died, where it died in this test.
  package var crash: String?
  /// What the answer printed meanwhile, if anything: its first lines and its last ones.
  package var printed: String?
  /// The file of the test, where that is known; a long spec is more than one.
  package var file: String?
  /// The line of the test in its file.
  package var line: Int

  package let id: String

  private enum CodingKeys: String, CodingKey {
    case name, status, issues, crash, printed, file, line, id
  }
}
