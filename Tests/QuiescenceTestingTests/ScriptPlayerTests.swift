import Testing

@testable import QuiescenceTesting

@Suite(.serialized, .quiescence) struct ScriptPlayerTests {
  @Test func `a right answer plays every script to its end`() {
    playScripts(of: Counting<Never>.self)
  }

  @Test func `a wrong answer is caught by the shortest script`() {
    withKnownIssue {
      playScripts(of: Counting<Bool>.self)
    } matching: { issue in
      issue.comments.contains { comment in
        comment.rawValue.hasPrefix("It counted wrong.") && comment.rawValue.contains("TEST_SEED=")
          && comment.rawValue.contains("\n  up\n  up\n  up\n\n")
      }
    }
  }

  @Test func `the same seed gives the same numbers`() {
    var first = SplitMix64(seed: 7)
    var second = SplitMix64(seed: 7)
    var other = SplitMix64(seed: 8)
    let numbers = (0..<10).map { _ in first.next() }
    #expect(numbers == (0..<10).map { _ in second.next() })
    #expect(numbers != (0..<10).map { _ in other.next() })
  }

  /// A counter that is wrong at three, if its type parameter is inhabited.
  private struct Counting<Bug>: ScriptedModel {
    enum Move: String, CustomStringConvertible {
      case up, down
      var description: String { rawValue }
    }

    let timeline = Timeline()
    private var model = 0
    private var answer = 0

    func moves() -> [Move] { [.up, .down] }

    mutating func make(_ move: Move) {
      model += move == .up ? 1 : -1
      answer = model == 3 && Bug.self != Never.self ? 4 : model
      timeline.mark("counter", move.rawValue)
    }

    mutating func broken() -> String? { model == answer ? nil : "It counted wrong." }
  }
}
