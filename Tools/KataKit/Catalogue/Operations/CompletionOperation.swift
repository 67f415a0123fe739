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
      rejectedBy: ["what was added after it was made counts"],
      advice: """
        Between making and activating it the work is added: look into the queues when it's activated.
        """),
    Mistake(
      "only those that execute",
      .edit(
        "queues.flatMap(\\.operations) {",
        "queues.flatMap(\\.operations) where operation.isExecuting {"),
      rejectedBy: ["it is told when all have finished"],
      advice: "What waits for its turn is work to be done as well: depend on all of them."),
    Mistake(
      "only those that are ready",
      .edit(
        "queues.flatMap(\\.operations) {", "queues.flatMap(\\.operations) where operation.isReady {"
      ),
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
      rejectedBy: ["cancelled ones count when they have left"],
      advice: "A cancelled operation may still run, and finishes when it has looked: wait for that."
    ),
    Mistake(
      "only the first queue",
      .edit("queues.flatMap(\\.operations) {", "queues.prefix(1).flatMap(\\.operations) {"),
      rejectedBy: ["all of several queues are waited for"],
      advice: "The work may be in several queues: take the operations of all of them."),
    Mistake(
      "nothing to tell of an empty queue",
      .edit(
        completionOperationDepend,
        completionOperationDepend + "    guard !gate.dependencies.isEmpty else { return }\n"),
      rejectedBy: ["of an empty queue it is told at once"],
      advice: "Who waits for the completion waits for ever: an empty queue is done, so say so."),
    Mistake(
      "activates itself",
      .edit(
        "    self.completion = completion\n",
        "    self.completion = completion\n    super.init()\n    activate()\n"),
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
      rejectedBy: ["whoever empties the queue doesn't silence it"],
      advice: """
        Whoever cancels everything in that queue cancels the completion too: put it into a queue of \
        its own.
        """),
    Mistake(
      "in no queue", .edit(completionOperationAdd, ""),
      rejectedBy: ["it is told when all have finished", "it is told once, of many"],
      advice: "An operation that is in no queue is never started: add it to one of its own."),
    Mistake(
      "started by hand", .edit(completionOperationAdd, "    start()\n"),
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
      rejectedBy: [
        "who depends on it begins when all have finished", "cancelled itself, it calls nobody",
      ],
      advice: """
        Whoever depends on this operation waits for ever, and whoever cancels it stops nothing: it \
        is the one that has to wait.
        """),
    Mistake(
      "on any thread", .edit("callbackQueue.async(execute: completion)", "completion()"),
      rejectedBy: ["it is told when all have finished"],
      advice: "The caller has chosen a queue for it: call the completion there."),
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
      rejectedBy: ["cancelled itself, it calls nobody"],
      advice: """
        A completion block is called for a cancelled operation as well: tell it in main().
        """),
    Mistake(
      "activated as often as one likes",
      .edit("    guard isFirst else { return }\n", "    _ = isFirst\n"),
      rejectedBy: ["activated again, it does nothing"], verdict: .crashed,
      advice: "An operation can be in one queue, once: remember that it was activated."),
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
      rejectedBy: ["two threads may activate it at once"], verdict: .race,
      advice: """
        Two threads may both find that it isn't activated yet, and add it twice: look and remember \
        under one lock.
        """),
  ]
}
