extension Kata {
  static let throttledQueue = Kata(
    "ThrottledQueue", module: .operations,
    title: "An operation queue with a limit, which can be paused",
    difficulty: 2, minutes: 20, needs: ["WordOperation", "ReentrantQueue"],
    hints: [
      """
      An operation queue is limited, named and suspended by setting its properties. But isSuspended \
      is yes or no: what becomes of it when two have paused the queue and one resumes it?
      """,
      """
      Count the pauses under a lock. pause: one more, and suspend the queue. resume: nothing where \
      there is none; else one less, and let the queue run when none is left. Set isSuspended with \
      the lock held, or two threads may set it in the wrong order. For the main queue: a global \
      DispatchSpecificKey that is set on DispatchQueue.main, and queue.getSpecific(key:).
      """,
      """
      init: guard limit > 0 else { throw .limit(limit) }; the mark: throw .mainQueue; super.init(); \
      self.name = name; self.qualityOfService = qualityOfService; self.underlyingQueue = \
      underlyingQueue; maxConcurrentOperationCount = limit. pause: lock.withLock { pauses += 1; \
      isSuspended = true }. resume: lock.withLock { guard pauses > 0 else { return }; pauses -= 1; \
      if pauses == 0 { isSuspended = false } }.
      """,
    ],
    questions: [
      Question(
        "What does `isSuspended = true` do to the operations that run?",
        answer: "Nothing: they go on to their end. It only keeps the queue from starting others."),
      Question(
        "Why are pauses counted rather than kept as one flag?",
        answer: """
          Two parts of an app may each have their reason to pause. With a flag the first who \
          resumes would undo the other's pause.
          """),
      Question(
        "Why is `isSuspended` set while the lock is held?",
        answer: """
          So that the queue hears of pauses and resumes in the order in which they were counted. \
          Set outside, a late `false` could leave a queue running that counts one pause.
          """),
    ],
    mistakes: throttledQueueLimits + throttledQueuePauses + throttledQueueMains,
    rightAnswers: [
      RightAnswer("a serial queue counts the pauses", .file("SerialQueue.swift")),
      RightAnswer(
        "the standard library's mutex",
        .edits([
          Edit("import Foundation\n", "import Foundation\nimport Synchronization\n"),
          Edit(
            "  private let lock = NSLock()\n  private var pauses = 0\n",
            "  private let pauses = Mutex(0)\n"),
          Edit(
            "    lock.withLock {\n      pauses += 1\n",
            "    pauses.withLock { pauses in\n      pauses += 1\n"),
          Edit(
            "    lock.withLock {\n      guard pauses > 0",
            "    pauses.withLock { pauses in\n      guard pauses > 0"),
        ])),
    ],
    unproven: [
      Unproven("Leave `maxConcurrentOperationCount`", "a demand on the user"),
      Unproven("The queue counts an operation as begun", "a limit of Foundation's"),
      Unproven("If that is busy with other work", "a limit of Foundation's"),
      Unproven("Why a queue isn't made.", "says what the errors are"),
      Unproven("An underlying queue goes before this", "Foundation's; not to be seen on Linux"),
    ],
    equivalents: [
      Equivalent(
        "swapped with the next: guard limit > 0 else { throw .limit(limit) }",
        "Which of two refusals is told is left open."),
      Equivalent(
        "swapped with the next: self.underlyingQueue = underlyingQueue",
        "Neither depends on the other."),
      Equivalent("swapped with the next: pauses += 1", "Both are done under the lock."),
      Equivalent(
        "split before if pauses == 0 { isSuspended = false }: lock.withLock { …",
        "It is looked at again under the lock."),
    ],
    elusive: [
      Elusive(
        "the last statement behind the section: lock.withLock { …",
        "A resume between the two is undone; no order can be forced there."),
      Elusive("split before isSuspended = true: lock.withLock { …", "As above."),
    ])

  private static let throttledQueueLimits = [
    Mistake(
      "limit unset", .edit("    maxConcurrentOperationCount = limit\n", ""),
      breaks: [
        "At most `limit` operations execute at once",
        "An operation queue that was given its limits",
      ],
      rejectedBy: [
        "never more than the limit execute at once", "the next begins when one has ended",
        "the limit holds on a concurrent underlying queue",
      ],
      advice: """
        A limit that is only kept in a property limits nothing: set maxConcurrentOperationCount.
        """),
    Mistake(
      "one too many",
      .edit("maxConcurrentOperationCount = limit", "maxConcurrentOperationCount = limit + 1"),
      breaks: [
        "How many operations may execute at once; one or more.", "At most `limit` operations",
      ],
      rejectedBy: ["never more than the limit execute at once"],
      advice: "The limit is the largest number that may execute at once, not the one before it."),
    Mistake(
      "always one at a time",
      .edit("maxConcurrentOperationCount = limit", "maxConcurrentOperationCount = 1"),
      breaks: ["and as many as that if enough of them are ready"],
      rejectedBy: ["as many execute at once as the limit allows"],
      advice: "One at a time keeps below every limit and leaves the others waiting: use the limit."),
    Mistake(
      "any limit is taken", .edit("    guard limit > 0 else { throw .limit(limit) }\n", ""),
      breaks: [
        "With this limit no operation would ever start",
        "``Refusal`` where the limit or the queue can't be had.",
      ],
      rejectedBy: ["a limit below one is refused", "a limit far below one is refused as well"],
      advice: """
        0 lets no operation start, and -1 means "as many as you like" to Foundation: refuse both, and \
        what is below.
        """),
    Mistake(
      "refuses what Foundation knows",
      .edit("    guard limit > 0 else {", "    guard limit != 0, limit != -1 else {"),
      breaks: ["How many operations may execute at once; one or more."],
      rejectedBy: ["a limit far below one is refused as well"], verdict: .crashed,
      advice: """
        0 and -1 have a meaning to Foundation; all that is below has none, and makes it trap: refuse \
        whatever is below one.
        """),
    Mistake(
      "a limit to the limit",
      .edit(
        "maxConcurrentOperationCount = limit", "maxConcurrentOperationCount = min(limit, 32)"),
      breaks: ["and as many as that if enough of them are ready"],
      rejectedBy: ["a large limit is a limit like any other"],
      advice: """
        Operations that wait for a reply hold no thread, and a hundred of them may wait at once: the \
        limit is for whoever makes the queue to choose.
        """),
    Mistake(
      "no quality of service", .edit("    self.qualityOfService = qualityOfService\n", ""),
      breaks: ["How urgent its operations are."],
      rejectedBy: ["it has the name and the quality of service that were asked for"],
      advice: "A parameter that nobody reads changes nothing: set the queue's qualityOfService."),
    Mistake(
      "no name", .edit("    self.name = name\n", ""),
      breaks: ["What it is called in the debugger"],
      rejectedBy: ["it has the name and the quality of service that were asked for"],
      advice: "Without a name the debugger shows an address: set it."),
    Mistake(
      "a serial queue by default",
      .edit(
        "    self.underlyingQueue = underlyingQueue\n",
        "    self.underlyingQueue = underlyingQueue ?? DispatchQueue(label: name)\n"),
      breaks: ["Nil lets the system choose the threads."],
      rejectedBy: ["without an underlying queue, blocks run side by side"],
      advice: """
        A serial queue lets blocks run one at a time, whatever the limit: where none is given, set none.
        """),
    Mistake(
      "made paused",
      .edit(
        "    maxConcurrentOperationCount = limit\n",
        "    maxConcurrentOperationCount = limit\n    pause()\n"),
      breaks: ["Creates an empty queue, which runs."],
      rejectedBy: ["as many execute at once as the limit allows"],
      advice: "Nobody has paused it yet, so nobody will resume it: let it run from the beginning."),
    Mistake(
      "no underlying queue", .edit("    self.underlyingQueue = underlyingQueue\n", ""),
      breaks: [
        "The dispatch queue that operations are run on", "A serial one lets them run one at a time",
      ],
      rejectedBy: ["its operations run on the underlying queue"],
      advice: """
        Whoever gives a queue guards something with it: operations that run elsewhere break that.
        """),
  ]

  private static let throttledQueuePauses = [
    Mistake(
      "pause cancels",
      .edit(
        "      isSuspended = true\n", "      isSuspended = true\n      cancelAllOperations()\n"),
      breaks: ["isn't cancelled and ends"],
      rejectedBy: ["paused, it lets run what runs, and begins nothing"],
      advice:
        "Whoever pauses wants to go on later: suspend the queue and leave its operations alone."
    ),
    Mistake(
      "pause cancels what waits, later",
      .edit(
        "      if pauses == 0 { isSuspended = false }",
        """
              if pauses == 0 {
                for operation in operations where !operation.isExecuting { operation.cancel() }
                isSuspended = false
              }
        """),
      breaks: ["what waits begins after the last resume"],
      rejectedBy: ["resumed, it begins what waited", "paused and resumed, it drains"],
      advice: "What came during the pause has only waited: let it begin when the queue is resumed."),
    Mistake(
      "pause waits",
      .edits([
        Edit(
          "      isSuspended = true\n    }\n",
          """
                isSuspended = true
              }
              for operation in operations where operation.isExecuting { operation.waitUntilFinished() }

          """)
      ]),
      breaks: ["nothing here waits"],
      rejectedBy: ["paused, it lets run what runs, and begins nothing"], verdict: .hung,
      advice: "What runs may need the thread that pauses: suspend the queue and return."),
    Mistake(
      "pause does nothing", .edit("      isSuspended = true\n", ""),
      breaks: ["Lets no further operation begin", "and that can be paused"],
      rejectedBy: [
        "paused, it lets run what runs, and begins nothing", "two pauses want two resumes",
      ],
      advice: "Counting alone stops nothing: suspend the queue."),
    Mistake(
      "keeps what comes in a pause to itself",
      .edits([
        Edit(
          "  private var pauses = 0\n",
          """
            private var pauses = 0
            private var kept: [Operation] = []

            public override func addOperation(_ operation: Operation) {
              let isPaused = lock.withLock {
                if pauses > 0 { kept.append(operation) }
                return pauses > 0
              }
              if !isPaused { super.addOperation(operation) }
            }

            public override func addOperation(_ block: @escaping @Sendable () -> Void) {
              addOperation(BlockOperation(block: block))
            }

          """),
        Edit(
          "      if pauses == 0 { isSuspended = false }\n",
          """
                if pauses == 0 {
                  isSuspended = false
                  for operation in kept { super.addOperation(operation) }
                  kept = []
                }

          """),
      ]),
      breaks: ["whoever waits for it to be empty waits for the resume as well"],
      rejectedBy: ["whoever waits for a paused queue waits for the resume"],
      advice: """
        Its count is 0 then, and whoever waits for the end goes on too early: a suspended queue keeps \
        them itself.
        """),
    Mistake(
      "takes nothing while it's paused",
      .edit(
        "  private var pauses = 0\n",
        """
          private var pauses = 0

          public override func addOperation(_ operation: Operation) {
            if !isSuspended { super.addOperation(operation) }
          }

        """),
      breaks: ["A paused queue takes operations as it always does"],
      rejectedBy: ["resumed, it begins what waited"],
      advice: "Whoever adds something in a pause expects it to run later: take it."),
    Mistake(
      "resume lost", .edit("      if pauses == 0 { isSuspended = false }\n", ""),
      breaks: ["it runs again when everybody has"],
      rejectedBy: ["resumed, it begins what waited", "paused and resumed, it drains"],
      advice:
        "The queue stays suspended until isSuspended is false again: set it at the last resume."
    ),
    Mistake(
      "yes or no",
      .edits([
        Edit("      pauses -= 1\n", "      pauses = 0\n")
      ]),
      breaks: [
        "it runs again when everybody has",
        "until everybody who has paused the queue has resumed it", "Takes one pause back.",
      ],
      rejectedBy: ["two pauses want two resumes"],
      advice: """
        One resume takes back the pause of somebody else, who still needs it: count them.
        """),
    Mistake(
      "the last pause isn't taken back", .edit("guard pauses > 0 else", "guard pauses > 1 else"),
      breaks: ["Takes one pause back.", "it runs again when everybody has"],
      rejectedBy: ["resumed, it begins what waited", "paused and resumed, it drains"],
      advice: "One pause and one resume leave none: let the queue run again."),
    Mistake(
      "a resume too many counts", .edit("      guard pauses > 0 else { return }\n", ""),
      breaks: ["A resume too many does nothing."],
      rejectedBy: ["a resume too many does nothing"],
      advice: """
        Below zero the next pause brings the count to none and its resume below it again, so the \
        queue never runs: stop at zero.
        """),
    Mistake(
      "a resume too many eats a pause",
      .edits([
        Edit("      guard pauses > 0 else { return }\n", ""),
        Edit("      isSuspended = true\n", "      isSuspended = pauses > 0\n"),
        Edit("      if pauses == 0 { isSuspended = false }\n", "      isSuspended = pauses > 0\n"),
      ]),
      breaks: ["A resume too many does nothing."],
      rejectedBy: ["a resume too many does nothing"],
      advice: """
        Below zero the next pause only brings the count back to none, and the queue runs: stop at \
        zero.
        """),
    Mistake(
      "resume toggles",
      .edits([
        Edit(
          "      guard pauses > 0 else { return }\n      pauses -= 1\n",
          "      pauses = max(0, pauses - 1)\n"),
        Edit("if pauses == 0 { isSuspended = false }", "if pauses == 0 { isSuspended.toggle() }"),
      ]),
      breaks: ["Does nothing where the queue isn't paused."],
      rejectedBy: ["a resume too many does nothing"],
      advice:
        "Resumed without a pause, the queue would stop: say what it should be, not the opposite."
    ),
    Mistake(
      "counts without protection",
      .edits([
        Edit(
          "    lock.withLock {\n      pauses += 1\n      isSuspended = true\n    }\n",
          "    pauses += 1\n    isSuspended = true\n")
      ]),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["two threads may pause it at once"], verdict: .race,
      advice: """
        Two pauses at the same moment may be counted as one, and one resume lets the queue run: \
        guard the count with a lock.
        """),
    Mistake(
      "resumes without protection",
      .edit(
        """
            lock.withLock {
              guard pauses > 0 else { return }
              pauses -= 1
              if pauses == 0 { isSuspended = false }
            }

        """,
        """
            guard pauses > 0 else { return }
            pauses -= 1
            if pauses == 0 { isSuspended = false }

        """),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["one thread may resume it while another pauses it"], verdict: .race,
      advice: """
        A lock around one of the two guards nothing: what one thread counts up the other counts \
        down. Take it for both.
        """),
    Mistake(
      "looks before it takes the lock",
      .edit(
        """
            lock.withLock {
              guard pauses > 0 else { return }

        """,
        """
            guard pauses > 0 else { return }
            lock.withLock {

        """),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["one thread may resume it while another pauses it"], verdict: .race,
      advice: """
        Between the look and the lock another thread may count as well, and both take away the same \
        pause: look inside.
        """),
  ]

  private static let throttledQueueMains = [
    Mistake(
      "the main queue is taken",
      .edit("    if let underlyingQueue, underlyingQueue.isMain { throw .mainQueue }\n", ""),
      breaks: ["The main queue belongs to `OperationQueue.main`", "The main queue is refused"],
      rejectedBy: ["the main queue is refused"],
      advice: "The main queue belongs to OperationQueue.main, and no other may have it: refuse it."),
    Mistake(
      "compares identity",
      .edit("getSpecific(key: mainQueueMark) == true", "self === DispatchQueue.main"),
      breaks: ["The main queue is refused"],
      rejectedBy: ["the main queue is refused"],
      advice: """
        On Linux each use of DispatchQueue.main gives another object: put a mark on the queue and \
        look for that.
        """),
    Mistake(
      "compares labels",
      .edit("getSpecific(key: mainQueueMark) == true", "label == DispatchQueue.main.label"),
      breaks: ["``Refusal`` where the limit or the queue can't be had."],
      rejectedBy: ["a queue that is only called like the main queue is taken"],
      advice: """
        Any queue may bear any label: put a mark on the main queue with setSpecific and look for \
        that.
        """),
    Mistake(
      "looks where it is, not at the queue",
      .edit(
        "getSpecific(key: mainQueueMark) == true",
        "DispatchQueue.getSpecific(key: mainQueueMark) == true"),
      breaks: ["The main queue is refused"],
      rejectedBy: ["the main queue is refused"],
      advice: """
        The static getSpecific asks the queue that runs this code: ask the queue that was given.
        """),
  ]
}
