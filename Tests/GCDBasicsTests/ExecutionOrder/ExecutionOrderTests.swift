import Dispatch
import KataTesting
import Testing

/// Runs each of the seven programs and compares what it prints with what was predicted.
@Suite(.serialized, .kata) struct ExecutionOrderTests {
  @Test func `asyncToOwnQueue prints what was predicted`() throws {
    try judge(.asyncToOwnQueue)
  }

  @Test func `syncToAnotherQueue prints what was predicted`() throws {
    try judge(.syncToAnotherQueue)
  }

  @Test func `asyncWithinAsync prints what was predicted`() throws {
    try judge(.asyncWithinAsync)
  }

  @Test func `suspendedQueue prints what was predicted`() throws {
    try judge(.suspendedQueue)
  }

  @Test func `twoQueuesAndAGroup prints what was predicted`() throws {
    try judge(.twoQueuesAndAGroup)
  }

  @Test func `asyncAfterToOwnQueue prints what was predicted`() throws {
    try judge(.asyncAfterToOwnQueue)
  }

  @Test func `asyncAfterToAnotherQueue prints what was predicted`() throws {
    try judge(.asyncAfterToAnotherQueue)
  }

  // MARK: - Fixtures

  /// Runs a program and compares what it prints with what was predicted.
  ///
  /// A prediction comes first: without one the program isn't run, and nothing is given away.
  private func judge(
    _ program: Program, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let prediction = program.prediction
    guard prediction.sorted() == program.letters else {
      Issue.record(incomplete(program, prediction), sourceLocation: sourceLocation)
      return
    }

    let stage = ProgramStage()
    try mustReturn("the program", timersInPlay: true, sourceLocation: sourceLocation) {
      stage.own.sync { program.run(stage) }
    }
    eventually(
      "The program hasn't printed all its letters.", timersInPlay: true,
      sourceLocation: sourceLocation
    ) { stage.printed.count >= prediction.count }
    runUntilQuiet()

    let printed = stage.printed
    #expect(
      prediction == printed, "\(difference(of: program, prediction, from: stage))",
      sourceLocation: sourceLocation)
    if prediction == printed {
      Attachment.record(explanation(of: program, on: stage), named: "\(program.name).txt")
    }
  }

  /// The message for an incomplete prediction.
  private func incomplete(_ program: Program, _ prediction: [String]) -> Comment {
    let letters = program.letters.joined(separator: ", ")
    if prediction.isEmpty {
      return """
        There is no prediction yet. In your file, read the program above \(program.name), step \
        through it in your head, and write down its letters, \(letters), in the order in which \
        they are printed. Then the spec runs the program and compares.
        """
    }
    return """
      \(program.name) prints each of \(letters) once, and nothing else. You wrote \
      \(prediction.joined(separator: ", ")): list all letters, each once, in the order of printing.
      """
  }

  /// Both orders, their first difference, and the reasons; what is printed after that isn't shown.
  private func difference(
    of program: Program, _ prediction: [String], from stage: ProgramStage
  ) -> String {
    let printed = stage.printed
    guard let index = zip(prediction, printed).enumerated().first(where: { $1.0 != $1.1 })?.offset
    else { return "The program printed \(printed.joined(separator: ", "))." }
    let (guess, fact) = (prediction[index], printed[index])
    let place = index == 0 ? "First comes" : "After \(printed[index - 1]) comes"
    let arrow = String(repeating: "   ", count: index) + "↑"
    let known = printed[...index] + (index + 1 < printed.count ? ["…"] : [])
    return """
      \(place) \(fact), not \(guess).

        yours    \(prediction.joined(separator: "  "))
        in fact  \(known.joined(separator: "  "))
                 \(arrow)

      \(fact): \(program.why[fact] ?? "")

      \(guess): \(program.why[guess] ?? "")
      """
  }

  /// A right prediction, and the reason for each letter's place.
  private func explanation(of program: Program, on stage: ProgramStage) -> String {
    let reasons = stage.printed.map { "\($0)  \(program.why[$0] ?? "")" }
    return """
      \(program.name) prints \(stage.printed.joined(separator: ", ")), as you predicted.

      \(stage.timeline.drawing)

      \(reasons.joined(separator: "\n"))

      """
  }
}
