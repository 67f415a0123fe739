import Foundation
import KataTesting
import Testing

/// Lives nine short lives of operations and compares what is true at each look with what was predicted.
@Suite(.serialized, .kata) struct LifecycleLogTests {
  @Test func `each flag has a bit of its own`() {
    let flags: [OperationFlags] = [.ready, .executing, .finished, .cancelled]
    #expect(
      flags.map(\.rawValue) == [1, 2, 4, 8],
      """
      The flags are the bits \(flags.map(\.rawValue)): with anything but 1, 2, 4 and 8 a set of two may be \
      taken for another one. Leave OperationFlags as it was.
      """)
    #expect(
      OperationFlags(rawValue: 9) == [.ready, .cancelled],
      "The bits 1 and 8 are ready and cancelled: a set of flags is made of all its bits.")
  }

  @Test func `alone lives as predicted`() throws {
    try judge(.alone)
  }

  @Test func `behindAnother lives as predicted`() throws {
    try judge(.behindAnother)
  }

  @Test func `startedByHand lives as predicted`() throws {
    try judge(.startedByHand)
  }

  @Test func `mainByHand lives as predicted`() throws {
    try judge(.mainByHand)
  }

  @Test func `cancelledInLine lives as predicted`() throws {
    try judge(.cancelledInLine)
  }

  @Test func `cancelledBehindAnother lives as predicted`() throws {
    try judge(.cancelledBehindAnother)
  }

  @Test func `cancelledAtWork lives as predicted`() throws {
    try judge(.cancelledAtWork)
  }

  @Test func `cancelledTooLate lives as predicted`() throws {
    try judge(.cancelledTooLate)
  }

  @Test func `behindACancelledOne lives as predicted`() throws {
    try judge(.behindACancelledOne)
  }

  // MARK: - Fixtures

  /// Runs a program and compares what it sees with what was predicted.
  ///
  /// A prediction comes first: without one the program isn't run, and nothing is given away.
  private func judge(
    _ program: LifeProgram, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    guard program.prediction.count == program.looks.count else {
      Issue.record(incomplete(program), sourceLocation: sourceLocation)
      return
    }

    let stage = LifeStage()
    defer {
      runUntilQuiet()
      stage.clear()
    }
    try mustReturn("the program", sourceLocation: sourceLocation) { program.run(stage) }
    eventually("The program hasn't looked as often as it must.", sourceLocation: sourceLocation) {
      stage.looks.count >= program.looks.count
    }
    runUntilQuiet()
    let seen = stage.looks
    #expect(
      program.prediction == seen, "\(difference(of: program, from: seen))",
      sourceLocation: sourceLocation)
    if program.prediction == seen {
      Attachment.record(explanation(of: program, seen), named: "\(program.name).txt")
    }
  }

  /// What to say where a prediction isn't one yet.
  private func incomplete(_ program: LifeProgram) -> Comment {
    let name = program.name
    if program.prediction.isEmpty {
      return """
        There is no prediction yet. In your file, read the program above \(name), follow it in your \
        mind, and write down the flags at each look, such as [[.ready], [.ready, .executing]], and [] \
        where none is true. Then it runs, and you see.
        """
    }
    return """
      You wrote down \(program.prediction.count) looks for \(name), and it takes another number. Every \
      look() in the program's lines counts, also where nothing is true: write [] there. A look() in a \
      block counts where the block is called.
      """
  }

  /// Both lists side by side, where they part, and why.
  private func difference(of program: LifeProgram, from seen: [OperationFlags]) -> String {
    guard
      let place = zip(program.prediction, seen).enumerated().first(where: { $1.0 != $1.1 })?.offset
    else { return "The program took \(seen.count) looks." }
    let yours = program.prediction.map(\.words)
    let width = max(yours.map(\.count).max() ?? 0, 5)
    let lines = yours.indices.map { index in
      let arrow = index == place ? "→" : " "
      let padding = String(repeating: " ", count: width - yours[index].count)
      return "  \(arrow) \(index + 1)  \(yours[index])\(padding)   \(seen[index].words)"
    }
    let heading = "yours" + String(repeating: " ", count: width - 5) + "   in fact"
    let look = program.looks[place]
    return """
      Look \(place + 1) of \(program.name), \(look.key): \(seen[place].words), not \(yours[place]).

             \(heading)
      \(lines.joined(separator: "\n"))

      \(look.value)
      """
  }

  /// A right prediction, and the reason for each look.
  private func explanation(of program: LifeProgram, _ seen: [OperationFlags]) -> String {
    let lines = zip(program.looks, seen).enumerated().map { index, look in
      "\(index + 1)  \(look.0.key): \(look.1.words)\n   \(look.0.value)"
    }
    return "\(program.name), as you said:\n\n\(lines.joined(separator: "\n"))\n"
  }
}
