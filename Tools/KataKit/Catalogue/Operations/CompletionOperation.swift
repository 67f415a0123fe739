extension Kata {
  static let completionOperation = Kata(
    "CompletionOperation", module: .operations,
    title: "All done, without a thread that waits",
    difficulty: 2, minutes: 20, needs: ["DependencyChain"],
    hints: [
      """
      An operation with dependencies begins when the last of them has finished, and waits for that \
      without a thread. On whom should this one depend, and at what moment do you look?
      """,
      """
      activate(): the first time only, under a lock; addDependency for each operation that is in \
      the queues now; then add self to a private queue that is nobody else's. main(): call the \
      completion on its queue. Leave the operations' completion blocks alone.
      """,
      """
      activate: let isFirst = lock.withLock { defer { isActivated = true }; return !isActivated }; \
      guard isFirst else { return }; for operation in queues.flatMap(\\.operations) { \
      addDependency(operation) }; completions.addOperation(self). main: callbackQueue.async(execute: \
      completion). And a private global let completions = OperationQueue().
      """,
    ],
    questions: [
      Question(
        "`waitUntilAllOperationsAreFinished()` says the same in one line. What does it cost?",
        answer: """
          The thread that calls it, for as long as it takes; on the main thread that is a frozen \
          app, and in an operation of the same queue it never ends. Depending holds no thread.
          """),
      Question(
        "Why does the completion live in a queue of its own?",
        answer: """
          In one of those it watches, it would be cancelled, suspended or kept waiting for a place \
          together with what it waits for.
          """),
      Question(
        "What would a barrier block of the queue do differently?",
        answer: """
          It knows one queue alone, and whatever is added later waits for it. Here several queues \
          count, and what is added later is neither waited for nor held up.
          """),
    ],
    mistakes: completionOperationWaits + completionOperationSnapshots + completionOperationQueues,
    rightAnswers: [
      RightAnswer("a follower each, and a group", .file("GroupOfFollowers.swift")),
      RightAnswer(
        "without a gate",
        .edits([
          Edit("    let gate = BlockOperation { withExtendedLifetime(self) {} }\n", ""),
          Edit(
            "{ gate.addDependency(operation) }\n    addDependency(gate)\n",
            "{ addDependency(operation) }\n"),
          Edit(
            "    completions.addOperations([gate, self], waitUntilFinished: false)\n",
            "    completions.addOperation(self)\n"),
        ])),
      RightAnswer(
        "an atomic flag",
        .edits([
          Edit("import Foundation\n", "import Foundation\nimport Synchronization\n"),
          Edit(
            "  private let lock = NSLock()\n  private var isActivated = false\n",
            "  private let isActivated = Atomic(false)\n"),
          Edit(
            """
                let isFirst = lock.withLock {
                  defer { isActivated = true }
                  return !isActivated
                }

            """,
            "    let isFirst = !isActivated.exchange(true, ordering: .acquiringAndReleasing)\n"),
        ])),
    ],
    unproven: [
      Unproven("Called by `start()`, never where", "`start()` of Foundation keeps it")
    ],
    equivalents: [
      Equivalent(
        #"swapped with the next: for operation in queues.flatMap(\.operations) { gate.addDependency(operation) }"#,
        "Both are done before either is in a queue.")
    ])

  private static let completionOperationDepend =
    "    for operation in queues.flatMap(\\.operations) { gate.addDependency(operation) }\n"
  private static let completionOperationAdd =
    "    completions.addOperations([gate, self], waitUntilFinished: false)\n"

  // MARK: - How it waits

  private static let completionOperationWaits = [
    Mistake(
      "waits until all are finished",
      .edit(
        completionOperationDepend,
        "    for queue in queues { queue.waitUntilAllOperationsAreFinished() }\n"),
      breaks: ["Returns at once."],
      rejectedBy: ["it is told when all have finished"], verdict: .hung,
      advice: """
        Whoever activates it may be the main thread, and the work may need that: let the operation \
        wait, by dependencies.
        """),
    Mistake(
      "a thread waits until all are finished",
      .edits([
        Edit(completionOperationDepend, ""),
        Edit(
          completionOperationAdd,
          """
              Thread.detachNewThread { [self] in
                for queue in queues { queue.waitUntilAllOperationsAreFinished() }
                completions.addOperations([gate, self], waitUntilFinished: false)
              }

          """),
      ]),
      breaks: ["What is added later isn't waited for", "where it holds no thread while it waits"],
      rejectedBy: [
        "what is added later is neither waited for nor held up", "many that wait hold no threads",
      ],
      advice: """
        A queue that is used is never empty, and a thread that waits is a thread too many: depend on \
        the operations that are there now.
        """),
    Mistake(
      "a thread waits for each operation",
      .edits([
        Edit(completionOperationDepend, "    let operations = queues.flatMap(\\.operations)\n"),
        Edit(
          completionOperationAdd,
          """
              Thread.detachNewThread { [self] in
                for operation in operations { operation.waitUntilFinished() }
                completions.addOperations([gate, self], waitUntilFinished: false)
              }

          """),
      ]),
      breaks: ["where it holds no thread while it waits"],
      rejectedBy: ["many that wait hold no threads"],
      advice: """
        That tells the right thing at the cost of a thread that sleeps: an operation waits for its \
        dependencies without one.
        """),
    Mistake(
      "one completion for each operation",
      .edits([
        Edit(
          completionOperationDepend,
          """
              for operation in queues.flatMap(\\.operations) {
                operation.completionBlock = { [callbackQueue, completion] in
                  callbackQueue.async(execute: completion)
                }
              }

          """),
        Edit("    callbackQueue.async(execute: completion)\n  }\n}", "  }\n}"),
      ]),
      breaks: [
        "An operation that tells, once,",
        "Called once when everything that was in the queues has finished.",
      ],
      rejectedBy: [
        "it is told when all have finished", "it is told once, of many",
        "the operations keep their completion blocks",
      ],
      advice: """
        Each of them would say that all is done, and the blocks belong to others: depend on the end \
        of all of them.
        """),
    Mistake(
      "counts by completion blocks",
      .edits([
        Edit(
          completionOperationDepend,
          """
              let group = DispatchGroup()
              for operation in queues.flatMap(\\.operations) {
                group.enter()
                operation.completionBlock = { group.leave() }
              }

          """),
        Edit(
          completionOperationAdd,
          "    group.notify(queue: callbackQueue) { completions.addOperation(gate) }\n    completions.addOperation(self)\n"
        ),
      ]),
      breaks: ["completion blocks of what it waits for aren't touched"],
      rejectedBy: ["the operations keep their completion blocks"],
      advice: """
        The completion block belongs to whoever made the operation: depend on its end instead.
        """),
    Mistake(
      "a barrier",
      .edits([
        Edit(completionOperationDepend, ""),
        Edit(
          completionOperationAdd,
          """
              queues.first?.addBarrierBlock { completions.addOperation(gate) }
              completions.addOperation(self)

          """),
      ]),
      breaks: ["and isn't held up either"],
      rejectedBy: ["what is added later is neither waited for nor held up"],
      advice: """
        A barrier holds up everything that is added behind it: depend on those that are there now.
        """),
  ]

  // MARK: - What it waits for

  private static let completionOperationSnapshots = [
    Mistake(
      "looks when it is made",
      .edits([
        Edit(
          "  private let lock = NSLock()\n",
          "  private let lock = NSLock()\n  private let operations: [Operation]\n"),
        Edit(
          "    self.completion = completion\n",
          "    self.completion = completion\n    operations = queues.flatMap(\\.operations)\n"),
        Edit(
          completionOperationDepend,
          "    for operation in operations { gate.addDependency(operation) }\n"),
      ]),
      breaks: [
        "or will be when ``activate()`` is called",
        "Begins to wait for everything that is in the queues at this moment.",
      ],
      rejectedBy: ["what was added after it was made counts"],
      advice: """
        Between making and activating it the work is added: look into the queues when it's activated.
        """),
    Mistake(
      "only those that execute",
      .edit(
        "queues.flatMap(\\.operations) {",
        "queues.flatMap(\\.operations) where operation.isExecuting {"),
      breaks: ["whether it runs, is ready or waits for something"],
      rejectedBy: ["it is told when all have finished"],
      advice: "What waits for its turn is work to be done as well: depend on all of them."),
    Mistake(
      "only those that are ready",
      .edit(
        "queues.flatMap(\\.operations) {", "queues.flatMap(\\.operations) where operation.isReady {"
      ),
      breaks: ["whether it runs, is ready or waits for something"],
      rejectedBy: ["it is told when all have finished"],
      advice: """
        What waits for a dependency isn't ready and has to be done all the same: depend on all of \
        them.
        """),
    Mistake(
      "not those that are cancelled",
      .edit(
        "queues.flatMap(\\.operations) {",
        "queues.flatMap(\\.operations) where !operation.isCancelled {"),
      breaks: ["count when they have left their queue, like all others"],
      rejectedBy: ["cancelled ones count when they have left"],
      advice: "A cancelled operation may still run, and finishes when it has looked: wait for that."
    ),
    Mistake(
      "only the last one",
      .edit(
        completionOperationDepend,
        "    for queue in queues { queue.operations.last.map(gate.addDependency) }\n"),
      breaks: ["is what is in the queues when ``activate()`` is called"],
      rejectedBy: ["whichever finishes last, it is told then"],
      advice: """
        A queue runs several at once, and the one that was added last may be the first to finish: \
        depend on each.
        """),
    Mistake(
      "only the first queue",
      .edit("queues.flatMap(\\.operations) {", "queues.prefix(1).flatMap(\\.operations) {"),
      breaks: ["Called once when everything that was in the queues has finished."],
      rejectedBy: ["all of several queues are waited for"],
      advice: "The work may be in several queues: take the operations of all of them."),
    Mistake(
      "nothing to tell of an empty queue",
      .edit(
        completionOperationDepend,
        completionOperationDepend + "    guard !gate.dependencies.isEmpty else { return }\n"),
      breaks: ["If nothing is in the queues, the completion is called soon."],
      rejectedBy: ["of an empty queue it is told at once"],
      advice: "Who waits for the completion waits for ever: an empty queue is done, so say so."),
    Mistake(
      "not those in a suspended queue",
      .edit(
        "queues.flatMap(\\.operations) {",
        "queues.filter { !$0.isSuspended }.flatMap(\\.operations) {"),
      breaks: ["Suspended queues let nobody go"],
      rejectedBy: ["a suspended queue lets nobody go"],
      advice: "What is in a suspended queue has to be done as well, later: depend on all of them."),
    Mistake(
      "resumes the queues",
      .edit(
        completionOperationDepend,
        completionOperationDepend + "    for queue in queues { queue.isSuspended = false }\n"),
      breaks: ["waits until they are resumed"],
      rejectedBy: ["a suspended queue lets nobody go"],
      advice: "Whoever has suspended a queue has a reason: wait until they resume it."),
    Mistake(
      "nothing to tell of no queues",
      .edit("    guard isFirst else", "    guard isFirst, !queues.isEmpty else"),
      breaks: ["If nothing is in the queues, the completion is called soon."],
      rejectedBy: ["of no queues it is told at once"],
      advice: "Nothing is in no queues, so all is done: say so, as for an empty queue."),
    Mistake(
      "activates itself",
      .edit(
        "    self.completion = completion\n",
        "    self.completion = completion\n    super.init()\n    activate()\n"),
      breaks: ["Creates an operation that waits for nothing yet."],
      rejectedBy: [
        "before it is activated, nothing is told", "what was added after it was made counts",
      ],
      advice: "Whoever makes it says when all work is in the queues: wait for activate()."),
  ]

  // MARK: - Where it waits, and how often it tells

  private static let completionOperationQueues = [
    Mistake(
      "in the queue itself",
      .edit(
        completionOperationAdd,
        "    queues.first?.addOperations([gate, self], waitUntilFinished: false)\n"),
      breaks: ["It has a queue of its own"],
      rejectedBy: ["whoever empties the queue doesn't silence it"],
      advice: """
        Whoever cancels everything in that queue cancels the completion too: put it into a queue of \
        its own.
        """),
    Mistake(
      "nobody holds it",
      .edits([
        Edit(
          "    let gate = BlockOperation { withExtendedLifetime(self) {} }\n",
          """
              let gate = BlockOperation {}
              gate.completionBlock = { [weak self] in
                if let self { completions.addOperation(self) }
              }

          """),
        Edit("    addDependency(gate)\n", ""),
        Edit(completionOperationAdd, "    completions.addOperation(gate)\n"),
      ]),
      breaks: ["nobody has to hold it"],
      rejectedBy: ["once it is activated, nobody has to hold it"],
      advice: """
        When all have finished nobody is there who could tell it: let the queue or what waits hold it.
        """),
    Mistake(
      "never in a queue when it's cancelled",
      .edit("    guard isFirst else", "    guard isFirst, !isCancelled else"),
      breaks: ["it finishes all the same"],
      rejectedBy: ["cancelled itself, it calls nobody, and finishes"],
      advice: """
        Then it never finishes, and whoever depends on it waits for ever: a queue lets a cancelled \
        operation go at once.
        """),
    Mistake(
      "waits for the callback queue",
      .edit("callbackQueue.async(execute: completion)", "callbackQueue.sync(execute: completion)"),
      breaks: ["It doesn't wait for the callback queue"],
      rejectedBy: ["it doesn't wait for the callback queue"],
      advice: """
        A busy callback queue holds a thread and whoever depends on it: put the completion in line with \
        async.
        """),
    Mistake(
      "in no queue", .edit(completionOperationAdd, ""),
      breaks: ["It has a queue of its own"],
      rejectedBy: ["it is told when all have finished", "it is told once, of many"],
      advice: "An operation that is in no queue is never started: add it to one of its own."),
    Mistake(
      "started by hand", .edit(completionOperationAdd, "    start()\n"),
      breaks: ["Begins to wait for everything"],
      rejectedBy: ["it is told when all have finished"], verdict: .crashed,
      advice: """
        Whoever starts an operation that isn't ready ends the process; a queue waits for its \
        dependencies: add it to one of its own.
        """),
    Mistake(
      "another one in its place",
      .edits([
        Edit("    addDependency(gate)\n", ""),
        Edit(
          completionOperationAdd,
          """
              let follower = BlockOperation { self.main() }
              follower.addDependency(gate)
              completions.addOperations([gate, follower], waitUntilFinished: false)

          """),
      ]),
      breaks: [
        "others may come after it with `addDependency`",
        "nobody is called; it finishes all the same",
      ],
      rejectedBy: [
        "who depends on it begins when all have finished",
        "cancelled itself, it calls nobody, and finishes",
      ],
      advice: """
        Whoever depends on this operation waits for ever, and whoever cancels it stops nothing: it \
        is the one that has to wait.
        """),
    Mistake(
      "on any thread", .edit("callbackQueue.async(execute: completion)", "completion()"),
      breaks: ["The queue that `completion` is called on."],
      rejectedBy: ["it is told when all have finished"],
      advice: "The caller has chosen a queue for it: call the completion there."),
    Mistake(
      "cancel takes back what stands in line",
      .edits([
        Edit(
          "  private var isActivated = false\n",
          """
            private var isActivated = false
            private var isWanted = true

            public override func cancel() {
              super.cancel()
              lock.withLock { isWanted = false }
            }

          """),
        Edit(
          "callbackQueue.async(execute: completion)",
          "callbackQueue.async { if self.lock.withLock({ self.isWanted }) { self.completion() } }"),
      ]),
      breaks: ["A cancel that comes when it has finished changes nothing."],
      rejectedBy: ["cancelled when it has finished, it is told all the same"],
      advice: """
        What depends on it has begun by then, and only who waits for the completion hears nothing: \
        once all have finished it's too late to cancel.
        """),
    Mistake(
      "told in the completion block",
      .edits([
        Edit(
          "    self.completion = completion\n",
          """
              self.completion = completion
              super.init()
              completionBlock = { callbackQueue.async(execute: completion) }

          """),
        Edit("    callbackQueue.async(execute: completion)\n  }\n}", "  }\n}"),
      ]),
      breaks: ["If this operation itself is cancelled before", "Has the completion called."],
      rejectedBy: ["cancelled itself, it calls nobody, and finishes"],
      advice: """
        A completion block is called for a cancelled operation as well: tell it in main().
        """),
    Mistake(
      "activated as often as one likes",
      .edit("    guard isFirst else { return }\n", "    _ = isFirst\n"),
      breaks: ["Called again, it does nothing."],
      rejectedBy: ["activated again, it does nothing"], verdict: .crashed,
      advice: "An operation can be in one queue, once: remember that it was activated."),
    Mistake(
      "remembers only what it waits for",
      .edit(
        "      defer { isActivated = true }\n",
        """
              defer { isActivated = isActivated || queues.contains { $0.operationCount > 0 } }

        """),
      breaks: ["Called again, it does nothing."],
      rejectedBy: ["activated again when it has told, it does nothing"], verdict: .crashed,
      advice: """
        Where nothing was in the queues it was activated all the same, and has finished: remember that \
        it was activated, and not what for.
        """),
    Mistake(
      "remembers without protection",
      .edit(
        """
            let isFirst = lock.withLock {
              defer { isActivated = true }
              return !isActivated
            }

        """,
        "    let isFirst = !isActivated\n    isActivated = true\n"),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["two threads may activate it at once"], verdict: .race,
      advice: """
        Two threads may both find that it isn't activated yet, and add it twice: look and remember \
        under one lock.
        """),
  ]
}
