/// What one run has shown of an answer.
struct Symptoms: Equatable, Sendable {
  /// The tests that rejected the answer, each with what it said.
  var complaints: [String: Set<Complaint>] = [:]
  /// The tests that passed it.
  var silent: Set<String> = []
  /// The functions that raced, each pair as one line.
  var races: Set<String> = []

  var isEmpty: Bool { complaints.isEmpty && races.isEmpty }

  /// What a spec has said.
  init(tests: [TestReport]) {
    // A spec that didn't even start has no test to tell of.
    for test in tests where !test.id.isEmpty {
      if test.status == .passed { silent.insert(test.name) }
      let said = Complaint.all(of: test)
      if !said.isEmpty { complaints[test.name] = said }
    }
  }

  /// What Thread Sanitizer has said of an answer to `kata` that its spec passes.
  init(races reports: [RaceReport], of kata: Kata) {
    races = Set(reports.compactMap { $0.pair(in: "/\(kata.file)") })
  }
}

extension RaceReport {
  /// The functions of a file that raced, in alphabetical order; nil where it has no part in it.
  fileprivate func pair(in file: String) -> String? {
    let functions = accesses.compactMap { access in
      access.frames.first { $0.file.hasSuffix(file) }?.function
    }
    return functions.isEmpty ? nil : functions.sorted().joined(separator: " ↔ ")
  }
}
