extension Kata {
  static let atomicBox = Kata(
    "AtomicBox", module: .barriers,
    title: "Read, modify and write in one step",
    difficulty: 2, minutes: 15, needs: ["HitCounter"],
    hints: [
      """
      A safe getter and a safe setter don't make a safe change: between the two another thread may \
      get the same value. From taking the value to putting it back, a change must be alone.
      """,
      """
      Give the box a private concurrent queue. An update is one block with the flag .barrier that \
      copies the value, calls the body with the copy, and puts it back: sync returns what the block \
      returns and rethrows what it throws. A throw skips the putting back.
      """,
      """
      update: try queue.sync(flags: .barrier) { var changed = stored; let result = try \
      body(&changed); stored = changed; return result }. value: queue.sync { stored }.
      """,
    ],
    questions: [
      Question(
        "The getter locks and the setter locks. Why does `box.value += 1` still lose updates?",
        answer: """
          It gets, adds and sets, and between the get and the set nothing is locked. No locking \
          inside the two can help; the whole change has to be handed in.
          """),
      Question(
        "Why does `update` work on a copy, and what does that cost?",
        answer: """
          So that a body which throws half way leaves nothing behind. The price: `stored` still \
          holds the storage, so the first change of an array or dictionary copies it.
          """),
      Question(
        "What can go wrong when box B is updated within the body of an update of box A?",
        answer: """
          By itself nothing, since each has a queue of its own; but if somewhere else A is updated \
          within B, two threads can wait for each other. And A within A waits for itself, which \
          Dispatch answers with a trap.
          """),
    ],
    mistakes: atomicBoxMistakes,
    rightAnswers: [
      RightAnswer("a serial queue", .edit(", attributes: .concurrent", "")),
      RightAnswer("a lock for the turn and a lock for the value", .file("TwoLocks.swift")),
      RightAnswer("a mutex, and the old value put back", .file("StandardMutex.swift")),
    ],
    unproven: [
      Unproven("Its own box it must not use", "warns the caller"),
      Unproven("Creates a box with", "the stub does it"),
    ])

  // MARK: - Mistakes

  private static let step = """
        try queue.sync(flags: .barrier) {
          // On a copy, so that a body that throws half way leaves nothing behind.
          var changed = stored
          let result = try body(&changed)
          stored = changed
          return result
        }

    """
  private static let onACopy = """
          var changed = stored
          let result = try body(&changed)
          stored = changed
          return result

    """
  private static let get = "queue.sync { stored }"
  private static let queue = """
      private let queue = DispatchQueue(label: "katas.barriers.atomic-box", attributes: .concurrent)

    """

  private static let atomicBoxMistakes = [
    Mistake(
      "no protection",
      .edits([
        Edit(
          step,
          """
              var changed = stored
              let result = try body(&changed)
              stored = changed
              return result

          """),
        Edit(get, "stored"),
      ]),
      breaks: [
        "that any thread may change in one step", "No two bodies run at the same time",
        "No other update's body runs meanwhile", "Blocks until the updates before it are done",
        "Changes the value in one step and returns what",
      ],
      rejectedBy: ["updates run one at a time, and none is lost"],
      advice: """
        Two updates begin with the same value, and the one that ends last wins: run an update as a \
        barrier on a queue of the box's own.
        """),
    Mistake(
      "no barrier", .edit("queue.sync(flags: .barrier)", "queue.sync"),
      breaks: [
        "that any thread may change in one step", "No two bodies run at the same time",
        "No other update's body runs meanwhile", "Blocks until the updates before it are done",
      ],
      rejectedBy: ["updates run one at a time, and none is lost"],
      advice: """
        Without the flag .barrier a concurrent queue runs two updates side by side; with it each is \
        alone.
        """),
    Mistake(
      "get, then set",
      .edit(
        step,
        """
            var changed = value
            let result = try body(&changed)
            queue.sync(flags: .barrier) { stored = changed }
            return result

        """),
      breaks: [
        "that any thread may change in one step", "No two bodies run at the same time",
        "No other update's body runs meanwhile", "Changes the value in one step and returns what",
      ],
      rejectedBy: ["updates run one at a time, and none is lost"],
      advice: """
        Getting is safe and setting is safe, but between them others get the same value: put the \
        body inside the barrier too.
        """),
    Mistake(
      "tries again when somebody came between",
      .edits([
        Edit(
          step,
          """
              while true {
                let (before, begun) = queue.sync { (stored, updates) }
                var changed = before
                let result = try body(&changed)
                let isMine = queue.sync(flags: .barrier) {
                  guard updates == begun else { return false }
                  (stored, updates) = (changed, begun + 1)
                  return true
                }
                if isMine { return result }
              }

          """),
        Edit(
          queue,
          """
            // Safe: touched on `queue` only, and changed there only behind a barrier.
            private nonisolated(unsafe) var updates = 0
          \(queue)
          """),
      ]),
      breaks: [
        "`update` calls its body once", "`body` is called once, with the value to change",
        "No other update's body runs meanwhile",
      ],
      rejectedBy: ["updates run one at a time, and none is lost"],
      advice: """
        No update is lost that way, but a body may run twice, and beside another: a body that does \
        more than change the value does it twice.
        """),
    Mistake(
      "keeps half a change",
      .edit(onACopy, "      return try body(&stored)\n"),
      breaks: [
        "Where the body throws, the error gets through",
        "Rethrows what `body` throws; then the value",
      ],
      rejectedBy: ["what a body throws gets through, and the value is as it was"],
      advice: """
        A body that throws half way has changed the value half: let it change a copy, and keep the \
        copy only when it returns.
        """),
    Mistake(
      "keeps the copy whatever happens",
      .edit(
        onACopy,
        """
              var changed = stored
              defer { stored = changed }
              return try body(&changed)

        """),
      breaks: [
        "Where the body throws, the error gets through",
        "Rethrows what `body` throws; then the value",
      ],
      rejectedBy: ["what a body throws gets through, and the value is as it was"],
      advice: "A defer runs after a throw too: put the copy back only when the body has returned."),
    Mistake(
      "puts the old value back later",
      .edit(
        step,
        """
            var before: Value?
            do {
              return try queue.sync(flags: .barrier) {
                before = stored
                return try body(&stored)
              }
            } catch {
              if let before { queue.sync(flags: .barrier) { stored = before } }
              throw error
            }

        """),
      breaks: [
        "Where the body throws, the error gets through",
        "Rethrows what `body` throws; then the value",
        "none begins with an outdated value", "Nobody sees a value that is half changed",
      ],
      rejectedBy: ["an update that throws is over in one step"],
      advice: """
        Between the two barriers others come in: they begin with half a change, and what they do is \
        undone. Change a copy, or put the old value back within the same barrier.
        """),
    Mistake(
      "shows what is half changed",
      .edits([
        Edit(
          onACopy,
          """
                let before = stored
                do {
                  return try body(&stored)
                } catch {
                  stored = before
                  throw error
                }

          """),
        Edit(get, "stored"),
      ]),
      breaks: [
        "Nobody sees a value that is half changed", "No other update's body runs meanwhile",
        "The value, as the last update has left it",
      ],
      rejectedBy: ["an update that is half done is not seen"],
      advice: """
        A read that goes past the queue meets an update in the middle of its change: read through \
        the queue.
        """),
    Mistake(
      "asks for the value inside the barrier",
      .edit("var changed = stored", "var changed = value"),
      breaks: ["Changes the value in one step and returns what"],
      rejectedBy: ["an update changes the value and returns what its body returns"],
      verdict: .crashed,
      advice: """
        value waits until the barrier is over, and the barrier waits for value: inside, use what is \
        stored.
        """),
    Mistake(
      "a lock that a throw doesn't unlock", .file("KeptLock.swift"),
      breaks: [
        "Where the body throws, the error gets through",
        "Rethrows what `body` throws; then the value",
      ],
      rejectedBy: ["what a body throws gets through, and the value is as it was"], verdict: .hung,
      advice: "A throw skips the lines after it, also unlock(): unlock in a defer."),
    Mistake(
      "one queue for all boxes",
      .edits([
        Edit(queue, ""),
        Edit(
          "import Dispatch\n",
          """
          import Dispatch

          private let queue = DispatchQueue(
            label: "katas.barriers.atomic-box", attributes: .concurrent)

          """),
      ]),
      breaks: ["One box never waits for another"],
      rejectedBy: ["two boxes don't wait for each other"],
      advice: """
        Boxes that have nothing to do with each other wait for each other, and for ever where one's \
        update uses another: the queue must be a property of the box.
        """),
    Mistake(
      "who is in one box may go into any",
      .edits([
        Edit(
          "import Dispatch\n",
          "import Dispatch\n\nprivate let isInABox = DispatchSpecificKey<Bool>()\n"),
        Edit(
          "    stored = value\n",
          "    stored = value\n    queue.setSpecific(key: isInABox, value: true)\n"),
        Edit(
          step,
          """
              let isIn = DispatchQueue.getSpecific(key: isInABox) == true
              return try isIn ? change(body) : queue.sync(flags: .barrier) { try change(body) }
            }

            private func change<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
              var changed = stored
              let result = try body(&changed)
              stored = changed
              return result

          """),
      ]),
      breaks: ["No two bodies run at the same time", "No other update's body runs meanwhile"],
      rejectedBy: ["a body waits for another box that is being updated"],
      advice: """
        The mark tells that the thread is in some box's update, not in which: it would need a key for \
        each box. Nobody needs the mark, since a body mustn't use its own box.
        """),
    Mistake(
      "keeps the value from before",
      .edits([
        Edit("      stored = changed\n", "      before = stored\n      stored = changed\n"),
        Edit(
          queue,
          """
            // Safe: touched on `queue` only, and changed there only behind a barrier.
            private nonisolated(unsafe) var before: Value?
          \(queue)
          """),
      ]),
      breaks: ["The value, as the last update has left it"],
      rejectedBy: ["nothing is kept of a value that was replaced"],
      advice: """
        A copy kept for later keeps everything in it alive: what is only needed during the update \
        belongs into a local variable.
        """),
    Mistake(
      "value goes past the queue", .edit(get, "stored"),
      breaks: [
        "Nobody sees a value that is half changed", "The value, as the last update has left it",
      ],
      rejectedBy: ["a value that is half in the box is not seen"],
      advice: """
        A value is copied piece by piece, and while it's read a new one may be on its way in: read it \
        through the queue.
        """),
    Mistake(
      "counts its updates on the side",
      .edits([
        Edit(
          "    try queue.sync(flags: .barrier) {\n",
          "    updates += 1\n    return try queue.sync(flags: .barrier) {\n"),
        Edit(
          queue,
          """
            // Safe: it isn't; it's changed on the callers' threads.
            private nonisolated(unsafe) var updates = 0
          \(queue)
          """),
      ]),
      breaks: ["that any thread may change in one step"],
      rejectedBy: ["an update is seen by another thread"], verdict: .race,
      advice: """
        The value is safe, but something else is changed on the callers' threads: whatever they \
        share belongs inside the barrier.
        """),
    Mistake(
      "value puts back what it has read",
      .edit(
        get,
        """
        queue.sync {
            let seen = stored
            stored = seen
            return seen
          }
        """),
      breaks: ["that any thread may change in one step"],
      rejectedBy: ["two threads may look"], verdict: .race,
      advice: """
        Readers run side by side, so reading must change nothing, not even to what it was: whoever \
        writes needs the barrier.
        """),
    Mistake(
      "sixteen queues for all boxes",
      .edits([
        Edit(
          queue,
          """
            private var queue: DispatchQueue {
              queues[abs(ObjectIdentifier(self).hashValue % queues.count)]
            }

          """),
        Edit(
          "import Dispatch\n",
          """
          import Dispatch

          private let queues = (0..<16).map { _ in
            DispatchQueue(label: "katas.barriers.atomic-box", attributes: .concurrent)
          }

          """),
      ]),
      breaks: ["One box never waits for another"],
      rejectedBy: ["many boxes are updated side by side"],
      advice: """
        Boxes that share a queue by chance wait for each other, and for ever where one's update uses the \
        other: let each have a queue of its own.
        """),
  ]
}
