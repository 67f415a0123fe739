extension Kata {
  static let serialLog = Kata(
    "SerialLog", module: .gcdBasics,
    title: "A thread-safe log on a serial queue",
    difficulty: 1, minutes: 5,
    hints: [
      """
      A serial queue is a waiting line: blocks run one after another, in the order in which they \
      were submitted. Whatever only ever happens in that line needs no other protection.
      """,
      """
      Add a property: private let queue = DispatchQueue(label: "my.log"). Submit with async where \
      the caller needn't wait, and with sync where it needs an answer.
      """,
      """
      append: queue.async { self.lines.append(self.format(message)) }. entries: queue.sync { lines }.
      """,
    ],
    questions: [
      Question(
        """
        `append` returns before its entry is in. Why does the same caller find it in `entries` all \
        the same?
        """,
        answer: """
          The queue is first in, first out: the `sync` of `entries` stands in line behind the \
          `async` of that `append`. Of what other threads append at that moment nothing is \
          promised.
          """),
      Question(
        "A lock around the array is safe as well. Which promise would it break?",
        answer: """
          That `append` never waits: a caller would stand at the lock while somebody else's \
          message is being formatted. With the queue a caller only gets in line.
          """),
      Question(
        "What happens if `format` asks the log for its `entries`?",
        answer: """
          `format` runs on the log's queue, and `entries` waits for a turn on that queue, which \
          can't come before `format` has returned: a deadlock, which Dispatch answers with a trap.
          """),
    ],
    mistakes: [
      Mistake(
        "no queue",
        .edits([
          Edit(
            "queue.async { [self] in lines.append(format(message)) }",
            "lines.append(format(message))"),
          Edit("queue.sync { lines }", "lines"),
        ]),
        rejectedBy: [
          "append returns while a message is being formatted",
          "messages are formatted one at a time",
        ],
        advice: """
          The work is done on the caller's thread, so the caller waits for it, and two callers change \
          the lines at the same moment; submit it to a serial queue.
          """),
      Mistake(
        "a concurrent queue",
        .edit("serial-log\")", "serial-log\", attributes: .concurrent)"),
        rejectedBy: [
          "entries waits for what its caller appended", "messages are formatted one at a time",
        ],
        advice: """
          A concurrent queue starts its blocks in order but runs them side by side, so lines overtake \
          each other and are changed at once; leave out .concurrent.
          """),
      Mistake(
        "append with sync",
        .edit("queue.async { [self]", "queue.sync { [self]"),
        rejectedBy: ["append returns while a message is being formatted"],
        advice:
          "sync holds the caller until its block has run; append needs no answer, so use async."),
      Mistake(
        "entries read off the queue",
        .edit("queue.sync { lines }", "lines"),
        rejectedBy: ["entries waits for what its caller appended"],
        advice: """
          Reading the lines directly overtakes the appends that still wait in the queue, and meets \
          one that is under way; read them inside queue.sync.
          """),
      Mistake(
        "a lock instead of a queue",
        .edits([
          Edit("import Dispatch", "import Foundation"),
          Edit(
            "private let queue = DispatchQueue(label: \"katas.gcd-basics.serial-log\")",
            "private let lock = NSLock()"),
          Edit(
            "queue.async { [self] in lines.append(format(message)) }",
            "lock.withLock { lines.append(format(message)) }"),
          Edit("queue.sync { lines }", "lock.withLock { lines }"),
        ]),
        rejectedBy: ["append returns while a message is being formatted"],
        advice: """
          A lock keeps the lines safe, but whoever appends waits until it's free and then formats \
          itself; a queue takes the work off the caller's hands.
          """),
      Mistake(
        "formats on the caller",
        .edit(
          "queue.async { [self] in lines.append(format(message)) }",
          "let line = format(message)\n    queue.async { [self] in lines.append(line) }"),
        rejectedBy: [
          "append returns while a message is being formatted",
          "messages are formatted one at a time",
        ],
        advice: """
          Only the adding goes through the queue; the slow part still runs on the caller. Put the \
          call of format inside the block as well.
          """),
      Mistake(
        "a queue for every message",
        .edits([
          Edit(
            "queue.async { [self] in lines.append(format(message)) }",
            """
            DispatchQueue(label: "katas.gcd-basics.serial-log").async { [self] in
                  let line = format(message)
                  queue.async { self.lines.append(line) }
                }
            """)
        ]),
        rejectedBy: [
          "entries waits for what its caller appended", "messages are formatted one at a time",
        ],
        advice: """
          Two queues with the same label are still two queues, and nothing orders one against the \
          other; make the queue once and keep it.
          """),
      Mistake(
        "append and entries on different queues",
        .edit("queue.sync { lines }", "DispatchQueue(label: \"katas.reader\").sync { lines }"),
        rejectedBy: ["entries waits for what its caller appended"],
        advice: """
          A queue orders only what goes through it; append and entries must use the same one.
          """),
      Mistake(
        "a counter on the side",
        .edits([
          Edit(
            "  private let queue =",
            """
              // Safe: it isn't; every caller changes it on its own thread.
              private nonisolated(unsafe) var appended = 0
              private let queue =
            """),
          Edit("    queue.async { [self]", "    appended += 1\n    queue.async { [self]"),
        ]),
        rejectedBy: ["nothing is lost when many threads append"], verdict: .race,
        advice: """
          The lines are safe, but something else is changed on the callers' threads; put everything \
          that several threads change behind the queue.
          """),
    ],
    rightAnswers: [
      RightAnswer("an operation queue one wide", .file("SerialOperations.swift")),
      RightAnswer("a lock and a worker thread", .file("LockedBacklog.swift")),
    ])
}
