extension Kata {
  static let backgroundWork = Kata(
    "BackgroundWork", module: .gcdBasics,
    title: "Slow work away from the caller, its result where it's wanted",
    difficulty: 1, minutes: 5,
    hints: [
      """
      Three parts have to happen one after another: get to the worker, do the work there, get to the \
      callback queue with the result. Only the first of them is for the caller to do.
      """,
      """
      queue.async { … } puts a block on a queue and returns at once. The block may do the same with \
      another queue, and takes along what it needs: the result.
      """,
      """
      worker.async { let result = work(); callback.async { completion(result) } }
      """,
    ],
    questions: [
      Question(
        """
        How many threads wait between the call of `run` and the call of `completion`, and for \
        whom?
        """,
        answer: """
          None. The caller returns as soon as its block is in line, and the worker is free again \
          as soon as it has put the result in line for the callback queue.
          """),
      Question(
        """
        The callback queue is busy with something slow. What becomes of the next piece of work on \
        a serial worker?
        """,
        answer: """
          It runs when the one before it has been computed: `callback.async` only puts the \
          completion in line. With `callback.sync` a slow screen would hold up all the work behind \
          it.
          """),
      Question(
        """
        Somebody passes one serial queue as both worker and callback queue. What does `run` do \
        then, and what would it do with an inner `sync`?
        """,
        answer: """
          With `async` the completion runs after the work, behind whatever has got in line \
          meanwhile. With `sync` the queue would wait for itself: a deadlock, which Dispatch \
          answers with a trap.
          """),
    ],
    mistakes: backgroundWorkMistakes,
    rightAnswers: [
      RightAnswer("a work item that notifies", .file("WorkItem.swift")),
      RightAnswer("a group for each piece of work", .file("OwnGroup.swift")),
      RightAnswer("two operations", .file("OperationPair.swift")),
    ])

  // MARK: - Mistakes

  private static let body = """
        worker.async { [callback] in
          let result = work()
          callback.async { completion(result) }
        }

    """
  private static let deliver = "callback.async { completion(result) }"

  /// A place for a result between two blocks.
  private static let box = """
    import Dispatch

    private final class Box<Value>: @unchecked Sendable {  // Safe: it isn't.
      var value: Value?
    }

    """

  private static let backgroundWorkMistakes = [
    Mistake(
      "sync on the worker",
      .edit("worker.async {", "worker.sync {"),
      rejectedBy: ["run returns while the work is under way"],
      advice: """
        sync runs the block on the worker and holds the caller until it has run; async only puts it \
        in line.
        """),
    Mistake(
      "waits for the worker",
      .edits([
        Edit("import Dispatch\n", box),
        Edit(
          body,
          """
              let group = DispatchGroup()
              let box = Box<Result>()
              worker.async(group: group) { box.value = work() }
              group.wait()
              callback.async { box.value.map(completion) }

          """),
      ]),
      rejectedBy: ["run returns while the work is under way"],
      advice: """
        Work that somebody stands and waits for isn't in the background: let the worker's block hand \
        on the result, and return.
        """),
    Mistake(
      "the work on the caller",
      .edit(
        "    worker.async { [callback] in\n      let result = work()\n",
        "    let result = work()\n    worker.async { [callback] in\n"),
      rejectedBy: ["run returns while the work is under way", "the work runs on the worker"],
      advice: """
        work() stands before the block, so the caller calls it; only what's between the braces of \
        worker.async runs on the worker.
        """),
    Mistake(
      "the completion on the worker",
      .edit(deliver, "completion(result)"),
      rejectedBy: ["the completion is called on the callback queue"],
      advice: """
        A block runs on the queue that it was put on, and so does everything it calls: put the call \
        of completion on the callback queue.
        """),
    Mistake(
      "the work on the callback queue",
      .edit(body, "    worker.async { [callback] in callback.async { completion(work()) } }\n"),
      rejectedBy: [
        "the work runs on the worker", "the worker goes on while the callback queue is busy",
      ],
      advice: """
        The worker only passes the work on, and the callback queue, often the main queue, does it: \
        call work() before you go there.
        """),
    Mistake(
      "the completion on the main queue",
      .edit(deliver, "DispatchQueue.main.async { completion(result) }"),
      rejectedBy: ["the completion is called on the callback queue"],
      advice: "The caller has chosen the queue that results are delivered on: use callback."),
    Mistake(
      "the work on a global queue",
      .edit("worker.async {", "DispatchQueue.global().async {"),
      rejectedBy: ["the work runs on the worker"],
      advice: """
        The caller has chosen a worker, perhaps a serial one, so that one thing is done after another: \
        use it.
        """),
    Mistake(
      "the completion before the result",
      .edits([
        Edit("import Dispatch\n", box),
        Edit(
          body,
          """
              let box = Box<Result>()
              worker.async { box.value = work() }
              callback.async { box.value.map(completion) }

          """),
      ]),
      rejectedBy: ["the completion waits for the work"],
      advice: """
        Two queues don't wait for each other, so the callback queue looks before the work is done: go \
        there from the worker's block, when you have the result.
        """),
    Mistake(
      "the completion twice",
      .edit(deliver, "\(deliver)\n      completion(result)"),
      rejectedBy: [
        "the completion is called on the callback queue", "the completion waits for the work",
      ],
      advice: "Whoever is told twice that a photo is there shows it twice: call completion once."),
    Mistake(
      "the work twice",
      .edit("      let result = work()\n", "      _ = work()\n      let result = work()\n"),
      rejectedBy: ["the work runs on the worker"],
      advice: "Slow work is done once: call work() once and keep its result in a constant."),
    Mistake(
      "the worker waits for the callback queue",
      .edit(deliver, "callback.sync { completion(result) }"),
      rejectedBy: ["the worker goes on while the callback queue is busy"],
      advice: """
        sync holds the worker until the completion has run, and for ever where the callback queue \
        waits for the worker in turn: hand the result on with async.
        """),
    Mistake(
      "all results in one place",
      .edits([
        Edit("import Dispatch\n", box),
        Edit("  private let worker:", "  private let latest = Box<Any>()\n  private let worker:"),
        Edit(
          body,
          """
              worker.async { [callback, latest] in
                latest.value = work()
                callback.async { if let result = latest.value as? Result { completion(result) } }
              }

          """),
      ]),
      rejectedBy: ["the worker goes on while the callback queue is busy"],
      advice: """
        The second work overwrites the first result before its completion has run: let each block \
        keep its own.
        """),
    Mistake(
      "one group for all",
      .edits([
        Edit("import Dispatch\n", box),
        Edit(
          "  private let worker:", "  private let group = DispatchGroup()\n  private let worker:"),
        Edit(
          body,
          """
              let box = Box<Result>()
              worker.async(group: group) { box.value = work() }
              group.notify(queue: callback) { box.value.map(completion) }

          """),
      ]),
      rejectedBy: ["a completion doesn't wait for other work"],
      advice: """
        A group tells when everything in it is done, so the first completion waits for the second \
        work: use one group for each piece of work, or none.
        """),
  ]
}
