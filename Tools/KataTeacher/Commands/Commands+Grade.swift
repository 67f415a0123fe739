import Foundation
import KataKit

/// The arguments of `kata grade`.
package struct GradeRequest: Sendable {
  /// The folders with submissions, or with `isMerge`, with results.
  package var folders: [String]
  /// A kata, a module, or "all".
  package var katas: String?
  /// The part of the submissions to judge; nil for all.
  package var shard: Shard?
  /// Whether Thread Sanitizer checks answers that pass.
  package var looksForRaces = true
  /// Whether each run is isolated.
  package var isIsolated = false
  /// Whether results are merged instead of judging.
  package var isMerge = false
  /// The folder for the results.
  package var output: String?

  package init(folders: [String]) {
    self.folders = folders
  }
}

extension Commands {
  /// The specs' timeout in seconds when no learner waits for the verdict, unless `TEST_TIMEOUT` is
  /// set.
  private static let timeoutWhenGrading = 20.0
  /// The default folder for results.
  private static let resultsFolder = ".build/grade/results"

  /// Judges submissions, or merges results, and writes them into a folder.
  ///
  /// Progress goes to standard error; the summary is printed.
  package func grade(_ request: GradeRequest) throws -> ExitCode {
    guard !request.folders.isEmpty else {
      let example =
        request.isMerge
        ? "kata grade --merge results-1 results-2" : "make grade FROM=submissions"
      throw KataError("Which folder? Name it: '\(example)'.", .usage)
    }
    let base =
      request.output == nil
      ? repository.root : URL(filePath: FileManager.default.currentDirectoryPath)
    let results = ResultsFolder(request.output ?? Self.resultsFolder, relativeTo: base)
    let graded =
      try request.isMerge ? merged(request, into: results) : judged(request, into: results)
    let report = GradeReport(graded)
    try results.write(report)
    for result in report.submissions { print("\(result.participant): \(result.figures)\n") }
    for result in report.submissions where !result.isJudged {
      for kata in result.katas where kata.verdict == .error {
        tell("\(result.participant) · \(kata.kata) couldn't be judged: \(kata.message ?? "")\n")
      }
    }
    print("\(Self.count(graded.count)); the results are in \(results.path).\n")
    return report.isJudged ? .done : .notDone
  }

  private static func count(_ submissions: Int) -> String {
    "\(submissions) \(submissions == 1 ? "submission" : "submissions")"
  }

  private func judged(
    _ request: GradeRequest, into results: ResultsFolder
  ) throws -> [SubmissionResult] {
    let katas = try request.katas.map { try Catalogue.katas(named: $0) } ?? Catalogue.katas
    let all = try Submission.all(in: request.folders, except: results.url)
    let submissions = all.filter { request.shard?.contains($0.participant) ?? true }
    try results.prepare()
    describe(submissions, of: all.count, katas)
    let terms = try GradingTerms(
      katas: katas, timeout: timeout ?? Self.timeoutWhenGrading,
      looksForRaces: request.looksForRaces,
      isolation: request.isIsolated ? Isolation(in: repository) : nil, in: repository)
    return try Grading(repository: repository, terms: terms, results: results, say: tell).run(
      submissions)
  }

  /// Reports which submissions and layouts were found.
  private func describe(_ submissions: [Submission], of total: Int, _ katas: [Kata]) {
    let part = submissions.count == total ? "" : " of \(total), this shard's part"
    let layouts = Submission.Layout.allCases.compactMap { layout in
      let count = submissions.count { $0.layout == layout }
      return count == 0 ? nil : "\(count) \(layout.words)"
    }
    let what = katas.count == 1 ? katas[0].name : "\(katas.count) katas"
    let number = Self.count(submissions.count)
    tell("\(number)\(part), \(what): \(layouts.joined(separator: "; ")).\n")
    for submission in submissions {
      for note in submission.notes { tell("\(submission.participant) · \(note)\n") }
    }
  }

  /// The latest result of each participant in the given folders.
  private func merged(
    _ request: GradeRequest, into results: ResultsFolder
  ) throws -> [SubmissionResult] {
    var latest: [String: SubmissionResult] = [:]
    for folder in request.folders {
      guard let found = try ResultsFolder.all(in: folder) else {
        throw KataError(
          "'\(folder)' isn't a folder of results; name one that 'make grade' has written.", .usage)
      }
      for result in found
      where latest[result.participant].map({ $0.judged < result.judged }) ?? true {
        latest[result.participant] = result
      }
    }
    try results.prepare()
    let all = latest.values.sorted { $0.participant < $1.participant }
    for result in all { try results.keep(result) }
    return all
  }
}
