import Testing

@testable import KataKit

@Suite struct OutlineTests {
  private let source = """
    final class Log: Sendable {
      private let queue = DispatchQueue(label: "log")
      var entries: [String] { queue.sync { kept } }
      func add(_ entry: String) {
        if entry.isEmpty { return }
        queue.async { self.kept.append(entry) }
      }
    }
    """

  @Test func `another body leaves the outline as it is`() {
    let other = source.replacing("queue.async {", with: "queue.sync {")
      .replacing("if entry.isEmpty { return }\n", with: "")
    #expect(Outline(of: other).text == Outline(of: source).text)
  }

  @Test(arguments: [
    ("func add(_ entry: String)", "func add(_ entry: String, _ more: Bool = false)"),
    ("private let queue", "private let lock = NSLock()\n  private let queue"),
    ("final class Log: Sendable", "final class Log: @unchecked Sendable"),
  ])
  func `another declaration changes it`(text: String, replacement: String) {
    #expect(
      Outline(of: source.replacing(text, with: replacement)).text != Outline(of: source).text)
  }

  @Test func `whole files are built first, and edits with one outline in a row`() throws {
    let kata = try #require(Catalogue.katas.first { $0.name == "SerialLog" })
    func mistake(_ name: String, _ answer: Answer, _ text: String) -> Candidate {
      Candidate(
        kata: kata, role: .mistake(Mistake(name, answer, rejectedBy: [], advice: "")), text: text)
    }
    let wider = source.replacing("private let queue", with: "private let lock = 0\n  let queue")
    let candidates = [
      Candidate(kata: kata, role: .reference, text: source),
      mistake("body", .edit("a", "b"), source.replacing("isEmpty", with: "isBlank")),
      mistake("wider", .edit("a", "b"), wider),
      mistake("file", .file("A.swift"), "struct A {}"),
      mistake("other body", .edit("a", "b"), source.replacing("append", with: "insert")),
    ]
    #expect(
      Candidate.inBuildOrder(candidates).map(\.name)
        == ["reference", "file", "body", "other body", "wider"])
  }
}
