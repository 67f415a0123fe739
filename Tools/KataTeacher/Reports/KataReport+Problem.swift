import KataKit

extension KataReport {
  /// What keeps a kata from being done and no test of the spec says.
  package struct Problem: Equatable {
    /// What should be so, as the name of a test.
    let name: String
    package let sentence: String
    /// Whether something went wrong, rather than that a promise was broken.
    let isError: Bool
  }

  /// The problem that stands beside the tests; nil where all is well or a test says it.
  ///
  /// A format that knows only tests makes a failing test of it, so that a kata that isn't done is
  /// never a row of passes.
  package var problem: Problem? {
    switch verdict {
    case .passed: nil
    case .racesNotChecked:
      Problem(
        name: Self.noRace, sentence: notes.last ?? "Data races weren't looked for.",
        isError: true)
    case .race:
      Problem(name: Self.noRace, sentence: raceText, isError: false)
    case .doesNotCompile:
      Problem(name: "the answer compiles", sentence: compilerText, isError: true)
    case .error, .missing:
      Problem(
        name: "the kata can be judged", sentence: message ?? "It couldn't be judged.",
        isError: true)
    case .notStarted where !hasFailure:
      Problem(
        name: "the answer is begun", sentence: "This is the stub, byte for byte.", isError: false)
    case .notStarted, .failed, .hung, .crashed:
      hasFailure
        ? nil
        : Problem(
          name: "every test runs", sentence: "The process ended before every test had run.",
          isError: true)
    }
  }

  private static let noRace = "no data race"

  /// Whether a test of the spec ran, be it only to its failure.
  var hasRun: Bool { tests.contains { $0.status != .notReached && $0.testLine != nil } }

  private var hasFailure: Bool { tests.contains(where: \.isFailure) }

  private var raceText: String {
    let places = race.map { "  \($0.kind)  \($0.file):\($0.line)  \($0.function)" }
    let isLearners = race.contains { $0.file == file }
    return
      ([RaceReport.sentence(isLearners: isLearners)]
      + (places.isEmpty ? [RaceReport.withoutPlaces] : places)).joined(separator: "\n")
  }

  private var compilerText: String {
    if let message { return message }
    guard !compilerMessages.isEmpty else { return "The compiler refuses it." }
    return compilerMessages.map { message in
      (["\(message.file):\(message.line):\(message.column): error: \(message.message)"]
        + message.excerpt).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  /// All that is to be said of a test that isn't passed: what broke, where, what it looks like.
  func details(of test: Test) -> String {
    var paragraphs = [test.message ?? "An expectation of the spec isn't met."]
    if let expected = test.expected { paragraphs.append("Expected: \(expected)") }
    if let line = test.line { paragraphs.append("In \(test.file):\(line)") }
    if tests.first(where: \.isFailure)?.name == test.name {
      paragraphs += looksLike.map { "Looks like: \($0.mistake). \($0.advice)" }
    }
    return paragraphs.joined(separator: "\n\n")
  }
}
