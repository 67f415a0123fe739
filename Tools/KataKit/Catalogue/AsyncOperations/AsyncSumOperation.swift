extension Kata {
  static let asyncSumOperation = Kata(
    "AsyncSumOperation", module: .asyncOperations,
    title: "An operation that adds on another queue and keeps its result",
    difficulty: 2, minutes: 15, needs: ["AsyncOperation"], buildsOn: ["AsyncOperation"],
    hints: [
      """
      main() only begins: it gives the work to the queue and returns. What may be called before \
      the sum is stored, and what only after?
      """,
      """
      main(): queue.async, and inside it, in this order: look at isCancelled, add, store the sum \
      under a lock, and finish() as the last thing on every path. `result` takes the same lock.
      """,
      """
      private let lock = NSLock(); private var sum: Int?. result: lock.withLock { sum }. main(): \
      queue.async { [self] in if !isCancelled { let sum = lhs + rhs; lock.withLock { self.sum = \
      sum } }; finish() }.
      """,
    ],
    questions: [
      Question(
        "Why is the sum stored before `finish()`, and not after?",
        answer: """
          `finish()` is the announcement. At that moment, on other threads, dependents start and \
          completion blocks run, and they would find nil.
          """),
      Question(
        "The cancelled path stores nothing. Why does it have to call `finish()` all the same?",
        answer: """
          Otherwise the operation stays in its queue for ever, and its dependents with it. Every \
          path has to end; that there is no result is what it ends with.
          """),
      Question(
        "A hundred of these wait for a busy queue. How many threads do they hold?",
        answer: """
          None: each `main()` has put a block in line and returned. That's the difference to a \
          `BlockOperation` that calls `sync`.
          """),
    ],
    mistakes: orderMistakes + queueMistakes + endMistakes,
    rightAnswers: [
      RightAnswer("a result that is only shown when finished", .file("ResultWhenFinished.swift")),
      RightAnswer("a serial queue and a notified work item", .file("SerialQueue.swift")),
      RightAnswer("the standard library's mutex", .file("StandardMutex.swift")),
    ],
    unproven: [
      Unproven("Before that it may be nil.", "permits, and promises nothing"),
      Unproven("To be called by `start()` alone.", "asked of the caller"),
    ],
    elusive: [
      Elusive(
        "split before finish(): queue.async { [self] in …",
        "On a concurrent queue the end may come before the sum; nobody can hold the first block back."
      )
    ])

  private static let asyncWork = """
        queue.async { [self] in
          if !isCancelled {
            let sum = lhs + rhs
            lock.withLock { self.sum = sum }
          }
          // Last, and on both paths: whoever hears of the end looks for the result.
          finish()
        }

    """

  private static func work(_ body: String) -> Answer { .edit(asyncWork, body) }

  // MARK: - The order

  private static let orderMistakes = [
    Mistake(
      "finishes before it stores",
      work(
        """
            queue.async { [self] in
              finish()
              if !isCancelled {
                let sum = lhs + rhs
                lock.withLock { self.sum = sum }
              }
            }

        """),
      breaks: [
        "is there when the operation is finished",
        "the work stores its result before it calls",
      ],
      rejectedBy: ["who hears that it is finished finds the result"],
      advice: """
        Dependents start as soon as finish() announces the end: store the result first, finish last.
        """),
    Mistake(
      "finishes when the work is handed over",
      work(
        """
            queue.async { [self] in
              guard !isCancelled else { return }
              let sum = lhs + rhs
              lock.withLock { self.sum = sum }
            }
            finish()

        """),
      breaks: ["is there when the operation is finished"],
      rejectedBy: [
        "it adds on its queue, and main returns at once",
        "a dependent in another queue finds the result", "any number are under way at once",
      ],
      advice: """
        `async` returns before the block has run: call finish() inside the block, behind the work.
        """),
    Mistake(
      "finishes with the lock held",
      .edit(
        """
                lock.withLock { self.sum = sum }
              }
              // Last, and on both paths: whoever hears of the end looks for the result.
              finish()

        """,
        """
                lock.withLock {
                  self.sum = sum
                  finish()
                }
              } else {
                finish()
              }

        """),
      breaks: ["is there when the operation is finished"],
      rejectedBy: ["who hears that it is finished finds the result"],
      advice: """
        finish() calls out: whoever hears of the end asks for the result and waits for the lock \
        that you hold. Let go of it first.
        """),
    Mistake(
      "finishes on the queue that guards the result", .file("FinishOnGuardian.swift"),
      breaks: ["is there when the operation is finished"],
      rejectedBy: ["who hears that it is finished finds the result"], verdict: .crashed,
      advice: """
        finish() calls out: whoever hears of the end asks for the result, which waits for the very \
        queue that it stands on. Call finish() on another.
        """),
  ]

  // MARK: - The queue

  private static let queueMistakes = [
    Mistake(
      "works in start, on the caller",
      work(
        """
            let sum = lhs + rhs
            lock.withLock { self.sum = sum }
            finish()

        """),
      breaks: [
        "`main()` hands the work to a dispatch queue",
        "An operation that adds two numbers on another queue",
      ],
      rejectedBy: ["it adds on its queue, and main returns at once"],
      advice: """
        start() calls main() on its own thread, so this operation isn't asynchronous at all: hand \
        the work to the queue with `async`.
        """),
    Mistake(
      "waits for its queue", .edit("queue.async { [self]", "queue.sync { [self]"),
      breaks: ["no other thread is held", "Any number of these operations may be under way"],
      rejectedBy: [
        "it adds on its queue, and main returns at once", "any number are under way at once",
      ],
      advice: """
        `sync` holds the thread that started the operation until the queue has come to it: use \
        `async` and return.
        """),
    Mistake(
      "a thread of its own waits for the queue",
      work(
        """
            Thread.detachNewThread { [self] in
              queue.sync {
                if !isCancelled {
                  let sum = lhs + rhs
                  lock.withLock { self.sum = sum }
                }
              }
              finish()
            }

        """),
      breaks: ["no other thread is held"],
      rejectedBy: ["while they wait for their queue no thread is held"],
      advice: """
        A thread that waits is held, whoever made it: `async` puts the work in line and needs none.
        """),
    Mistake(
      "another queue than the given one",
      .edit("queue.async { [self]", "DispatchQueue.global().async { [self]"),
      breaks: ["queue: Where they are added."],
      rejectedBy: ["it adds on its queue, and main returns at once"],
      advice: "Whoever makes the operation says where it works: use the queue from the initialiser."
    ),
    Mistake(
      "adds in a barrier", .edit("queue.async { [self]", "queue.async(flags: .barrier) { [self]"),
      breaks: ["side by side if `queue` is concurrent"],
      rejectedBy: ["it adds beside others on its queue"],
      advice: """
        A barrier holds up everybody on the queue, for a sum that touches nobody else's: the lock \
        around the result is enough.
        """),
    Mistake(
      "begins in the initialiser",
      .edits([
        Edit(
          "    super.init()\n",
          """
              super.init()
              queue.async { [self] in
                let sum = lhs + rhs
                lock.withLock { self.sum = sum }
              }

          """),
        Edit(asyncWork, "    queue.async { [self] in finish() }\n"),
      ]),
      breaks: [
        "Creates an operation that waits to be started.",
        "Begins the work.",
        "One that is cancelled before its start never asks",
      ],
      rejectedBy: [
        "cancelled before its start, it ends without a result",
        "cancelled before its queue comes to it, it ends without a result",
      ],
      advice: """
        An operation works when its queue starts it, and not at all if it's cancelled before: \
        begin in main().
        """),
  ]

  // MARK: - The result and the end

  private static let endMistakes = [
    Mistake(
      "no finish on the cancelled path",
      .edit("      if !isCancelled {\n", "      guard !isCancelled else { return }\n      do {\n"),
      breaks: ["ends without a result, when `queue` has come to it"],
      rejectedBy: ["cancelled before its queue comes to it, it ends without a result"],
      advice: """
        A cancelled operation has to end too, or it holds its place in the queue for ever: call \
        finish() on every path.
        """),
    Mistake(
      "adds though it was cancelled", .edit("      if !isCancelled {\n", "      do {\n"),
      breaks: [
        "ends without a result, when `queue` has come to it",
        "where the operation was cancelled in time",
      ],
      rejectedBy: ["cancelled before its queue comes to it, it ends without a result"],
      advice: "Look at isCancelled when the queue has come to it, before the work."),
    Mistake(
      "cancel finishes it",
      .edit(
        "  /// Begins the work.\n",
        """
          public override func cancel() {
            super.cancel()
            finish()
          }

          /// Begins the work.

        """),
      breaks: ["when `queue` has come to it"],
      rejectedBy: ["cancelled before its queue comes to it, it ends without a result"],
      advice: """
        The queue may be adding at that moment, and dependents would start beside it: let the work \
        look at isCancelled, and end itself.
        """),
    Mistake(
      "a sum of zero is none",
      .edits([
        Edit("  private var sum: Int?\n", "  private var sum = 0\n"),
        Edit("lock.withLock { sum }", "lock.withLock { sum == 0 ? nil : sum }"),
      ]),
      breaks: ["is there when the operation is finished"],
      rejectedBy: ["it adds two numbers"],
      advice: "Zero is a sum like any other: keep an optional, which is nil until there is one."),
    Mistake(
      "zero until it is added", .edit("  private var sum: Int?\n", "  private var sum: Int? = 0\n"),
      breaks: ["nil until it is added, and where the operation was cancelled in time"],
      rejectedBy: [
        "it adds on its queue, and main returns at once",
        "cancelled before its start, it ends without a result",
      ],
      advice: "Nobody could tell a zero that was added from none at all: begin with nil."),
    Mistake(
      "the result is asked of its queue",
      .edits([
        Edit("lock.withLock { sum } }", "isFinished ? queue.sync { sum } : nil }"),
        Edit("lock.withLock { self.sum = sum }", "self.sum = sum"),
      ]),
      breaks: ["Doesn't wait for `queue`."],
      rejectedBy: ["its result waits for nobody"],
      advice: """
        The queue belongs to others: it may be busy or suspended, and who asks on the queue itself \
        waits for itself. Guard the result by something of your own.
        """),
    Mistake(
      "its queue captures it weakly",
      .edits([
        Edit(
          "    queue.async { [self] in\n",
          "    queue.async { [weak self] in\n      guard let self else { return }\n")
      ]),
      breaks: ["Nobody has to keep one that was started."],
      rejectedBy: ["nobody has to keep it"],
      advice: """
        While it waits for its queue, nobody else may keep an operation that was started by hand: it \
        goes, and neither its completion block nor its dependents ever hear of it. Capture it strongly.
        """),
    Mistake(
      "adds as Int32",
      .edit(
        "let sum = lhs + rhs",
        "let sum = Int(Int32(truncatingIfNeeded: lhs) &+ Int32(truncatingIfNeeded: rhs))"),
      breaks: ["lhs: The first number.", "rhs: The second number"],
      rejectedBy: ["it adds two numbers"],
      advice: "Any two Ints whose sum is an Int can be added: add them as they are."),
    Mistake(
      "a cancelled sum is thrown away",
      .edit("lock.withLock { sum } }", "isCancelled ? nil : lock.withLock { sum } }"),
      breaks: ["One that has stored its sum keeps it."],
      rejectedBy: ["cancelled when its sum is stored, it keeps it"],
      advice: """
        isCancelled may become true when the sum is stored; a result that was there would be gone. \
        Decide when you store it, not when you are asked.
        """),
    Mistake(
      "one result for all",
      .edits([
        Edit("  private var sum: Int?\n", "  private nonisolated(unsafe) static var sum: Int?\n"),
        Edit("lock.withLock { self.sum = sum }", "Self.lock.withLock { Self.sum = sum }"),
        Edit("Int? { lock.withLock { sum } }", "Int? { Self.lock.withLock { Self.sum } }"),
        Edit("private let lock", "private static let lock"),
      ]),
      breaks: ["and keeps the sum"],
      rejectedBy: ["many at once keep their results apart"],
      advice: "A static property is shared by all operations: keep the result in each of them."),
    Mistake(
      "result without protection",
      .edits([
        Edit("lock.withLock { sum }", "sum"),
        Edit("lock.withLock { self.sum = sum }", "self.sum = sum"),
      ]),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["its result may be read while it finishes"], verdict: .race,
      advice: """
        The queue's thread stores the result while another may read it: guard both with the same \
        lock.
        """),
  ]
}
