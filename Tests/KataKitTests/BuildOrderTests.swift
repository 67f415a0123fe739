import Testing

@testable import KataKit

@Suite struct BuildOrderTests {
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

  @Test func `bodies alone are built last, and together`() throws {
    let wider = source.replacing("private let queue", with: "private let lock = 0\n  let queue")
    let one = try queue("SerialLog", source, wider, source + " ", "struct A {}")
    let blank = source.replacing("isEmpty", with: "isBlank")
    let other = try queue("PhotoStore", source, blank, source.replacing("append", with: "insert"))
    let rounds = BuildOrder([one, other]).rounds.map { $0.map { "\($0.kata.name) \($0.name)" } }
    #expect(
      rounds == [
        ["SerialLog 0", "PhotoStore 0"],
        ["SerialLog 1"],
        ["SerialLog 2", "PhotoStore 1"],
        ["SerialLog 3", "PhotoStore 2"],
      ])
  }

  @Test func `nothing gets lost`() throws {
    let one = try queue("SerialLog", source, "struct A {}", source.replacing("sync", with: "async"))
    let rounds = BuildOrder([one, [], [one[0]]]).rounds
    #expect(rounds.flatMap { $0 }.count == 4)
    #expect(BuildOrder([]).rounds.isEmpty)
  }

  /// Answers to a kata, named by their numbers.
  private func queue(_ kata: String, _ texts: String...) throws -> [Candidate] {
    let kata = try Catalogue.kata(named: kata)
    return texts.enumerated().map { number, text in
      let mistake = Mistake("\(number)", .edit("a", "b"), rejectedBy: [], advice: "")
      return Candidate(kata: kata, role: .mistake(mistake), text: text)
    }
  }
}
