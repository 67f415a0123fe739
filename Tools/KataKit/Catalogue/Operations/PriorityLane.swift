extension Kata {
  static let priorityLane = Kata(
    "PriorityLane", module: .operations,
    title: "The most urgent goes first, but never before what it needs",
    difficulty: 2, minutes: 20, needs: ["ThrottledQueue"],
    hints: [
      """
      Two things decide who goes next: who is ready, and who of those is the most urgent. An \
      operation has a property for the one and a method for the other. Which of them must be done \
      before the operation is in its queue?
      """,
      """
      init: a queue that is one wide and suspended. add: a BlockOperation, its queuePriority, its \
      dependencies with addDependency, and then into the queue. For the number: of very high and \
      high the first that isn't above it; below zero, of very low and low the first that isn't below \
      it; normal for the rest.
      """,
      """
      add: let job = BlockOperation(block: work); job.queuePriority = Self.queuePriority(for: \
      priority); for dependency in dependencies { job.addDependency(dependency) }; \
      queue.addOperation(job); return job. queuePriority(for:): if number >= 0 { [.veryHigh, \
      .high].first { $0.rawValue <= number } ?? .normal } else { [.veryLow, .low].first { \
      $0.rawValue >= number } ?? .normal }.
      """,
    ],
    questions: [
      Question(
        "A very urgent job comes after a very unimportant one. When does it run?",
        answer: """
          When the unimportant one has had its turn, and that comes behind everybody more \
          important than *it*: an operation's priority isn't inherited by what it depends on.
          """),
      Question(
        "The order of two jobs matters for a right result. Why isn't a higher priority enough?",
        answer: """
          Priority chooses among those that are ready at the moment when the queue is free. If the \
          urgent one isn't ready then, or the queue is wider, the other one begins. Order that \
          matters is a dependency.
          """),
      Question(
        "Why are the dependencies added before the operation is put in its queue?",
        answer: """
          As soon as it is in the queue it may begin, and a dependency that is added after that \
          holds nobody back.
          """),
    ],
    mistakes: priorityLaneOrders + priorityLaneNumbers + priorityLaneQueues,
    rightAnswers: [
      RightAnswer("a serial queue that chooses", .file("OwnChoice.swift")),
      RightAnswer(
        "a subclass of Operation",
        .edits([
          Edit("let job = BlockOperation(block: work)", "let job = Job(work)"),
          Edit(
            "/// A lane for one job at a time, where the most",
            """
            private final class Job: Operation, @unchecked Sendable {  // Safe: never changes.
              private let work: @Sendable () -> Void

              init(_ work: @escaping @Sendable () -> Void) {
                self.work = work
              }

              override func main() { work() }
            }

            /// A lane for one job at a time, where the most
            """),
        ])),
    ],
    unproven: [
      Unproven("What it is called in the debugger", "for the debugger alone"),
      Unproven("This is Foundation's rule", "tells of Foundation"),
      Unproven("On Linux a `QueuePriority`", "tells of Foundation"),
    ],
    equivalents: [
      Equivalent("left out: queue.name = name", "For the debugger."),
      Equivalent("swapped with the next: queue.name = name", "Neither depends on the other."),
      Equivalent(
        "swapped with the next: queue.maxConcurrentOperationCount = 1",
        "Neither depends on the other."),
      Equivalent(
        "another constant: priority: Int = 0, after dependencies: [Operation] = [], _ work: @escaping @Sendable () -> Void",
        "One counts as normal too."),
      Equivalent("moved by one: if number >= 0 {", "Zero is normal on either way."),
      Equivalent("another constant: if number >= 0 {", "Zero is normal on either way."),
    ])

  // MARK: - Who goes next

  private static let priorityLaneOrders = [
    Mistake(
      "in the order of adding",
      .edit("    job.queuePriority = Self.queuePriority(for: priority)\n", ""),
      breaks: [
        "Of the jobs that are ready the one with the highest priority",
        "where the most urgent of those that are ready goes first",
      ],
      rejectedBy: [
        "the most urgent goes first", "a late one overtakes those that wait",
        "numbers between the cases count in the lane", "once it's ready, the urgent one overtakes",
      ],
      advice: """
        Without a queuePriority all operations are equal, and go in the order of adding: set it.
        """),
    Mistake(
      "priorities until it's opened",
      .edit(
        "    job.queuePriority = Self.queuePriority(for: priority)\n",
        "    if queue.isSuspended { job.queuePriority = Self.queuePriority(for: priority) }\n"),
      breaks: ["The choice is made anew each time the lane is free"],
      rejectedBy: ["a late one overtakes those that wait"],
      advice: "The choice is made each time the lane is free: a late job has a priority too."),
    Mistake(
      "only what's in this lane",
      .edit(
        "for dependency in dependencies { job",
        "for dependency in dependencies where queue.operations.contains(dependency) { job"),
      breaks: ["jobs of this lane, of another one, or whatever operations"],
      rejectedBy: ["a job may come after one in another lane"],
      advice: "Dependencies reach across queues, and to operations in none: add all of them."),
    Mistake(
      "cancelled ones don't count",
      .edit(
        "for dependency in dependencies { job",
        "for dependency in dependencies where !dependency.isCancelled { job"),
      breaks: ["Cancelled ones are finished when they have left their queue."],
      rejectedBy: ["a cancelled one is waited for until it has left"],
      advice: """
        A cancelled operation may still be at work, or wait in its queue: it has finished when it has \
        left.
        """),
    Mistake(
      "quality of service for priority",
      .edit(
        "    job.queuePriority = Self.queuePriority(for: priority)\n",
        """
            if priority > 0 { job.qualityOfService = .userInteractive }
            if priority < 0 { job.qualityOfService = .background }

        """),
      breaks: ["Of the jobs that are ready the one with the highest priority"],
      rejectedBy: ["the most urgent goes first", "a late one overtakes those that wait"],
      advice: """
        The quality of service says how fast a job runs once it has begun; who begins first is up to \
        queuePriority.
        """),
    Mistake(
      "priority for the order of dependents",
      .edit(
        "    for dependency in dependencies { job.addDependency(dependency) }\n",
        """
            let last = dependencies.map(\\.queuePriority.rawValue).min() ?? 8
            if !dependencies.isEmpty { job.queuePriority = Self.queuePriority(for: last - 4) }

        """),
      breaks: ["is a job when everything it comes after has finished"],
      rejectedBy: [
        "once it's ready, the urgent one overtakes", "a job may come after one in another lane",
      ],
      advice: """
        A lower priority only makes it likely that a job comes later, and in another queue not even \
        that: say what it comes after with addDependency.
        """),
    Mistake(
      "dependencies forgotten",
      .edit("    for dependency in dependencies { job.addDependency(dependency) }\n", ""),
      breaks: ["is a job when everything it comes after has finished"],
      rejectedBy: [
        "a dependency goes before any priority", "a job waits for everything it comes after",
        "a job may come after one in another lane",
      ],
      advice: "Priorities order only those that are ready: add the dependencies."),
    Mistake(
      "only the first dependency",
      .edit(
        "for dependency in dependencies { job", "for dependency in dependencies.prefix(1) { job"),
      breaks: ["is a job when everything"],
      rejectedBy: ["a job waits for everything it comes after"],
      advice: "A job is ready when everything it comes after has finished: add all of them."),
    Mistake(
      "only the last dependency",
      .edit(
        "for dependency in dependencies { job", "for dependency in dependencies.suffix(1) { job"),
      breaks: ["is a job when everything"],
      rejectedBy: ["a job waits for everything it comes after"],
      advice: "A job is ready when everything it comes after has finished: add all of them."),
    Mistake(
      "the dependency inherits the priority",
      .edit(
        "    for dependency in dependencies { job.addDependency(dependency) }\n",
        """
            for dependency in dependencies {
              job.addDependency(dependency)
              if dependency.queuePriority.rawValue < job.queuePriority.rawValue {
                dependency.queuePriority = job.queuePriority
              }
            }

        """),
      breaks: ["nobody inherits one"],
      rejectedBy: ["a dependency goes before any priority"],
      advice: """
        That is a good idea and not what was promised: the dependency's owner has said how urgent it \
        is. Leave priorities as they were given.
        """),
    Mistake(
      "the dependent gets the dependency's priority",
      .edit(
        "    for dependency in dependencies { job.addDependency(dependency) }\n",
        """
            for dependency in dependencies {
              job.addDependency(dependency)
              job.queuePriority = dependency.queuePriority
            }

        """),
      breaks: ["nobody inherits one"],
      rejectedBy: ["once it's ready, the urgent one overtakes"],
      advice: "Once it's ready, its own priority counts: leave priorities as they were given."),
    Mistake(
      "the dependency the wrong way round",
      .edit("job.addDependency(dependency) }", "dependency.addDependency(job) }"),
      breaks: ["What has to be finished before it's ready"],
      rejectedBy: [
        "a dependency goes before any priority", "once it's ready, the urgent one overtakes",
      ],
      advice: "`a.addDependency(b)` reads: a comes after b."),
  ]

  // MARK: - The numbers

  private static let priorityLaneRule = """
        if number >= 0 {
          [.veryHigh, .high].first { $0.rawValue <= number } ?? .normal
        } else {
          [.veryLow, .low].first { $0.rawValue >= number } ?? .normal
        }

    """

  private static let priorityLaneNumbers = [
    Mistake(
      "only the five cases",
      .edit(priorityLaneRule, "    Operation.QueuePriority(rawValue: number) ?? .normal\n"),
      breaks: ["How urgent it is: any number"],
      rejectedBy: [
        "a number between the cases counts as the next one towards normal",
        "numbers between the cases count in the lane",
      ],
      advice: """
        On Linux there is no case for 7 or 100, and the most urgent of all would be normal: go from \
        the number towards 0.
        """),
    Mistake(
      "the nearest case",
      .edit(
        priorityLaneRule,
        """
            let cases: [Operation.QueuePriority] = [.normal, .low, .high, .veryLow, .veryHigh]
            let number = max(-8, min(8, number))
            return cases.min { abs($0.rawValue - number) < abs($1.rawValue - number) } ?? .normal

        """),
      breaks: ["the nearest case on the way from it to `.normal`"],
      rejectedBy: [
        "a number between the cases counts as the next one towards normal",
        "numbers between the cases count in the lane",
      ],
      advice:
        "3 is nearer to high and counts as normal: the way goes towards 0, never away from it."),
    Mistake(
      "always down",
      .edit(
        priorityLaneRule,
        """
            [.veryHigh, .high, .normal, .low].first { $0.rawValue <= number } ?? .veryLow

        """),
      breaks: ["So 3 is normal, 5 and 7 are high, -5 is low"],
      rejectedBy: [
        "a number between the cases counts as the next one towards normal",
        "numbers between the cases count in the lane",
      ],
      advice: "Below zero the way towards normal goes up: -3 is normal, and -5 is low."),
    Mistake(
      "five classes by sign and size",
      .edit(
        priorityLaneRule,
        """
            switch number {
            case 0: .normal
            case 1...4: .high
            case 5...: .veryHigh
            case -4 ... -1: .low
            default: .veryLow
            }

        """),
      breaks: ["So 3 is normal"],
      rejectedBy: [
        "a number between the cases counts as the next one towards normal",
        "numbers between the cases count in the lane",
      ],
      advice: "That goes away from normal: 1 isn't high yet, and 5 isn't very high."),
  ]

  // MARK: - The queue

  private static let priorityLaneQueues = [
    Mistake(
      "as wide as the system likes", .edit("    queue.maxConcurrentOperationCount = 1\n", ""),
      breaks: ["A lane for one job at a time"],
      rejectedBy: ["one job runs at a time, and isn't interrupted"],
      advice: """
        With room for several, the unimportant begin beside the urgent: make the queue one wide.
        """),
    Mistake(
      "open from the beginning", .edit("    queue.isSuspended = true\n", ""),
      breaks: ["Creates a lane that is closed.", "Jobs wait in it until ``open()``."],
      rejectedBy: ["nothing runs before the lane is opened"],
      advice: """
        Whoever is added first begins at once, before anybody more urgent can be added: suspend the \
        queue until it's opened.
        """),
    Mistake(
      "open is a switch", .edit("queue.isSuspended = false", "queue.isSuspended.toggle()"),
      breaks: ["To open it again does nothing.", "and one after the other from then on"],
      rejectedBy: ["opened again, it stays open"],
      advice: "Opened twice, it would be closed: say what it should be, not the opposite."),
    Mistake(
      "cancels what is less urgent",
      .edit(
        "    queue.addOperation(job)\n",
        """
            for other in queue.operations where other.isExecuting {
              if other.queuePriority.rawValue < job.queuePriority.rawValue { other.cancel() }
            }
            queue.addOperation(job)

        """),
      breaks: ["What runs isn't interrupted."],
      rejectedBy: ["one job runs at a time, and isn't interrupted"],
      advice: "What runs is half done, and nobody does the rest: let it end."),
    Mistake(
      "runs it where it's added",
      .edit(
        "    queue.addOperation(job)\n",
        """
            if job.isReady, !queue.isSuspended, queue.operationCount == 0 {
              job.start()
              return job
            }
            queue.addOperation(job)

        """),
      breaks: [
        "on a thread of the lane's", "Everything returns at once.", "Adds a job to the lane.",
      ],
      rejectedBy: ["an open lane runs a job on a thread of its own"], verdict: .hung,
      advice: "Whoever adds a job would have to do it: add it to the queue and return."),
    Mistake(
      "counts its jobs unguarded",
      .edits([
        Edit(
          "    let job = BlockOperation(block: work)\n",
          "    count += 1\n    let job = BlockOperation(block: work)\n    job.name = \"job \\(count)\"\n"
        ),
        Edit(
          "  private let queue = OperationQueue()\n",
          "  private let queue = OperationQueue()\n  private nonisolated(unsafe) var count = 0\n"),
      ]),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["two threads may add at once"], verdict: .race,
      advice: """
        The queue guards itself and nothing of yours: two threads may add at once, so count under a \
        lock.
        """),
    Mistake(
      "open waits",
      .edit(
        "    queue.isSuspended = false\n",
        "    queue.isSuspended = false\n    queue.waitUntilAllOperationsAreFinished()\n"),
      breaks: ["Everything returns at once."],
      rejectedBy: ["one job runs at a time, and isn't interrupted"], verdict: .hung,
      advice: "The jobs run by themselves: let whoever opens the lane go on."),
    Mistake(
      "add waits",
      .edit(
        "    queue.addOperation(job)\n",
        "    queue.addOperations([job], waitUntilFinished: true)\n"),
      breaks: ["Everything returns at once."],
      rejectedBy: ["nothing runs before the lane is opened"], verdict: .hung,
      advice: "The lane may be closed, or busy for long: add the operation and return."),
    Mistake(
      "returns another operation",
      .edit("    return job\n", "    return BlockOperation(block: work)\n"),
      breaks: ["for others to come after it, or to be cancelled"],
      rejectedBy: ["a job that is cancelled is left out, and others don't wait for it"],
      advice: """
        Whoever comes after it waits for an operation that is in no queue and never finishes: return \
        the one that does the work.
        """),
    Mistake(
      "runs what was cancelled",
      .edit(
        "let job = BlockOperation(block: work)",
        "let job = BlockOperation()\n    job.completionBlock = work"),
      breaks: ["it leaves the lane without working"],
      rejectedBy: ["a job that is cancelled is left out, and others don't wait for it"],
      advice: """
        A completion block is called for cancelled operations as well, and after the next one may \
        have begun: the work is the operation's block.
        """),
  ]
}
