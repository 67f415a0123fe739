import Testing

@testable import KataAuthor
@testable import KataKit

@Suite struct BorrowedTypesTests {
  private let borrowed = BorrowedTypes(["AsyncOperation"], from: .asyncOperations)

  @Test(arguments: [
    ("class Sum: AsyncOperation {", "class Sum: AsyncOperations.AsyncOperation {"),
    ("let all: [AsyncOperation]", "let all: [AsyncOperations.AsyncOperation]"),
    ("$0 as? AsyncOperation", "$0 as? AsyncOperations.AsyncOperation"),
    ("let state: AsyncOperation.State?", "let state: AsyncOperations.AsyncOperation.State?"),
    (
      "func join(_ a: AsyncOperation, _ b: AsyncOperation)",
      "func join(_ a: AsyncOperations.AsyncOperation, _ b: AsyncOperations.AsyncOperation)"
    ),
    ("final class Sum: AsyncOperation", "final class Sum: AsyncOperations.AsyncOperation"),
  ])
  func `a borrowed type is named in full`(line: String, full: String) {
    #expect(named(line) == full)
  }

  @Test(arguments: [
    "class MyAsyncOperation: Operation",
    "class AsyncOperationTests",
    "let async_AsyncOperation_2 = 1",
    "let asyncOperation = 1",
    "Other.AsyncOperation()",
    "AsyncOperations.AsyncOperation()",
    "case .AsyncOperation:",
    "enum Name { case `AsyncOperation` }",
  ])
  func `another name stays as it is`(line: String) {
    #expect(named(line) == line)
  }

  @Test(arguments: [
    "/// Subclasses ``AsyncOperation`` like an AsyncOperation.",
    "  // AsyncOperation, in a comment",
    "let one = 1  // Safe: guarded by AsyncOperation.",
    "/* AsyncOperation\n over lines, AsyncOperation */",
    #"let text = "an AsyncOperation, \"AsyncOperation\", and // AsyncOperation""#,
    #"let url = "https://example.com"  // AsyncOperation"#,
    "let text = \"\"\"\n  an AsyncOperation \"quoted\"\n  \"\"\"",
  ])
  func `comments and strings stay as they are`(text: String) {
    #expect(named(text) == text)
  }

  @Test func `code behind a string or a comment is code`() {
    #expect(
      named(#"f("//", AsyncOperation(), /* it */ AsyncOperation())"#)
        == #"f("//", AsyncOperations.AsyncOperation(), /* it */ AsyncOperations.AsyncOperation())"#)
  }

  @Test func `the module is imported once, before the others`() {
    let text = borrowed.named(in: "// Sums.\nimport Foundation\nimport Images\n\nlet one = 1\n")
    #expect(
      text == "// Sums.\nimport AsyncOperations\nimport Foundation\nimport Images\n\nlet one = 1\n")
    #expect(borrowed.named(in: text) == text)
  }

  @Test func `a text without imports gets the first`() {
    #expect(borrowed.named(in: "let one = 1\n") == "import AsyncOperations\n\nlet one = 1\n")
  }

  @Test func `a kata that builds on nothing stays as it is`() {
    let text = "import Foundation\n\nclass Sum: AsyncOperation {}\n"
    #expect(BorrowedTypes([], from: .asyncOperations).named(in: text) == text)
  }

  @Test func `a reference becomes an answer in the folder Katas`() throws {
    try Fixtures.withEmptyRepository { repository in
      let kata = Kata(
        "Sum", module: .asyncOperations, title: "", difficulty: 1, minutes: 1,
        buildsOn: ["AsyncOperation"], hints: [],
        mistakes: [
          Mistake(
            "another base", .edit("class Sum: AsyncOperation {}", "class Sum: Operation {}"),
            rejectedBy: ["t"], advice: "a")
        ], rightAnswers: [])
      try repository.write(
        "import Foundation\n\n/// An AsyncOperation.\nclass Sum: AsyncOperation {}\n",
        to: repository.referencePath(of: kata))
      try repository.write("", to: repository.stubPath(of: kata))
      let candidates = try Candidate.all(of: kata, in: repository)
      #expect(
        candidates.map(\.text) == [
          """
          import AsyncOperations
          import Foundation

          /// An AsyncOperation.
          class Sum: AsyncOperations.AsyncOperation {}

          """, "",
          """
          import AsyncOperations
          import Foundation

          /// An AsyncOperation.
          class Sum: Operation {}

          """,
        ])
    }
  }

  /// The text without the import that is put before it.
  private func named(_ text: String) -> String {
    let line = "import AsyncOperations\n\n"
    let text = borrowed.named(in: text)
    return text.hasPrefix(line) ? String(text.dropFirst(line.count)) : text
  }
}
