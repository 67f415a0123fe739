import KataKit

extension KataReport {
  /// A reason why a kata isn't done that no test of the spec reports.
  package struct Problem: Equatable {
    /// What must hold, as the name of a test.
    let name: String
    package let sentence: String
    /// Whether something went wrong, as opposed to a broken promise.
    let isError: Bool
  }

  /// The problem outside the tests; nil if there is none, or if a test reports it.
  ///
  /// A format that knows only tests shows it as a failing test, so that a kata that isn't done
  /// never looks like a row of passes.
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

  /// Whether a test of the spec ran, even if it failed.
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

  /// The details of a test that hasn't passed: what is wrong, where, and the mistake that it
  /// resembles.
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
