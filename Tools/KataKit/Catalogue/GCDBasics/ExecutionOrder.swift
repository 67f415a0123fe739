extension Kata {
  static let executionOrder = Kata(
    "ExecutionOrder", module: .gcdBasics,
    title: "What does it print? Seven small programs",
    difficulty: 1, minutes: 15, needs: ["BackgroundWork"],
    hints: [
      """
      Take a sheet of paper, and draw a line of blocks for each queue. The first block on own is the \
      program itself. Which calls only add to a line, and which of them make the program wait?
      """,
      """
      A serial queue is busy with a block until the block ends, even while the block waits for \
      something. So whatever is put on own, by async, asyncAfter or notify, comes after the program's \
      last line, in the order in which it got in line. Other queues don't have to wait for that.
      """,
      """
      Write down the program's own letters from top to bottom, leaving out what's in braces. Put in \
      what the program waits for (sync, wait) at the line where it waits, and what waits in own's line \
      behind the last. That is A, C, B for the first program.
      """,
    ],
    questions: [
      Question(
        """
        In the last program `A` is the first block that is put in line, and the last that prints. \
        What stands in its way?
        """,
        answer: """
          The program itself. It is a block on `own`, and a serial queue is busy until its block \
          has returned, also while that block stands in `group.wait()`.
          """),
      Question(
        "What would the second program do if `other.sync` were `own.sync`?",
        answer: """
          It would wait for a block that can't begin before the program has ended: a deadlock, \
          which Dispatch recognises on a serial queue and answers with a trap.
          """),
      Question(
        "Which of the seven orders would still be certain if `own` were a concurrent queue?",
        answer: """
          Only that of `suspendedQueue`, the one program that puts nothing on `own`. Everywhere \
          else the block may run beside the program instead of behind it.
          """),
    ],
    mistakes: topToBottom + halfRight + unfinished,
    rightAnswers: [
      RightAnswer("each order as a word", .file("Words.swift")),
      RightAnswer("a rehearsal", .file("Rehearsal.swift")),
    ],
    unproven: [
      Unproven("It runs as one block on `own`", "It's about the programs, which are given."),
      Unproven(
        "`other` and `third` are serial queues", "It's about the programs, which are given."),
    ])

  // MARK: - Mistakes

  /// What the stub says of each program.
  private static let promises = [
    "asyncToOwnQueue": "calls `async` on its own queue.",
    "syncToAnotherQueue": "then `sync` on another",
    "asyncWithinAsync": "whose blocks put further blocks in line",
    "suspendedQueue": "suspends a queue for a while",
    "twoQueuesAndAGroup": "a group that tells when both are done",
    "asyncAfterToOwnQueue": "with a deadline that is now",
    "asyncAfterToAnotherQueue": "on another queue, and waits for it",
  ]

  /// A prediction that is replaced by another.
  private static func prediction(
    _ name: String, of program: String, _ right: String, becomes wrong: String,
    breaks more: [String] = [], advice: String
  ) -> Mistake {
    func list(_ letters: String) -> String {
      "[\(letters.map { "\"\($0)\"" }.joined(separator: ", "))]"
    }
    return Mistake(
      name, .edit("\(program) = \(list(right))", "\(program) = \(list(wrong))"),
      breaks: ["The order in which small programs print"] + more
        + [promises[program]].compactMap(\.self),
      rejectedBy: ["\(program) prints what was predicted"], advice: advice)
  }

  /// Read from top to bottom, as if each line waited for the one before.
  private static let topToBottom = [
    prediction(
      "top to bottom: async to its own queue", of: "asyncToOwnQueue", "ACB", becomes: "ABC",
      advice: """
        async only puts a block in line; it can't begin before the block that runs now, the \
        program itself, has ended.
        """),
    prediction(
      "top to bottom: sync to another queue", of: "syncToAnotherQueue", "ACDB", becomes: "ABCD",
      advice: """
        B stands in the program's own line and waits for its end; sync to another queue doesn't \
        have to.
        """),
    prediction(
      "top to bottom: async within async", of: "asyncWithinAsync", "EACDB", becomes: "ABCDE",
      advice: "Nothing that is put in own's line begins before the program's last line."),
    prediction(
      "top to bottom: a suspended queue", of: "suspendedQueue", "BACD", becomes: "ABCD",
      advice: """
        A suspended queue starts nothing: A waits for resume, and the program doesn't wait for \
        A.
        """),
    prediction(
      "top to bottom: two queues and a group", of: "twoQueuesAndAGroup", "BADC", becomes: "ABCD",
      advice: """
        A's queue is suspended until B's block resumes it, and C waits in own's line until the \
        program ends.
        """),
    prediction(
      "top to bottom: asyncAfter to its own queue", of: "asyncAfterToOwnQueue", "CAB",
      becomes: "ABC",
      advice: """
        Due or not, a block gets its turn when the queue is free, and own is busy until the \
        program's last line.
        """),
    prediction(
      "top to bottom: asyncAfter to another queue", of: "asyncAfterToAnotherQueue", "BCA",
      becomes: "ABC",
      advice: "A waits for the end of the program, and the program waits for the timer."),
  ]

  /// One rule right and another one wrong.
  private static let halfRight = [
    prediction(
      "a nested block goes first", of: "asyncWithinAsync", "EACDB", becomes: "EACBD",
      advice: """
        There is one line and one end to join it: B comes behind D, which was there before.
        """),
    prediction(
      "sync overtakes", of: "suspendedQueue", "BACD", becomes: "BCAD",
      advice: "sync waits in the same line as async: C comes behind A."),
    prediction(
      "the notice comes before wait returns", of: "twoQueuesAndAGroup", "BADC", becomes: "BACD",
      advice: """
        The notice is put in own's line, and own is busy with the program, which has one more \
        line to run.
        """),
    prediction(
      "what is due goes first", of: "asyncAfterToOwnQueue", "CAB", becomes: "CBA",
      advice: "When it's due a block is put at the end of the line; those before it go first."),
    prediction(
      "a waiting program gives its queue away", of: "asyncAfterToAnotherQueue", "BCA",
      becomes: "BAC",
      advice: """
        A serial queue is busy with a block until the block ends, also while the block waits.
        """),
  ]

  /// Not yet a prediction.
  private static let unfinished = [
    prediction(
      "what is put in line never runs", of: "asyncToOwnQueue", "ACB", becomes: "AC",
      breaks: ["Each program prints each of its letters once"],
      advice: "async is later, not never: each letter is printed once."),
    prediction(
      "a letter twice", of: "syncToAnotherQueue", "ACDB", becomes: "ACDBC",
      breaks: ["Each program prints each of its letters once"],
      advice: "Each letter is printed once, where its block runs, not where it's put in line."),
  ]
}
