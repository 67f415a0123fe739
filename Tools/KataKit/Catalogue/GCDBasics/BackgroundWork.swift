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
      RightAnswer("a suspended queue for each result", .file("SuspendedQueue.swift")),
    ],
    unproven: [Unproven("Chooses the queues.", "Says what the initialiser is for.")])

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
      breaks: ["`run` returns at once", "Returns at once, whatever"],
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
      breaks: ["`run` returns at once"],
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
      breaks: ["Slow work on one queue", "`work` runs once, on the worker."],
      rejectedBy: ["run returns while the work is under way", "the work runs on the worker"],
      advice: """
        work() stands before the block, so the caller calls it; only what's between the braces of \
        worker.async runs on the worker.
        """),
    Mistake(
      "the completion on the worker",
      .edit(deliver, "completion(result)"),
      breaks: [
        "its result delivered on another",
        "then hands its result to `completion` on the callback queue",
      ],
      rejectedBy: ["the completion is called on the callback queue"],
      advice: """
        A block runs on the queue that it was put on, and so does everything it calls: put the call \
        of completion on the callback queue.
        """),
    Mistake(
      "the work on the callback queue",
      .edit(body, "    worker.async { [callback] in callback.async { completion(work()) } }\n"),
      breaks: ["The queue that slow work runs on.", "Runs `work` on the worker"],
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
      breaks: ["The queue that completions are called on"],
      rejectedBy: ["the completion is called on the callback queue"],
      advice: "The caller has chosen the queue that results are delivered on: use callback."),
    Mistake(
      "the work on a global queue",
      .edit("worker.async {", "DispatchQueue.global().async {"),
      breaks: ["Called once, on the worker.", "a serial one does one piece of work after another"],
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
      breaks: ["when the work is done; with its result"],
      rejectedBy: ["the completion waits for the work"],
      advice: """
        Two queues don't wait for each other, so the callback queue looks before the work is done: go \
        there from the worker's block, when you have the result.
        """),
    Mistake(
      "the completion twice",
      .edit(deliver, "\(deliver)\n      completion(result)"),
      breaks: ["Called once, on the callback queue", "`completion` is called once"],
      rejectedBy: [
        "the completion is called on the callback queue", "the completion waits for the work",
      ],
      advice: "Whoever is told twice that a photo is there shows it twice: call completion once."),
    Mistake(
      "the work twice",
      .edit("      let result = work()\n", "      _ = work()\n      let result = work()\n"),
      breaks: ["`work` runs once", "Called once, on the worker."],
      rejectedBy: ["the work runs on the worker"],
      advice: "Slow work is done once: call work() once and keep its result in a constant."),
    Mistake(
      "the worker waits for the callback queue",
      .edit(deliver, "callback.sync { completion(result) }"),
      breaks: ["The worker doesn't wait for it."],
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
      breaks: ["then hands its result to `completion`"],
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
      breaks: ["When it's done, `completion` is called once"],
      rejectedBy: ["a completion doesn't wait for other work"],
      advice: """
        A group tells when everything in it is done, so the first completion waits for the second \
        work: use one group for each piece of work, or none.
        """),
    Mistake(
      "a barrier on the worker",
      .edit("worker.async {", "worker.async(flags: .barrier) {"),
      breaks: ["How much of it runs at once is up to this queue"],
      rejectedBy: ["a concurrent worker does more at once"],
      advice: """
        A barrier runs alone, so a worker that could do eight things at once does one: leave the flag \
        out; on a serial queue it does nothing anyway.
        """),
    Mistake(
      "waits while eight are in line",
      .edits([
        Edit(
          "  private let worker:",
          "  private let places = DispatchSemaphore(value: 8)\n  private let worker:"),
        Edit(
          "worker.async { [callback] in", "places.wait()\n    worker.async { [callback, places] in"),
        Edit(deliver, "\(deliver)\n      places.signal()"),
      ]),
      breaks: ["`run` returns at once", "Returns at once, whatever the two queues are busy with."],
      rejectedBy: ["run returns, however much waits"],
      advice: """
        The ninth caller stands still until somebody else's work is done, on the main thread too: a \
        queue takes as much as it's given.
        """),
    Mistake(
      "does nothing once nobody keeps it",
      .edits([
        Edit("public struct BackgroundWork", "public final class BackgroundWork"),
        Edit(
          body,
          """
              worker.async { [weak self] in
                guard let self else { return }
                let result = work()
                callback.async { completion(result) }
              }

          """),
      ]),
      breaks: ["Nobody has to keep the value that `run` was called on."],
      rejectedBy: ["nobody has to keep it"],
      advice: """
        The screen is closed, and what it had to save isn't saved: let the block capture what it \
        needs, which is the callback queue, and not self.
        """),
    Mistake(
      "the callback queue isn't kept",
      .edits([
        Edit("    worker.async { [callback] in\n", "    worker.async { [weak callback] in\n"),
        Edit(deliver, "callback?.async { completion(result) }"),
      ]),
      breaks: ["Nobody has to keep the value that `run` was called on."],
      rejectedBy: ["nobody has to keep it"],
      advice: """
        A queue goes like any object when nobody keeps it, and the result with it: let the block capture \
        the callback queue strongly.
        """),
    Mistake(
      "on the spot where it's called on the worker",
      .edits([
        Edit(
          "import Dispatch\n",
          "import Dispatch\n\nprivate let here = DispatchSpecificKey<ObjectIdentifier>()\n"),
        Edit(
          body,
          """
              let id = ObjectIdentifier(worker)
              worker.setSpecific(key: here, value: id)
              guard DispatchQueue.getSpecific(key: here) != id else {
                let result = work()
                return callback.async { completion(result) }
              }
              worker.async { [callback] in
                let result = work()
                callback.async { completion(result) }
              }

          """),
      ]),
      breaks: ["`run` returns at once", "a serial one does one piece of work after another"],
      rejectedBy: ["run inside the work gets in line"],
      advice: """
        Work that asks for more work gets it done in its own midst, before what stands in line, and waits \
        for it: async is right from the worker too.
        """),
    Mistake(
      "results in the order of the calls",
      .edits([
        Edit("import Dispatch\n", "import Foundation\n"),
        Edit(
          "/// Slow work on one queue, its result delivered on another.\n",
          """
          private final class InOrder: Sendable {
            // Safe: guarded by `lock`.
            private nonisolated(unsafe) var waiting: [Int: @Sendable () -> Void] = [:]
            private nonisolated(unsafe) var calls = 0  // Safe: as above.
            private nonisolated(unsafe) var delivered = 0  // Safe: as above.
            private let lock = NSLock()

            func number() -> Int {
              lock.withLock {
                calls += 1
                return calls
              }
            }

            func deliver(_ number: Int, _ call: @escaping @Sendable () -> Void) {
              lock.withLock {
                waiting[number] = call
                while let next = waiting.removeValue(forKey: delivered + 1) {
                  delivered += 1
                  next()
                }
              }
            }
          }

          /// Slow work on one queue, its result delivered on another.

          """),
        Edit("  private let worker:", "  private let order = InOrder()\n  private let worker:"),
        Edit(
          body,
          """
              let number = order.number()
              worker.async { [callback, order] in
                let result = work()
                order.deliver(number) { callback.async { completion(result) } }
              }

          """),
      ]),
      breaks: ["Results are handed over in the order in which they are made"],
      rejectedBy: ["of two at once the result that is made first comes first"],
      advice: """
        On a concurrent worker a quick piece of work needn't wait for a slow one: hand each result on when \
        it's there.
        """),
    Mistake(
      "the latest result first",
      .edits([
        Edit("import Dispatch\n", "import Foundation\n"),
        Edit(
          "/// Slow work on one queue, its result delivered on another.\n",
          """
          private final class Stack: Sendable {
            // Safe: guarded by `lock`.
            private nonisolated(unsafe) var calls: [@Sendable () -> Void] = []
            private let lock = NSLock()

            func push(_ call: @escaping @Sendable () -> Void) { lock.withLock { calls.append(call) } }

            func pop() -> @Sendable () -> Void { lock.withLock { calls.removeLast() } }
          }

          /// Slow work on one queue, its result delivered on another.

          """),
        Edit("  private let worker:", "  private let stack = Stack()\n  private let worker:"),
        Edit(
          body,
          """
              worker.async { [callback, stack] in
                let result = work()
                stack.push { completion(result) }
                callback.async { stack.pop()() }
              }

          """),
      ]),
      breaks: ["Results are handed over in the order in which they are made"],
      rejectedBy: ["the worker goes on while the callback queue is busy"],
      advice: """
        Where the callback queue is behind, the last result overtakes the first, and an old photo \
        stays on the screen: put each completion in its line, where the first comes first.
        """),
  ]
}
