extension Kata {
  static let hitCounter = Kata(
    "HitCounter", module: .barriers,
    title: "A counter that loses no hit",
    difficulty: 1, minutes: 15, needs: ["SerialLog"],
    hints: [
      """
      Adding one takes three steps: load the number, add, store it. Say that one thread has loaded 7 \
      and is about to store 8. What does another load at that moment, and what will it store?
      """,
      """
      All three steps must happen while nobody else does any of them. Make a private queue with the \
      attribute .concurrent. A block submitted with the flag .barrier runs alone on it; a block \
      without that flag runs side by side with others, but never beside a barrier.
      """,
      """
      hit: queue.sync(flags: .barrier) { let number = load() + 1; store(number); return number }. \
      hits: queue.sync { load() }.
      """,
    ],
    questions: [
      Question(
        "Two hits were counted and the number has risen by one. What happened?",
        answer: """
          Both loaded the same number before either had stored, and both stored the same sum. \
          Load, add and store have to be one step.
          """),
      Question(
        "`load` is safe and `store` is safe. Why is a hit that calls both still not safe?",
        answer: """
          Somebody else comes in between. Safety of each access says nothing about two of them in \
          a row.
          """),
      Question(
        "Why may `hits` do without the barrier, but not without the queue?",
        answer: """
          Readers change nothing, so they may be inside together. But a barrier keeps out only \
          what goes through its own queue: a load beside the queue meets a store.
          """),
    ],
    mistakes: hitCounterMistakes,
    rightAnswers: [
      RightAnswer("a serial queue", .edit(", attributes: .concurrent", "")),
      RightAnswer("a lock, and a copy of the number", .file("LockedCopy.swift")),
      RightAnswer("a mutex", .file("StandardMutex.swift")),
    ],
    unproven: [
      Unproven("Nobody else may change that number", "asks something of the caller"),
      Unproven("load: Returns the number.", "what it is"),
      Unproven("A number that is kept in memory", "the stub does it"),
    ])

  // MARK: - Mistakes

  private static let loadAndStore = """
        queue.sync(flags: .barrier) {
          let number = load() + 1
          store(number)
          return number
        }

    """
  private static let steps = """
          let number = load() + 1
          store(number)
          return number

    """
  private static let load = "queue.sync { load() }"
  private static let queue = """
      private let queue = DispatchQueue(label: "katas.barriers.hit-counter", attributes: .concurrent)

    """
  private static let properties = "  private let load: @Sendable () -> Int\n"

  private static let hitCounterMistakes = [
    Mistake(
      "no protection",
      .edits([
        Edit(
          loadAndStore,
          "    let number = load() + 1\n    store(number)\n    return number\n"),
        Edit(load, "load()"),
      ]),
      breaks: [
        "Counts hits from any number of threads",
        "No hit is lost, and no two hits get the same number",
        "but never while `store` is running; `store` is called",
        "May be called by several threads at once, but never while `store` is running.",
        "Called once for each hit, by one thread at a time",
        "Counts one hit and returns its number, which no other hit has",
        "Blocks until the number is stored; hits that come at once",
      ],
      rejectedBy: [
        "of two hits at once none is lost", "every hit has a number of its own",
        "nobody loads while a hit is being stored", "no hit is stored while somebody loads",
      ],
      advice: """
        Two threads load the same number, both add one and both store the same: run the three steps \
        as one barrier on a queue of your own.
        """),
    Mistake(
      "a concurrent queue without a barrier",
      .edit("queue.sync(flags: .barrier)", "queue.sync"),
      breaks: [
        "Counts hits from any number of threads",
        "No hit is lost, and no two hits get the same number",
        "but never while `store` is running; `store` is called",
        "May be called by several threads at once, but never while `store` is running.",
        "Called once for each hit, by one thread at a time",
        "Counts one hit and returns its number, which no other hit has",
        "Blocks until the number is stored; hits that come at once",
      ],
      rejectedBy: [
        "of two hits at once none is lost", "every hit has a number of its own",
        "nobody loads while a hit is being stored", "no hit is stored while somebody loads",
      ],
      advice: """
        A concurrent queue runs its blocks side by side, so it keeps nobody out; the flag .barrier \
        makes a block run alone.
        """),
    Mistake(
      "hits goes past the queue", .edit(load, "load()"),
      breaks: [
        "but never while `store` is running; `store` is called",
        "May be called by several threads at once, but never while `store` is running.",
      ],
      rejectedBy: [
        "nobody loads while a hit is being stored", "no hit is stored while somebody loads",
      ],
      advice: """
        A barrier keeps out only what goes through the same queue; who loads past it meets a hit \
        that is half done.
        """),
    Mistake(
      "loads in one step and stores in another",
      .edit(
        loadAndStore,
        """
            let number = hits + 1
            queue.sync(flags: .barrier) { store(number) }
            return number

        """),
      breaks: [
        "No hit is lost, and no two hits get the same number",
        "Counts one hit and returns its number, which no other hit has",
        "Blocks until the number is stored; hits that come at once",
      ],
      rejectedBy: ["of two hits at once none is lost", "every hit has a number of its own"],
      advice: """
        Each step is safe, but between the two others load the same number: load, add and store must \
        be inside one barrier.
        """),
    Mistake(
      "only store is protected",
      .edit(
        loadAndStore,
        """
            let number = load() + 1
            queue.sync(flags: .barrier) { store(number) }
            return number

        """),
      breaks: [
        "No hit is lost, and no two hits get the same number",
        "but never while `store` is running; `store` is called",
        "May be called by several threads at once, but never while `store` is running.",
        "Counts one hit and returns its number, which no other hit has",
      ],
      rejectedBy: ["of two hits at once none is lost", "every hit has a number of its own"],
      advice: """
        The number may be out of date by the time it's stored: load it inside the same barrier.
        """),
    Mistake(
      "asks for the number afterwards",
      .edit(
        loadAndStore,
        """
            queue.sync(flags: .barrier) { store(load() + 1) }
            return hits

        """),
      breaks: [
        "Counts one hit and returns its number, which no other hit has",
        "No hit is lost, and no two hits get the same number",
      ],
      rejectedBy: ["every hit has a number of its own"],
      advice: """
        By the time you ask, others may have been counted too: return the number from inside the \
        barrier, where it was made.
        """),
    Mistake(
      "asks for hits inside the barrier",
      .edit("let number = load() + 1", "let number = hits + 1"),
      breaks: ["`hit` counts one, and returns"],
      rejectedBy: ["hits are counted one after another, from what is stored"],
      verdict: .crashed,
      advice: """
        hits waits until the barrier is over, and the barrier waits for hits: inside, call load \
        itself.
        """),
    Mistake(
      "stores later",
      .edit("store(number)", "queue.async(flags: .barrier) { [store] in store(number) }"),
      breaks: ["returns when the new number is stored", "Blocks until the number is stored"],
      rejectedBy: ["a hit is stored when hit returns"],
      advice: """
        Between the load and a store that comes later others load the old number: store before the \
        barrier ends, and return after it.
        """),
    Mistake(
      "counts from zero",
      .edits([
        Edit("let number = load() + 1", "count += 1\n      let number = count"),
        Edit(load, "queue.sync { count }"),
        Edit(
          properties,
          """
            // Safe: touched on `queue` only, and changed there only behind a barrier.
            private nonisolated(unsafe) var count = 0
            private let load: @Sendable () -> Int

          """),
      ]),
      breaks: ["Creates a counter that goes on from the number"],
      rejectedBy: ["hits are counted one after another, from what is stored"],
      advice: "The counter goes on from what is stored: begin with the number that load returns."),
    Mistake(
      "an atomic number, stored in any order", .file("AtomicNumber.swift"),
      breaks: [
        "No hit is lost, and no two hits get the same number",
        "Called once for each hit, by one thread at a time",
        "Blocks until the number is stored; hits that come at once",
      ],
      rejectedBy: ["of two hits at once none is lost"],
      advice: """
        No two hits get the same number, but the smaller may be stored after the larger, and then \
        one is lost for whoever loads it: number and store must be one step.
        """),
    Mistake(
      "a copy that nothing guards",
      .edits([
        Edit("      store(number)\n", "      store(number)\n      latest = number\n"),
        Edit(load, "latest"),
        Edit("    self.store = store\n", "    self.store = store\n    latest = load()\n"),
        Edit(
          properties,
          """
            // Safe: it isn't; it's read while a hit changes it.
            private nonisolated(unsafe) var latest: Int
            private let load: @Sendable () -> Int

          """),
      ]),
      breaks: ["Every hit that has returned is among them"],
      rejectedBy: ["a hit is seen by another thread"], verdict: .race,
      advice: """
        A copy is shared like the number itself: whoever reads it has to go through the queue, where \
        hits change it.
        """),
    Mistake(
      "knows nothing before the first hit",
      .edits([
        Edit(
          "let number = load() + 1", "let number = (latest ?? load()) + 1\n      latest = number"),
        Edit(load, "queue.sync { latest ?? 0 }"),
        Edit(
          properties,
          """
            // Safe: touched on `queue` only, and changed there only behind a barrier.
            private nonisolated(unsafe) var latest: Int?
          \(properties)
          """),
      ]),
      breaks: ["those included that were stored before"],
      rejectedBy: ["hits are counted one after another, from what is stored"],
      advice: """
        Whoever asks before the first hit is told 0, whatever is stored: a copy has to be filled when the \
        counter is made.
        """),
    Mistake(
      "keeps the number to itself",
      .edits([
        Edit(steps, "      count += 1\n      return count\n"),
        Edit(load, "queue.sync { count }"),
        Edit("    self.store = store\n", "    self.store = store\n    count = load()\n"),
        Edit(
          properties,
          """
            // Safe: touched on `queue` only, and changed there only behind a barrier.
            private nonisolated(unsafe) var count: Int
          \(properties)
          """),
      ]),
      breaks: ["store: Keeps a new number", "returns when the new number is stored"],
      rejectedBy: ["hits are counted one after another, from what is stored"],
      advice: "Tomorrow the counter begins again where it was today: store each number."),
    Mistake(
      "one memory for all counters",
      .edits([
        Edit("    let memory = Memory()\n", ""),
        Edit(
          "/// A number that is kept in memory,",
          "private let memory = Memory()\n\n/// A number that is kept in memory,"),
      ]),
      breaks: ["Creates a counter that stands at zero"],
      rejectedBy: ["a counter in memory begins at zero"],
      advice: """
        A second counter goes on where the first one is, and the two lose each other's hits: let each \
        have a memory.
        """),
    Mistake(
      "one queue for all counters",
      .edits([
        Edit(queue, ""),
        Edit(
          "import Dispatch\n",
          """
          import Dispatch

          private let queue = DispatchQueue(
            label: "katas.barriers.hit-counter", attributes: .concurrent)

          """),
      ]),
      breaks: ["No counter waits for another"],
      rejectedBy: ["two counters don't wait for each other"],
      advice: """
        Pages that have nothing to do with each other wait for each other, and for ever where one's \
        store counts in the other: the queue must be a property of the counter.
        """),
    Mistake(
      "stores those who wait together at once", .file("Batches.swift"),
      breaks: [
        "Called once for each hit, by one thread at a time",
        "hits that come at once are counted one after another",
      ],
      rejectedBy: ["hits that wait together are stored one by one"],
      advice: """
        Their numbers are right, but only the last of them is ever stored: call store for each hit, with \
        its own number.
        """),
    Mistake(
      "stores twice, to be sure",
      .edit("      store(number)\n", "      store(number)\n      store(number)\n"),
      breaks: ["Called once for each hit, by one thread at a time"],
      rejectedBy: ["hits are counted one after another, from what is stored"],
      advice: "A place to store a number may be slow, or keep a history: tell it once."),
  ]
}
