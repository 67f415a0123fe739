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
      RightAnswer("an atomic number, and no lock", .file("AtomicNumber.swift")),
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
    ],
    unproven: [
      Unproven("What has begun goes on.", "A call that has begun can't be taken back."),
      Unproven(
        "While somebody keeps it, it may keep the last value too.", "It's allowed, not demanded."),
      Unproven("Creates a debouncer with nothing to deliver.", "Says what is made."),
    ],
    equivalents: [
      Equivalent(
        "made twice: replaceLatest(by: nil)",
        "What is sent between the two is sent while cancel is called, so it may be silenced.")
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
      breaks: ["A value that is still waiting isn't delivered any more.", "it takes its place"],
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
      breaks: ["Delivers the last value of a burst", "it takes its place"],
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
      breaks: ["Returns at once."],
      rejectedBy: ["a value is delivered when its delay has passed"], verdict: .hung,
      advice: """
        Whoever types waits for the delay at each letter: hand the item to schedule, and return.
        """),
    Mistake(
      "sets a timer of its own",
      .edit(setTimer, "    queue.asyncAfter(deadline: .now() + delay, execute: item)\n"),
      breaks: ["Sets the timer, once for each value"],
      rejectedBy: [
        "a value is delivered when its delay has passed",
        "a burst is delivered once, with its last value",
      ],
      advice: "Whoever made the debouncer has given it a way to set timers: call schedule."),
    Mistake(
      "one timer for the burst", .file("OneTimer.swift"),
      breaks: ["counted from its own `send`", "the delay begins anew"],
      rejectedBy: ["each value begins the delay anew"],
      advice: """
        That delivers every so often while somebody types, and not when they pause: each value has to \
        begin the delay anew.
        """),
    Mistake(
      "on a global queue", .edit(setTimer, "    schedule(delay, .global(), item)\n"),
      breaks: ["The queue that `action` is called on", "on `queue`, once"],
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
      breaks: ["even one whose time has come and which waits for the queue to be free"],
      rejectedBy: ["a value that waits for the queue is silenced too"],
      advice: """
        The item has ended when it has hopped, and what waits in the queue is a block that nobody can \
        cancel: have the item itself submitted to the queue.
        """),
    Mistake(
      "cancel forgets, and cancels nothing",
      .edit(forget, "    lock.withLock { latest = nil }\n"),
      breaks: ["Delivers nothing of what was sent so far."],
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
      breaks: ["What's sent later is delivered as ever."],
      rejectedBy: ["what is sent after cancel is delivered"],
      advice: "cancel is about what was sent before: what comes later begins a new burst."),
    Mistake(
      "waits for what it cancels", .edit(silence, "    previous?.cancel()\n    previous?.wait()\n"),
      breaks: ["not by sending, not by cancelling"],
      rejectedBy: ["a burst is delivered once, with its last value"], verdict: .hung,
      advice: """
        A cancelled item still ends only when its timer submits it, so wait() holds the caller for \
        the whole delay: cancel it and go on.
        """),
    Mistake(
      "guarded by the queue of the action",
      .edit("let previous = lock.withLock {", "let previous = queue.sync {"),
      breaks: [
        "even while `action` runs", "It may send the next one, or cancel.",
        "Returns at once; a delivery",
      ],
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
      breaks: ["Called on the thread that sends", "no earlier value begins to be delivered"],
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
      breaks: ["even while `action` runs", "`action` itself may send the next value."],
      rejectedBy: ["nobody is held while the action runs", "the action may send and cancel"],
      advice: """
        Whoever sends waits for the action then, and the action, if it sends, for itself: the lock is \
        for what you remember, not for the action.
        """),
    Mistake(
      "the item keeps the debouncer",
      .edit(makeItem, "    let item = DispatchWorkItem { self.action(value) }\n"),
      breaks: ["nothing of it is left"],
      rejectedBy: ["nothing of it is left when all is delivered"],
      advice: """
        The debouncer keeps the item and the item the debouncer, so neither ever goes: capture the \
        action, not self.
        """),
    Mistake(
      "the item has a weak reference",
      .edit(makeItem, "    let item = DispatchWorkItem { [weak self] in self?.action(value) }\n"),
      breaks: ["A value is delivered even if nobody keeps the debouncer."],
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
      breaks: ["Delivers the last value of a burst, once the burst is over."],
      rejectedBy: ["of two who send at the same moment one is silenced"],
      advice: """
        Two who send at once both find the one before them, and not each other: take the old one out \
        and put the new one in under one lock.
        """),
    Mistake(
      "sets the timer first", .edit("\(replace)\(setTimer)", "\(setTimer)\(replace)"),
      breaks: ["Delivers `value` after the delay, unless another one is sent by then."],
      rejectedBy: ["what is sent while an earlier timer is set counts"],
      advice: """
        The value may be delivered before its item is remembered, and what the action sends by then is \
        taken for the older one and cancelled: remember the item, then set its timer.
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
      breaks: ["Any thread may send and cancel."],
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
      breaks: ["Any thread may send and cancel."],
      rejectedBy: ["any thread may send and cancel"], verdict: .race,
      advice: """
        The item is guarded, and the value that you keep as well isn't: whatever callers on several \
        threads change belongs under the lock.
        """),
    Mistake(
      "remembers the item weakly",
      .edit(
        "  private nonisolated(unsafe) var latest: DispatchWorkItem?\n",
        "  private nonisolated(unsafe) weak var latest: DispatchWorkItem?\n"),
      breaks: ["no earlier value begins to be delivered"],
      rejectedBy: ["the timer of Dispatch delivers the last of a burst"],
      advice: """
        asyncAfter keeps the block and not the item around it, so the item is gone when it should be \
        cancelled, and every value is delivered: keep it.
        """),
    Mistake(
      "forgets the item when its action has returned",
      .edit(
        makeItem,
        """
            let item = DispatchWorkItem { [weak self, action] in
              action(value)
              self?.lock.withLock { self?.latest = nil }
            }

        """),
      breaks: [
        "no earlier value begins to be delivered", "Delivers nothing of what was sent so far.",
      ],
      rejectedBy: ["what the action has sent is silenced too"],
      advice: """
        What the action has sent is the latest by then, and is forgotten in place of the one that was \
        delivered: a cancelled item does no harm, so keep it until the next one comes.
        """),
    Mistake(
      "no timer where there's no delay",
      .edit(makeItem, "    if delay <= 0 { return action(value) }\n\(makeItem)"),
      breaks: [
        "A value is delivered by calling `action`, on `queue`, once.", "once for each value",
      ],
      rejectedBy: ["without a delay there's a timer too"],
      advice: """
        The action runs on the thread that sends then, in the middle of whatever that is doing: no \
        delay means the next turn of the queue.
        """),
    Mistake(
      "takes seconds for milliseconds",
      .edit(setTimer, "    schedule(delay / 1000, queue, item)\n"),
      breaks: [
        "Each value waits for `delay` seconds", "How long a value waits",
        "Delivers `value` after the delay",
      ],
      rejectedBy: ["a value is delivered when its delay has passed"],
      advice: "A TimeInterval is in seconds, and so is what schedule takes: hand it on as it is."),
    Mistake(
      "the default timer doesn't wait",
      .edit(
        "      queue.asyncAfter(deadline: .now() + seconds, execute: item)\n",
        "      queue.async(execute: item)\n"),
      breaks: ["`asyncAfter` by default", "when a number of seconds has passed"],
      rejectedBy: ["the timer of Dispatch waits for the delay"],
      advice: """
        Whoever gives no schedule gets every value at once, and the tests with a timer of their own \
        don't see it: submit the item with asyncAfter.
        """),
    Mistake(
      "sets the timer on a queue of its own",
      .edits([
        Edit("    let item =", "    nonisolated(unsafe) let item ="),
        Edit(setTimer, "    setting.async { [self] in schedule(delay, queue, item) }\n"),
        Edit(
          "  private let lock = NSLock()\n",
          """
            private let lock = NSLock()
            private let setting = DispatchQueue(label: "katas.gcd-basics.debouncer")

          """),
      ]),
      breaks: ["Called on the thread that sends", "counted from its own `send`"],
      rejectedBy: ["the timer is set on the thread that sends"],
      advice: """
        Where that queue is behind, the delay begins late, and of two values the earlier may get the \
        later timer: call schedule in send.
        """),
    Mistake(
      "delivers the first at once as well",
      .edit(
        makeItem,
        "    if lock.withLock({ latest == nil }) { queue.async { [action] in action(value) } }\n\(makeItem)"
      ),
      breaks: ["Each value waits for `delay` seconds", "once the burst is over"],
      rejectedBy: ["a value is delivered when its delay has passed"],
      advice: """
        The search for a single letter runs after all, and a burst of one value is delivered twice: \
        let the first value wait like any other.
        """),
    Mistake(
      "skips a value that hasn't changed",
      .edits([
        Edit(
          "    let item = DispatchWorkItem { [action] in action(value) }\n",
          """
              let item = DispatchWorkItem { [self] in
                let new = value as? AnyHashable
                let old = lock.withLock {
                  defer { delivered = new }
                  return delivered
                }
                if new == nil || new != old { action(value) }
              }

          """),
        Edit(
          "  private let lock = NSLock()\n",
          """
            private let lock = NSLock()
            // Safe: guarded by `lock`.
            private nonisolated(unsafe) var delivered: AnyHashable?

          """),
      ]),
      breaks: ["Called with each value to be delivered."],
      rejectedBy: ["two bursts are delivered twice"],
      advice: """
        The same word may be searched for again, to see what has come in: whether an equal value is \
        news is for the action to say.
        """),
    Mistake(
      "cancels when it goes",
      .edit(
        "  /// Delivers `value` after the delay, unless another one is sent by then.\n",
        """
          deinit { latest?.cancel() }

          /// Delivers `value` after the delay, unless another one is sent by then.

        """),
      breaks: ["A value is delivered even if nobody keeps the debouncer."],
      rejectedBy: ["a value is delivered though nobody keeps the debouncer"],
      advice: """
        The last draft was to be saved, the screen is closed, and nothing is: leave the last item \
        alone, which keeps all that it needs.
        """),
    Mistake(
      "the item asks itself",
      .edit(
        makeItem,
        """
            // Safe: set before the item is submitted.
            nonisolated(unsafe) var own: DispatchWorkItem?
            let item = DispatchWorkItem { [action] in
              if own?.isCancelled == false { action(value) }
            }
            own = item

        """),
      breaks: ["and nothing of its action"],
      rejectedBy: ["nothing of it is left when all is delivered"],
      advice: """
        An item that asks itself whether it's cancelled keeps itself, and all that its action keeps, \
        for ever; it needn't ask, for a cancelled one is passed over.
        """),
  ]
}
