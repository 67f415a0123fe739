import Foundation
import KataKit

/// The results of a proof.
package struct ProofReport: Codable, Sendable {
  /// The number of katas.
  package internal(set) var katas = 0
  /// The references that their spec accepts, without a report of Thread Sanitizer.
  package internal(set) var referencesPassed = 0
  /// The stubs that their spec rejects, by an expectation.
  package internal(set) var stubsRejected = 0
  /// The mistakes in the catalogue.
  package internal(set) var mistakes = 0
  /// The mistakes that got their verdict from the tests that name them.
  package internal(set) var mistakesRejected = 0
  /// The other right answers in the catalogue.
  package internal(set) var rightAnswers = 0
  /// The other right answers that their spec accepts, without a report of Thread Sanitizer.
  package internal(set) var rightAnswersPassed = 0
  /// The promises in the documentation of the stubs.
  package internal(set) var promises = 0
  /// The promises that are broken by a mistake that is rejected as it must be.
  package internal(set) var promisesProven = 0
  /// The edits of references that are listed as equivalent.
  package internal(set) var equivalents = 0
  /// The code that pages show with a verdict.
  package internal(set) var listings = 0
  /// The code that gets the verdict that its page says.
  package internal(set) var listingsAsTold = 0
  /// The tests that no wrong answer fails.
  package internal(set) var idleTests = 0
  /// The rejected mistakes that were missed beside other answers, and rejected each time when they
  /// were judged again, alone.
  package internal(set) var rejectedAtRetry = 0
  /// The schedules in which right answers were run and passed.
  package internal(set) var schedules = 0
  /// How long it took.
  package internal(set) var seconds = 0
  /// How often each answer was judged.
  package internal(set) var repeats = 1
  /// The shortfalls, in a sentence each; empty if everything holds.
  package internal(set) var fellShort: [String] = []
  /// The changes in the file of measured patterns, in a sentence each.
  package internal(set) var patternChanges: [String] = []
  /// The changes in the file of pictures, in a sentence each; they are never shortfalls.
  package internal(set) var pictureChanges: [String] = []
  /// The tests that failed, for each kata and mistake, as measured.
  package internal(set) var patterns: [String: [String: [String]]] = [:]

  /// The figures in one line.
  package var line: String {
    """
    \(katas) katas · \(referencesPassed) references passed · \(stubsRejected) stubs rejected · \
    \(mistakesRejected) of \(mistakes) mistakes rejected by the named test, \
    \(rejectedAtRetry) of them only at a retry · \
    \(rightAnswersPassed) of \(rightAnswers) other right answers passed · \
    \(promisesProven) of \(promises) promises broken by a mistake that is rejected · \
    \(listingsAsTold) of \(listings) listings get the verdict that their page says · \
    \(idleTests) tests that no answer fails · \
    right answers pass in \(schedules) schedules · \(seconds) s
    """
  }

  package var holds: Bool { fellShort.isEmpty }

  /// Adds what katas' descriptions lack.
  mutating func noteShortfalls(_ sentences: [String]) { fellShort += sentences }

  /// Counts the promises of a kata, of which `rejected` are the mistakes that were rejected as they
  /// must be.
  mutating func note(_ contract: Contract, of kata: Kata, rejected: Set<String>) {
    fellShort += contract.shortfalls.map { "\(kata.name), \($0)" }
    promises += contract.promises.count
    promisesProven += contract.promises.count { promise in
      contract.breaking[promise.name]?.contains { rejected.contains($0.name) } == true
    }
  }

  /// Counts the code that pages show, and adds differences from what they say.
  mutating func note(_ listings: [PageListing], shortfalls: [String]) {
    self.listings = listings.count
    listingsAsTold = listings.count - shortfalls.count
    fellShort += shortfalls
  }

  /// Adds changes in the file of measured patterns.
  ///
  /// If `isStrict`, as in CI, an outdated file is a shortfall. Otherwise, an author who has just
  /// changed a mistake learns that the file changes with it.
  mutating func note(_ update: PatternBook.Update, isStrict: Bool) {
    patternChanges = update.widened
    guard isStrict else {
      patternChanges += update.stale
      return
    }
    fellShort += update.stale.map {
      "\(PatternBook.file) is out of date: \($0) Run 'make verify' and commit what it writes."
    }
  }
}
