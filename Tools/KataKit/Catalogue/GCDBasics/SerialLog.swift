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
        breaks: ["A log that any thread may write to", "`append` returns at once, however slow"],
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
        breaks: ["Messages are formatted one at a time", "one message at a time"],
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
        breaks: ["`append` returns at once, however slow"],
        rejectedBy: ["append returns while a message is being formatted"],
        advice:
          "sync holds the caller until its block has run; append needs no answer, so use async."),
      Mistake(
        "entries read off the queue",
        .edit("queue.sync { lines }", "lines"),
        breaks: [
          "`entries` waits until everything that its own caller has appended is in",
          "Blocks until everything that was appended before",
        ],
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
        breaks: ["`append` returns at once, however slow", "away from all callers"],
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
        breaks: ["away from all callers", "Returns at once; the message is formatted"],
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
        breaks: [
          "Messages are formatted one at a time",
          "`entries` waits until everything that its own caller has appended is in",
        ],
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
        breaks: ["Blocks until everything that was appended before"],
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
        breaks: ["A log that any thread may write to"],
        rejectedBy: ["nothing is lost when many threads append"], verdict: .race,
        advice: """
          The lines are safe, but something else is changed on the callers' threads; put everything \
          that several threads change behind the queue.
          """),
      Mistake(
        "formats at once on its own thread",
        .edits([
          Edit(
            "  private let format:",
            "  private let mark = DispatchSpecificKey<Bool>()\n  private let format:"),
          Edit(
            "    self.format = format\n",
            "    self.format = format\n    queue.setSpecific(key: mark, value: true)\n"),
          Edit(
            "    queue.async { [self]",
            """
                if DispatchQueue.getSpecific(key: mark) == true {
                  return lines.append(format(message))
                }
                queue.async { [self]
            """),
        ]),
        breaks: [
          "away from the caller, in the order of appending", "one message at a time",
          "the message is formatted and added later, in its turn",
        ],
        rejectedBy: ["format may append"],
        advice: """
          What format appends is formatted inside of the other message and stands in front of it: get \
          in line there too, with async, which can't deadlock.
          """),
      Mistake(
        "entries waits until nothing is left to do",
        .edits([
          Edit(
            "  private let format:",
            "  private let pending = DispatchGroup()\n  private let format:"),
          Edit("queue.async { [self]", "queue.async(group: pending) { [self]"),
          Edit(
            "{ queue.sync { lines } }",
            """
            {
                pending.wait()
                return queue.sync { lines }
              }
            """),
        ]),
        breaks: ["and for nothing that is appended later", "appended later isn't waited for"],
        rejectedBy: ["entries doesn't wait for what is appended later"],
        advice: """
          As long as others go on appending, the group is never empty, and whoever asks waits for all of \
          them: a turn in the queue comes after what was there before, and no later.
          """),
      Mistake(
        "at most sixty-four may wait",
        .edits([
          Edit(
            "  private let queue =",
            "  private let places = DispatchSemaphore(value: 64)\n  private let queue ="),
          Edit(
            "queue.async { [self] in lines.append(format(message)) }",
            """
            places.wait()
                queue.async { [self] in
                  lines.append(format(message))
                  places.signal()
                }
            """),
        ]),
        breaks: ["and however much waits for it", "Returns at once; the message is formatted"],
        rejectedBy: ["append returns, however much waits"],
        advice: """
          Where much happens at once, whoever logs it stands still, and just then it matters most: let \
          the queue take as much as comes.
          """),
      Mistake(
        "at most ten thousand may wait",
        .edits([
          Edit(
            "  private let queue =",
            "  private let places = DispatchSemaphore(value: 10_000)\n  private let queue ="),
          Edit(
            "queue.async { [self] in lines.append(format(message)) }",
            """
            places.wait()
                queue.async { [self] in
                  lines.append(format(message))
                  places.signal()
                }
            """),
        ]),
        breaks: ["and however much waits for it", "Returns at once; the message is formatted"],
        rejectedBy: ["append returns, however much waits"],
        advice: """
          A large number only puts off the day on which everybody stands still at the log: a queue takes \
          as many as come.
          """),
      Mistake(
        "keeps the last hundred",
        .edit(
          "queue.async { [self] in lines.append(format(message)) }",
          """
          queue.async { [self] in
                lines.append(format(message))
                if lines.count > 100 { lines.removeFirst() }
              }
          """),
        breaks: ["The entries so far, in the order of appending."],
        rejectedBy: ["append returns, however much waits"],
        advice: """
          What happened first, and led to all the rest, is thrown away without a word: a log that \
          forgets has to promise how much it keeps.
          """),
      Mistake(
        "skips what it has had",
        .edits([
          Edit(
            "  private let queue =",
            """
              // Safe: touched on `queue` only.
              private nonisolated(unsafe) var seen: Set<String> = []
              private let queue =
            """),
          Edit(
            "queue.async { [self] in lines.append(format(message)) }",
            """
            queue.async { [self] in
                  if seen.insert(message).inserted { lines.append(format(message)) }
                }
            """),
        ]),
        breaks: [
          "Each message becomes an entry, whatever it says", "Called once for each message",
        ],
        rejectedBy: ["each message is an entry, whatever it says"],
        advice: """
          A download that fails three times has failed three times, and the log tells of one: add each \
          message.
          """),
      Mistake(
        "formats equal messages once",
        .edits([
          Edit(
            "  private let queue =",
            """
              // Safe: touched on `queue` only.
              private nonisolated(unsafe) var formatted: [String: String] = [:]
              private let queue =
            """),
          Edit(
            "queue.async { [self] in lines.append(format(message)) }",
            """
            queue.async { [self] in
                  let line = formatted[message] ?? format(message)
                  formatted[message] = line
                  lines.append(line)
                }
            """),
        ]),
        breaks: ["Called once for each message", "Makes an entry of a message."],
        rejectedBy: ["each message is an entry, whatever it says"],
        advice: """
          The second message gets the date of the first: what format makes may be another line each \
          time, so call it for each message.
          """),
      Mistake(
        "drops what is empty",
        .edit(
          "    queue.async { [self]", "    if message.isEmpty { return }\n    queue.async { [self]"),
        breaks: ["Each message becomes an entry, whatever it says", "Appends a message."],
        rejectedBy: ["each message is an entry, whatever it says"],
        advice: """
          An empty message may get a date from format, or part two paragraphs; what is worth an entry \
          is for the caller to say.
          """),
      Mistake(
        "an entry for each line",
        .edit(
          "queue.async { [self] in lines.append(format(message)) }",
          """
          queue.async { [self] in
                for line in format(message).split(separator: "\\n", omittingEmptySubsequences: false) {
                  lines.append(String(line))
                }
              }
          """),
        breaks: ["Each message becomes an entry, whatever it says"],
        rejectedBy: ["each message is an entry, whatever it says"],
        advice: """
          A stack trace would become thirty entries, and others can't tell where it ends: one message is \
          one entry, however many lines it has.
          """),
      Mistake(
        "begins with a heading",
        .edit("var lines: [String] = []", "var lines = [\"Log\"]"),
        breaks: ["Creates an empty log."],
        rejectedBy: ["each message is an entry, whatever it says"],
        advice:
          "A log to which nothing was appended has no entries; let whoever shows it add a heading."
      ),
      Mistake(
        "entries empties the log",
        .edit(
          "queue.sync { lines }",
          """
          queue.sync {
                defer { lines = [] }
                return lines
              }
          """),
        breaks: ["The entries so far, in the order of appending."],
        rejectedBy: ["each message is an entry, whatever it says"],
        advice: """
          Two readers get half of the log each, and neither knows: to look at something mustn't change \
          it.
          """),
      Mistake(
        "formats when somebody asks",
        .edits([
          Edit("lines.append(format(message))", "lines.append(message)"),
          Edit("queue.sync { lines }", "queue.sync { lines.map(format) }"),
        ]),
        breaks: [
          "whether anybody asks for the entries or not", "Messages are formatted one at a time",
          "away from all callers",
        ],
        rejectedBy: [
          "each message is an entry, whatever it says", "messages are formatted though nobody asks",
        ],
        advice: """
          Every line gets the date of the reading, and whoever asks waits for the formatting of all of \
          them, each time: format a message when it's appended.
          """),
      Mistake(
        "loses what waits when nobody keeps it",
        .edit(
          "queue.async { [self] in lines.append(format(message)) }",
          """
          queue.async { [weak self] in
                guard let self else { return }
                lines.append(format(message))
              }
          """),
        breaks: ["whether anybody keeps the log or not"],
        rejectedBy: ["messages are formatted though nobody keeps the log"],
        advice: """
          The last messages before the end are those that somebody will look for: let the block keep \
          the log until it has run.
          """),
    ],
    rightAnswers: [
      RightAnswer("an operation queue one wide", .file("SerialOperations.swift")),
      RightAnswer("a lock and a worker thread", .file("LockedBacklog.swift")),
      RightAnswer(
        "barriers on a concurrent queue",
        .edits([
          Edit("serial-log\")", "serial-log\", attributes: .concurrent)"),
          Edit("queue.async { [self]", "queue.async(flags: .barrier) { [self]"),
        ])),
      RightAnswer(
        "a queue for the formatting and one for the lines",
        .edits([
          Edit(
            "  private let queue =",
            """
              private let formatting = DispatchQueue(label: "katas.gcd-basics.formatting")
              private let queue =
            """),
          Edit(
            "queue.async { [self] in lines.append(format(message)) }",
            """
            formatting.async { [self] in
                  let line = format(message)
                  queue.async { self.lines.append(line) }
                }
            """),
          Edit("queue.sync { lines }", "formatting.sync { queue.sync { lines } }"),
        ])),
    ])
}
