import Foundation
import Testing

@testable import KataAuthor
@testable import KataKit

extension PatternBookTests {
  // MARK: - The file

  @Test func `the file is read as it was written`() throws {
    let book = PatternBook([
      "Sample": [
        "first": Pattern(
          always: ["alpha": [FailureSignature(.hung), FailureSignature(.failed, "It was late.")]],
          sometimes: ["beta": [FailureSignature(.crashed, "trap")]]),
        "second": Pattern(sometimes: ["gamma": [FailureSignature(.hung)]]),
      ]
    ])
    try Fixtures.withEmptyRepository { repository in
      let path = PatternBook.path(of: kata)
      let other = Kata(
        "Other", module: .barriers, title: "", difficulty: 1, minutes: 1, hints: [], mistakes: [],
        rightAnswers: [])
      #expect(try PatternBook.read([kata], in: repository) == PatternBook())
      #expect(PatternBook.patterns(of: kata, in: repository) == PatternBook())
      try repository.write(try book.text(of: "Sample"), to: path)
      try repository.write("<<<<<<< HEAD", to: PatternBook.path(of: other))
      #expect(PatternBook.patterns(of: kata, in: repository) == book, "No other file matters.")
      #expect(try PatternBook.read([kata], in: repository) == book)
      try repository.write("<<<<<<< HEAD", to: path)
      #expect(PatternBook.patterns(of: kata, in: repository) == PatternBook())
      let error = #expect(throws: KataError.self) { try PatternBook.read([kata], in: repository) }
      #expect(error?.description.contains("git checkout -- \(path)") == true)
    }
  }

  @Test func `a damaged file is left as it is, and said`() throws {
    try Fixtures.withEmptyRepository { repository in
      let path = PatternBook.path(of: kata)
      try repository.write("<<<<<<< HEAD", to: path)
      let results = [result(Fixtures.run(alpha: .failed))]
      let update = try PatternBook.update([kata], in: repository, with: results)
      #expect(update.stale.count == 1)
      #expect(try repository.text(path) == "<<<<<<< HEAD")
    }
  }

  @Test func `the committed files are such as verify could have written`() throws {
    let book = try PatternBook.read(Catalogue.katas, in: Fixtures.repository)
    for kata in Catalogue.katas where book.patterns[kata.name] != nil {
      let path = PatternBook.path(of: kata)
      #expect(
        try book.text(of: kata.name) == Fixtures.repository.text(path),
        "\(path) is generated: let 'make verify' write it.")
    }
  }

  @Test func `the committed file is about katas, mistakes and tests that exist`() throws {
    let book = try PatternBook.read(Catalogue.katas, in: Fixtures.repository)
    for (name, patterns) in book.patterns {
      let kata = try Catalogue.kata(named: name)
      let spec = try Fixtures.repository.spec(of: kata)
      for (mistake, pattern) in patterns {
        #expect(
          mistake == PatternBook.stub || kata.mistakes.contains { $0.name == mistake },
          "\(name) has no '\(mistake)'")
        for test in pattern.tests {
          #expect(spec.contains("func `\(test)`("), "\(name), \(mistake): no test '\(test)'")
        }
      }
    }
  }

  @Test func `each stub and each mistake has its pattern, unless only a race tells of it`() throws {
    let book = try PatternBook.read(Catalogue.katas, in: Fixtures.repository)
    for kata in Catalogue.katas {
      let mistakes = kata.mistakes.filter { $0.verdict != .race }.map(\.name)
      for name in [PatternBook.stub] + mistakes {
        #expect(
          book.pattern(of: name, in: kata.name) != nil,
          "'make verify KATA=\(kata.name)' writes the pattern of '\(name)'.")
      }
    }
  }
}
