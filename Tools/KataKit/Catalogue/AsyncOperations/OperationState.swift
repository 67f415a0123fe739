extension Kata {
  static let operationState = Kata(
    "OperationState", module: .asyncOperations,
    title: "The three states of an operation, and the moves between them",
    difficulty: 1, minutes: 10, needs: [],
    hints: [
      """
      Three questions of Operation (isReady, isExecuting, isFinished) and three states: in each \
      state one of them is true. Write down the nine pairs of states and strike out what an \
      operation can't do.
      """,
      """
      Three pairs are left: from ready to executing, from executing to finished, and from ready to \
      finished, for what was cancelled before its start. Everything else is refused, also finished \
      to finished. A move makes the old state's property false and the new one's true.
      """,
      """
      canMove: switch (self, next) { case (.ready, .executing), (.ready, .finished), (.executing, \
      .finished): true; default: false }. keyPaths: canMove(to: next) ? [keyPath, next.keyPath] : \
      []. move: guard canMove(to: next) else { return false }; self = next; return true.
      """,
    ],
    questions: [
      Question(
        "Why is there no state called *cancelled*?",
        answer: """
          Being cancelled is a request that may come in every state, and whoever was cancelled \
          still has to get to finished. It's a second question, so it has its own flag.
          """),
      Question(
        "Which legal move looks wrong at first, and who needs it?",
        answer: """
          From ready straight to finished. An operation that was cancelled before its start is \
          started by its queue all the same and finishes without having executed.
          """),
      Question(
        """
        The key path is written "finished" instead of "isFinished". What does one see?
        """,
        answer: """
          An operation that never leaves its queue, though `isFinished` is true: the queue listens \
          to the documented key path and hears nothing.
          """),
    ],
    mistakes: nameMistakes + moveMistakes + effectMistakes,
    rightAnswers: [
      RightAnswer("the names as raw values, and an order", .file("RawNames.swift")),
      RightAnswer("the set of successors", .file("Successors.swift")),
    ],
    unproven: [
      Unproven("Where an operation is in its life", "what a type is for"),
      Unproven("An operation that goes on after", "the story"),
      Unproven("`isCancelled` may be true in each", "told of another class"),
      Unproven("Where several threads share one", "advice"),
      Unproven("`isReady` depends on more than this", "told of another class"),
      Unproven("Answer `super.isReady", "advice"),
      Unproven("Not started: it waits for a queue", "what a case is called"),
      Unproven("Started, and its work hasn't ended.", "what a case is called"),
    ])

  private static let nameMistakes = [
    Mistake(
      "key paths without \"is\"",
      .edits([
        Edit(#"case .ready: "isReady""#, #"case .ready: "ready""#),
        Edit(#"case .executing: "isExecuting""#, #"case .executing: "executing""#),
        Edit(#"case .finished: "isFinished""#, #"case .finished: "finished""#),
      ]),
      breaks: ["The name of the property of `Operation` that is true in this state"],
      rejectedBy: ["a state names the property that is true in it"],
      advice: """
        Swift's name of the property has "is" in front of it, and whoever observes that name hears \
        nothing of another: add it.
        """),
    Mistake(
      "key paths in small letters",
      .edits([
        Edit(#"case .ready: "isReady""#, #"case .ready: "isready""#),
        Edit(#"case .executing: "isExecuting""#, #"case .executing: "isexecuting""#),
        Edit(#"case .finished: "isFinished""#, #"case .finished: "isfinished""#),
      ]),
      breaks: ["To be given to `willChangeValue(forKey:)`"],
      rejectedBy: [
        "a state names the property that is true in it",
        "an operation that keeps it leaves its queue",
      ],
      advice: """
        A key is compared letter by letter, and a wrong one is ignored without a word: capitalize \
        the case's name before you put "is" in front.
        """),
    Mistake(
      "cancelled as a state", .file("CancelledState.swift"),
      breaks: [
        "There is no state for *cancelled*.",
        "in which exactly one of the three is true",
      ],
      rejectedBy: ["cancelled is not a state"],
      advice: """
        A cancelled operation may still be executing, and answers both: leave isCancelled to \
        Foundation.
        """),
  ]

  private static let moveMistakes = [
    Mistake(
      "ready to finished refused",
      .edit("(.ready, .executing), (.ready, .finished), ", "(.ready, .executing), "),
      breaks: ["or from ready to finished, without any work"],
      rejectedBy: [
        "cancelled before its start, it goes from ready to finished",
        "an operation that keeps it and is cancelled leaves its queue",
      ],
      advice: """
        An operation that is cancelled before its start goes straight to finished; refuse that, \
        and it stays in its queue for ever.
        """),
    Mistake(
      "finished only by way of ready",
      .edit("(.ready, .finished), (.executing, .finished): true", "(.ready, .finished): true"),
      breaks: [
        "It goes from ready to executing to finished",
        "Whether an operation in this state may be in `next`",
      ],
      rejectedBy: [
        "it goes from ready to executing to finished",
        "an operation that keeps it leaves its queue",
      ],
      advice: "Work that has begun has to end too: allow executing to finished."),
    Mistake(
      "executing to ready allowed",
      .edit("(.executing, .finished): true", "(.executing, .finished), (.executing, .ready): true"),
      breaks: ["It never goes back, nor to where it is already."],
      rejectedBy: [
        "it never goes back", "a refused move changes no property",
        "a refused move leaves it where it is",
      ],
      advice: """
        Who tries again makes a new operation: one that goes back to ready would be started by its \
        queue no more.
        """),
    Mistake(
      "finished to executing allowed",
      .edit(
        "(.executing, .finished): true", "(.executing, .finished), (.finished, .executing): true"),
      breaks: ["It never goes back, nor to where it is already.", "Over, for good."],
      rejectedBy: [
        "it never goes back", "a refused move changes no property",
        "a refused move leaves it where it is",
      ],
      advice: """
        Finished is final: a late "executing" would overwrite it, and the operation would never end.
        """),
    Mistake(
      "finished to ready allowed",
      .edit("(.executing, .finished): true", "(.executing, .finished), (.finished, .ready): true"),
      breaks: ["It never goes back, nor to where it is already.", "Over, for good."],
      rejectedBy: [
        "it never goes back", "a refused move changes no property",
        "a refused move leaves it where it is",
      ],
      advice: "Its queue has let go of it, so it can't be used again: finished is final."),
    Mistake(
      "every move but those from finished",
      .edit("default: false\n", "default: self != .finished\n"),
      breaks: ["It never goes back, nor to where it is already."],
      rejectedBy: ["it never goes back", "staying is not a move"],
      advice: "Finished is final, but executing doesn't go back either: name the moves there are."),
    Mistake(
      "finished to finished allowed",
      .edit(
        "(.executing, .finished): true", "(.executing, .finished), (.finished, .finished): true"),
      breaks: ["nor to where it is already."],
      rejectedBy: [
        "staying is not a move", "a refused move changes no property",
        "a refused move leaves it where it is",
      ],
      advice: """
        Who finishes it for the second time must be refused, or the end is announced twice.
        """),
  ]

  private static let effectMistakes = [
    Mistake(
      "only the new state's key path",
      .edit("? [next.keyPath, keyPath] : []", "? [next.keyPath] : []"),
      breaks: [
        "The key paths of the properties that a move to `next` changes",
        "and what a move changes",
      ],
      rejectedBy: ["a move changes two properties"],
      advice: """
        When executing becomes finished, isExecuting becomes false: announce the old state's \
        property too.
        """),
    Mistake(
      "only the old state's key path",
      .edit("? [next.keyPath, keyPath] : []", "? [keyPath] : []"),
      breaks: ["one becomes false and the other true"],
      rejectedBy: ["a move changes two properties", "an operation that keeps it leaves its queue"],
      advice: "What becomes true has to be announced as well: add the new state's key path."),
    Mistake(
      "key paths of a refused move",
      .edit("canMove(to: next) ? [next.keyPath, keyPath] : []", "[next.keyPath, keyPath]"),
      breaks: ["empty where that move isn't allowed"],
      rejectedBy: ["a refused move changes no property"],
      advice: "A refused move changes nothing, so there is nothing to announce: return no key path."
    ),
    Mistake(
      "moves without asking", .edit("    guard canMove(to: next) else { return false }\n", ""),
      breaks: ["or has no effect where that move isn't allowed"],
      rejectedBy: ["a refused move leaves it where it is"],
      advice: "Ask canMove(to:) first: a late move must not overwrite finished."),
    Mistake(
      "says that it has moved when it hasn't",
      .edit(
        "guard canMove(to: next) else { return false }",
        "guard canMove(to: next) else { return true }"),
      breaks: ["Whether it has moved."],
      rejectedBy: ["a refused move leaves it where it is"],
      advice: """
        Of two threads that finish an operation one must learn that it came second: return false \
        where nothing has changed.
        """),
    Mistake(
      "moves a copy",
      .edit(
        "    self = next\n    return true\n",
        "    var copy = self\n    copy = next\n    return copy == next\n"),
      breaks: ["Moves to `next`, or has no effect"],
      rejectedBy: ["move goes where it may", "an operation that keeps it leaves its queue"],
      advice: "An enum is a value: assign to self, since a copy is forgotten on return."),
    Mistake(
      "a cache that all share",
      .edits([
        Edit(
          "  public func keyPaths(",
          """
            // Safe: it isn't.
            private nonisolated(unsafe) static var cache: [[OperationState]: [String]] = [:]

            public func keyPaths(
          """),
        Edit(
          "    canMove(to: next) ? [next.keyPath, keyPath] : []\n",
          """
              let move = [self, next]
              if let keyPaths = Self.cache[move] { return keyPaths }
              let keyPaths = canMove(to: next) ? [next.keyPath, keyPath] : []
              Self.cache[move] = keyPaths
              return keyPaths

          """),
      ]),
      breaks: ["A plain value, safe to copy to every thread."],
      rejectedBy: ["copies may be asked on two threads"], verdict: .race,
      advice: """
        Every operation has a state of its own and asks it on its own thread, but all of them \
        share the cache: work the answer out each time.
        """),
  ]
}
