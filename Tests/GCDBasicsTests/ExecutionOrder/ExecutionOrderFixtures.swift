/// A program, the answer's prediction of what it prints, and the reasons for the actual order.
struct Program: Sendable {
  /// The prediction's name in `ExecutionOrder`.
  let name: String
  let prediction: [String]
  let run: @Sendable (ProgramStage) -> Void
  /// For each letter, why it's printed when it is.
  let why: [String: String]

  /// The letters that the program prints, each once.
  var letters: [String] { why.keys.sorted() }
}

extension Program {
  static let asyncToOwnQueue = Program(
    name: "asyncToOwnQueue", prediction: ExecutionOrder.asyncToOwnQueue,
    run: { $0.asyncToOwnQueue() },
    why: [
      "A": "The program's own lines run from top to bottom, and this is the first.",
      "B": """
      async put B at the end of own's line. own is serial and busy with the program, so B has \
      to wait for the program's last line.
      """,
      "C": """
      async doesn't wait: it puts a block in line and returns, so the program goes on with its \
      next line.
      """,
    ])

  static let syncToAnotherQueue = Program(
    name: "syncToAnotherQueue", prediction: ExecutionOrder.syncToAnotherQueue,
    run: { $0.syncToAnotherQueue() },
    why: [
      "A": "The program's own lines run from top to bottom, and this is the first.",
      "B": """
      B is in own's line, and own is busy with the program, even while the program waits in sync: \
      B comes after its last line.
      """,
      "C": """
      sync puts the block in other's line and waits until it has run. other has nothing else to \
      do, so it runs now.
      """,
      "D": "sync has returned, so the program goes on; no other block runs on own before it ends.",
    ])

  static let asyncWithinAsync = Program(
    name: "asyncWithinAsync", prediction: ExecutionOrder.asyncWithinAsync,
    run: { $0.asyncWithinAsync() },
    why: [
      "A": "The program has ended, and the block that was put in line first is the first to run.",
      "B": """
      B was put in line by the first block while it ran. By then D was already waiting, so B \
      is behind it.
      """,
      "C": """
      The first block goes on to its end: async only put B in line, and own is busy with this \
      block.
      """,
      "D": """
      The program put D in line before any block had begun; a serial queue runs its blocks in \
      the order of the line.
      """,
      "E": """
      Both calls of async return at once, and nothing runs on own before the program's last line.
      """,
    ])

  static let suspendedQueue = Program(
    name: "suspendedQueue", prediction: ExecutionOrder.suspendedQueue,
    run: { $0.suspendedQueue() },
    why: [
      "A": "other is resumed and runs the blocks in its line; A was the first to join it.",
      "B": """
      other is suspended: A joins its line, but nothing starts. async has returned, so the program \
      goes on.
      """,
      "C": "sync joins the same line as async, and A was there before.",
      "D": "sync returns when its block has run, and the program goes on.",
    ])

  static let twoQueuesAndAGroup = Program(
    name: "twoQueuesAndAGroup", prediction: ExecutionOrder.twoQueuesAndAGroup,
    run: { $0.twoQueuesAndAGroup() },
    why: [
      "A": """
      other was suspended until B's block resumed it; the group waits for A as well, so nothing \
      else is printed before.
      """,
      "B": """
      other is suspended, so A can't begin, and the program waits for the group: only third's \
      block can run.
      """,
      "C": """
      The group has no members left, so notify puts C in own's line. But own is busy with the \
      program, so C comes after its last line.
      """,
      "D": """
      group.wait() returns when A and B are done, and the program goes on; no other block runs on \
      own before it ends.
      """,
    ])

  static let asyncAfterToOwnQueue = Program(
    name: "asyncAfterToOwnQueue", prediction: ExecutionOrder.asyncAfterToOwnQueue,
    run: { $0.asyncAfterToOwnQueue() },
    why: [
      "A": """
      The program has ended, and A is the first in own's line: it joined before asyncAfter was \
      even called.
      """,
      "B": """
      When its deadline has passed, B joins the end of own's line, behind A. It interrupts no \
      block, and overtakes none.
      """,
      "C": """
      async and asyncAfter return at once, and own is busy with the program until its last line, \
      even if a block is due.
      """,
    ])

  static let asyncAfterToAnotherQueue = Program(
    name: "asyncAfterToAnotherQueue", prediction: ExecutionOrder.asyncAfterToAnotherQueue,
    run: { $0.asyncAfterToAnotherQueue() },
    why: [
      "A": """
      A has been in own's line all the time. The program waited, but own stayed busy with it: a \
      serial queue is busy with a block until the block returns.
      """,
      "B": """
      The program waits for the group, so own is busy. The timer puts B in other's line, and other \
      has nothing else to do.
      """,
      "C": """
      B's block has left the group, so wait returns and the program goes on; no other block runs \
      on own before it ends.
      """,
    ])
}
