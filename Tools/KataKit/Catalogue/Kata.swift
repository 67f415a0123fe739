/// A module of the curriculum; the name of its folders below `Modules`, `Katas` and `Tests`.
package enum Module: String, CaseIterable, Codable, Sendable {
  case gcdBasics = "GCDBasics"
  case groupsSemaphores = "GroupsSemaphores"
  case barriers = "Barriers"
  case operations = "Operations"
  case asyncOperations = "AsyncOperations"
  case cancellation = "Cancellation"

  /// The folder of its specs, relative to the root.
  package var specs: String { "Tests/\(rawValue)Tests" }

  /// The folder of its katas' descriptions and galleries, which aren't compiled with the specs,
  /// relative to the root.
  package var gallery: String { "Tests/Gallery/\(rawValue)" }

  /// The folder of the learner's answers, relative to the root.
  var answers: String { "Katas/\(rawValue)" }

  /// The modules of references that its katas may import, each before those that import it.
  package var imports: [String] {
    switch self {
    case .gcdBasics, .groupsSemaphores, .barriers: []
    case .operations: ["Images"]
    case .asyncOperations, .cancellation: ["Images", "AsyncOperations"]
    }
  }
}

/// One exercise: everything about it except Swift code to compile.
///
/// The files of a kata have its name: the reference in `Modules/`, the stub in `Katas/`, the folder
/// with the spec in `Tests/` and the page in `Docs/`. This type's contents are in the `Kata.md` of
/// its folder in `Tests/Gallery/`.
package struct Kata: Sendable {
  /// The kata's name, as in its files: "PhotoStore".
  package let name: String
  /// The module that the kata belongs to.
  package let module: Module
  /// What the learner builds, in a few words, as a heading.
  package let title: String
  /// How hard it is, from 1 (the first hour) to 5.
  package let difficulty: Int
  /// How many minutes it takes a learner who has done the katas before it.
  package let minutes: Int
  /// The names of the katas to do first.
  package let needs: [String]
  /// The types that it uses, as the references have them; those of another module with its name.
  ///
  /// In `Katas/` a type of its own module may be unfinished. So an answer imports the module of
  /// references and qualifies the type: `AsyncOperations.AsyncOperation`.
  package let buildsOn: [String]
  /// Three hints, from a nudge to nearly the answer; in Markdown.
  package let hints: [String]
  /// What an instructor asks when it's done, to check understanding; at least two.
  package let questions: [Question]
  /// What its stub's documentation promises, bullet by bullet.
  package let promises: [Promise]
  /// Wrong answers that the spec must reject.
  package let mistakes: [Mistake]
  /// Right answers with another design that the spec must accept.
  package let rightAnswers: [RightAnswer]
  /// The tests that ask for more than Apple's documentation of `Operation` does.
  package let beyondOperation: [BeyondOperation]
  /// The mutants of the reference that behave the same.
  package let equivalents: [Equivalent]

  package init(
    _ name: String, module: Module, title: String, difficulty: Int, minutes: Int,
    needs: [String] = [], buildsOn: [String] = [], hints: [String], questions: [Question] = [],
    promises: [Promise] = [], mistakes: [Mistake], rightAnswers: [RightAnswer],
    beyondOperation: [BeyondOperation] = [], equivalents: [Equivalent] = []
  ) {
    self.name = name
    self.module = module
    self.title = title
    self.difficulty = difficulty
    self.minutes = minutes
    self.needs = needs
    self.buildsOn = buildsOn
    self.hints = hints
    self.questions = questions
    self.promises = promises
    self.mistakes = mistakes
    self.rightAnswers = rightAnswers
    self.beyondOperation = beyondOperation
    self.equivalents = equivalents
  }
}

/// A question about the kata's subject, for a learner who has done it.
package struct Question: Sendable {
  /// What to ask; in Markdown.
  package let text: String
  /// What a good answer says, for the instructor; in Markdown.
  package let answer: String

  package init(_ text: String, answer: String) {
    self.text = text
    self.answer = answer
  }
}

/// A wrong answer that learners write, and how the spec rejects it.
package struct Mistake: Sendable {
  /// The mistake in a few words: "no barrier"; in Markdown.
  package let name: String
  /// How it differs from the reference; nil in a handout, which has no references.
  package let answer: Answer?
  /// The names of the promises that it breaks.
  package let breaks: [String]
  /// The names of the tests that must reject it.
  package let rejectedBy: [String]
  /// The verdict that it must get.
  package let verdict: Verdict.Kind
  /// Whether it behaves like the reference on a single core, so that no test can reject it there.
  package let needsCores: Bool
  /// One sentence for a learner who made it: what goes wrong, and how to fix it; in Markdown.
  package let advice: String

  package init(
    _ name: String, _ answer: Answer?, breaks: [String] = [], rejectedBy: [String],
    verdict: Verdict.Kind = .failed, needsCores: Bool = false, advice: String
  ) {
    self.name = name
    self.answer = answer
    self.breaks = breaks
    self.rejectedBy = rejectedBy
    self.verdict = verdict
    self.needsCores = needsCores
    self.advice = advice
  }
}

/// A promise of a kata: a bullet of its stub's documentation, with a short name.
package struct Promise: Hashable, Sendable {
  /// Its name in mistakes: "alone".
  package let name: String
  /// The whole bullet, in one line; in Markdown.
  package let text: String

  package init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }
}

/// A test that asks for more than Apple's documentation of `Operation` requires of a subclass.
package struct BeyondOperation: Sendable {
  /// The name of the test.
  package let test: String
  /// What is usual, and why the kata asks for more, in a line; in Markdown.
  package let reason: String

  package init(_ test: String, _ reason: String) {
    self.test = test
    self.reason = reason
  }
}

/// A mutant of a reference that behaves like the reference.
package struct Equivalent: Sendable {
  /// The mutant's name, as `kata mutate` prints it.
  package let mutant: String
  /// Why no test can distinguish the two, in a line.
  package let reason: String

  package init(_ mutant: String, _ reason: String) {
    self.mutant = mutant
    self.reason = reason
  }
}

/// A right answer with a design that differs from the reference's.
package struct RightAnswer: Sendable {
  /// Its design in a few words: "a lock and a condition".
  package let name: String
  /// How it differs from the reference; nil if that isn't given.
  package let answer: Answer?

  package init(_ name: String, _ answer: Answer?) {
    self.name = name
    self.answer = answer
  }
}

/// The text of an answer, by its difference from the reference.
package enum Answer: Sendable {
  /// The reference with this change.
  case change(Change)
  /// The file of this name in the folder `Answers` of the kata's spec.
  case file(String)
}
