/// How often the named mistake was the one that was made.
public struct AccuracyReport: Codable, Sendable {
  /// One answer with a known mistake, and what it was taken for.
  public struct Trial: Codable, Sendable {
    /// What came of it.
    public enum Outcome: String, Codable, Sendable {
      /// The mistake was named, alone or first.
      case first
      /// The mistake was the second of two that were named.
      case second
      /// Others were named.
      case wrong
      /// Nothing was named.
      case silent
    }

    /// The name of the kata.
    public let kata: String
    /// The name of the mistake that was made.
    public let mistake: String
    /// The name of the right answer that it was made in.
    public let host: String
    /// The names of the mistakes that it looks like.
    public let guesses: [String]
    /// What came of it.
    public let outcome: Outcome

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

  /// The katas looked at.
  public internal(set) var katas = 0
  /// The answers that were rejected, and what they were taken for.
  public internal(set) var trials: [Trial] = []
  /// The trials in which the mistake was named, alone or first.
  public internal(set) var first = 0
  /// The trials in which it was the second of two that were named.
  public internal(set) var second = 0
  /// The trials in which only others were named.
  public internal(set) var wrong = 0
  /// The trials in which nothing was named.
  public internal(set) var silent = 0
  /// The trials left out because the compiler refuses the mistake in that answer.
  public internal(set) var refused = 0
  /// The trials left out because it's no mistake in that answer: the spec passes it.
  public internal(set) var passed = 0
  /// The mistakes left out because they are whole files.
  public internal(set) var wholeFiles = 0
  /// How long it took.
  public internal(set) var seconds = 0

  mutating func add(_ trial: Trial) {
    trials.append(trial)
    switch trial.outcome {
    case .first: first += 1
    case .second: second += 1
    case .wrong: wrong += 1
    case .silent: silent += 1
    }
  }

  /// The trials in which only others were named, a sentence each.
  public var wrongOnes: [String] {
    trials.filter { $0.outcome == .wrong }.map { trial in
      let guesses = trial.guesses.map { "'\($0)'" }.joined(separator: " or ")
      return "\(trial.kata): '\(trial.mistake)' in '\(trial.host)' was taken for \(guesses)"
    }
  }

  /// The figures in one line.
  public var line: String {
    """
    \(katas) katas · \(trials.count) mistakes in other right answers · \
    \(first) first guesses right · \(second) right among two · \
    \(wrong) wrong · \(silent) silent · left out: \(refused) that don't compile, \
    \(passed) that pass, \(wholeFiles) whole files · \(seconds) s
    """
  }
}
