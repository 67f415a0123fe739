extension Kata {
  static let photoStore = Kata(
    "PhotoStore", module: .barriers,
    title: "A store that many read and one changes",
    difficulty: 2, minutes: 20, needs: ["SerialLog"],
    hints: [
      """
      Reading changes nothing, so readers needn't wait for each other; only a change needs the \
      store to itself. Which kind of queue lets several blocks run at once?
      """,
      """
      Keep the photos behind one private queue with the attribute .concurrent. Read with \
      queue.sync. A change can go through the same queue, if it is submitted with a flag that \
      makes it run alone.
      """,
      """
      update: queue.async(flags: .barrier) { … }. Inside it first apply the change to stored, then \
      copy the photos, then noticeQueue.async { onChange(copy) }. read: try queue.sync { try \
      body(stored) }.
      """,
    ],
    questions: [
      Question(
        "What does a barrier block wait for, and who waits for it?",
        answer: """
          It waits for the blocks that were submitted to this queue before it, and those submitted \
          later wait for it. Whatever goes past the queue knows nothing of it.
          """),
      Question(
        "`add` returns at once. Why does the same caller's next read see the photo?",
        answer: """
          The read's `sync` stands in line behind the barrier block, and a barrier lets nobody go \
          before it who came after.
          """),
      Question(
        """
        Why are the photos for the notice copied inside the barrier, and not read when the notice \
        is delivered?
        """,
        answer: """
          By then the next change may be under way. Reading past the queue is a race, and reading \
          through it shows a later state than the one the notice is about.
          """),
    ],
    mistakes: [
      Mistake(
        "no barrier",
        .edit("queue.async(flags: .barrier)", "queue.async"),
        breaks: [
          "A change runs alone: no read", "on a queue of the store, alone",
          "that many threads read at once and one at a time changes",
        ],
        rejectedBy: [
          "a write excludes reads", "reads exclude a write", "a write excludes writes",
          "photos waits for the changes before it",
          "readers and writers keep the rules in any order",
        ],
        advice: """
          On a concurrent queue a plain async block runs beside the others; with flags: .barrier it \
          waits for those before it, and those behind it wait for it.
          """),
      Mistake(
        "a serial queue",
        .edit(", attributes: .concurrent", ""),
        breaks: [
          "Any number of reads run side by side", "side by side with other reads",
          "that many threads read at once and one at a time changes",
        ],
        rejectedBy: ["reads overlap", "readers and writers keep the rules in any order"],
        advice: """
          A serial queue runs one block at a time, reads as well; readers only get in each other's \
          way. Make the queue concurrent and the changes barriers.
          """),
      Mistake(
        "four readers at most",
        .edits([
          Edit(
            "  private let queue =",
            "  private let places = DispatchSemaphore(value: 4)\n  private let queue ="),
          Edit(
            "    try queue.sync { try body(stored) }\n",
            """
                places.wait()
                defer { places.signal() }
                return try queue.sync { try body(stored) }

            """),
        ]),
        breaks: ["Any number of reads run side by side", "side by side with other reads"],
        rejectedBy: ["reads overlap"],
        advice: "The fifth waits for nothing: a concurrent queue has room for all who read."),
      Mistake(
        "photos runs alone",
        .edit("{ read { $0 } }", "{ queue.sync(flags: .barrier) { stored } }"),
        breaks: ["Any number of reads run side by side"],
        rejectedBy: ["reads overlap"],
        advice: """
          A barrier is for changes: to copy the photos is a read, and others may read meanwhile.
          """),
      Mistake(
        "the write holds its caller",
        .edit("queue.async(flags: .barrier)", "queue.sync(flags: .barrier)"),
        breaks: [
          "put a change in line and return at once", "Returns at once; the photo",
          "Returns at once.",
        ],
        rejectedBy: ["update and add return while a reader is inside"],
        advice: """
          sync makes the caller wait for its turn and for the change; nobody needs the result, so \
          submit the barrier with async.
          """),
      Mistake(
        "the read goes past the queue",
        .edit("try queue.sync { try body(stored) }", "try body(stored)"),
        breaks: [
          "never beside a change", "same caller asks for later sees the change",
          "Blocks until the changes before it are done.",
        ],
        rejectedBy: [
          "a write excludes reads", "reads exclude a write",
          "photos waits for the changes before it",
          "readers and writers keep the rules in any order",
        ],
        advice: """
          A barrier keeps out only what goes through the same queue; a read that touches the photos \
          directly meets the writer in the middle of its change.
          """),
      Mistake(
        "photos goes past the queue",
        .edit(
          "public var photos: [Photo] { read { $0 } }", "public var photos: [Photo] { stored }"),
        breaks: [
          "same caller asks for later sees the change",
          "Blocks until the changes before it are done.",
        ],
        rejectedBy: ["photos waits for the changes before it"],
        advice: """
          read waits in line, but photos doesn't: a copy of an array is only safe when it is made \
          while nobody changes it.
          """),
      Mistake(
        "the notice before the change",
        .edits([
          Edit("      change(&stored)\n      let photos = stored\n", "      let photos = stored\n"),
          Edit(
            "      noticeQueue.async { [onChange] in onChange(photos) }\n",
            "      noticeQueue.async { [onChange] in onChange(photos) }\n      change(&stored)\n"),
        ]),
        breaks: ["After each change, `onChange` is called", "Called once after each change"],
        rejectedBy: [
          "the notice follows the change",
          "each notice shows the photos as its change left them",
        ],
        advice: "Whoever hears of a change must find it done: change first, then copy, then notify."
      ),
      Mistake(
        "the notice reads the photos late",
        .edit("in onChange(photos) }", "in onChange(self.stored) }"),
        breaks: ["with the photos as that change left them"],
        rejectedBy: ["each notice shows the photos as its change left them"],
        advice: """
          By the time the notice is delivered the photos may have changed again, and reading them \
          there is a data race; copy them inside the barrier.
          """),
      Mistake(
        "the notice on the store's queue",
        .edit("noticeQueue.async { [onChange] in onChange(photos) }", "onChange(photos)"),
        breaks: ["is called on the notice queue", "The queue on which `onChange` is called"],
        rejectedBy: ["the notice is delivered on the notice queue"],
        advice: """
          The caller chose the queue on which it wants to hear of changes; on the store's own queue \
          a notice that reads the store waits for itself for ever.
          """),
      Mistake(
        "a counter beside the queue",
        .edits([
          Edit(
            "  private let queue =",
            """
              // Safe: it isn't; several callers change it at once.
              private nonisolated(unsafe) var changes = 0
              private let queue =
            """),
          Edit(
            "    queue.async(flags: .barrier) { [self] in\n",
            "    changes += 1\n    queue.async(flags: .barrier) { [self] in\n"),
        ]),
        breaks: ["that many threads read at once and one at a time changes"],
        rejectedBy: ["many threads add and read at once"], verdict: .race,
        advice: """
          The photos are safe behind the queue, but something else is changed on the callers' \
          threads; everything that several threads change belongs behind the barrier.
          """),
      Mistake(
        "waits for the notice",
        .edit(
          "noticeQueue.async { [onChange] in onChange(photos) }",
          "noticeQueue.sync { onChange(photos) }"),
        breaks: ["so `onChange` may use the store"],
        rejectedBy: ["nobody waits for a notice"],
        verdict: .failed,
        advice: """
          The store waits for the notice queue, and whoever reads there waits for the store: hand the \
          notice over with async.
          """),
      Mistake(
        "one notice for all that has changed meanwhile",
        .edits([
          Edit(
            "  private let queue =",
            """
              // Safe: touched behind the barrier only.
              private nonisolated(unsafe) var isTold = true
              private let queue =
            """),
          Edit(
            "      let photos = stored\n      noticeQueue.async { [onChange] in onChange(photos) }\n",
            """
                  guard isTold else { return }
                  isTold = false
                  noticeQueue.async { [self] in
                    let photos = queue.sync(flags: .barrier) {
                      isTold = true
                      return stored
                    }
                    onChange(photos)
                  }

            """),
        ]),
        breaks: ["Called once after each change"],
        rejectedBy: ["each notice shows the photos as its change left them"],
        advice: """
          What happened in between is never told, and the photos aren't those of the change: hand over \
          a copy for each.
          """),
      Mistake(
        "no notice where nothing has changed",
        .edits([
          Edit("      change(&stored)\n", "      let before = stored\n      change(&stored)\n"),
          Edit("      noticeQueue.async {", "      if photos != before { noticeQueue.async {"),
          Edit("in onChange(photos) }", "in onChange(photos) } }"),
        ]),
        breaks: ["even one that changes nothing"],
        rejectedBy: ["every change brings a notice"],
        advice: """
          Whoever counts the notices misses one: each change has its notice, and who hears of it decides \
          what it means.
          """),
      Mistake(
        "forgets changes with the store",
        .edit("{ [self] in\n", "{ [weak self] in\n      guard let self else { return }\n"),
        breaks: ["even if nobody keeps the store"],
        rejectedBy: ["what is in line is done though nobody keeps the store"],
        advice:
          "Nobody need keep the store until the change's turn has come: capture self strongly."),
      Mistake(
        "forgets notices with the store",
        .edit(
          "{ [onChange] in onChange(photos) }", "{ [weak self] in self?.onChange(photos) }"),
        breaks: ["and its notice comes"],
        rejectedBy: ["what is in line is done though nobody keeps the store"],
        advice: """
          When the notice's turn comes the store may be gone: let the block keep what it needs, which is \
          onChange.
          """),
      Mistake(
        "a read that throws is never over", .file("KeptReadLock.swift"),
        breaks: ["the read is over then"],
        rejectedBy: ["a read that throws is over"],
        verdict: .hung,
        advice: """
          An error leaves past the line that gives the lock back, and no change is made again: give it \
          back in a defer.
          """),
      Mistake(
        "a read mustn't throw",
        .edit("try queue.sync { try body(stored) }", "queue.sync { try! body(stored) }"),
        breaks: ["Rethrows what `body` throws"],
        rejectedBy: ["a read that throws is over"], verdict: .crashed,
        advice: "What the closure throws is for the caller to handle: pass it on with try."),
      Mistake(
        "reads on a thread of its own",
        .edits([
          Edit("import Dispatch\n", "import Foundation\n"),
          Edit(
            "    try queue.sync { try body(stored) }\n  }\n",
            """
                try elsewhere({ try queue.sync { try body(stored) } }, rescue: { throw $0 })
              }

              private func elsewhere<Value>(
                _ work: () throws -> Value, rescue: (any Error) throws -> Value
              ) rethrows -> Value {
                let outcome = withoutActuallyEscaping(work) { escaping in
                  nonisolated(unsafe) var work: (() throws -> Value)? = escaping
                  nonisolated(unsafe) var ended: Swift.Result<Value, any Error>?
                  let done = DispatchSemaphore(value: 0)
                  Thread.detachNewThread {
                    ended = Swift.Result { try work!() }
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
        rejectedBy: ["read calls its closure on the calling thread, and passes on what it returns"],
        advice: """
          Two threads do what one can, and what belongs to the caller's thread isn't there: queue.sync \
          runs the closure where it's called.
          """),
      Mistake(
        "eight changes in line at most",
        .edits([
          Edit(
            "  private let queue =",
            "  private let places = DispatchSemaphore(value: 8)\n  private let queue ="),
          Edit(
            "    queue.async(flags: .barrier) { [self] in\n",
            "    places.wait()\n    queue.async(flags: .barrier) { [self] in\n      places.signal()\n"
          ),
        ]),
        breaks: ["put a change in line and return at once", "Returns at once."],
        rejectedBy: ["update and add return while a reader is inside"],
        advice: "The ninth caller is held as long as somebody reads: the line has room for all."),
      Mistake(
        "changes a copy beside the queue",
        .edit(
          """
              queue.async(flags: .barrier) { [self] in
                change(&stored)
                let photos = stored

          """,
          """
              queue.async { [self] in
                var changed = stored
                change(&changed)
                let photos = changed
                queue.async(flags: .barrier) { [self] in stored = photos }

          """),
        breaks: ["Changes the photos in one step", "A change runs alone: no read"],
        rejectedBy: ["a write excludes writes", "a write excludes reads"],
        advice: """
          Two changes begin with the same photos, and the second to end undoes the first: the whole \
          change belongs behind the barrier.
          """),
      Mistake(
        "adds in front", .edit("$0.append(photo)", "$0.insert(photo, at: 0)"),
        breaks: ["in the order of their adding", "Adds `photo` at the end"],
        rejectedBy: ["an added photo is there to read", "many threads add and read at once"],
        advice: "Who reads gets the photos in the order of their adding: append."),
      Mistake(
        "a photo that is there isn't added",
        .edit(
          "update { $0.append(photo) }", "update { if !$0.contains(photo) { $0.append(photo) } }"),
        breaks: ["Adds `photo` at the end"],
        rejectedBy: ["an added photo is there to read"],
        advice: "A store of photos isn't a set: add what you're given, even if there's one like it."
      ),
      Mistake(
        "one list for all stores",
        .edits([
          Edit(
            "private nonisolated(unsafe) var stored",
            "private static nonisolated(unsafe) var stored"),
          Edit("  private let queue =", "  private static let queue ="),
          Edit(
            "try queue.sync { try body(stored) }", "try Self.queue.sync { try body(Self.stored) }"),
          Edit("    queue.async(flags", "    Self.queue.async(flags"),
          Edit("change(&stored)", "change(&Self.stored)"),
          Edit("let photos = stored", "let photos = Self.stored"),
        ]),
        breaks: ["Creates an empty store", "Calls `body` with the photos"],
        rejectedBy: ["an added photo is there to read"],
        advice: "What is static belongs to all stores together: let each have a list and a queue."),
    ],
    rightAnswers: [
      RightAnswer("a POSIX read–write lock", .file("ReadWriteLock.swift")),
      RightAnswer("a condition that counts readers", .file("CountedReaders.swift")),
      RightAnswer("a line, and a group of readers beside it", .file("GroupOfReaders.swift")),
      RightAnswer(
        "a work item with the barrier flag",
        .edits([
          Edit(
            "    queue.async(flags: .barrier) { [self] in\n",
            "    let item = DispatchWorkItem(flags: .barrier) { [self] in\n"),
          Edit(
            "[onChange] in onChange(photos) }\n    }\n",
            "[onChange] in onChange(photos) }\n    }\n    queue.async(execute: item)\n"),
        ])),
    ],
    unproven: [
      Unproven("A photo in a", "what it is"),
      Unproven("What the photo is called.", "the stub does it"),
      Unproven("Creates a photo called", "the stub does it"),
    ],
    elusive: [
      Elusive(
        "split before let photos = stored: queue.async(flags: .barrier) { [self] in …",
        "Another thread's change between the two stands in this notice too; tried, and seen once in thousands."
      )
    ])
}
