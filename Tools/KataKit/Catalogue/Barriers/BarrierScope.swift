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
    ],
    unproven: [
      Unproven("Others use the queue too.", "tells how it's used"),
      Unproven("Creates a store with", "the stub does it"),
      Unproven("value: The value to begin with.", "the stub does it"),
    ],
    equivalents: [
      Equivalent(
        "swapped with the next: stored = value",
        "Nobody has the object before its initialiser ends.")
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
      breaks: [
        "A change runs alone: no read", "So it is on a global queue",
        "No change waits for them, and they don't wait",
      ],
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
      breaks: [
        "No change waits for them, and they don't wait",
        "same caller asks for later sees the change",
      ],
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
      breaks: [
        "same caller asks for later sees the change",
        "Blocks until the changes before it are done.",
      ],
      rejectedBy: ["a read sees the changes that its caller has asked for"],
      advice: """
        A change is in the store's line only when the queue has got round to it, and a read asked for \
        later is there first: put it in that line at once, and let the target do the rest.
        """),
    Mistake(
      "a queue of its own, without a target", .edit(", target: queue)", ")"),
      breaks: [
        "Changes run on the queue that was handed in.", "The queue that changes run on",
        "on a queue that belongs to somebody else", "runs on the queue that was handed in, when",
      ],
      rejectedBy: ["a change runs on the queue that was handed in"],
      advice: """
        It's exclusive, but its changes run wherever the system likes: hand the queue on as the \
        target of the store's own.
        """),
    Mistake(
      "a serial queue of its own", .edit(", attributes: .concurrent", ""),
      breaks: [
        "Reads run side by side, unless",
        "A value that many read at once and one at a time changes", "never beside a change",
      ],
      rejectedBy: ["reads overlap", "readers and writers keep the rules in any order"],
      advice: """
        On a serial queue readers wait for each other for nothing: make it concurrent and the changes \
        barriers.
        """),
    Mistake(
      "no barrier", .edit("scope.async(flags: .barrier)", "scope.async"),
      breaks: [
        "A change runs alone: no read", "when the changes before it are done, and alone",
        "never beside a change", "A value that many read at once and one at a time changes",
      ],
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
      breaks: [
        "A change runs alone: no read", "when the changes before it are done, and alone",
        "So it is on a global queue",
      ],
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
      breaks: [
        "No change waits for them, and they don't wait",
        "Changes run on the queue that was handed in.",
      ],
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
      breaks: ["Reads run side by side, unless", "same caller asks for later sees the change"],
      rejectedBy: [
        "reads overlap", "a read sees the changes that its caller has asked for",
      ],
      advice: """
        The lock makes everybody wait for everybody, and nobody wait for what is still in line: a \
        queue of the store's own does both as it should be.
        """),
    Mistake(
      "reads past the queue", .edit(look, "try body(stored)"),
      breaks: [
        "never beside a change", "Calls `body` with the value",
        "same caller asks for later sees the change",
      ],
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
      breaks: ["`update` returns at once", "Returns at once."],
      rejectedBy: ["update returns while a reader is inside"],
      advice: "sync makes the caller wait for its turn and for the change: use async."),
    Mistake(
      "forgets changes with the store",
      .edit(
        "{ [self] in change(&stored) }",
        "{ [weak self] in\n      guard let self else { return }\n      change(&stored)\n    }"),
      breaks: ["even if nobody keeps the store"],
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
      breaks: ["A value that many read at once and one at a time changes"],
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
      breaks: ["Reads run side by side, unless", "never beside a change"],
      rejectedBy: ["two threads may look"], verdict: .race,
      advice: """
        Readers run side by side, so reading must change nothing, not even to what it was: whoever \
        writes needs the barrier.
        """),
    Mistake(
      "value goes past the queue",
      .edit("public var value: Value { read { $0 } }", "public var value: Value { stored }"),
      breaks: ["The value.", "Blocks until the changes before it are done."],
      rejectedBy: ["a read sees the changes that its caller has asked for"],
      advice:
        "read waits in line, but value doesn't, and sees what is there by chance: let it read."),
    Mistake(
      "the change that was asked for last is made first", .file("LastFirst.swift"),
      breaks: ["Changes are made in the order of asking"],
      rejectedBy: ["a read sees the changes that its caller has asked for"],
      advice: """
        Changes build on each other, and each caller knows in which order it asked: take the first in \
        line, not the last.
        """),
    Mistake(
      "a thread for each change that waits", .file("ThreadPerChange.swift"),
      breaks: ["there are threads left for others"],
      rejectedBy: ["changes in line leave threads for others on the queue"],
      advice: """
        Each change waits on a thread of a queue that others need, too, until none is left: let a change \
        come there when it can be made.
        """),
    Mistake(
      "a read that throws is never over", .file("KeptReadLock.swift"),
      breaks: ["the read is over then"],
      rejectedBy: ["a read that throws is over"], verdict: .hung,
      advice: """
        An error leaves past the line that gives the lock back, and no change is made again: give it \
        back in a defer.
        """),
    Mistake(
      "a read mustn't throw", .edit(look, "scope.sync { try! body(stored) }"),
      breaks: ["Rethrows what `body` throws"],
      rejectedBy: ["a read that throws is over"], verdict: .crashed,
      advice: "What the closure throws is for the caller to handle: pass it on with try."),
    Mistake(
      "reads on a thread of its own",
      .edits([
        Edit("import Dispatch\n", "import Foundation\n"),
        Edit(
          "    \(look)\n  }\n",
          """
              try elsewhere({ \(look) }, rescue: { throw $0 })
            }

            private func elsewhere<Outcome>(
              _ work: () throws -> Outcome, rescue: (any Error) throws -> Outcome
            ) rethrows -> Outcome {
              let outcome = withoutActuallyEscaping(work) { escaping in
                nonisolated(unsafe) var work: (() throws -> Outcome)? = escaping
                nonisolated(unsafe) var ended: Result<Outcome, any Error>?
                let done = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                  ended = Result { try work!() }
                  work = nil
                  done.signal()
                }
                done.wait()
                return ended!
              }
              switch outcome {
              case .success(let value): return value
              case .failure(let error): return try rescue(error)
              }
            }

          """),
      ]),
      breaks: ["runs on the calling thread"],
      rejectedBy: ["read calls its closure on the calling thread"],
      advice: """
        Two threads do what one can, and what belongs to the caller's thread isn't there: scope.sync \
        runs the closure where it's called.
        """),
    Mistake(
      "changes a copy beside the queue",
      .edit(
        change,
        """
        scope.async { [self] in
              var changed = stored
              change(&changed)
              scope.async(flags: .barrier) { [self, changed] in stored = changed }
            }
        """),
      breaks: ["Changes the value in one step", "A change runs alone: no read"],
      rejectedBy: ["a write excludes writes"],
      advice: """
        Two changes begin with the same value, and the second to end undoes the first: the whole change \
        belongs behind the barrier.
        """),
    Mistake(
      "waits for the queue on a thread",
      .edits([
        Edit(", target: queue)", ")\n    self.queue = queue"),
        Edit(scope, "\(scope)  private let queue: DispatchQueue\n"),
        Edit(
          change,
          """
          scope.async(flags: .barrier) { [self] in
                queue.sync { change(&stored) }
              }
          """),
      ]),
      breaks: ["there are threads left for others"],
      rejectedBy: ["changes that wait for a busy queue leave threads for others"],
      advice: """
        While the queue is busy each store's barrier holds a thread in sync, until there is none left \
        for anybody: with a target nothing waits on a thread.
        """),
    Mistake(
      "a read waits until no change is left",
      .edits([
        Edit(scope, "\(scope)  private let changes = DispatchGroup()\n"),
        Edit(look, "changes.wait()\n    return \(look)"),
        Edit(
          change,
          """
          changes.enter()
              scope.async(flags: .barrier) { [self] in
                change(&stored)
                changes.leave()
              }
          """),
      ]),
      breaks: ["changes that are asked for later wait for the read"],
      rejectedBy: ["a read waits for no change that is asked for later"],
      advice: """
        A group is empty when there is nothing left at all, and if changes keep coming it never is: a \
        read waits in line with the changes, behind those that were asked for before.
        """),
    Mistake(
      "nobody who is on the queue may read",
      .edits([
        Edit(makeScope, "\(makeScope)    self.queue = queue\n"),
        Edit(scope, "\(scope)  private let queue: DispatchQueue\n"),
        Edit(look, "dispatchPrecondition(condition: .notOnQueue(queue))\n    return \(look)"),
      ]),
      breaks: ["used by others as they like", "side by side with other reads"],
      rejectedBy: ["who works on the queue may use the store"], verdict: .crashed,
      advice: """
        Only on a serial queue does a read wait for itself. On another one whoever works there may read \
        like everybody.
        """),
    Mistake(
      "four readers at most",
      .edits([
        Edit(scope, "\(scope)  private let places = DispatchSemaphore(value: 4)\n"),
        Edit(look, "places.wait()\n    defer { places.signal() }\n    return \(look)"),
      ]),
      breaks: ["Reads run side by side, unless", "side by side with other reads"],
      rejectedBy: ["reads overlap"],
      advice: "The fifth waits for nothing: a concurrent queue has room for all who read."),
  ]
}
