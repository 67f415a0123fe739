extension Kata {
  static let reentrantQueue = Kata(
    "ReentrantQueue", module: .gcdBasics,
    title: "A serial queue whose sync may be called from itself",
    difficulty: 3, minutes: 20, needs: ["SerialLog"],
    hints: [
      """
      sync deadlocks when its caller already has the turn that it waits for. So before it waits it \
      has to know: does my caller run on this queue? A thread can't answer that, and neither can a \
      label; the queue that is running can.
      """,
      """
      Make a DispatchSpecificKey a property, so that each object has its own, and put a value under \
      it with queue.setSpecific in the initialiser. DispatchQueue.getSpecific, the static one, finds \
      that value on this queue and on all that target it, and nil everywhere else.
      """,
      """
      private let key = DispatchSpecificKey<Bool>(). init: queue.setSpecific(key: key, value: true). \
      isCurrent: DispatchQueue.getSpecific(key: key) == true. sync: if isCurrent { return try body() \
      }; return try queue.sync(execute: body). deinit: queue.setSpecific(key: key, value: nil).
      """,
    ],
    questions: [
      Question(
        """
        Why does each object have a key of its own, instead of one static key that stands for the \
        object?
        """,
        answer: """
          `getSpecific` stops at the first queue on the way down to the targets that has something \
          under the key. With a shared key a queue's own mark hides that of the queue it targets, \
          so the target's owner isn't recognised.
          """),
      Question(
        "What does `a.sync { b.sync { a.sync { … } } }` do, and why doesn't the check help?",
        answer: """
          It is a deadlock. The check asks which queue runs, with its targets, and that is `b`; \
          through which queues the thread has come it can't tell. An agreed order of queues is the \
          cure.
          """),
      Question(
        "Why isn't it enough to remember which thread is inside?",
        answer: """
          A queue isn't a thread: what was put on it with `async`, or on a queue that targets it, \
          runs on whatever thread Dispatch chooses, and nobody has noted that one. A nested call \
          has to be recognised there too.
          """),
    ],
    mistakes: reentrantQueueMistakes,
    rightAnswers: [
      RightAnswer("a key that the queue keeps", .file("MarkedByItself.swift")),
      RightAnswer("the queue, and for sync the thread as well", .file("ThreadToo.swift")),
      RightAnswer("a marked queue beneath its own", .file("QueueBeneath.swift")),
    ],
    unproven: [
      Unproven("A plain `DispatchQueue` would wait for itself.", "It's about Dispatch."),
      Unproven("For whoever wants a queue", "What it's for; the promise is in the next sentence."),
      Unproven("Creates a queue with nothing to do.", "Says what is made."),
    ],
    equivalents: [
      Equivalent(
        "made twice: queue.setSpecific(key: key, value: true)",
        "The second mark takes the place of an equal one."),
      Equivalent(
        "made twice: queue.setSpecific(key: key, value: nil)", "There is no mark by then."),
    ])

  // MARK: - Mistakes

  private static let look = "DispatchQueue.getSpecific(key: key) == true"
  private static let ownKey = "  private let key = DispatchSpecificKey<Bool>()\n"
  private static let makeQueue = "    queue = DispatchQueue(label: label, target: target)\n"
  private static let wait = "    return try queue.sync(execute: body)\n"

  private static let reentrantQueueMistakes = [
    Mistake(
      "plain sync", .edit("    if isCurrent { return try body() }\n", ""),
      breaks: [
        "A serial queue whose `sync` may be called by what already runs on it",
        "runs its body at once, as a part of its caller's turn",
        "`body` runs at once, as a part of the caller's turn",
      ],
      rejectedBy: ["sync within sync runs at once", "work on its queue may call sync"],
      verdict: .crashed,
      advice: """
        sync waits until the queue is free, and the queue is free when its caller has returned: look \
        whether the caller is there already, and then don't wait.
        """),
    Mistake(
      "always inline", .edit(wait, "    return try body()\n"),
      breaks: ["until it is their turn", "Runs `body` on the queue, alone"],
      rejectedBy: [
        "two callers are never inside at once", "sync waits for what was put on the queue",
        "a nested call lets nobody else in",
      ],
      advice:
        "Without queue.sync nobody waits for anybody: run inline only where isCurrent is true."),
    Mistake(
      "compares labels",
      .edits([
        Edit(look, "DispatchQueue.getSpecific(key: labelKey) == queue.label"),
        Edit(ownKey, ""),
        Edit(
          "queue.setSpecific(key: key, value: true)",
          "queue.setSpecific(key: labelKey, value: label)"),
        Edit("    queue.setSpecific(key: key, value: nil)\n", ""),
        Edit(
          "import Dispatch\n",
          "import Dispatch\n\nprivate let labelKey = DispatchSpecificKey<String>()\n"),
      ]),
      breaks: ["whatever another queue is called", "others may be called the same"],
      rejectedBy: ["another queue with the same label isn't taken for it"],
      advice: """
        A label is a name for people, and two queues may have the same: let each object have a key \
        of its own.
        """),
    Mistake(
      "checks the main thread",
      .edits([
        Edit(look, "Thread.isMainThread"), Edit("import Dispatch\n", "import Foundation\n"),
      ]),
      breaks: ["Whether the caller runs on this queue"],
      rejectedBy: ["it knows whether its caller runs on it", "sync within sync runs at once"],
      advice: """
        That may be whose queue it often is, but any thread may run it: ask the queue that is \
        running, with getSpecific.
        """),
    Mistake(
      "one key for all",
      .edits([
        Edit(ownKey, "  private var key: DispatchSpecificKey<Bool> { commonKey }\n"),
        Edit(
          "import Dispatch\n",
          "import Dispatch\n\nprivate let commonKey = DispatchSpecificKey<Bool>()\n"),
      ]),
      breaks: ["nowhere else, whatever another queue is called"],
      rejectedBy: [
        "another queue isn't taken for it", "another queue with the same label isn't taken for it",
      ],
      advice: """
        Under a shared key every ReentrantQueue finds every other one's mark: make the key a \
        property of the object, not static.
        """),
    Mistake(
      "one key for all, told apart by the value",
      .edits([
        Edit(look, "DispatchQueue.getSpecific(key: key) == ObjectIdentifier(queue)"),
        Edit(ownKey, "  private var key: DispatchSpecificKey<ObjectIdentifier> { commonKey }\n"),
        Edit("key: key, value: true", "key: key, value: ObjectIdentifier(queue)"),
        Edit(
          "import Dispatch\n",
          "import Dispatch\n\nprivate let commonKey = DispatchSpecificKey<ObjectIdentifier>()\n"),
      ]),
      breaks: ["or on one that has it as its target", "on every queue that has it as its target"],
      rejectedBy: ["a ReentrantQueue that targets it counts as it"],
      advice: """
        getSpecific stops at the first queue that has something under the key, so one mark hides \
        the one beneath it: give each object a key of its own.
        """),
    Mistake(
      "a flag that says somebody is inside",
      .edits([
        Edit(look, "lock.withLock { isTaken }"),
        Edit(
          ownKey,
          """
            // Safe: guarded by `lock`.
            private nonisolated(unsafe) var isTaken = false
            private let lock = NSLock()

          """),
        Edit("    queue.setSpecific(key: key, value: true)\n", ""),
        Edit("    queue.setSpecific(key: key, value: nil)\n", ""),
        Edit("import Dispatch\n", "import Foundation\n"),
        Edit(
          wait,
          """
              return try queue.sync {
                lock.withLock { isTaken = true }
                defer { lock.withLock { isTaken = false } }
                return try body()
              }

          """),
      ]),
      breaks: ["Everybody else is blocked until it is their turn"],
      rejectedBy: ["two callers are never inside at once", "a nested call lets nobody else in"],
      advice: """
        The flag is up for everybody, so whoever comes while somebody is inside walks in too: the \
        question isn't whether somebody is there, but whether the caller is.
        """),
    Mistake(
      "remembers the thread that is inside", .file("OwnerThread.swift"),
      breaks: ["may call it", "`isCurrent` is true on the queue"],
      rejectedBy: ["it knows whether its caller runs on it", "work on its queue may call sync"],
      advice: """
        Only what came through sync is remembered, not what was put on the queue by async or by \
        another queue: mark the queue, and ask it.
        """),
    Mistake(
      "never forgets a thread",
      .edits([
        Edit(
          "    if isCurrent {",
          "    if isCurrent || Thread.current.threadDictionary[name] != nil {"),
        Edit("import Dispatch\n", "import Foundation\n"),
        Edit(
          wait,
          """
              return try queue.sync {
                Thread.current.threadDictionary[name] = true
                return try body()
              }

          """),
        Edit(ownKey, "\(ownKey)  private var name: String { \"\\(ObjectIdentifier(self))\" }\n"),
      ]),
      breaks: ["nowhere else, whatever another queue is called", "Everybody else is blocked"],
      rejectedBy: ["whoever has left waits like everybody else"],
      advice: """
        A thread that was on the queue once is taken for one that is there now: forget it when the \
        body has returned, or better, ask the queue.
        """),
    Mistake(
      "forgets the thread, but not after an error",
      .edits([
        Edit(
          "    if isCurrent {", "    if isCurrent || Thread.current.threadDictionary[name] != nil {"
        ),
        Edit("import Dispatch\n", "import Foundation\n"),
        Edit(
          wait,
          """
              return try queue.sync {
                Thread.current.threadDictionary[name] = true
                let result = try body()
                Thread.current.threadDictionary[name] = nil
                return result
              }

          """),
        Edit(ownKey, "\(ownKey)  private var name: String { \"\\(ObjectIdentifier(self))\" }\n"),
      ]),
      breaks: ["Everybody else is blocked"],
      rejectedBy: ["whoever has left waits like everybody else"],
      advice: "A body that throws leaves too, by another way: clean up in a defer."),
    Mistake(
      "a recursive lock", .file("RecursiveLock.swift"),
      breaks: [
        "The serial queue that everything runs on.",
        "All of that runs in turn with what is given to `sync`",
      ],
      rejectedBy: ["sync waits for what was put on the queue"],
      advice: """
        The lock excludes whoever takes it, and work that is put on the queue doesn't: run the body \
        with queue.sync.
        """),
    Mistake(
      "a concurrent queue",
      .edit("label: label, target", "label: label, attributes: .concurrent, target"),
      breaks: ["Whatever runs on the queue runs alone."],
      rejectedBy: [
        "two callers are never inside at once", "sync waits for what was put on the queue",
      ],
      advice: "A concurrent queue lets all of them in at once; leave out .concurrent."),
    Mistake(
      "barriers on a concurrent queue",
      .edits([
        Edit("label: label, target", "label: label, attributes: .concurrent, target"),
        Edit("queue.sync(execute: body)", "queue.sync(flags: .barrier, execute: body)"),
      ]),
      breaks: [
        "Whatever runs on the queue runs alone.", "The serial queue that everything runs on.",
      ],
      rejectedBy: ["work on its queue runs alone"],
      advice: """
        A barrier makes only itself run alone; what others put on the queue, without a flag, runs \
        side by side: make the queue serial.
        """),
    Mistake(
      "the queue is marked with its owner",
      .edits([
        Edit(look, "DispatchQueue.getSpecific(key: key) === self"),
        Edit(ownKey, "  private let key = DispatchSpecificKey<ReentrantQueue>()\n"),
        Edit("key: key, value: true", "key: key, value: self"),
      ]),
      breaks: ["It goes when nobody keeps it, and so does its queue."],
      rejectedBy: ["it goes when nobody needs it"],
      advice: """
        The queue keeps its mark, the mark keeps the queue, and neither ever goes: mark it with a \
        plain value.
        """),
    Mistake(
      "counts its calls on the side",
      .edits([
        Edit(
          ownKey,
          "\(ownKey)  // Safe: it isn't.\n  private nonisolated(unsafe) var calls = 0\n"),
        Edit("    if isCurrent {", "    calls += 1\n    if isCurrent {"),
      ]),
      breaks: ["Any thread may use it"],
      rejectedBy: ["many threads may use it at once"], verdict: .race,
      advice: """
        What stands before queue.sync runs on every caller's thread at once; whatever you count, \
        count it on the queue.
        """),
    Mistake(
      "the mark outlives the object",
      .edit(
        """

          deinit {
            // The queue may be kept by others and outlive the key; at its address there may be a new one by
            // then, of a queue that this one would be taken for.
            queue.setSpecific(key: key, value: nil)
          }

        """, ""),
      breaks: ["A queue that somebody keeps for longer counts as nobody's."],
      rejectedBy: ["a queue that is kept for longer counts as nobody's"],
      advice: """
        A mark is found by the address of its key, and when the key is gone another one may get that \
        address: take the mark off in deinit.
        """),
    Mistake(
      "marks the target",
      .edits([
        Edit(
          "    queue.setSpecific(key: key, value: true)\n",
          "    marked = target ?? queue\n    marked.setSpecific(key: key, value: true)\n"),
        Edit(
          "    queue.setSpecific(key: key, value: nil)\n",
          "    marked.setSpecific(key: key, value: nil)\n"),
        Edit(ownKey, "\(ownKey)  private let marked: DispatchQueue\n"),
      ]),
      breaks: ["nowhere else, whatever another queue is called"],
      rejectedBy: ["what it targets isn't taken for it"],
      advice: """
        The mark on the target is found by all that runs there, which isn't on your queue: mark your \
        own queue.
        """),
    Mistake(
      "copies the marks of its target", .file("CopiedMarks.swift"),
      breaks: ["directly or through others"],
      rejectedBy: ["a ReentrantQueue that targets it counts as it"],
      advice: """
        A plain queue in between has no marks to copy, and the chain is broken: give each object a \
        key of its own, and getSpecific goes down all the targets.
        """),
    Mistake(
      "takes the thread for the queue", .file("ThreadForQueue.swift"),
      breaks: ["whichever queues the caller has come through"],
      rejectedBy: ["a queue that its caller has gone to isn't taken for it"],
      advice: """
        A thread that goes on to another queue with sync runs there, although it holds its turn here \
        meanwhile: let isCurrent ask the queue that is running.
        """),
    Mistake(
      "ignores its label",
      .edit(makeQueue, "    queue = DispatchQueue(label: \"katas.reentrant\", target: target)\n"),
      breaks: ["What the queue is called, for people"],
      rejectedBy: ["its queue bears its label"],
      advice: "In a crash report all queues have one name then: pass the label on."),
    Mistake(
      "ignores its target", .edit(makeQueue, "    queue = DispatchQueue(label: label)\n"),
      breaks: ["The queue that this one runs its work on, which excludes everything there too"],
      rejectedBy: [
        "a ReentrantQueue that targets it counts as it",
        "its target is taken while somebody is inside",
      ],
      advice: """
        Whoever gives two queues one target wants only one of them to run at a time: pass it on to \
        DispatchQueue.
        """),
    Mistake(
      "one target for all",
      .edits([
        Edit(makeQueue, "    queue = DispatchQueue(label: label, target: target ?? commonQueue)\n"),
        Edit(
          "import Dispatch\n",
          "import Dispatch\n\nprivate let commonQueue = DispatchQueue(label: \"katas.common\")\n"),
      ]),
      breaks: [
        "two that have nothing to do with each other don't wait for each other",
        "nil for one of the system's",
      ],
      rejectedBy: ["one doesn't wait for another"], verdict: .crashed,
      advice: """
        On one serial target everybody waits for everybody, and two that call each other for ever: \
        leave the target out where none was given.
        """),
    Mistake(
      "isCurrent takes a lock",
      .edits([
        Edit(look, "lock.withLock { DispatchQueue.getSpecific(key: key) == true }"),
        Edit(ownKey, "\(ownKey)  private let lock = NSRecursiveLock()\n"),
        Edit("import Dispatch\n", "import Foundation\n"),
        Edit(wait, "    return try queue.sync { try lock.withLock(body) }\n"),
      ]),
      breaks: ["Returns at once."],
      rejectedBy: ["isCurrent doesn't wait"],
      advice: """
        Whoever only asks where it runs waits for a body that somebody else has brought: getSpecific \
        needs no lock.
        """),
    Mistake(
      "wraps the error",
      .edits([
        Edit(
          wait,
          """
              do {
                return try queue.sync(execute: body)
              } catch {
                throw SyncError(cause: error)
              }

          """),
        Edit(
          "import Dispatch\n",
          """
          import Dispatch

          private struct SyncError: Error {
            let cause: any Error
          }

          """),
      ]),
      breaks: ["What `body` throws gets through.", "Rethrows what `body` throws."],
      rejectedBy: ["what the body throws gets through"],
      advice: """
        The caller catches its own error and doesn't find it: throw on what the body has thrown, as \
        it is.
        """),
    Mistake(
      "an error in a nested call ends the process",
      .edit(
        "    if isCurrent { return try body() }\n", "    if isCurrent { return try! body() }\n"),
      breaks: ["What `body` throws gets through.", "Rethrows what `body` throws."],
      rejectedBy: ["what the body throws gets through"], verdict: .crashed,
      advice: "A nested body may throw like any other: write try, and let the error through."),
  ]
}
