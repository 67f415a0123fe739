import Foundation
import KataTesting
import Testing

/// Runs nine short programs and compares the flags of an operation at each look with the predicted
/// ones.
@Suite(.serialized, .kata) struct LifecycleLogTests {
  @Test func `each flag has a bit of its own`() {
    let flags: [OperationFlags] = [.ready, .executing, .finished, .cancelled]
    #expect(
      flags.map(\.rawValue) == [1, 2, 4, 8],
      """
      The flags are the bits \(flags.map(\.rawValue)). They must be 1, 2, 4 and 8, or a set of two \
      flags may equal another flag. Leave OperationFlags as it was.
      """)
  }

  @Test func `a set keeps all its bits`() {
    let numbers: [Int] = (0..<Int.bitWidth).map { 1 << $0 } + [48, Int.max, -1]
    let kept = numbers.map { OperationFlags(rawValue: $0).rawValue }
    #expect(
      OperationFlags(rawValue: 9) == [.ready, .cancelled] && kept == numbers,
      """
      The bits 1 and 8 must be ready and cancelled, and bits without a name must stay: a set keeps \
      all the bits that it's created from.
      """)

    let (ready, finished) = (OperationFlags.ready, OperationFlags.finished)
    let sets: [OperationFlags] = [
      union(ready, ready, finished), OperationFlags([ready, finished, ready]),
      ready.union(union(ready, finished, finished)),
    ]
    let bits = ready.rawValue | finished.rawValue
    #expect(
      sets.map(\.rawValue) == Array(repeating: bits, count: sets.count),
      """
      Three sets were created from ready and finished, one of them named twice, and their bits are \
      \(sets.map(\.rawValue)). They must be \(bits): a flag that is named twice is one flag. Leave \
      OperationFlags as it was.
      """)
  }

  @Test func `the flags of alone are as predicted`() throws {
    try judge(.alone)
  }

  @Test func `the flags of behindAnother are as predicted`() throws {
    try judge(.behindAnother)
  }

  @Test func `the flags of startedByHand are as predicted`() throws {
    try judge(.startedByHand)
  }

  @Test func `the flags of mainByHand are as predicted`() throws {
    try judge(.mainByHand)
  }

  @Test func `the flags of cancelledInLine are as predicted`() throws {
    try judge(.cancelledInLine)
  }

  @Test func `the flags of cancelledBehindAnother are as predicted`() throws {
    try judge(.cancelledBehindAnother)
  }

  @Test func `the flags of cancelledAtWork are as predicted`() throws {
    try judge(.cancelledAtWork)
  }

  @Test func `the flags of cancelledTooLate are as predicted`() throws {
    try judge(.cancelledTooLate)
  }

  @Test func `the flags of behindACancelledOne are as predicted`() throws {
    try judge(.behindACancelledOne)
  }

  // MARK: - Fixtures

  /// The set that a list of three creates.
  // Generic, so that an initialiser of the answer's own is called.
  private func union<Flags: SetAlgebra>(
    _ first: Flags, _ second: Flags, _ third: Flags
  ) -> Flags where Flags.ArrayLiteralElement == Flags {
    [first, second, third]
  }

  /// Runs a program and compares the flags with the predicted ones.
  ///
  /// Without a prediction the program isn't run, so that it doesn't reveal the answer.
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
    eventually(
      "The program has called look() less often than it must.", sourceLocation: sourceLocation
    ) {
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

  /// The message for a prediction that's missing or has another number of looks.
  private func incomplete(_ program: LifeProgram) -> Comment {
    let name = program.name
    if program.prediction.isEmpty {
      return """
        There is no prediction yet. In your file, read the program above \(name), and write down \
        the flags at each look, such as [[.ready], [.ready, .executing]], and [] if none is true. \
        Then the program runs, and its flags are compared with yours.
        """
    }
    return """
      You wrote down \(program.prediction.count) looks for \(name), and the program has another \
      number. Every look() counts, even if no flag is true: write [] there. A look() in a block \
      counts only if the block is called.
      """
  }

  /// Both lists side by side, the first difference, and the reason.
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

  /// A correct prediction, and the reason for each look.
  private func explanation(of program: LifeProgram, _ seen: [OperationFlags]) -> String {
    let lines = zip(program.looks, seen).enumerated().map { index, look in
      "\(index + 1)  \(look.0.key): \(look.1.words)\n   \(look.0.value)"
    }
    return "\(program.name), as you said:\n\n\(lines.joined(separator: "\n"))\n"
  }
}
