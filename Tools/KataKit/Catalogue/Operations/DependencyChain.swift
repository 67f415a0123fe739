extension Kata {
  static let dependencyChain = Kata(
    "DependencyChain", module: .operations,
    title: "Download, decrypt, tilt-shift: one after another over two queues",
    difficulty: 3, minutes: 25, needs: ["PriorityLane", "TiltShiftOperation"],
    hints: [
      """
      Dependencies reach across queues, and an operation that waits for them takes no room in its \
      own. They must be said before it's in its queue. And to take one back on Linux: what could \
      stand between the two, that finishes when you say so?
      """,
      """
      A link: an operation that does nothing, knows its dependency, and is in no queue. Your \
      operation depends on the link. A follower in a private queue depends on the dependency, and \
      opens the link: it adds it to that private queue, the first time only. free finds the link \
      among operation.dependencies and opens it too.
      """,
      """
      private final class Link: Operation, with let dependency and func open(), which under a lock \
      looks whether it's the first time and then calls links.addOperation(self). add: for dependency \
      in dependencies { let link = Link(to: dependency); operation.addDependency(link); let follower \
      = BlockOperation { link.open() }; follower.addDependency(dependency); \
      links.addOperation(follower) }; queue.addOperation(operation). free: for case let link as Link \
      in operation.dependencies where link.dependency === dependency { link.open() }.
      """,
    ],
    questions: [
      Question(
        """
        Download and decryption are in different queues. Who sees to it that one waits for the \
        other?
        """,
        answer: """
          The operations themselves: dependencies belong to operations and not to queues. An \
          operation becomes ready when all it depends on has finished, wherever that was.
          """),
      Question(
        "Why not call `download.waitUntilFinished()` at the beginning of the decryption?",
        answer: """
          It holds a thread and one of the queue's places while it waits. Where the download \
          stands behind it in the same narrow queue, neither ever goes on.
          """),
      Question(
        """
        "Decrypt depends on download" was written the wrong way round. What does one see?
        """,
        answer: """
          Perhaps nothing at all: the decryption runs first, on no data, and the download after \
          it. Dependencies are worth a test that holds the first one and looks for the second.
          """),
    ],
    mistakes: dependencyChainOrders + dependencyChainFrees,
    rightAnswers: [
      RightAnswer("links that end by themselves", .file("FinishedByHand.swift")),
      RightAnswer(
        "opened in a completion block",
        .edit(
          "      let follower = BlockOperation { link.open() }\n",
          "      let follower = Operation()\n      follower.completionBlock = { link.open() }\n")),
    ],
    unproven: [
      Unproven("An operation belongs in one chain", "a demand on the caller"),
      Unproven("Creates a chain.", "there's nothing to see yet"),
      Unproven("it's in no queue yet", "a demand on the caller"),
      Unproven("operation: An operation that was added.", "a demand on the caller"),
    ],
    equivalents: [
      Equivalent(
        "swapped with the next: operation.addDependency(link)", "The follower is in no queue yet."),
      Equivalent("made twice: link.open()", "Open is open."),
    ])

  // MARK: - The order

  private static let dependencyChainLoop = """
        for dependency in dependencies {
          // Not `operation.addDependency(dependency)`: on Linux nobody comes free of that again.
          let link = Link(to: dependency)
          operation.addDependency(link)
          let follower = BlockOperation { link.open() }
          follower.addDependency(dependency)
          links.addOperation(follower)
        }
        // Last: as soon as it's in the queue, it may run.
        queue.addOperation(operation)

    """

  /// All of `free`.
  private static let dependencyChainFree = """
        for case let link as Link in operation.dependencies where link.dependency === dependency {
          link.open()
        }

    """

  private static let dependencyChainOrders = [
    Mistake(
      "the dependency the wrong way round",
      .edit(
        dependencyChainLoop,
        """
            for dependency in dependencies { dependency.addDependency(operation) }
            queue.addOperation(operation)

        """),
      breaks: ["Runs operations one after another"],
      rejectedBy: [
        "each step begins when the one before it has finished",
        "the order of adding doesn't matter",
        "it waits for all that it comes after",
      ],
      advice: "`a.addDependency(b)` reads: a comes after b."),
    Mistake(
      "in its queue when it's ready", .file("EnqueuedWhenReady.swift"),
      breaks: ["It's in that queue when this returns"],
      rejectedBy: ["it is in its queue when add has returned"],
      advice: """
        Until then its queue doesn't know of it: whoever cancels all that's in there, or waits for the \
        end of it, misses this one. Add it at once, with its dependencies.
        """),
    Mistake(
      "in a queue of the chain's",
      .edit("    queue.addOperation(operation)\n", "    links.addOperation(operation)\n"),
      breaks: [
        "The queue that is to run it.", "Adds an operation to a queue, which starts it",
        "It's in that queue when this returns",
      ],
      rejectedBy: [
        "freed, it waits for room in its queue", "it is in its queue when add has returned",
      ],
      advice: "The caller has chosen a queue for it, with its width and its pauses: add it to that."
    ),
    Mistake(
      "cancelled ones don't count",
      .edit(
        "    for dependency in dependencies {\n      // Not",
        "    for dependency in dependencies where !dependency.isCancelled {\n      // Not"),
      breaks: ["One that was cancelled counts as finished when it has left its queue."],
      rejectedBy: ["a cancelled one is waited for until it has left"],
      advice: """
        A cancelled operation may still be at work, or wait in its queue: it has finished when it has \
        left.
        """),
    Mistake(
      "waits inside an operation",
      .edit(
        dependencyChainLoop,
        """
            queue.addOperation {
              for dependency in dependencies { dependency.waitUntilFinished() }
              operation.start()
            }

        """),
      breaks: ["Nobody waits in person", "**The order of adding doesn't matter**"],
      rejectedBy: ["the order of adding doesn't matter"],
      advice: """
        An operation that waits holds a thread and its queue's room, and the one that it waits for \
        may need both: let the queue wait, with a dependency.
        """),
    Mistake(
      "a thread that waits",
      .edit(
        """
              let follower = BlockOperation { link.open() }
              follower.addDependency(dependency)
              links.addOperation(follower)

        """,
        """
              Thread.detachNewThread {
                dependency.waitUntilFinished()
                link.open()
              }

        """),
      breaks: ["Nobody waits in person"],
      rejectedBy: ["many in line hold no threads"],
      advice: """
        That keeps the order at the cost of a thread for everybody who waits: let an operation \
        depend on the dependency and open the link.
        """),
    Mistake(
      "opened in the dependency's completion block",
      .edit(
        """
              let follower = BlockOperation { link.open() }
              follower.addDependency(dependency)
              links.addOperation(follower)

        """,
        """
              let before = dependency.completionBlock
              dependency.completionBlock = {
                before?()
                link.open()
              }
              if dependency.isFinished { link.open() }

        """),
      breaks: ["Completion blocks are left to the caller"],
      rejectedBy: ["the completion block is left to the caller"],
      advice: """
        There is one completion block, and whoever sets it next has taken yours away: let an operation \
        of your own depend on the dependency.
        """),
    Mistake(
      "links on the main thread",
      .edit(
        """
        private let links: OperationQueue = {
          let queue = OperationQueue()
          queue.name = "katas.operations.dependency-chain"
          return queue
        }()

        """, "private let links = OperationQueue.main\n"),
      breaks: [
        "An operation begins when everything it comes after has finished",
        "and when its own queue has room",
      ],
      rejectedBy: ["a busy main thread holds nobody up"],
      advice: """
        Whatever the main thread is busy with, everybody waits for it; and if it waits for one of them, \
        for ever. Links need a queue of their own.
        """),
    Mistake(
      "dependencies after enqueueing",
      .edits([
        Edit(
          "    // Last: as soon as it's in the queue, it may run.\n    queue.addOperation(operation)\n",
          ""),
        Edit(
          "    for dependency in dependencies {\n      // Not",
          "    queue.addOperation(operation)\n    for dependency in dependencies {\n      // Not"),
      ]),
      breaks: ["What has to be finished before it begins."],
      rejectedBy: ["it depends on others before it is in its queue"],
      advice: """
        The queue may start it before the next line: add its dependencies first, and it to the queue \
        last.
        """),
    Mistake(
      "add waits",
      .edit(
        dependencyChainLoop,
        """
            for dependency in dependencies { dependency.waitUntilFinished() }
            queue.addOperation(operation)

        """),
      breaks: ["everything returns at once"],
      rejectedBy: ["each step begins when the one before it has finished"], verdict: .hung,
      advice: "Whoever adds a step may be the main thread: add the dependency, and return."),
    Mistake(
      "a one-wide queue for the order",
      .edit(
        dependencyChainLoop,
        "    queue.maxConcurrentOperationCount = 1\n    queue.addOperation(operation)\n"),
      breaks: ["An operation begins when everything it comes after has finished"],
      rejectedBy: [
        "each step begins when the one before it has finished",
        "the order of adding doesn't matter",
      ],
      advice: """
        A one-wide queue keeps its own in the order of adding, and knows nothing of another queue: \
        use dependencies.
        """),
    Mistake(
      "only within its queue",
      .edit(
        "    for dependency in dependencies {\n      // Not",
        """
            for dependency in dependencies where queue.operations.contains(dependency) {
              // Not
        """),
      breaks: ["whatever queues those are in"],
      rejectedBy: [
        "each step begins when the one before it has finished",
        "the order of adding doesn't matter",
      ],
      advice: """
        Dependencies reach across queues, and to operations that are in none yet: add all of them.
        """),
    Mistake(
      "only the first dependency",
      .edit(
        "    for dependency in dependencies {\n      // Not",
        "    for dependency in dependencies.prefix(1) {\n      // Not"),
      breaks: ["An operation begins when everything"],
      rejectedBy: ["it waits for all that it comes after"],
      advice: "It may begin when everything it comes after has finished: add all of them."),
    Mistake(
      "only the last dependency",
      .edit(
        "    for dependency in dependencies {\n      // Not",
        "    for dependency in dependencies.suffix(1) {\n      // Not"),
      breaks: ["An operation begins when everything"],
      rejectedBy: ["it waits for all that it comes after"],
      advice: "It may begin when everything it comes after has finished: add all of them."),
    Mistake(
      "links that nobody opens",
      .edit(
        """
              let follower = BlockOperation { link.open() }
              follower.addDependency(dependency)
              links.addOperation(follower)

        """, ""),
      breaks: ["or that have long finished"],
      rejectedBy: [
        "each step begins when the one before it has finished",
        "what has finished before holds nobody up",
      ],
      advice: """
        An operation that is in no queue never finishes, and whatever depends on it waits for ever: \
        somebody has to open the link when the dependency has finished.
        """),
  ]

  // MARK: - Free

  private static let dependencyChainFrees = [
    Mistake(
      "removes the dependency",
      .edits([
        Edit(
          dependencyChainLoop,
          """
              for dependency in dependencies { operation.addDependency(dependency) }
              queue.addOperation(operation)

          """),
        Edit(dependencyChainFree, "    operation.removeDependency(dependency)\n"),
      ]),
      breaks: ["Lets an operation begin though one that it comes after hasn't finished."],
      rejectedBy: [
        "freed, it begins though the one before it hasn't finished",
        "freed from one that never comes, it begins", "freed from one, it waits for the others",
      ],
      advice: """
        On Linux an operation that has lost a dependency so is never ready again: put an operation \
        in between, which finishes when you say so.
        """),
    Mistake(
      "free does nothing", .edit(dependencyChainFree, ""),
      breaks: ["Lets an operation begin though", "What it no longer waits for."],
      rejectedBy: [
        "freed, it begins though the one before it hasn't finished",
        "freed from one that never comes, it begins",
      ],
      advice: "Open what stands between the two."),
    Mistake(
      "cancels the dependency", .edit(dependencyChainFree, "    dependency.cancel()\n"),
      breaks: ["The one that it waited for isn't concerned"],
      rejectedBy: [
        "freed, it begins though the one before it hasn't finished",
        "freed from one that never comes, it begins",
      ],
      advice: """
        Others may need what it does, and as long as it runs nobody is freed by that: open what \
        stands between the two.
        """),
    Mistake(
      "cancels the operation", .edit(dependencyChainFree, "    operation.cancel()\n"),
      breaks: ["Lets an operation begin though"],
      rejectedBy: [
        "freed, it begins though the one before it hasn't finished",
        "freed from one that never comes, it begins",
      ],
      advice: """
        It leaves its queue then, without doing its work: open what stands between the two.
        """),
    Mistake(
      "starts it by hand", .edit(dependencyChainFree, "    operation.start()\n"),
      breaks: ["It still waits for the others, and for room in its queue."],
      rejectedBy: [
        "freed, it waits for room in its queue", "freed from one, it waits for the others",
      ], verdict: .crashed,
      advice: """
        The queue doesn't know of it, and would start it once more: see to it that it's ready, and \
        leave the start to its queue.
        """),
    Mistake(
      "opens the first link alone",
      .edit("      link.open()\n    }\n  }\n}\n", "      return link.open()\n    }\n  }\n}\n"),
      breaks: ["One that's named twice counts once."],
      rejectedBy: ["freed from one that was named twice, it begins"],
      advice: "Where a dependency was named twice, there are two links: open all that stand for it."
    ),
    Mistake(
      "free opens it each time",
      .edits([
        Edit("      link.open()\n    }\n  }\n}\n", "      link.openAgain()\n    }\n  }\n}\n"),
        Edit(
          "  /// Lets through whoever waits at this link;",
          """
            func openAgain() {
              lock.withLock { isOpen = true }
              links.addOperation(self)
            }

            /// Lets through whoever waits at this link;
          """),
      ]),
      breaks: ["Nothing happens where `operation` doesn't wait for `dependency`."],
      rejectedBy: ["freed again, it runs once"], verdict: .crashed,
      advice: """
        Whoever frees it a second time adds the link to a queue a second time, which ends the process: \
        the first time counts, whoever comes.
        """),
    Mistake(
      "opened without protection",
      .edit(
        """
            let isFirst = lock.withLock {
              defer { isOpen = true }
              return !isOpen
            }

        """,
        "    let isFirst = !isOpen\n    isOpen = true\n"),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["two threads may free it at once"], verdict: .race,
      advice: """
        Two threads may both find that it isn't open yet, and add it to a queue twice: look and remember \
        under one lock.
        """),
    Mistake(
      "frees it from all",
      .edit(
        dependencyChainFree,
        """
            for case let link as Link in operation.dependencies { link.open() }

        """),
      breaks: ["It still waits for the others"],
      rejectedBy: ["freed from one, it waits for the others"],
      advice: "Only one of its dependencies was meant: look at what the link stands for."),
    Mistake(
      "one link for all",
      .edits([
        Edit(
          "      let link = Link(to: dependency)\n",
          "      let link = Link.shared(to: dependency)\n"),
        Edit(
          "  init(to dependency: Operation) {",
          """
            // Safe: guarded by `sharedLock`.
            private nonisolated(unsafe) static var shared: [ObjectIdentifier: Link] = [:]
            private static let sharedLock = NSLock()

            static func shared(to dependency: Operation) -> Link {
              sharedLock.withLock {
                let link = shared[ObjectIdentifier(dependency)] ?? Link(to: dependency)
                shared[ObjectIdentifier(dependency)] = link
                return link
              }
            }

            init(to dependency: Operation) {
          """),
      ]),
      breaks: ["whoever else comes after that goes on waiting"],
      rejectedBy: ["who wasn't freed goes on waiting"],
      advice: """
        Opened for one, it lets through everybody else who waits for the same: each pair has a link \
        of its own.
        """),
    Mistake(
      "opened twice", .edit("    if isFirst { links", "    _ = isFirst\n    do { links"),
      breaks: ["Lets an operation begin though"],
      rejectedBy: ["freed, it begins though the one before it hasn't finished"], verdict: .crashed,
      advice: """
        It is opened when it's freed, and again when the dependency has finished; an operation that \
        is added to a queue twice ends the process. The first time counts.
        """),
  ]
}
