extension Kata {
  static let injectingOperation = Kata(
    "InjectingOperation", module: .asyncOperations,
    title: "An adapter that moves a result from one operation into the next",
    difficulty: 3, minutes: 25, needs: ["AsyncOperation", "AsyncSumOperation", "DataPassing"],
    buildsOn: ["AsyncOperation"],
    hints: [
      """
      Draw the three operations in the order in which they must run, and an arrow from each to the \
      one that it waits for. Who, then, calls addDependency on whom? And who keeps whom?
      """,
      """
      In the initialiser: addDependency(source), target.addDependency(self), and a closure that \
      captures the target weakly and will read and inject. main() runs that closure on the queue, \
      unless the adapter was cancelled, and calls finish() behind it in any case. Where there's no \
      outcome, a failure takes its place.
      """,
      """
      init: move = { [weak target] in guard let target else { return }; let missing: any Error = \
      source.isCancelled ? CancellationError() : InjectionError.noOutcome; inject(target, \
      output(source) ?? .failure(missing)) }. main: queue.async { [self] in if !isCancelled { move() \
      }; finish() }.
      """,
    ],
    questions: [
      Question(
        "Why can the adapter read one operation and write the other without a lock?",
        answer: """
          The dependencies put everything in order: the source has finished before the adapter \
          starts, and the target starts after the adapter has finished. Nobody is there at the \
          same time.
          """),
      Question(
        "Why doesn't the adapter keep its target?",
        answer: """
          The target keeps the adapter already, as one of its dependencies. A chain that is never \
          run would keep itself alive.
          """),
      Question(
        "The source has failed. Why is the error handed on, rather than the target left out?",
        answer: """
          A dependency can't be failed, only finished, so the target starts anyway. Without the \
          cause it could only guess why it has nothing to work on.
          """),
    ],
    mistakes: orderMistakes + failureMistakes + queueMistakes,
    rightAnswers: [
      RightAnswer("a mover object and an operation queue", .file("OperationOnQueue.swift")),
      RightAnswer("two closures and a notified work item", .file("TwoClosures.swift")),
    ])

  private static let moving = """
        move = { [weak target] in
          guard let target else { return }
          inject(target, output(source) ?? .failure(Self.error(without: source)))
        }

    """
  private static let dependencies = """
        addDependency(source)
        target.addDependency(self)

    """
  private static let movingInMain = """
          if !isCancelled { move() }
          finish()

    """

  // MARK: - The order

  private static let orderMistakes = [
    Mistake(
      "injects when it is made",
      .edits([
        Edit(dependencies, dependencies + "    move()\n"),
        Edit(movingInMain, "      finish()\n"),
      ]),
      rejectedBy: [
        "it moves the value of the source into the target", "it waits for the source",
        "cancelled before its start, it moves nothing",
      ],
      advice: """
        When the adapter is made the source hasn't worked yet: keep what you need, and read in \
        main().
        """),
    Mistake(
      "reads when it is made",
      .edit(
        moving,
        """
            let outcome = output(source)
            move = { [weak target] in
              guard let target else { return }
              inject(target, outcome ?? .failure(Self.error(without: source)))
            }

        """),
      rejectedBy: [
        "it moves the value of the source into the target", "it waits for the source",
      ],
      advice: "When the adapter is made the source has no outcome yet: call `output` in main()."),
    Mistake(
      "the target comes first",
      .edit(dependencies, "    addDependency(target)\n    source.addDependency(self)\n"),
      rejectedBy: ["it moves the value of the source into the target", "it waits for the source"],
      advice: """
        `a.addDependency(b)` means that a waits for b: the adapter waits for the source, the target \
        for the adapter.
        """),
    Mistake(
      "doesn't wait for the source", .edit(dependencies, "    target.addDependency(self)\n"),
      rejectedBy: ["it waits for the source"],
      advice: "Without a dependency the adapter may run before its source: addDependency(source)."),
    Mistake(
      "the target doesn't wait", .edit(dependencies, "    addDependency(source)\n"),
      rejectedBy: ["it waits for the source", "the target waits for the injection"],
      advice: "The target has to wait for the adapter: target.addDependency(self)."),
    Mistake(
      "the target waits for the source alone",
      .edit(dependencies, "    addDependency(source)\n    target.addDependency(source)\n"),
      rejectedBy: ["the target waits for the injection"],
      advice: """
        Adapter and target then start side by side: the target has to depend on the adapter.
        """),
    Mistake(
      "finishes before it injects",
      .edit(movingInMain, "      finish()\n      if !isCancelled { move() }\n"),
      rejectedBy: ["who hears that it is finished finds the target supplied"],
      advice: "The target starts as soon as finish() announces the end: inject first, finish last."),
    Mistake(
      "finishes when the work is handed over",
      .edits([
        Edit(movingInMain, "      if !isCancelled { move() }\n"),
        Edit(
          "    queue.async { [self] in\n", "    defer { finish() }\n    queue.async { [self] in\n"),
      ]),
      rejectedBy: ["the target waits for the injection"],
      advice: "`async` returns before the block has run: call finish() inside it, behind the move."),
  ]

  // MARK: - Failures

  private static let failureMistakes = [
    Mistake(
      "swallows the failure",
      .edit(
        moving,
        """
            move = { [weak target] in
              guard let target, case .success(let value)? = output(source) else { return }
              inject(target, .success(value))
            }

        """),
      rejectedBy: ["a failure is passed on as it is", "of a cancelled source the target hears"],
      advice: """
        The target starts all the same, with nothing, and can't tell why: inject the failure.
        """),
    Mistake(
      "a failure without its cause",
      .edit(
        "      inject(target, output(source) ?? .failure(Self.error(without: source)))\n",
        """
              let value = try? output(source)?.get()
              inject(target, value.map { .success($0) } ?? .failure(Self.error(without: source)))

        """),
      rejectedBy: ["a failure is passed on as it is"],
      advice: "`try?` throws the cause away: pass on the source's outcome as it is."),
    Mistake(
      "cancels the target on failure",
      .edit(
        "      inject(target, output(source) ?? .failure(Self.error(without: source)))\n",
        """
              switch output(source) {
              case .success(let value)?: inject(target, .success(value))
              default: target.cancel()
              }

        """),
      rejectedBy: ["a failure is passed on as it is"],
      advice: """
        Whether a failure is the end of it, the target decides: inject it, and it may try another \
        way.
        """),
    Mistake(
      "trusts that there is an outcome",
      .edit("output(source) ?? .failure(Self.error(without: source))", "output(source)!"),
      rejectedBy: [
        "of a cancelled source the target hears", "a source without an outcome is another matter",
      ],
      verdict: .crashed,
      advice: "A cancelled source never worked and has no outcome: put a failure in its place."),
    Mistake(
      "never finishes without an outcome",
      .edits([
        Edit("move: @Sendable () -> Void", "move: @Sendable () -> Bool"),
        Edit(
          moving,
          """
              move = { [weak target] in
                guard let target, let outcome = output(source) else { return false }
                inject(target, outcome)
                return true
              }

          """),
        Edit(movingInMain, "      guard !isCancelled, move() else { return }\n      finish()\n"),
      ]),
      rejectedBy: [
        "of a cancelled source the target hears", "a source without an outcome is another matter",
        "cancelled before its queue comes to it, it moves nothing",
      ],
      advice: """
        Every way out has to pass finish(), or the target and its queue wait for ever.
        """),
    Mistake(
      "always noOutcome",
      .edit(
        "source.isCancelled ? CancellationError() : InjectionError.noOutcome",
        "InjectionError.noOutcome"),
      rejectedBy: ["of a cancelled source the target hears"],
      advice: "A cancellation isn't a fault of the source: look at its isCancelled."),
    Mistake(
      "always cancelled",
      .edit(
        "source.isCancelled ? CancellationError() : InjectionError.noOutcome", "CancellationError()"
      ),
      rejectedBy: ["a source without an outcome is another matter"],
      advice: "A source that forgot its outcome has a bug, and wasn't cancelled: tell them apart."),
    Mistake(
      "cancelled counts more than the value",
      .edit(
        "      guard let target else { return }\n",
        """
              guard let target else { return }
              guard !source.isCancelled else {
                return inject(target, .failure(CancellationError()))
              }

        """),
      rejectedBy: ["a source that was cancelled too late has its value moved"],
      advice: """
        isCancelled only says that somebody has asked; the source may have an outcome all the same: \
        look for that first.
        """),
  ]

  // MARK: - Queue, cancellation, memory

  private static let queueMistakes = [
    Mistake(
      "works on the caller",
      .edit(
        "    queue.async { [self] in\n      if !isCancelled { move() }\n      finish()\n    }\n",
        "    move()\n    finish()\n"),
      rejectedBy: ["the target waits for the injection"],
      advice: """
        Both closures belong on the queue that the adapter was given: it may be the main queue.
        """),
    Mistake(
      "waits for its queue", .edit("    queue.async {", "    queue.sync {"),
      rejectedBy: ["main gives its thread back"],
      advice: "`sync` holds the thread until the queue has come to it: use `async` and return."),
    Mistake(
      "moves though it was cancelled", .edit("if !isCancelled { move() }", "move()"),
      rejectedBy: ["cancelled before its queue comes to it, it moves nothing"],
      advice: "Look at isCancelled when the queue has come to it, before you move."),
    Mistake(
      "cancels the target with itself",
      .edits([
        Edit(
          "  private let move:", "  private let stop: @Sendable () -> Void\n  private let move:"),
        Edit(moving, "    stop = { [weak target] in target?.cancel() }\n" + moving),
        Edit(
          "  /// Begins the move.\n",
          """
            public override func cancel() {
              super.cancel()
              stop()
            }

            /// Begins the move.

          """),
      ]),
      rejectedBy: ["cancelled before its queue comes to it, it moves nothing"],
      advice: "The target may have other sources: leave it alone."),
    Mistake(
      "keeps its target",
      .edit(
        "    move = { [weak target] in\n      guard let target else { return }\n", "    move = {\n"),
      rejectedBy: ["a chain that is never run goes away"],
      advice: """
        The target keeps its dependency, the adapter; if that keeps the target, neither ever goes: \
        capture it weakly.
        """),
  ]
}
