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
        rejectedBy: ["reads overlap", "readers and writers keep the rules in any order"],
        advice: """
          A serial queue runs one block at a time, reads as well; readers only get in each other's \
          way. Make the queue concurrent and the changes barriers.
          """),
      Mistake(
        "the write holds its caller",
        .edit("queue.async(flags: .barrier)", "queue.sync(flags: .barrier)"),
        rejectedBy: ["update and add return while a reader is inside"],
        advice: """
          sync makes the caller wait for its turn and for the change; nobody needs the result, so \
          submit the barrier with async.
          """),
      Mistake(
        "the read goes past the queue",
        .edit("try queue.sync { try body(stored) }", "try body(stored)"),
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
        rejectedBy: [
          "the notice follows the change",
          "each notice shows the photos as its change left them",
        ],
        advice: "Whoever hears of a change must find it done: change first, then copy, then notify."
      ),
      Mistake(
        "the notice reads the photos late",
        .edit("in onChange(photos) }", "in onChange(self.stored) }"),
        rejectedBy: ["each notice shows the photos as its change left them"],
        advice: """
          By the time the notice is delivered the photos may have changed again, and reading them \
          there is a data race; copy them inside the barrier.
          """),
      Mistake(
        "the notice on the store's queue",
        .edit("noticeQueue.async { [onChange] in onChange(photos) }", "onChange(photos)"),
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
        rejectedBy: ["many threads add and read at once"], verdict: .race,
        advice: """
          The photos are safe behind the queue, but something else is changed on the callers' \
          threads; everything that several threads change belongs behind the barrier.
          """),
    ],
    rightAnswers: [
      RightAnswer("a POSIX read–write lock", .file("ReadWriteLock.swift")),
      RightAnswer("a condition that counts readers", .file("CountedReaders.swift")),
    ])
}
