extension Kata {
  static let barrierScope = Kata(
    "BarrierScope", module: .barriers,
    title: "Exclusive on somebody else's queue",
    difficulty: 3, minutes: 25, needs: ["PhotoStore"],
    hints: [
      """
      A barrier keeps out what goes through the same queue: all of that, and nothing else. Who goes \
      through the queue that you were given? And what does Apple's documentation say of barriers on \
      global queues?
      """,
      """
      The store needs a queue where nobody is but the store: a private concurrent one, with reads and \
      barriers as in PhotoStore. Where its blocks run in the end is another question, and a queue has \
      a property for that: its target.
      """,
      """
      init: scope = DispatchQueue(label: "my.store", attributes: .concurrent, target: queue). read: \
      try scope.sync { try body(stored) }. update: scope.async(flags: .barrier) { [self] in \
      change(&stored) }.
      """,
    ],
    questions: [
      Question(
        "What does `.barrier` do on a global queue?",
        answer: """
          Nothing: the block runs like any other. The queue belongs to everybody in the process, \
          and the system ignores the flag there without a word.
          """),
      Question(
        """
        On a private concurrent queue that was handed in, a barrier does exclude. What's still \
        wrong with it?
        """,
        answer: """
          It excludes too many: everybody else who uses that queue has to stop, and the change \
          waits for their blocks. Two stores on one queue would stand in each other's way.
          """),
      Question(
        "What does a queue of one's own with a target decide, and what does the target?",
        answer: """
          The own queue decides what is excluded and in which order; the target decides where the \
          blocks run. If the target is serial, they also run in turn with all else there.
          """),
    ],
    mistakes: barrierScopeMistakes,
    rightAnswers: [
      RightAnswer("a read–write lock, and a serial queue on top", .file("ReadWriteLock.swift")),
      RightAnswer("a condition and a line of changes", .file("LineOfChanges.swift")),
    ])

  // MARK: - Mistakes

  private static let makeScope = """
        scope = DispatchQueue(
          label: "katas.barriers.scoped-store", attributes: .concurrent, target: queue)

    """
  private static let scope = "  private let scope: DispatchQueue\n"
  private static let change = "scope.async(flags: .barrier) { [self] in change(&stored) }"
  private static let look = "try scope.sync { try body(stored) }"

  private static let barrierScopeMistakes = [
    Mistake(
      "barriers on the queue that was handed in", .edit(makeScope, "    scope = queue\n"),
      rejectedBy: [
        "a write excludes reads", "reads exclude a write", "a write excludes writes",
        "others on the queue aren't held up by a change",
        "a change doesn't wait for others on the queue",
        "two stores on one queue don't wait for each other",
        "readers and writers keep the rules in any order",
      ],
      advice: """
        A global queue ignores the flag .barrier, and on a queue that others use too a barrier stops \
        them: make a concurrent queue of the store's own, with the other one as its target.
        """),
    Mistake(
      "exclusive everywhere, and in everybody's way",
      .edits([
        Edit(", target: queue)", ")\n    self.queue = queue"),
        Edit(scope, "\(scope)  private let queue: DispatchQueue\n"),
        Edit(
          change,
          """
          queue.async(flags: .barrier) { [self] in
                scope.sync(flags: .barrier) { change(&stored) }
              }
          """),
      ]),
      rejectedBy: [
        "others on the queue aren't held up by a change",
        "a change doesn't wait for others on the queue",
        "two stores on one queue don't wait for each other",
        "a read sees the changes that its caller has asked for",
      ],
      advice: """
        The second barrier makes the store safe, and the first one stops whoever uses the queue: one \
        barrier is enough, on a queue of the store's own.
        """),
    Mistake(
      "each change finds its own way to the store",
      .edits([
        Edit(", target: queue)", ")\n    self.queue = queue"),
        Edit(scope, "\(scope)  private let queue: DispatchQueue\n"),
        Edit(
          change,
          """
          queue.async { [self] in
                scope.sync(flags: .barrier) { change(&stored) }
              }
          """),
      ]),
      rejectedBy: ["a read sees the changes that its caller has asked for"],
      advice: """
        A change is in the store's line only when the queue has got round to it, and a read asked for \
        later is there first: put it in that line at once, and let the target do the rest.
        """),
    Mistake(
      "a queue of its own, without a target", .edit(", target: queue)", ")"),
      rejectedBy: ["a change runs on the queue that was handed in"],
      advice: """
        It's exclusive, but its changes run wherever the system likes: hand the queue on as the \
        target of the store's own.
        """),
    Mistake(
      "a serial queue of its own", .edit(", attributes: .concurrent", ""),
      rejectedBy: ["reads overlap", "readers and writers keep the rules in any order"],
      advice: """
        On a serial queue readers wait for each other for nothing: make it concurrent and the changes \
        barriers.
        """),
    Mistake(
      "no barrier", .edit("scope.async(flags: .barrier)", "scope.async"),
      rejectedBy: [
        "a write excludes reads", "reads exclude a write", "a write excludes writes",
        "readers and writers keep the rules in any order",
      ],
      advice: """
        On a concurrent queue of one's own a block runs beside the others as well, unless it has the \
        flag .barrier.
        """),
    Mistake(
      "a new queue for every access",
      .edits([
        Edit(makeScope, "    self.queue = queue\n"),
        Edit(
          scope,
          """
            private let queue: DispatchQueue
            private var scope: DispatchQueue {
              DispatchQueue(
                label: "katas.barriers.scoped-store", attributes: .concurrent, target: queue)
            }

          """),
      ]),
      rejectedBy: [
        "a write excludes reads", "reads exclude a write", "a write excludes writes",
        "readers and writers keep the rules in any order",
      ],
      advice: """
        Two queues with one label are two queues, and a barrier on one keeps nobody out of the other: \
        make the queue once and keep it.
        """),
    Mistake(
      "one queue for all stores",
      .edits([
        Edit(makeScope, ""),
        Edit(scope, "  private var scope: DispatchQueue { commonScope }\n"),
        Edit(
          "import Dispatch\n",
          """
          import Dispatch

          private let commonScope = DispatchQueue(
            label: "katas.barriers.scoped-store", attributes: .concurrent)

          """),
      ]),
      rejectedBy: [
        "two stores on one queue don't wait for each other",
        "a change runs on the queue that was handed in",
      ],
      advice: """
        Stores that have nothing in common wait for each other: the queue must be a property of the \
        store.
        """),
    Mistake(
      "a lock, and changes in any order",
      .edits([
        Edit("import Dispatch\n", "import Foundation\n"),
        Edit(makeScope, "    self.queue = queue\n"),
        Edit(scope, "  private let queue: DispatchQueue\n  private let lock = NSLock()\n"),
        Edit(look, "lock.lock()\n    defer { lock.unlock() }\n    return try body(stored)"),
        Edit(
          change,
          """
          queue.async { [self] in
                lock.lock()
                defer { lock.unlock() }
                change(&stored)
              }
          """),
      ]),
      rejectedBy: [
        "reads overlap", "a read sees the changes that its caller has asked for",
      ],
      advice: """
        The lock makes everybody wait for everybody, and nobody wait for what is still in line: a \
        queue of the store's own does both as it should be.
        """),
    Mistake(
      "reads past the queue", .edit(look, "try body(stored)"),
      rejectedBy: [
        "a write excludes reads", "reads exclude a write",
        "a read sees the changes that its caller has asked for",
        "readers and writers keep the rules in any order",
      ],
      advice: """
        A barrier keeps out only what goes through the same queue: read with scope.sync.
        """),
    Mistake(
      "the change holds its caller",
      .edit("scope.async(flags: .barrier) { [self] in", "scope.sync(flags: .barrier) {"),
      rejectedBy: ["update returns while a reader is inside"],
      advice: "sync makes the caller wait for its turn and for the change: use async."),
    Mistake(
      "forgets changes with the store",
      .edit(
        "{ [self] in change(&stored) }",
        "{ [weak self] in\n      guard let self else { return }\n      change(&stored)\n    }"),
      rejectedBy: ["changes are made though the store is let go of"],
      advice: """
        Nobody need keep the store until the change's turn has come: let the block keep it, with \
        [self].
        """),
    Mistake(
      "counts its changes on the side",
      .edits([
        Edit("    scope.async(", "    asked += 1\n    scope.async("),
        Edit(
          scope,
          """
            // Safe: it isn't; it's changed on the callers' threads.
            private nonisolated(unsafe) var asked = 0
          \(scope)
          """),
      ]),
      rejectedBy: ["two threads may ask for changes"], verdict: .race,
      advice: """
        The value is safe, but something else is changed on the callers' threads: whatever they \
        share belongs behind the barrier.
        """),
    Mistake(
      "a reader puts back what it has read",
      .edit(
        look,
        """
        try scope.sync {
              let seen = stored
              defer { stored = seen }
              return try body(seen)
            }
        """),
      rejectedBy: ["two threads may look"], verdict: .race,
      advice: """
        Readers run side by side, so reading must change nothing, not even to what it was: whoever \
        writes needs the barrier.
        """),
  ]
}
