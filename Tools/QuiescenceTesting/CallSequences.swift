import Testing

/// Makes random sequences of calls, one call after another, and records an issue if a result differs
/// from the model's.
///
/// It finds mistakes that need no second thread, but a certain number of calls or equal values: a
/// list that loses its ninth element, or one that takes equal elements for one. For moves that wait,
/// and for pictures, use ``playScripts(of:scripts:moves:sourceLocation:)``.
///
/// The sequences are the same in every run: of all calls, of each call alone, and of some of them,
/// each with every length. After that all calls of the list are made once more, so that their
/// results show what came of it. A call that would have to wait is left out. The sequence in the
/// message has been shortened.
///
/// Blocks the calling thread until all sequences have been made, or until one is wrong.
///
/// - Parameters:
///   - calls: The calls and their model.
///   - lengths: How many calls the sequences make.
///   - sourceLocation: Where an issue is recorded.
/// - Returns: The number of runs, and the finding if there is one.
@discardableResult
public func exploreSequences<Subject, Model>(
  of calls: CallList<Subject, Model>, lengths: [Int] = [1, 2, 3, 9, 17, 65, 257, 1000],
  sourceLocation: SourceLocation = #_sourceLocation
) -> Exploration {
  guard !calls.calls.isEmpty, lengths.allSatisfy({ $0 > 0 }) else {
    Issue.record("A sequence has at least one call.", sourceLocation: sourceLocation)
    return Exploration(isComplete: false)
  }
  var exploration = Exploration()
  let threads = ScenarioThreads()
  for choice in calls.sequences(lengths: lengths) where exploration.finding == nil {
    exploration.schedules += 1
    guard let run = CallSequence(calls, choice).run(on: threads) else { continue }
    exploration.finding = run.shortened(calls, on: threads).text
  }
  exploration.isComplete = exploration.finding == nil
  if let finding = exploration.finding {
    Issue.record("\(finding)", sourceLocation: sourceLocation)
  }
  return exploration
}

extension CallList {
  /// Indices of the calls of each sequence.
  fileprivate func sequences(lengths: [Int]) -> [[Int]] {
    let all = Array(calls.indices)
    var dice = SplitMix64(seed: 1)
    let some = all.map { _ in all.filter { _ in Bool.random(using: &dice) } }.filter { !$0.isEmpty }
    return ([all] + all.map { [$0] } + some).flatMap { chosen in
      lengths.map { length in
        (0..<length).map { _ in chosen.randomElement(using: &dice) ?? 0 } + all
      }
    }
  }
}

/// A sequence of calls and the results that the model gives.
private struct CallSequence<Subject: Sendable, Model: Sendable> {
  /// Indices of the calls in the list.
  private var made: [Int] = []
  private var results: [String] = []
  private let end: String
  private let scenario: Scenario<Subject, Model>

  /// Creates the sequence without the calls that would have to wait.
  init(_ list: CallList<Subject, Model>, _ choice: [Int]) {
    var model = list.subject.model
    var once: Set<Int> = []
    for index in choice {
      if list.calls[index].isOnlyOnce, !once.insert(index).inserted { continue }
      var next = model
      guard let result = list.calls[index].predict(&next) else { continue }
      model = next
      made.append(index)
      results.append(result)
    }
    end = list.subject.modelEnd(model)
    scenario = Scenario(list.subject, threads: [made.map { list.calls[$0] }])
  }

  /// Makes the calls on a fresh object, and returns the run if it's wrong.
  func run(on threads: ScenarioThreads) -> WrongSequence? {
    guard !made.isEmpty else { return nil }
    let expected = ScenarioOutcome(results: [results], end: end)
    let run = scenario.run(Schedule(order: [0]), on: threads) { $0 == expected }
    guard run.outcome != expected || !run.isQuiet else { return nil }
    let actual = run.outcome.results[0]
    let wrong = zip(actual, results).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    // A call that never returned comes after all that did.
    let last = wrong ?? (actual.count < results.count ? actual.count : nil)
    let shown = last.map { $0 + 1 } ?? made.count
    return WrongSequence(
      choice: Array(made.prefix(shown)), calls: Array(scenario.calls[0].prefix(shown)),
      results: Array(actual.prefix(shown)),
      expected: last.map { .result(results[$0]) } ?? (run.outcome.end == end ? .rest : .end(end)),
      end: run.outcome.end, isQuiet: run.isQuiet)
  }
}

/// A sequence of calls that didn't do what the model does.
private struct WrongSequence {
  enum Expectation {
    /// The last call should return this.
    case result(String)
    /// The object should be in this state at the end.
    case end(String)
    /// Everything should come to rest.
    case rest
  }

  private static var mostLines: Int { 16 }
  private static var mostRuns: Int { 300 }

  let choice: [Int]
  let calls: [String]
  /// The results of the calls that returned.
  let results: [String]
  let expected: Expectation
  let end: String
  let isQuiet: Bool

  private var expectedResult: String {
    if case .result(let result) = expected { result } else { "" }
  }

  /// Leaves out calls as long as the sequence stays wrong: halves first, single calls last.
  func shortened<Subject, Model>(
    _ list: CallList<Subject, Model>, on threads: ScenarioThreads
  ) -> WrongSequence {
    var (best, size, runs) = (self, choice.count / 2, 0)
    while size > 0, runs < Self.mostRuns {
      var start = 0
      var isShorter = false
      while start < best.choice.count, runs < Self.mostRuns {
        var fewer = best.choice
        fewer.removeSubrange(start..<min(start + size, fewer.count))
        // It takes seconds to see that something never comes to rest.
        runs += best.isQuiet ? 1 : 50
        if let run = CallSequence(list, fewer).run(on: threads) {
          (best, isShorter) = (run, true)
        } else {
          start += size
        }
      }
      if !isShorter || size > 1 { size /= 2 }
    }
    // Once more, so that the observer's last run is the one that the finding shows.
    if best.isQuiet { _ = CallSequence(list, best.choice).run(on: threads) }
    return best
  }

  // MARK: - As text

  var text: String {
    var lines: [(text: String, count: Int)] = []
    for (index, call) in calls.enumerated() {
      let other = index == calls.count - 1 ? expectedResult : ""
      let outcome =
        index < results.count
        ? " → \(results[index].excerpt(comparedWith: other))" : " never returns"
      if lines.last?.text == call + outcome {
        lines[lines.count - 1].count += 1
      } else {
        lines.append((call + outcome, 1))
      }
    }
    var shown = lines.map { $0.count == 1 ? $0.text : "\($0.text), \($0.count) times" }
    if shown.count > Self.mostLines {
      let omitted = shown.count - Self.mostLines
      shown.replaceSubrange(
        Self.mostLines / 2..<Self.mostLines / 2 + omitted, with: ["… (\(omitted) more lines)"])
    }
    let sentence: String
    switch expected {
    case .result("returned"): sentence = "The last call should return."
    case .result(let result):
      sentence = "The last call should return: \(result.excerpt(comparedWith: results.last ?? ""))"
    case .end(let state):
      shown.append("in the end: \(end.excerpt(comparedWith: state))")
      sentence = "In the end it should be: \(state.excerpt(comparedWith: end))"
    case .rest: sentence = "It should come to rest, but something is still running."
    }
    return shown.map { "  \($0)" }.joined(separator: "\n") + "\n\n\(sentence)"
  }
}

extension String {
  /// The text if it's short, and otherwise what's around the first difference from another text.
  fileprivate func excerpt(comparedWith other: String) -> String {
    let (most, before) = (120, 30)
    guard count > most else { return self }
    let same = zip(self, other).prefix { $0 == $1 }.count
    let start = max(0, same - before)
    return (start > 0 ? "… " : "") + dropFirst(start).prefix(most)
      + (start + most < count ? " …" : "")
  }
}
