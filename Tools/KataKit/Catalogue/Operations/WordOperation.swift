extension Kata {
  static let wordOperation = Kata(
    "WordOperation", module: .operations,
    title: "An operation of many blocks with one completion",
    difficulty: 2, minutes: 20, needs: ["ConcurrentMap"],
    hints: [
      """
      An operation has a main() and a completion block. Which of the two does a queue call last, and \
      also where the operation was cancelled? And if several blocks bring their words at the same \
      moment, what keeps one from getting lost?
      """,
      """
      A small final class with a lock and a dictionary from place to word keeps the words; the \
      completion holds that, not the operation. init: keep the blocks, then completionBlock. main(): \
      perform(blocks.count), and in each iteration look at isCancelled first.
      """,
      """
      init: self.blocks = blocks; completionBlock = { [collected] in completion(collected.words) }. \
      main(): perform(blocks.count) { [self] position in guard !isCancelled else { return }; let word \
      = blocks[position](); collected.keep(word, at: position) }. words: the values, sorted by their \
      place.
      """,
    ],
    questions: [
      Question(
        """
        Why is "all words are there" a completion block, and not one more block among the others?
        """,
        answer: """
          The blocks run side by side, so the last one may be the first to run. The completion block \
          comes when the operation has finished, also where it was cancelled.
          """),
      Question(
        "Why does the completion block hold the collection of words and not the operation?",
        answer: """
          The operation holds its completion block, on Linux for good. If that held the operation, it \
          would hold itself and never go away.
          """),
      Question(
        """
        What would become of the words if each block appended to an array without a lock, and what \
        if it did so with one?
        """,
        answer: """
          Without: a data race, in which words are lost or memory is damaged. With: all words, in \
          the order of completion, which differs from run to run; so each brings its position \
          along.
          """),
    ],
    mistakes: wordBlockMistakes + wordKeepingMistakes + wordEndMistakes,
    rightAnswers: [
      RightAnswer("a plain operation and a serial queue", .file("PlainOperation.swift")),
      RightAnswer(
        "pairs, sorted when they're read",
        .edits([
          Edit("var wordAt: [Int: String] = [:]", "var wordAt: [(key: Int, value: String)] = []"),
          Edit("wordAt[position] = word }", "wordAt.append((position, word)) }"),
        ])),
      RightAnswer(
        "the standard library's mutex",
        .edits([
          Edit("import Foundation\n", "import Foundation\nimport Synchronization\n"),
          Edit(
            """
              // Safe: guarded by `lock`.
              private nonisolated(unsafe) var wordAt: [Int: String] = [:]
              private let lock = NSLock()

            """,
            "  private let wordAt = Mutex<[Int: String]>([:])\n"),
          Edit(
            "lock.withLock { wordAt[position] = word }", "wordAt.withLock { $0[position] = word }"),
          Edit("lock.withLock { wordAt }.sorted", "wordAt.withLock { $0 }.sorted"),
        ])),
    ],
    unproven: [
      Unproven("On Apple's systems a `BlockOperation` runs", "tells of Foundation"),
      Unproven("Runs the iterations 0 to", "what whoever gives `perform` has to do"),
      Unproven("On any threads and in any order", "what whoever gives `perform` has to do"),
      Unproven("so leave that alone", "a demand on the caller"),
      Unproven("Called by `start()`, never where", "`start()` of Foundation keeps it"),
    ],
    equivalents: [
      Equivalent(
        "made twice: collected.keep(word, at: position)", "The same word in the same place."),
      Equivalent(
        #"moved by one: lock.withLock { wordAt }.sorted { $0.key < $1.key }.map(\.value)"#,
        "No two are equal."),
    ])

  // MARK: - The blocks

  private static let wordBlockMistakes = [
    Mistake(
      "a loop in main",
      .edits([
        Edit(WordText.perform, "    for position in blocks.indices {\n"),
        Edit(
          "      guard !isCancelled else { return }\n", "      guard !isCancelled else { break }\n"),
      ]),
      breaks: ["Runs an iteration for each block.", "**The blocks run side by side**"],
      rejectedBy: ["perform runs each block once, in whatever order", "the blocks overlap"],
      advice: """
        A loop runs one block after another, on one thread: let `perform` run an iteration for each.
        """),
    Mistake(
      "one iteration for all blocks",
      .edits([
        Edit(WordText.perform, "    perform(1) { [self] _ in\n"),
        Edit(
          """
                guard !isCancelled else { return }
                let word = blocks[position]()
                collected.keep(word, at: position)

          """,
          """
                for (position, block) in blocks.enumerated() where !isCancelled {
                  collected.keep(block(), at: position)
                }

          """),
      ]),
      breaks: ["Runs an iteration for each block."],
      rejectedBy: ["perform runs each block once, in whatever order", "the blocks overlap"],
      advice: """
        One iteration runs on one thread from its first line to its last: let `perform` run one for \
        each block.
        """),
    Mistake(
      "a single block goes without perform",
      .edit(
        WordText.perform,
        """
            if blocks.count == 1, !isCancelled {
              collected.keep(blocks[0](), at: 0)
              return
            }
            perform(blocks.count) { [self] position in

        """),
      breaks: ["Runs an iteration for each block.", "`perform` decides on how many"],
      rejectedBy: ["perform runs a single block too"],
      advice: """
        Whoever gives `perform` decides where every block runs, the only one too: leave the case of one \
        to it.
        """),
    Mistake(
      "perform on another thread",
      .edit(
        WordText.main,
        """
          public override func main() {
            let isDone = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [self] in
              perform(blocks.count) { [self] position in
                guard !isCancelled else { return }
                let word = blocks[position]()
                collected.keep(word, at: position)
              }
              isDone.signal()
            }
            isDone.wait()
          }

        """),
      breaks: ["It is called on the thread that runs the operation"],
      rejectedBy: ["perform is called on the thread that runs the operation"],
      advice: "One thread works and another one waits for it: call `perform` where main() runs."),
    Mistake(
      "a thread for each block by default",
      .edit(
        "{ DispatchQueue.concurrentPerform(iterations: $0, execute: $1) }",
        """
        { iterations, body in
              let all = DispatchGroup()
              for iteration in 0..<iterations {
                all.enter()
                Thread.detachNewThread {
                  body(iteration)
                  all.leave()
                }
              }
              all.wait()
            }
        """),
      breaks: ["starts no more threads than that"],
      rejectedBy: [
        "by default the blocks run side by side, on no more threads than there are cores"
      ],
      advice: """
        A hundred threads share the same few cores, and each costs half a megabyte: concurrentPerform \
        takes as many as there are cores.
        """),
    Mistake(
      "one after another by default",
      .edit(
        "{ DispatchQueue.concurrentPerform(iterations: $0, execute: $1) }",
        "{ (0..<$0).forEach($1) }"),
      breaks: ["By default `DispatchQueue.concurrentPerform`"],
      rejectedBy: [
        "by default the blocks run side by side, on no more threads than there are cores"
      ],
      advice: "One core works and the others sleep: concurrentPerform keeps all of them busy."),
    Mistake(
      "left to Foundation",
      .edits([
        Edit("WordOperation: Operation,", "WordOperation: BlockOperation,"),
        Edit("  private let blocks: [@Sendable () -> String]\n", ""),
        Edit("    self.blocks = blocks\n", ""),
        Edit(
          "    super.init()\n",
          """
              super.init()
              for (position, block) in blocks.enumerated() {
                addExecutionBlock { [collected] in collected.keep(block(), at: position) }
              }

          """),
        Edit(WordText.main, "  public override func main() { super.main() }\n"),
      ]),
      breaks: ["This operation does the same everywhere."],
      rejectedBy: ["perform runs each block once, in whatever order", "the blocks overlap"],
      advice: """
        Foundation runs the blocks of a BlockOperation side by side on Apple's systems, and one \
        after another on Linux: run them through `perform`.
        """),
    Mistake(
      "runs the blocks in init",
      .edits([
        Edit(
          "    super.init()\n",
          """
              super.init()
              for (position, block) in blocks.enumerated() {
                collected.keep(block(), at: position)
              }

          """),
        Edit(WordText.main, "  public override func main() {}\n"),
      ]),
      breaks: [
        "Creates an operation that waits to be started.",
        "What it does, called once each when it runs.",
      ],
      rejectedBy: [
        "no block runs before the operation does",
        "cancelled before its start, no block runs and the completion comes",
      ],
      advice: """
        What init does is done on the thread of whoever makes the operation, before any queue has a \
        say: keep the blocks there and run them in main().
        """),
    Mistake(
      "a lock held while a block runs",
      .edits([
        Edit(
          "      let word = blocks[position]()\n      collected.keep(word, at: position)\n",
          "      collected.keep(blocks[position], at: position)\n"),
        Edit(
          "func keep(_ word: String, at position: Int)",
          "func keep(_ word: () -> String, at position: Int)"),
        Edit("wordAt[position] = word }", "wordAt[position] = word() }"),
      ]),
      breaks: ["no lock is held meanwhile"],
      rejectedBy: ["the blocks overlap", "the completion comes once, after the last block"],
      advice: """
        While one block runs with the lock held, every other one waits for it: make the word first, \
        and take the lock to keep it.
        """),
    Mistake(
      "doesn't wait for its blocks",
      .edit(
        WordText.main,
        """
          public override func main() {
            Thread.detachNewThread { [self] in
              perform(blocks.count) { [self] position in
                guard !isCancelled else { return }
                let word = blocks[position]()
                collected.keep(word, at: position)
              }
            }
          }

        """),
      breaks: [
        "the operation has finished when the last block has returned",
        "Runs the blocks and returns when all have returned.",
      ],
      rejectedBy: ["the completion comes once, after the last block"],
      advice: """
        An operation has finished when main() returns, and its completion comes then: return when \
        `perform` does.
        """),
  ]

  // MARK: - The words

  private static let wordKeepingMistakes = [
    Mistake(
      "words in the order of time",
      .edits([
        Edit("var wordAt: [Int: String] = [:]", "var wordAt: [(key: Int, value: String)] = []"),
        Edit("wordAt[position] = word }", "wordAt.append((position, word)) }"),
        Edit(
          "lock.withLock { wordAt }.sorted { $0.key < $1.key }.map", "lock.withLock { wordAt }.map"),
      ]),
      breaks: ["The words that are made so far, in the order of their blocks."],
      rejectedBy: ["perform runs each block once, in whatever order"],
      advice: """
        Whichever block is done first appends first: keep each word with the place of its block.
        """),
    Mistake(
      "each word once",
      .edit(
        "lock.withLock { wordAt[position] = word }",
        "lock.withLock { if !wordAt.values.contains(word) { wordAt[position] = word } }"),
      breaks: ["An operation of many blocks, each of which makes a word"],
      rejectedBy: ["each word counts, and in its place"],
      advice: "Two blocks may make the same word, and there are two: keep the word of each."),
    Mistake(
      "empty words left out",
      .edit(
        "lock.withLock { wordAt[position] = word }",
        "lock.withLock { wordAt[position] = word.isEmpty ? nil : word }"),
      breaks: ["An operation of many blocks, each of which makes a word"],
      rejectedBy: ["each word counts, and in its place"],
      advice: "Then nobody knows which word belongs to which block: an empty one is a word."),
    Mistake(
      "places sorted as text",
      .edit("$0.key < $1.key", "String($0.key) < String($1.key)"),
      breaks: ["with the words in the order of their blocks"],
      rejectedBy: ["each word counts, and in its place"],
      advice: "As text 10 comes before 2: compare numbers."),
    Mistake(
      "words without protection",
      .edits([
        Edit("lock.withLock { wordAt[position] = word }", "wordAt[position] = word"),
        Edit("lock.withLock { wordAt }.sorted", "wordAt.sorted"),
      ]),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["two blocks may bring their words at once"], verdict: .race,
      advice: """
        Two blocks change the same dictionary at once, and words are lost or the process dies: a \
        lock around each change and each look.
        """),
    Mistake(
      "words read without protection",
      .edit("lock.withLock { wordAt }.sorted", "wordAt.sorted"),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["the words may be read while they come"], verdict: .race,
      advice: """
        A lock around the changes alone guards nothing: whoever reads meets one half done. Take it \
        for both.
        """),
    Mistake(
      "what it runs holds it",
      .edits([
        Edit(
          "  private let blocks: [@Sendable () -> String]\n",
          "  // Safe: set in init.\n  private nonisolated(unsafe) var jobs: [@Sendable () -> Void] = []\n"
        ),
        Edit("    self.blocks = blocks\n", ""),
        Edit(
          "    super.init()\n",
          """
              super.init()
              jobs = blocks.enumerated().map { position, block in
                { self.collected.keep(block(), at: position) }
              }

          """),
        Edit(WordText.perform, "    perform(jobs.count) { [self] position in\n"),
        Edit(
          "      let word = blocks[position]()\n      collected.keep(word, at: position)\n",
          "      jobs[position]()\n"),
      ]),
      breaks: ["It keeps nothing alive"],
      rejectedBy: ["nothing keeps it alive when it has finished"],
      advice: """
        The operation holds its closures and they hold the operation: capture what keeps the words, \
        and not self.
        """),
  ]

  // MARK: - The end

  private static let wordEndMistakes = [
    Mistake(
      "completion as a block",
      .edits(
        WordText.keepsCompletion + [
          Edit(WordText.perform, "    perform(blocks.count + 1) { [self] position in\n"),
          Edit(
            "      let word = blocks[position]()\n",
            """
                  if position == blocks.count { return completion(words) }
                  let word = blocks[position]()

            """),
        ]),
      breaks: ["Called once, on a thread of Foundation's choice, when the operation has finished"],
      rejectedBy: [
        "perform runs each block once, in whatever order",
        "the completion comes once, after the last block",
        "cancelled before its start, no block runs and the completion comes",
      ],
      advice: """
        A block that is added last runs beside the others and may be done before them: set \
        completionBlock.
        """),
    Mistake(
      "completion at the end of main",
      .edits(
        WordText.keepsCompletion + [
          Edit(
            "      collected.keep(word, at: position)\n    }\n",
            "      collected.keep(word, at: position)\n    }\n    completion(words)\n")
        ]),
      breaks: ["The completion is called all the same"],
      rejectedBy: ["cancelled before its start, no block runs and the completion comes"],
      advice: """
        main() is never called where the operation was cancelled before its start, and whoever waits \
        for the completion waits for ever: set completionBlock.
        """),
    Mistake(
      "main calls the completion block",
      .edit(
        "      collected.keep(word, at: position)\n    }\n",
        """
              collected.keep(word, at: position)
            }
            completionBlock?()
            completionBlock = nil

        """),
      breaks: ["Called once, on a thread of Foundation's choice, when the operation has finished"],
      rejectedBy: ["the completion comes when the operation has finished"],
      advice: """
        Whoever hears that all is done may start what comes next, and main() hasn't even returned: leave \
        the call to the queue.
        """),
    Mistake(
      "a completion for each block",
      .edits(
        WordText.keepsCompletion + [
          Edit(
            "      collected.keep(word, at: position)\n",
            "      collected.keep(word, at: position)\n      completion(collected.words)\n")
        ]),
      breaks: ["with one completion when all are made"],
      rejectedBy: [
        "the completion comes once, after the last block",
        "an operation without blocks completes too",
      ],
      advice: """
        One completion is promised for all blocks together: set completionBlock, which a queue calls \
        once.
        """),
    Mistake(
      "its completion holds it",
      .edit("{ [collected] in completion(collected.words) }\n", "{ completion(self.words) }\n"),
      breaks: ["It keeps nothing alive"],
      rejectedBy: ["nothing keeps it alive when it has finished"],
      advice: """
        The operation holds its completion block, for good on Linux, and that holds the operation: \
        capture what keeps the words.
        """),
    Mistake(
      "told with the lock held",
      .edits([
        Edit(
          "{ [collected] in completion(collected.words) }\n",
          "{ [collected] in collected.tell(completion) }\n"),
        Edit(
          "  var words: [String] {\n    lock",
          """
            func tell(_ completion: ([String]) -> Void) {
              lock.withLock { completion(wordAt.sorted { $0.key < $1.key }.map(\\.value)) }
            }

            var words: [String] {
              lock
          """),
      ]),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["who hears of the completion may read the words"],
      advice:
        "Whoever reads the words in the completion waits for itself: call it without the lock."),
    Mistake(
      "no words when it's cancelled",
      .edit(
        "{ [collected] in completion(collected.words) }\n",
        "{ [weak self, collected] in completion(self?.isCancelled == true ? [] : collected.words) }\n"
      ),
      breaks: ["with the words that there are"],
      rejectedBy: ["cancelled in a block, it leaves out those that haven't begun"],
      advice: "What was made was made: bring the words that there are."),
    Mistake(
      "the last block completes",
      .edits(
        WordText.keepsCompletion + [
          Edit(
            "      collected.keep(word, at: position)\n",
            """
                  collected.keep(word, at: position)
                  if collected.words.count == blocks.count { completion(collected.words) }

            """)
        ]),
      breaks: ["The completion is called all the same"],
      rejectedBy: [
        "an operation without blocks completes too",
        "cancelled before its start, no block runs and the completion comes",
        "cancelled in a block, it leaves out those that haven't begun",
      ],
      advice: """
        Counting goes wrong where a block is left out, and two blocks that end at once may both \
        count to the end: set completionBlock.
        """),
    Mistake(
      "cancellation ignored", .edit("      guard !isCancelled else { return }\n", ""),
      breaks: ["Blocks that haven't begun when the operation is cancelled are left out"],
      rejectedBy: ["cancelled in a block, it leaves out those that haven't begun"],
      advice: "cancel() only sets isCancelled: look at it before each block."),
    Mistake(
      "looks for a cancel only at the start",
      .edits([
        Edit("      guard !isCancelled else { return }\n", ""),
        Edit(
          "  public override func main() {\n",
          "  public override func main() {\n    guard !isCancelled else { return }\n"),
      ]),
      breaks: ["Blocks that haven't begun when the operation is cancelled are left out"],
      rejectedBy: ["cancelled in a block, it leaves out those that haven't begun"],
      advice: """
        start() has asked that already, and nobody asks after that: look again before each block.
        """),
  ]
}

/// Pieces of the reference that several mistakes replace.
private enum WordText {
  /// The completion is kept, and is nobody's completion block.
  static let keepsCompletion = [
    Edit(completion, ""),
    Edit(
      "  private let perform: Perform\n",
      """
        private let perform: Perform
        private let completion: @Sendable ([String]) -> Void

      """),
    Edit(
      "    self.perform = perform\n",
      "    self.perform = perform\n    self.completion = completion\n"),
  ]
  static let completion =
    "    completionBlock = { [collected] in completion(collected.words) }\n"
  static let perform = "    perform(blocks.count) { [self] position in\n"
  static let main = """
      public override func main() {
        perform(blocks.count) { [self] position in
          guard !isCancelled else { return }
          let word = blocks[position]()
          collected.keep(word, at: position)
        }
      }

    """
}
