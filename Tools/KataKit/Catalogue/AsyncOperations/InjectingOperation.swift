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
      output(source) ?? .failure(missing)) }. main: queue.async { [self] in if !isCancelled { \
      move() }; finish() }.
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
    ],
    unproven: [
      Unproven("Whoever runs the chain keeps the target", "asked of the caller"),
      Unproven("What a source ends with", "what a type is for"),
      Unproven("To be called before either operation", "asked of the caller"),
      Unproven("To be called by `start()` alone.", "asked of the caller"),
    ],
    equivalents: [
      Equivalent("swapped with the next: addDependency(source)", "Neither is in a queue yet."),
      Equivalent(
        "swapped with the next: self.queue = queue",
        "Nobody has the object before its initialiser ends."),
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
      breaks: [
        "so it reads when the source has finished",
        "Begins the move.",
        "Gives an outcome to the target.",
      ],
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
      breaks: [
        "Reads the outcome of the finished source",
        "so it reads when the source has finished",
      ],
      rejectedBy: [
        "it moves the value of the source into the target", "it waits for the source",
      ],
      advice: "When the adapter is made the source has no outcome yet: call `output` in main()."),
    Mistake(
      "the target comes first",
      .edit(dependencies, "    addDependency(target)\n    source.addDependency(self)\n"),
      breaks: [
        "source: The operation that comes first.",
        "target: The operation that comes next.",
      ],
      rejectedBy: ["it moves the value of the source into the target", "it waits for the source"],
      advice: """
        `a.addDependency(b)` means that a waits for b: the adapter waits for the source, the \
        target for the adapter.
        """),
    Mistake(
      "doesn't wait for the source", .edit(dependencies, "    target.addDependency(self)\n"),
      breaks: ["source: The operation that comes first.", "sets the two dependencies"],
      rejectedBy: ["it waits for the source"],
      advice: "Without a dependency the adapter may run before its source: addDependency(source)."),
    Mistake(
      "the target doesn't wait", .edit(dependencies, "    addDependency(source)\n"),
      breaks: ["target: The operation that comes next.", "sets the two dependencies"],
      rejectedBy: ["it waits for the source", "the target waits for the injection"],
      advice: "The target has to wait for the adapter: target.addDependency(self)."),
    Mistake(
      "the target waits for the source alone",
      .edit(dependencies, "    addDependency(source)\n    target.addDependency(source)\n"),
      breaks: ["injects before the target starts", "that may be in different queues"],
      rejectedBy: ["the target waits for the injection"],
      advice: """
        Adapter and target then start side by side: the target has to depend on the adapter.
        """),
    Mistake(
      "finishes before it injects",
      .edit(movingInMain, "      finish()\n      if !isCancelled { move() }\n"),
      breaks: ["their properties need no lock for it"],
      rejectedBy: ["who hears that it is finished finds the target supplied"],
      advice: "The target starts as soon as finish() announces the end: inject first, finish last."),
    Mistake(
      "finishes when the work is handed over",
      .edits([
        Edit(movingInMain, "      if !isCancelled { move() }\n"),
        Edit(
          "    queue.async { [self] in\n", "    defer { finish() }\n    queue.async { [self] in\n"),
      ]),
      breaks: ["injects before the target starts"],
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
      breaks: [
        "An operation that moves the outcome", "are passed on like values",
        "Gives an outcome to the target.",
      ],
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
      breaks: ["the target gets the source's own error"],
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
      breaks: ["are passed on like values", "The adapter never cancels the others."],
      rejectedBy: ["a failure is passed on as it is"],
      advice: """
        Whether a failure is the end of it, the target decides: inject it, and it may try another \
        way.
        """),
    Mistake(
      "trusts that there is an outcome",
      .edit("output(source) ?? .failure(Self.error(without: source))", "output(source)!"),
      breaks: ["nil where it has none"],
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
      breaks: ["Either way the target starts"],
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
      breaks: [
        "it gets a `CancellationError` if that was cancelled",
        "without having been cancelled.",
      ],
      rejectedBy: ["of a cancelled source the target hears"],
      advice: "A cancellation isn't a fault of the source: look at its isCancelled."),
    Mistake(
      "always cancelled",
      .edit(
        "source.isCancelled ? CancellationError() : InjectionError.noOutcome", "CancellationError()"
      ),
      breaks: [
        "otherwise `InjectionError.noOutcome`",
        "Why an adapter had nothing to move.",
      ],
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
      breaks: ["An outcome counts, whether its source was cancelled"],
      rejectedBy: ["a source that was cancelled too late has its value moved"],
      advice: """
        isCancelled only says that somebody has asked; the source may have an outcome all the \
        same: look for that first.
        """),
  ]

  // MARK: - Queue, cancellation, memory

  private static let queueMistakes = [
    Mistake(
      "works on the caller",
      .edit(
        "    queue.async { [self] in\n      if !isCancelled { move() }\n      finish()\n    }\n",
        "    move()\n    finish()\n"),
      breaks: ["Where `output` and `inject` are called."],
      rejectedBy: ["the target waits for the injection"],
      advice: """
        Both closures belong on the queue that the adapter was given: it may be the main queue.
        """),
    Mistake(
      "reads before its queue comes to it",
      .edits([
        Edit("move: @Sendable () -> Void", "move: @Sendable () -> @Sendable () -> Void"),
        Edit(
          moving,
          """
              move = { [weak target] in
                let outcome = output(source) ?? .failure(Self.error(without: source))
                return { [weak target] in
                  if let target { inject(target, outcome) }
                }
              }

          """),
        Edit("    queue.async {", "    let inject = move()\n    queue.async {"),
        Edit("if !isCancelled { move() }", "if !isCancelled { inject() }"),
      ]),
      breaks: ["Both closures are called once", "Where `output` and `inject` are called."],
      rejectedBy: ["the target waits for the injection"],
      advice: "`output` belongs on the queue as well: the source may be of the main thread alone."),
    Mistake(
      "passes by its queue",
      .edit(
        "    queue.async { [self] in\n      if !isCancelled { move() }\n      finish()\n    }\n",
        """
            queue.async { [self] in
              DispatchQueue.global().async { [self] in
                if !isCancelled { move() }
                finish()
              }
            }

        """),
      breaks: ["Both closures are called once", "Where `output` and `inject` are called."],
      rejectedBy: ["both closures are called once, on its queue"],
      advice: "Waiting for the queue isn't being on it: call both closures in the block itself."),
    Mistake(
      "reads twice",
      .edit(
        "      inject(target, output(source) ?? .failure(Self.error(without: source)))\n",
        """
              if let outcome = output(source) {
                inject(target, output(source) ?? outcome)
              } else {
                inject(target, .failure(Self.error(without: source)))
              }

        """),
      breaks: ["Both closures are called once"],
      rejectedBy: ["both closures are called once, on its queue"],
      advice:
        "`output` may do a lot, or give its value away: call it once and keep what it returns."),
    Mistake(
      "never finishes without a target",
      .edits([
        Edit("move: @Sendable () -> Void", "move: @Sendable () -> Bool"),
        Edit(
          moving,
          moving.replacing("else { return }", with: "else { return false }").replacing(
            "source)))\n", with: "source)))\n      return true\n")),
        Edit(movingInMain, "      if !isCancelled, !move() { return }\n      finish()\n"),
      ]),
      breaks: ["Where the target has gone, the adapter finishes all the same."],
      rejectedBy: ["it finishes where its target has gone"],
      advice: """
        Nobody waits for the outcome, but the adapter's queue waits for the adapter: every way out \
        has to pass finish().
        """),
    Mistake(
      "waits for its queue", .edit("    queue.async {", "    queue.sync {"),
      breaks: ["no thread waits for it meanwhile"],
      rejectedBy: ["main gives its thread back"],
      advice: "`sync` holds the thread until the queue has come to it: use `async` and return."),
    Mistake(
      "moves though it was cancelled", .edit("if !isCancelled { move() }", "move()"),
      breaks: ["before `queue` has come to it moves nothing"],
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
      breaks: ["The adapter never cancels the others."],
      rejectedBy: ["cancelled before its queue comes to it, it moves nothing"],
      advice: "The target may have other sources: leave it alone."),
    Mistake(
      "cancels the source with itself",
      .edits([
        Edit(
          "  private let move:", "  private let stop: @Sendable () -> Void\n  private let move:"),
        Edit(moving, "    stop = { source.cancel() }\n" + moving),
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
      breaks: ["The adapter never cancels the others."],
      rejectedBy: ["cancelled, its target waits for nobody"],
      advice: "Others may wait for the source as well: leave it alone."),
    Mistake(
      "the target waits for both",
      .edit(dependencies, dependencies + "    target.addDependency(source)\n"),
      breaks: ["so its target may start at once, with what it has"],
      rejectedBy: ["cancelled, its target waits for nobody"],
      advice: """
        The adapter waits for the source already; with a second dependency the target waits for it \
        even where the adapter was cancelled.
        """),
    Mistake(
      "keeps its target while it waits",
      .edits([
        Edit("move: @Sendable () -> Void", "move: @Sendable () -> (@Sendable () -> Void)?"),
        Edit(
          "      inject(target, output(source) ?? .failure(Self.error(without: source)))\n",
          "      return { inject(target, output(source) ?? .failure(Self.error(without: source))) }\n"
        ),
        Edit("guard let target else { return }", "guard let target else { return nil }"),
        Edit(
          "    queue.async { [self] in\n", "    let move = move()\n    queue.async { [self] in\n"),
        Edit("{ move() }", "{ move?() }"),
      ]),
      breaks: ["It isn't kept."],
      rejectedBy: ["its target may go while it waits for its queue"],
      advice: """
        The block in the queue keeps what it has captured for as long as it waits: look for the target \
        when its turn has come.
        """),
    Mistake(
      "a cancelled target gets nothing",
      .edit("guard let target else", "guard let target, !target.isCancelled else"),
      breaks: ["Both closures are called once"],
      rejectedBy: ["a cancelled target is given its outcome as well"],
      advice: """
        Whether it still wants its input is the target's affair; only an adapter that is cancelled itself \
        moves nothing.
        """),
    Mistake(
      "cancelled counts more than the error",
      .edit(
        "inject(target, output(source) ?? .failure(Self.error(without: source)))",
        """
        let outcome = output(source) ?? .failure(Self.error(without: source))
              if case .failure = outcome, source.isCancelled {
                inject(target, .failure(CancellationError()))
              } else {
                inject(target, outcome)
              }
        """),
      breaks: ["An outcome counts, whether its source was cancelled or"],
      rejectedBy: ["a source that was cancelled too late has its failure moved"],
      advice: """
        What the source says itself tells more than that somebody cancelled it: look at isCancelled only \
        where there's no outcome.
        """),
    Mistake(
      "keeps its target",
      .edit(
        "    move = { [weak target] in\n      guard let target else { return }\n", "    move = {\n"),
      breaks: ["so the adapter doesn't keep the target", "It isn't kept."],
      rejectedBy: ["a chain that is never run goes away"],
      advice: """
        The target keeps its dependency, the adapter; if that keeps the target, neither ever goes: \
        capture it weakly.
        """),
  ]
}
