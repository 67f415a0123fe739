import Foundation
import KataKit

/// An answer that the proof judges, and the verdict that it must get.
struct Candidate: Sendable {
  enum Role: Sendable {
    case reference
    case stub
    case rightAnswer(RightAnswer)
    case mistake(Mistake)
    /// The mistake, made in a right answer with another design.
    case transplant(Mistake, into: RightAnswer)
    /// The reference with an edit of this name, made by rule.
    case mutant(String)
    /// The mutant of this name, which is listed as equivalent.
    case equivalent(String)
  }

  let kata: Kata
  let role: Role
  /// The answer's text.
  let text: String
  /// The tests that are run without Thread Sanitizer, by name; nil for all.
  var only: [String]?

  /// Its name in reports.
  var name: String {
    switch role {
    case .reference: "reference"
    case .stub: "stub"
    case .rightAnswer(let answer): answer.name
    case .mistake(let mistake): mistake.name
    case .transplant(let mistake, let answer): "\(mistake.name), in: \(answer.name)"
    case .mutant(let name), .equivalent(let name): name
    }
  }

  /// The mistake that it makes, if it's a mistake of the catalogue.
  var mistake: Mistake? {
    switch role {
    case .mistake(let mistake), .transplant(let mistake, _): mistake
    case .reference, .stub, .rightAnswer, .mutant, .equivalent: nil
    }
  }

  /// Whether the spec must accept it.
  var isRight: Bool {
    switch role {
    case .reference, .rightAnswer: true
    case .stub, .mistake, .transplant, .mutant, .equivalent: false
    }
  }

  /// Whether it's the reference with one edit.
  ///
  /// Then an error without its neighbours is final.
  var isMutant: Bool {
    switch role {
    case .mutant, .equivalent: true
    case .reference, .stub, .rightAnswer, .mistake, .transplant: false
    }
  }

  /// Whether it's a mistake that only Thread Sanitizer rejects every time.
  var isRace: Bool { mistake?.verdict == .race }

  /// Whether it's wrong only with more than one core.
  var needsCores: Bool { mistake?.needsCores == true }

  /// Whether it has to run under Thread Sanitizer too.
  var needsSanitizer: Bool {
    switch role {
    case .reference, .rightAnswer, .mutant: true
    case .mistake, .transplant: isRace
    case .stub, .equivalent: false
    }
  }

  /// The tests that must reveal its race, by name; nil for all.
  var sanitizedTests: [String]? { mistake?.rejectedBy }

  /// All answers to a kata: the reference, the stub, the other right answers, the mistakes.
  static func all(of kata: Kata, in repository: Repository) throws -> [Candidate] {
    let reference = try repository.text(repository.referencePath(of: kata))
    let borrowed = kata.borrowedTypes
    func text(of answer: Answer?, called name: String) throws -> String {
      guard let answer else {
        throw KataError(
          """
          \(kata.descriptionPath) doesn't say how '\(name)' differs from the reference; it \
          needs a diff, or a line '- answer: ' with a file.
          """, .notDone)
      }
      let text = try Self.text(of: answer, called: name, kata, reference, repository)
      // A whole file is written as an answer in `Katas/`.
      return answer.isFile ? text : borrowed.named(in: text)
    }
    var candidates = [
      Candidate(
        kata: kata, role: .reference, text: try repository.referenceAsAnswer(to: kata)),
      Candidate(kata: kata, role: .stub, text: try repository.text(repository.stubPath(of: kata))),
    ]
    for answer in kata.rightAnswers {
      let text = try text(of: answer.answer, called: answer.name)
      candidates.append(Candidate(kata: kata, role: .rightAnswer(answer), text: text))
    }
    for mistake in kata.mistakes {
      let text = try text(of: mistake.answer, called: mistake.name)
      candidates.append(Candidate(kata: kata, role: .mistake(mistake), text: text))
    }
    return candidates
  }

  /// The mistakes of a kata, each made in every right answer with another design that contains the
  /// replaced lines exactly once.
  static func transplants(of kata: Kata, in repository: Repository) throws -> [Candidate] {
    let reference = try repository.text(repository.referencePath(of: kata))
    let borrowed = kata.borrowedTypes
    return try kata.rightAnswers.flatMap { answer -> [Candidate] in
      guard let right = answer.answer else { return [] }
      let host = try text(of: right, called: answer.name, kata, reference, repository)
      return kata.mistakes.compactMap { mistake in
        guard case .change(let change) = mistake.answer, let text = try? change.applied(to: host),
          text != host
        else { return nil }
        return Candidate(
          kata: kata, role: .transplant(mistake, into: answer), text: borrowed.named(in: text))
      }
    }
  }

  /// The text of an answer, with the types that it uses named as in the reference or in full.
  private static func text(
    of answer: Answer, called name: String, _ kata: Kata, _ reference: String,
    _ repository: Repository
  ) throws -> String {
    switch answer {
    case .file(let file):
      return try repository.text("\(repository.answersPath(of: kata))/\(file)")
    case .change(let change):
      do {
        return try change.applied(to: reference)
      } catch {
        let missing = error.hunk.old.first { !reference.components(separatedBy: "\n").contains($0) }
        throw KataError(
          """
          \(kata.descriptionPath):\(error.hunk.line): the lines of '\(name)' to be replaced stand \
          \(error.count) times in \(repository.referencePath(of: kata)), and must stand there once, behind \
          those of the part before.\(missing.map { " There is no line '\($0)'." } ?? "")
          """, .notDone)
      }
    }
  }
}

extension Answer {
  /// Whether it's a whole file rather than a change of the reference.
  var isFile: Bool {
    if case .file = self { true } else { false }
  }
}
