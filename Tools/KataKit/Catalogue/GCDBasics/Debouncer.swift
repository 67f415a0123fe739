extension Kata {
  static let debouncer = Kata(
    "Debouncer", module: .gcdBasics,
    title: "Only the last of a burst",
    difficulty: 3, minutes: 25, needs: ["SerialLog"],
    hints: [
      """
      Each value waits in an item of its own. The next value has to find that item and silence it; \
      what is remembered for that, who may be changing it at the same moment, and what may the item \
      keep without keeping everything?
      """,
      """
      Remember the latest DispatchWorkItem, guarded by an NSLock. send makes an item that captures \
      action and value, puts it in the place of the latest under the lock, cancels the old one and \
      calls schedule. cancel puts nil there.
      """,
      """
      send: let item = DispatchWorkItem { [action] in action(value) }; let old = lock.withLock { \
      defer { latest = item }; return latest }; old?.cancel(); schedule(delay, queue, item). cancel: \
      the same with nil in place of the item, and no schedule.
      """,
    ],
    questions: [
      Question(
        "Until when does `cancel()` of a `DispatchWorkItem` keep its block from running?",
        answer: """
          Until the block has begun. An item whose time has come, but which still waits for its \
          queue to be free, is passed over too; one that has begun goes on.
          """),
      Question(
        """
        Two threads send at the same moment. What has to be one step so that one value alone is \
        delivered?
        """,
        answer: """
          Taking out the item that was the latest and putting in one's own. If these are two \
          steps, both threads cancel the same old item, and both of their own go off.
          """),
      Question(
        "Why does the item capture `action` and not the debouncer?",
        answer: """
          The debouncer keeps the item, so an item that keeps the debouncer makes a cycle. With a \
          weak reference the last value would be lost where nobody keeps the debouncer, and it is \
          promised.
          """),
    ],
    mistakes: debouncerMistakes,
    rightAnswers: [
      RightAnswer("a number for each value, and nothing cancelled", .file("Generations.swift")),
      RightAnswer("a box that is emptied, on a serial queue", .file("ValueInABox.swift")),
      RightAnswer(
        "the lock is held while the timer is set",
        .edits([
          Edit(
            "    replaceLatest(by: item)\n    schedule(delay, queue, item)\n",
            "    replaceLatest(by: item)\n"),
          Edit(
            "      defer { latest = item }\n      return latest\n",
            """
                  defer { latest = item }
                  if let item { schedule(delay, queue, item) }
                  return latest

            """),
        ])),
    ])

  // MARK: - Mistakes

  private static let makeItem = "    let item = DispatchWorkItem { [action] in action(value) }\n"
  private static let setTimer = "    schedule(delay, queue, item)\n"
  private static let silence = "    previous?.cancel()\n"
  private static let replace = "    replaceLatest(by: item)\n"
  private static let forget = "    replaceLatest(by: nil)\n"

  private static let debouncerMistakes = [
    Mistake(
      "never cancels the previous item", .edit(silence, "    _ = previous\n"),
      rejectedBy: [
        "a burst is delivered once, with its last value", "each value begins the delay anew",
        "two bursts are delivered twice", "cancel silences the value that waits",
        "a value that waits for the queue is silenced too",
      ],
      advice: """
        Every value has a timer, and all of them are delivered, only later: cancel the item before, \
        when the next value comes.
        """),
    Mistake(
      "fires the first value",
      .edits([
        Edit(makeItem, "    if lock.withLock({ latest != nil }) { return }\n\(makeItem)")
      ]),
      rejectedBy: [
        "a burst is delivered once, with its last value", "each value begins the delay anew",
        "two bursts are delivered twice",
      ],
      advice: """
        While a value waits all others are dropped, so the search is for the first letter: the last \
        one has to take the place of the one that waits.
        """),
    Mistake(
      "sleeps on the caller",
      .edit(setTimer, "    Thread.sleep(forTimeInterval: delay)\n    queue.async(execute: item)\n"),
      rejectedBy: ["a value is delivered when its delay has passed"], verdict: .hung,
      advice: """
        Whoever types waits for the delay at each letter: hand the item to schedule, and return.
        """),
    Mistake(
      "sets a timer of its own",
      .edit(setTimer, "    queue.asyncAfter(deadline: .now() + delay, execute: item)\n"),
      rejectedBy: [
        "a value is delivered when its delay has passed",
        "a burst is delivered once, with its last value",
      ],
      advice: "Whoever made the debouncer has given it a way to set timers: call schedule."),
    Mistake(
      "one timer for the burst", .file("OneTimer.swift"),
      rejectedBy: ["each value begins the delay anew"],
      advice: """
        That delivers every so often while somebody types, and not when they pause: each value has to \
        begin the delay anew.
        """),
    Mistake(
      "on a global queue", .edit(setTimer, "    schedule(delay, .global(), item)\n"),
      rejectedBy: ["it's delivered on its queue"],
      advice: "The caller has chosen a queue, perhaps the main one: give that one to schedule."),
    Mistake(
      "hops to its queue",
      .edits([
        Edit(
          makeItem,
          "    let item = DispatchWorkItem { [action, queue] in queue.async { action(value) } }\n"),
        Edit(setTimer, "    schedule(delay, .global(), item)\n"),
      ]),
      rejectedBy: ["a value that waits for the queue is silenced too"],
      advice: """
        The item has ended when it has hopped, and what waits in the queue is a block that nobody can \
        cancel: have the item itself submitted to the queue.
        """),
    Mistake(
      "cancel forgets, and cancels nothing",
      .edit(forget, "    lock.withLock { latest = nil }\n"),
      rejectedBy: [
        "cancel silences the value that waits", "a value that waits for the queue is silenced too",
      ],
      advice: "The timer keeps the item, whether you remember it or not: cancel it."),
    Mistake(
      "cancelled for good",
      .edits([
        Edit(forget, "\(forget)    lock.withLock { isOver = true }\n"),
        Edit(makeItem, "    if lock.withLock({ isOver }) { return }\n\(makeItem)"),
        Edit(
          "  private let lock = NSLock()\n",
          """
            private let lock = NSLock()
            // Safe: guarded by `lock`.
            private nonisolated(unsafe) var isOver = false

          """),
      ]),
      rejectedBy: ["what is sent after cancel is delivered"],
      advice: "cancel is about what was sent before: what comes later begins a new burst."),
    Mistake(
      "waits for what it cancels", .edit(silence, "    previous?.cancel()\n    previous?.wait()\n"),
      rejectedBy: ["a burst is delivered once, with its last value"], verdict: .hung,
      advice: """
        A cancelled item still ends only when its timer submits it, so wait() holds the caller for \
        the whole delay: cancel it and go on.
        """),
    Mistake(
      "guarded by the queue of the action",
      .edit("let previous = lock.withLock {", "let previous = queue.sync {"),
      rejectedBy: [
        "a value that waits for the queue is silenced too", "nobody is held while the action runs",
        "the action may send and cancel",
      ], verdict: .hung,
      advice: """
        sync on that queue waits for the action, and called by the action it waits for itself: guard \
        what is yours with a lock of yours.
        """),
    Mistake(
      "begins on the queue of the action",
      .edit(
        "\(makeItem)\(replace)\(setTimer)",
        """
            queue.async { [self] in
              let item = DispatchWorkItem { [action] in action(value) }
              replaceLatest(by: item)
              schedule(delay, queue, item)
            }

        """),
      rejectedBy: ["nobody is held while the action runs"],
      advice: """
        While the queue is busy nothing is silenced and no delay begins: do that on the caller's \
        thread, under a lock.
        """),
    Mistake(
      "the lock is held while the action runs",
      .edit(
        makeItem,
        "    let item = DispatchWorkItem { [action, lock] in lock.withLock { action(value) } }\n"),
      rejectedBy: ["nobody is held while the action runs", "the action may send and cancel"],
      advice: """
        Whoever sends waits for the action then, and the action, if it sends, for itself: the lock is \
        for what you remember, not for the action.
        """),
    Mistake(
      "the item keeps the debouncer",
      .edit(makeItem, "    let item = DispatchWorkItem { self.action(value) }\n"),
      rejectedBy: ["nothing of it is left when all is delivered"],
      advice: """
        The debouncer keeps the item and the item the debouncer, so neither ever goes: capture the \
        action, not self.
        """),
    Mistake(
      "the item has a weak reference",
      .edit(makeItem, "    let item = DispatchWorkItem { [weak self] in self?.action(value) }\n"),
      rejectedBy: ["a value is delivered though nobody keeps the debouncer"],
      advice: """
        The last draft was to be saved, the screen is closed, and nothing is: capture the action, \
        which is all that the item needs.
        """),
    Mistake(
      "remembers the item when its timer is set",
      .edits([
        Edit(
          "\(replace)\(setTimer)",
          "    lock.withLock { latest }?.cancel()\n\(setTimer)    lock.withLock { latest = item }\n"
        )
      ]),
      rejectedBy: ["of two who send at the same moment one is silenced"],
      advice: """
        Two who send at once both find the one before them, and not each other: take the old one out \
        and put the new one in under one lock.
        """),
    Mistake(
      "nothing guards the latest item",
      .edit(
        """
            let previous = lock.withLock {
              defer { latest = item }
              return latest
            }

        """,
        """
            let previous = latest
            latest = item

        """),
      rejectedBy: ["any thread may send and cancel"], verdict: .race,
      advice: """
        Any thread may send, so two may change what you remember at the same moment: guard it with a \
        lock.
        """),
    Mistake(
      "remembers the value beside the lock",
      .edits([
        Edit(
          "  public func send(_ value: Value) {\n",
          "  public func send(_ value: Value) {\n    lastSent = value\n"),
        Edit(
          "  private let lock = NSLock()\n",
          """
            private let lock = NSLock()
            // Safe: it isn't; it's changed on the callers' threads.
            private nonisolated(unsafe) var lastSent: Value?

          """),
      ]),
      rejectedBy: ["any thread may send and cancel"], verdict: .race,
      advice: """
        The item is guarded, and the value that you keep as well isn't: whatever callers on several \
        threads change belongs under the lock.
        """),
  ]
}
