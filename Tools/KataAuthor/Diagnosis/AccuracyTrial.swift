import KataKit

/// Measures how often a diagnosis is right, on answers whose mistake is known.
///
/// Every mistake that is a change of the reference is made in every right answer with another
/// design that contains the lines that it replaces; the result is built and judged as in a proof.
/// The patterns weren't measured with these answers.
package struct AccuracyTrial: Sendable {
  let repository: Repository
  let timeout: Double
  let say: @Sendable (String) -> Void

  package init(repository: Repository, timeout: Double, say: @escaping @Sendable (String) -> Void) {
    self.repository = repository
    self.timeout = timeout
    self.say = say
  }

  /// Tries the mistakes of `katas`, or if `isReplay`, diagnoses the last results again.
  ///
  /// Blocks until it's done.
  package func run(_ katas: [Kata], isReplay: Bool = false) throws -> AccuracyReport {
    let start = ContinuousClock.now
    if !isReplay { try measure(katas) }
    let book = try PatternBook.read(katas, in: repository)
    var report = AccuracyReport()
    for kata in katas {
      guard let measurements = Measurement.read(kata, in: repository) else {
        throw KataError(
          "\(kata.name) hasn't been measured yet; run 'make diagnosis KATA=\(kata.name)'.", .notDone
        )
      }
      report.take(measurements, of: kata, book)
    }
    report.seconds = Int(start.duration(to: .now).components.seconds)
    return report
  }

  private func measure(_ katas: [Kata]) throws {
    let results = try CandidateTrials(
      repository: repository, timeout: timeout, repeats: 1, say: say
    )
    .results(of: katas.flatMap { try Candidate.transplants(of: $0, in: repository) })
    for kata in katas {
      let own = results.filter { $0.candidate.kata.name == kata.name }
      try Measurement.write(own.flatMap(Measurement.all), of: kata, in: repository)
    }
  }
}

extension AccuracyReport {
  /// Adds the measurements of a kata.
  mutating func take(_ measurements: [Measurement], of kata: Kata, _ book: PatternBook) {
    katas += 1
    wholeFiles += kata.mistakes.count { $0.answer?.isFile == true }
    let diagnosis = Diagnosis(kata, book)
    for measurement in measurements {
      let verdict = measurement.verdict(on: kata)
      if measurement.isRefused {
        refused += 1
      } else if verdict.kind == .passed {
        passed += 1
      } else {
        add(
          Trial(
            kata: kata.name, mistake: measurement.mistake, host: measurement.host,
            guesses: diagnosis.guesses(verdict)))
      }
    }
  }
}
