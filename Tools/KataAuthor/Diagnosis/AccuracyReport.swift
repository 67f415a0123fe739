import KataKit

/// How often the diagnosis names the mistake that was made.
package struct AccuracyReport: Codable, Sendable {
  /// One answer with a known mistake, and its diagnosis.
  package struct Trial: Codable, Sendable {
    /// The outcome of a trial.
    package enum Outcome: String, Codable, Sendable {
      /// The mistake was named, alone or first.
      case first
      /// The mistake was the second of two that were named.
      case second
      /// Only other mistakes were named.
      case wrong
      /// Nothing was named.
      case silent
    }

    /// The name of the kata.
    package let kata: String
    /// The name of the mistake that was made.
    package let mistake: String
    /// The name of the right answer that contains the mistake.
    package let host: String
    /// The names of the mistakes in its diagnosis.
    package let guesses: [String]
    /// The outcome.
    package let outcome: Outcome

    init(kata: String, mistake: String, host: String, guesses: [String]) {
      self.kata = kata
      self.mistake = mistake
      self.host = host
      self.guesses = guesses
      outcome =
        switch guesses.firstIndex(of: mistake) {
        case 0: .first
        case .some: .second
        case nil: guesses.isEmpty ? .silent : .wrong
        }
    }
  }

  /// The number of katas.
  package internal(set) var katas = 0
  /// The rejected answers, with their diagnoses.
  package internal(set) var trials: [Trial] = []
  /// The number of trials in which the mistake was named, alone or first.
  package internal(set) var first = 0
  /// The number of trials in which it was the second of two named mistakes.
  package internal(set) var second = 0
  /// The number of trials in which only other mistakes were named.
  package internal(set) var wrong = 0
  /// The number of trials in which nothing was named.
  package internal(set) var silent = 0
  /// The number of trials left out because the compiler refuses the mistake in that answer.
  package internal(set) var refused = 0
  /// The number of trials left out because the spec passes that answer, so that it's no mistake
  /// there.
  package internal(set) var passed = 0
  /// The number of mistakes left out because they are whole files.
  package internal(set) var wholeFiles = 0
  /// How long it took.
  package internal(set) var seconds = 0

  mutating func add(_ trial: Trial) {
    trials.append(trial)
    switch trial.outcome {
    case .first: first += 1
    case .second: second += 1
    case .wrong: wrong += 1
    case .silent: silent += 1
    }
  }

  /// The trials in which only other mistakes were named, in a sentence each.
  package var wrongOnes: [String] {
    trials.filter { $0.outcome == .wrong }.map { trial in
      let guesses = trial.guesses.map { "'\($0)'" }.joined(separator: " or ")
      return "\(trial.kata): '\(trial.mistake)' in '\(trial.host)' was diagnosed as \(guesses)"
    }
  }

  /// The figures in one line.
  package var line: String {
    """
    \(katas) katas · \(trials.count) mistakes in other right answers · \
    \(first) first guesses right · \(second) right among two · \
    \(wrong) wrong · \(silent) silent · left out: \(refused) that don't compile, \
    \(passed) that pass, \(wholeFiles) whole files · \(seconds) s
    """
  }
}
