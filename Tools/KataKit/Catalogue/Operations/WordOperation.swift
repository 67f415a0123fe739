extension Kata {
  static let wordOperation = Kata(
    "WordOperation", module: .operations,
    title: "An operation of many blocks with one completion",
    difficulty: 2, minutes: 20, needs: ["ConcurrentMap"],
    hints: [
      """
      An operation can have many execution blocks and has one completion block. Which of the two \
      does a queue call last, and also where the operation was cancelled? And if several blocks \
      bring their words at the same moment, what keeps one from getting lost?
      """,
      """
      A small final class with a lock and a dictionary from place to word keeps the words; the \
      blocks and the completion hold that, not the operation. init: addExecutionBlock for each \
      block, then completionBlock. main(): perform(executionBlocks.count), and in each iteration \
      look at isCancelled first.
      """,
      """
      init: for (position, block) in blocks.enumerated() { addExecutionBlock { let word = block(); \
      collected.keep(word, at: position) } }; completionBlock = { completion(collected.words) }. \
      main(): let blocks = executionBlocks; perform(blocks.count) { [self] iteration in guard \
      !isCancelled else { return }; blocks[iteration]() }. words: the values, sorted by their place.
      """,
    ],
    questions: [
      Question(
        """
        Why is "all words are there" a completion block, and not one more block of the operation?
        """,
        answer: """
          The blocks of an operation run side by side, so the last one added may be the first to \
          run. The completion block comes when the operation has finished, also where it was \
          cancelled.
          """),
      Question(
        "Why do the blocks hold the collection of words and not the operation?",
        answer: """
          The operation holds its blocks and its completion block. If those held the operation, it \
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
    ])

  // MARK: - The blocks

  private static let wordBlockMistakes = [
    Mistake(
      "one block with a loop",
      .edit(
        WordText.addBlocks,
        """
            addExecutionBlock {
              for (position, block) in blocks.enumerated() {
                collected.keep(block(), at: position)
              }
            }

        """),
      rejectedBy: [
        "perform runs each block once, in whatever order", "the blocks overlap",
        "cancelled in a block, it leaves out those that haven't begun",
      ],
      advice: """
        One block runs on one thread from its first line to its last: add an execution block for \
        each word.
        """),
    Mistake(
      "a loop in main",
      .edits([
        Edit(WordText.perform, "    for iteration in blocks.indices {\n"),
        Edit(
          "      guard !isCancelled else { return }\n", "      guard !isCancelled else { break }\n"),
      ]),
      rejectedBy: ["perform runs each block once, in whatever order", "the blocks overlap"],
      advice: """
        A loop runs one block after another, on one thread: let `perform` run an iteration for each.
        """),
    Mistake(
      "left to Foundation",
      .edit(WordText.main, "  public override func main() { super.main() }\n"),
      rejectedBy: ["perform runs each block once, in whatever order", "the blocks overlap"],
      advice: """
        Foundation runs the blocks of a BlockOperation side by side on Apple's systems, and one \
        after another on Linux: run them through `perform`.
        """),
    Mistake(
      "runs the blocks in init",
      .edits([
        Edit(
          WordText.addBlocks,
          """
              for (position, block) in blocks.enumerated() {
                collected.keep(block(), at: position)
              }

          """)
      ]),
      rejectedBy: [
        "no block runs before the operation does",
        "cancelled before its start, no block runs and the completion comes",
      ],
      advice: """
        What init does is done on the thread of whoever makes the operation, before any queue has a \
        say: add execution blocks there and run them in main().
        """),
    Mistake(
      "a lock held while a block runs",
      .edits([
        Edit(
          "        let word = block()\n        collected.keep(word, at: position)\n",
          "        collected.keep(block, at: position)\n"),
        Edit(
          "func keep(_ word: String, at position: Int)",
          "func keep(_ word: () -> String, at position: Int)"),
        Edit("wordAt[position] = word }", "wordAt[position] = word() }"),
      ]),
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
            let blocks = executionBlocks
            let perform = perform
            Thread.detachNewThread {
              perform(blocks.count) { [self] iteration in
                guard !isCancelled else { return }
                blocks[iteration]()
              }
            }
          }

        """),
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
      rejectedBy: ["perform runs each block once, in whatever order"],
      advice: """
        Whichever block is done first appends first: keep each word with the place of its block.
        """),
    Mistake(
      "words without protection",
      .edits([
        Edit("lock.withLock { wordAt[position] = word }", "wordAt[position] = word"),
        Edit("lock.withLock { wordAt }.sorted", "wordAt.sorted"),
      ]),
      rejectedBy: ["two blocks may bring their words at once"], verdict: .race,
      advice: """
        Two blocks change the same dictionary at once, and words are lost or the process dies: a \
        lock around each change and each look.
        """),
    Mistake(
      "words read without protection",
      .edit("lock.withLock { wordAt }.sorted", "wordAt.sorted"),
      rejectedBy: ["the words may be read while they come"], verdict: .race,
      advice: """
        A lock around the changes alone guards nothing: whoever reads meets one half done. Take it \
        for both.
        """),
    Mistake(
      "its blocks hold it",
      .edits([
        Edit(
          "        collected.keep(word, at: position)",
          "        self.collected.keep(word, at: position)")
      ]),
      rejectedBy: ["nothing keeps it alive when it has finished"],
      advice: """
        The operation holds its blocks and they hold the operation: capture what keeps the words, \
        and not self.
        """),
  ]

  // MARK: - The end

  private static let wordEndMistakes = [
    Mistake(
      "completion as a block",
      .edit(
        "    completionBlock = { completion(collected.words) }\n",
        "    addExecutionBlock { completion(collected.words) }\n"),
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
      .edits([
        Edit("    completionBlock = { completion(collected.words) }\n", ""),
        Edit(
          "  private let perform: Perform\n",
          """
            private let perform: Perform
            private let completion: @Sendable ([String]) -> Void

          """),
        Edit(
          "    self.perform = perform\n",
          "    self.perform = perform\n    self.completion = completion\n"),
        Edit(
          "      blocks[iteration]()\n    }\n",
          "      blocks[iteration]()\n    }\n    completion(words)\n"),
      ]),
      rejectedBy: ["cancelled before its start, no block runs and the completion comes"],
      advice: """
        main() is never called where the operation was cancelled before its start, and whoever waits \
        for the completion waits for ever: set completionBlock.
        """),
    Mistake(
      "a completion for each block",
      .edits([
        Edit("    completionBlock = { completion(collected.words) }\n", ""),
        Edit(
          "        collected.keep(word, at: position)\n",
          "        collected.keep(word, at: position)\n        completion(collected.words)\n"),
      ]),
      rejectedBy: [
        "the completion comes once, after the last block",
        "an operation without blocks completes too",
      ],
      advice: """
        One completion is promised for all blocks together: set completionBlock, which a queue calls \
        once.
        """),
    Mistake(
      "the last block completes",
      .edits([
        Edit("    completionBlock = { completion(collected.words) }\n", ""),
        Edit(
          "        collected.keep(word, at: position)\n",
          """
                  collected.keep(word, at: position)
                  if collected.words.count == blocks.count { completion(collected.words) }

          """),
      ]),
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
      rejectedBy: ["cancelled in a block, it leaves out those that haven't begun"],
      advice: "cancel() only sets isCancelled: look at it before each block."),
    Mistake(
      "looks for a cancel only at the start",
      .edits([
        Edit("      guard !isCancelled else { return }\n", ""),
        Edit(
          "    let blocks = executionBlocks\n",
          "    guard !isCancelled else { return }\n    let blocks = executionBlocks\n"),
      ]),
      rejectedBy: ["cancelled in a block, it leaves out those that haven't begun"],
      advice: """
        start() has asked that already, and nobody asks after that: look again before each block.
        """),
  ]
}

/// Pieces of the reference that several mistakes replace.
private enum WordText {
  static let addBlocks = """
        for (position, block) in blocks.enumerated() {
          addExecutionBlock {
            let word = block()
            collected.keep(word, at: position)
          }
        }

    """
  static let perform = "    perform(blocks.count) { [self] iteration in\n"
  static let main = """
      public override func main() {
        let blocks = executionBlocks
        perform(blocks.count) { [self] iteration in
          guard !isCancelled else { return }
          blocks[iteration]()
        }
      }

    """
}
