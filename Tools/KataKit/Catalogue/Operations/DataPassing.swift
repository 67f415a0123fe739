extension Kata {
  static let dataPassing = Kata(
    "DataPassing", module: .operations,
    title: "Hand a picture from one operation to the next",
    difficulty: 2, minutes: 25, needs: ["TiltShiftOperation"],
    hints: [
      """
      By the time main() is called, everything that the operation depends on has finished, in one way \
      or another. Which of them has a picture, and what may have become of it?
      """,
      """
      A picture that was given wins. Otherwise take from dependencies all that are ImageProvider: none \
      and several are errors. The one provider has a result, to be passed on as it is if it's a failure, \
      or nil: then it was cancelled, or has nothing. Result { try filter(input()) } catches whatever is \
      thrown.
      """,
      """
      let providers = dependencies.compactMap { $0 as? any ImageProvider }; guard let provider = \
      providers.first else { throw .noProvider }; guard providers.count == 1 else { throw \
      .severalProviders(providers.count) }; if let result = provider.imageResult { return try \
      result.get() }; throw provider.isCancelled ? .providerWasCancelled(name) : \
      .providerHasNothing(name). And main(): let result = Result { … }; guard !isCancelled else { \
      return }; lock.withLock { finished = result }.
      """,
    ],
    questions: [
      Question(
        "Why does the operation look for its picture in `main()` and not in `init`?",
        answer: """
          Dependencies may be added and removed until it runs, and before they have finished none \
          of them has a picture.
          """),
      Question(
        "The provider was cancelled. What does the filter operation do, and what does it find?",
        answer: """
          It runs, since a cancelled provider finishes like any other, and finds nil. That has to \
          become an error of its own; a forced unwrap would make it a crash.
          """),
      Question(
        "Why does it look for a protocol rather than for a class, or for the first dependency?",
        answer: """
          Any operation may provide a picture, and some dependencies are there only for the order. \
          And if two provide one, nobody knows which is meant: that is an error too, not the first \
          of the two.
          """),
    ],
    mistakes: sourceMistakes + nothingMistakes + resultMistakes,
    rightAnswers: [
      RightAnswer("notes its providers as they come and go", .file("NotesItsProviders.swift")),
      RightAnswer(
        "a mutex around the result",
        .edits([
          Edit("import Images\n", "import Images\nimport Synchronization\n"),
          Edit(
            "  private var finished: Result<RGBImage, any Error>?\n  private let lock = NSLock()\n",
            "  private let finished = Mutex<Result<RGBImage, any Error>?>(nil)\n"),
          Edit("lock.withLock { finished }", "finished.withLock { $0 }"),
          Edit("lock.withLock { finished = result }", "finished.withLock { $0 = result }"),
        ])),
    ],
    unproven: [
      Unproven("An operation that has a picture for those", "says what a provider is"),
      Unproven("Why an operation has no picture to work on.", "says what the errors are"),
      Unproven("Makes a picture of a picture.", "says what a filter is"),
      Unproven("filter: Makes the picture.", "says what a filter is"),
      Unproven("Called by `start()`, never where", "`start()` of Foundation keeps it"),
    ],
    equivalents: [
      Equivalent(
        "swapped with the next: if let given { return given }",
        "Nobody sees the dependencies being looked through."),
      Equivalent(
        "swapped with the next: if let result = provider.imageResult { return try result.get() }",
        "A name may be read sooner."),
    ])

  // MARK: - Pieces of the reference

  private static let explicit = "    if let given { return given }\n"
  private static let all =
    "    let providers = dependencies.compactMap { $0 as? any ImageProvider }\n"
  private static let one = """
        guard let provider = providers.first else { throw ImageInputError.noProvider }
        guard providers.count == 1 else { throw ImageInputError.severalProviders(providers.count) }

    """
  private static let ask = "    if let result = provider.imageResult { return try result.get() }\n"
  private static let make = "    let result = Result { try filter(input()) }\n"
  private static let look = "    guard !isCancelled else { return }\n"
  private static let keep = "    lock.withLock { finished = result }\n"
  private static let mainDoc = "  /// Finds the picture and filters it.\n"

  // MARK: - Where the picture comes from

  private static let sourceMistakes = [
    Mistake(
      "the first dependency, of any type",
      .edit(
        all, "    let providers = dependencies.prefix(1).compactMap { $0 as? any ImageProvider }\n"),
      breaks: ["among however many others"],
      rejectedBy: [
        "it finds its provider among other dependencies",
        "two providers are an error, and no guess",
      ],
      advice: "An operation may depend on many, for many reasons: look for the one that provides."),
    Mistake(
      "goes by its own class",
      .edit(all, "    let providers = dependencies.compactMap { $0 as? ImageFilterOperation }\n"),
      breaks: [
        "of whatever class",
        "An operation that filters the picture of the operation that it depends on.",
        "the picture finds its way by itself", "nil for that of the operation that it depends on",
      ],
      rejectedBy: ["it filters the picture of the provider that it depends on"],
      advice: """
        The picture may come from a download or a camera, of a class that's written next year: ask for \
        the protocol.
        """),
    Mistake(
      "forces what it finds",
      .edits([
        Edit(all, "    let provider = dependencies.first! as! any ImageProvider\n"), Edit(one, ""),
      ]),
      breaks: [
        "among however many others",
        "It was given none, and nothing that it depends on provides one.",
      ],
      rejectedBy: [
        "it finds its provider among other dependencies", "without a provider there is an error",
      ], verdict: .crashed,
      advice: """
        Dependencies are wired up elsewhere, and sometimes wrongly: an error says so, a trap takes the \
        whole app down.
        """),
    Mistake(
      "forces the result",
      .edit(ask, "    if Bool(true) { return try provider.imageResult!.get() }\n"),
      breaks: [
        "The provider of this name has finished with neither a picture nor a reason.",
        "The provider of this name was cancelled before it had a picture.",
      ],
      rejectedBy: [
        "a cancelled provider is an error, and no hang", "a provider that has nothing is an error",
      ], verdict: .crashed,
      advice:
        "A provider that was cancelled has finished without a result: nil is a case like others."),
    Mistake(
      "reads when a dependency is added",
      .edits([
        Edit(
          mainDoc,
          """
            private var early: (any ImageProvider, Result<RGBImage, any Error>?)?

            public override func addDependency(_ operation: Operation) {
              super.addDependency(operation)
              if let provider = operation as? any ImageProvider {
                early = (provider, provider.imageResult)
              }
            }


          """ + mainDoc),
        Edit(all, "    let providers = early.map { [$0.0] } ?? []\n"),
        Edit(ask, "    if let result = early?.1 { return try result.get() }\n"),
      ]),
      breaks: [
        "It's looked for when the operation runs", "asks for it when the operation has finished",
      ],
      rejectedBy: ["it filters the picture of the provider that it depends on"],
      advice: """
        When a dependency is added nothing has run yet, so there is no picture: ask when main() is \
        called.
        """),
    Mistake(
      "never forgets a dependency",
      .edits([
        Edit(
          mainDoc,
          """
            private var known: [any ImageProvider] = []

            public override func addDependency(_ operation: Operation) {
              super.addDependency(operation)
              if let provider = operation as? any ImageProvider { known.append(provider) }
            }


          """ + mainDoc),
        Edit(all, "    let providers = known\n"),
      ]),
      breaks: ["until then dependencies may come and go"],
      rejectedBy: ["it looks for its provider when it runs"],
      advice: "A dependency may be taken away again: look at `dependencies` when you need them."),
    Mistake(
      "the dependency wins",
      .edits([
        Edit(explicit, ""),
        Edit(one, "    if providers.isEmpty, let given { return given }\n" + one),
      ]),
      breaks: ["One that was given to `init` wins"],
      rejectedBy: ["a picture that was given wins"],
      advice: "Whoever gives a picture means that one; the dependency may be there for the order."),
    Mistake(
      "what was given is for emergencies",
      .edits([
        Edit(explicit, ""),
        Edit(
          ask,
          """
              if let image = try? provider.imageResult?.get() { return image }
              if let given { return given }

          """ + ask),
        Edit(one, "    if providers.isEmpty, let given { return given }\n" + one),
      ]),
      breaks: ["One that was given to `init` wins"],
      rejectedBy: ["a picture that was given wins"],
      advice: "A picture that was given isn't a stand-in for another one: use it before you look."),
    Mistake(
      "asks all the same",
      .edit(
        explicit,
        "    _ = dependencies.map { ($0 as? any ImageProvider)?.imageResult }\n" + explicit),
      breaks: ["and then nobody is asked"],
      rejectedBy: ["a picture that was given wins"],
      advice: """
        A provider may make its picture only when it's asked, or wait: where a picture was given, ask \
        nobody.
        """),
    Mistake(
      "looks further back",
      .edit(
        all,
        """
            var providers = dependencies.compactMap { $0 as? any ImageProvider }
            if providers.isEmpty {
              var further: [any ImageProvider] = []
              for operation in dependencies.flatMap(\\.dependencies) {
                guard let provider = operation as? any ImageProvider else { continue }
                if !further.contains(where: { $0 === provider }) { further.append(provider) }
              }
              providers = further
            }

        """),
      breaks: ["what those depend on themselves doesn't count"],
      rejectedBy: ["without a provider there is an error"],
      advice: """
        Whoever comes after a save that comes after a download needn't want that picture: only its own \
        dependencies count.
        """),
    Mistake(
      "the first of several",
      .edit(
        one, "    guard let provider = providers.first else { throw ImageInputError.noProvider }\n"),
      breaks: ["Nobody can tell which picture is meant"],
      rejectedBy: ["two providers are an error, and no guess"],
      advice: """
        Which of two dependencies was added first is an accident: say that you can't know which is \
        meant.
        """),
    Mistake(
      "the first that has a picture",
      .edit(
        one,
        """
            let best = providers.first { (try? $0.imageResult?.get()) != nil } ?? providers.first
            guard let provider = best else { throw ImageInputError.noProvider }

        """),
      breaks: ["Nobody can tell which picture is meant"],
      rejectedBy: ["two providers are an error, and no guess"],
      advice: """
        Then it depends on what failed which picture is used, and nobody notices: with two providers \
        say that you can't know.
        """),
  ]

  // MARK: - Where there is no picture

  private static let nothingMistakes = [
    Mistake(
      "no result where there is no picture",
      .edit(
        make,
        "    guard let image = try? input() else { return }\n    let result = Result { try filter(image) }\n"
      ),
      breaks: ["finishes with the reason as its own"],
      rejectedBy: [
        "a failure is passed on with its cause", "a cancelled provider is an error, and no hang",
        "without a provider there is an error",
      ],
      advice: "The next in the chain finds nothing and no reason: keep the error as the result."),
    Mistake(
      "cancels itself instead",
      .edit(
        make,
        """
            let result = Result { try filter(input()) }
            if case .failure = result { cancel() }

        """),
      breaks: ["finishes with the reason as its own", "What it throws becomes the result."],
      rejectedBy: [
        "a failure is passed on with its cause", "without a provider there is an error",
        "a filter that fails is a failure",
      ],
      advice: "Cancelled is what people do to an operation; a failure has a cause, and tells it."),
    Mistake(
      "swallows the cause",
      .edit(ask, "    if let image = try? provider.imageResult?.get() { return image }\n"),
      breaks: ["A provider's error is passed on as it is"],
      rejectedBy: ["a failure is passed on with its cause"],
      advice: """
        The error that the provider had is what people need to know: `try result.get()` passes it on.
        """),
    Mistake(
      "takes a cancelled provider for none",
      .edit(
        "    throw provider.isCancelled\n",
        "    if provider.isCancelled { throw ImageInputError.noProvider }\n    throw provider.isCancelled\n"
      ),
      breaks: [
        "The provider of this name was cancelled",
        "and is told ``ImageInputError/providerWasCancelled",
      ],
      rejectedBy: ["a cancelled provider is an error, and no hang"],
      advice:
        "There is one, and it was cancelled: say so, or somebody looks for a missing dependency."),
    Mistake(
      "asks whether it was cancelled first",
      .edit(
        ask,
        """
            if provider.isCancelled {
              throw ImageInputError.providerWasCancelled(provider.name ?? "")
            }

        """ + ask),
      breaks: ["was cancelled before it had a picture"],
      rejectedBy: ["a picture of a cancelled provider is a picture"],
      advice: """
        A cancel that comes when the work is done takes no picture away: ask for the result first.
        """),
    Mistake(
      "no name for the nameless",
      .edit("provider.name ?? \"\\(type(of: provider))\"", "provider.name ?? \"\""),
      breaks: ["A provider without a name goes by its type."],
      rejectedBy: ["a provider without a name goes by its type"],
      advice: "Most operations have no name, and \"\" tells nobody where to look: say the type."),
    Mistake(
      "always two",
      .edit("severalProviders(providers.count)", "severalProviders(2)"),
      breaks: ["so many of those that it depends on provide one"],
      rejectedBy: ["the error says how many providers there are"],
      advice: "There may be three: whoever reads it wants to know how many to look for."),
    Mistake(
      "cancelled, whatever it was",
      .edit(
        """
            throw provider.isCancelled
              ? ImageInputError.providerWasCancelled(name) : ImageInputError.providerHasNothing(name)

        """,
        "    throw ImageInputError.providerWasCancelled(name)\n"),
      breaks: ["has finished with neither a picture nor a reason"],
      rejectedBy: ["a provider that has nothing is an error"],
      advice: "Nobody has cancelled it, and somebody looks for who did: ask it first."),
    Mistake(
      "an empty picture instead",
      .edit(
        "else { throw ImageInputError.noProvider }",
        "else { return RGBImage(rows: [[RGB(grey: 0)]]) }"),
      breaks: ["the filter isn't called", "It was given none"],
      rejectedBy: ["without a provider there is an error"],
      advice:
        "A black pixel travels through all filters and is saved in the end: fail, and say why."),
    Mistake(
      "isn't ready without a picture",
      .edit(
        mainDoc,
        """
          public override var isReady: Bool {
            let providers = dependencies.compactMap { $0 as? any ImageProvider }
            return super.isReady && providers.allSatisfy { (try? $0.imageResult?.get()) != nil }
          }


        """ + mainDoc),
      breaks: ["Nothing waits for a picture that won't come.", "runs all the same"],
      rejectedBy: [
        "a failure is passed on with its cause", "a cancelled provider is an error, and no hang",
        "a provider that has nothing is an error",
      ],
      advice: """
        A picture that failed never comes, and the operation stays in its queue for ever: readiness \
        is Foundation's affair; run, and fail.
        """),
    Mistake(
      "waits for the picture",
      .edit(
        ask,
        """
            let arrived = NSCondition()
            arrived.lock()
            while provider.imageResult == nil { arrived.wait() }
            arrived.unlock()

        """ + ask),
      breaks: ["Nothing waits for a picture that won't come."],
      rejectedBy: ["a cancelled provider is an error, and no hang"],
      advice: """
        The provider has finished: what isn't there now never comes, and the wait holds a thread for \
        ever.
        """),
  ]

  // MARK: - The result

  private static let resultMistakes = [
    Mistake(
      "keeps what nobody wants any more", .edit(look, ""),
      breaks: [
        "Cancelled before it's done, it has no result.",
        "nil until that is known, and for ever where it was cancelled first",
      ],
      rejectedBy: ["cancelled in its filter, it has no result"],
      advice: "A cancel may come while the filter works: look once more before you keep the result."
    ),
    Mistake(
      "an error is kept in any case",
      .edit(look, "    if isCancelled, case .success = result { return }\n"),
      breaks: [
        "Cancelled before it's done, it has no result.",
        "nil until it is done, and for ever where it was",
      ],
      rejectedBy: ["cancelled in its filter, it has no result"],
      advice: """
        Whoever was cancelled has neither a picture nor an error: the next one has to hear that it was \
        cancelled.
        """),
    Mistake(
      "takes the filter's cancellation for its own",
      .edit(
        look,
        look + "    if case .failure(let error) = result, error is CancellationError { return }\n"),
      breaks: ["What it throws becomes the result.", "finishes with the reason as its own"],
      rejectedBy: ["a cancellation that isn't its own is a failure"],
      advice: """
        A filter may give up something of its own, and this operation goes on: only isCancelled tells \
        whether it was cancelled; every error is kept.
        """),
    Mistake(
      "takes a provider's CancellationError for a cancel",
      .edit(
        ask,
        """
            if let result = provider.imageResult {
              do {
                return try result.get()
              } catch is CancellationError {
                throw ImageInputError.providerWasCancelled(provider.name ?? "")
              }
            }

        """),
      breaks: ["A provider's error is passed on as it is"],
      rejectedBy: ["a cancellation that isn't its own is a failure"],
      advice: """
        The provider has run and has told its reason: pass that on, and ask isCancelled only where \
        there is no result.
        """),
    Mistake(
      "drops its result in cancel",
      .edit(
        mainDoc,
        """
          public override func cancel() {
            super.cancel()
            lock.withLock { finished = nil }
          }


        """ + mainDoc),
      breaks: ["A cancel that comes later changes nothing."],
      rejectedBy: ["cancelled when it's done, it keeps its result"],
      advice: """
        A cancel that comes too late takes nothing away: leave cancel() as it is, and let main() look at \
        isCancelled.
        """),
    Mistake(
      "tries it again",
      .edit(
        make,
        """
            let image = Result { try input() }
            let once = Result { try filter(image.get()) }
            let result: Result<RGBImage, any Error>
            if case (.success(let image), .failure) = (image, once) {
              result = Result { try filter(image) }
            } else {
              result = once
            }

        """),
      breaks: ["Creates an operation that will call `filter` once"],
      rejectedBy: ["a filter that fails is a failure"],
      advice: "What failed once mostly fails twice, and takes its time twice: call the filter once."
    ),
    Mistake(
      "a thread of its own for the filter",
      .edit(
        make,
        """
            let isDone = DispatchSemaphore(value: 0)
            nonisolated(unsafe) var result = Result<RGBImage, any Error>.failure(CancellationError())
            Thread.detachNewThread { [self] in
              result = Result { try filter(input()) }
              isDone.signal()
            }
            isDone.wait()

        """),
      breaks: ["on the thread that it runs on"],
      rejectedBy: ["the filter is called on the thread that runs it"],
      advice: "One thread works and another one waits for it: call the filter where main() runs."),
    Mistake(
      "start in place of main",
      .edit("  public override func main() {\n", "  public override func start() {\n"),
      breaks: ["Finds the picture and filters it.", "The filtered picture, or why there is none"],
      rejectedBy: ["it filters the picture that it was given"],
      advice: """
        The inherited start() keeps the operation's state and calls main(); overridden, it never \
        finishes.
        """),
    Mistake(
      "work in init",
      .edits([
        Edit(
          "    self.filter = filter\n",
          """
              self.filter = filter
              super.init()
              if let input { finished = Result { try filter(input) } }

          """),
        Edit(make, "    guard given == nil else { return }\n" + make),
      ]),
      breaks: ["nil until it is done", "It's looked for when"],
      rejectedBy: [
        "there is no result before it is done", "cancelled before its start, it filters nothing",
      ],
      advice: "Who makes an operation mustn't pay for its work: filter in main(), on the queue."),
    Mistake(
      "lock held while it filters",
      .edit(
        make + look + keep,
        """
            lock.withLock {
              let result = Result { try filter(input()) }
              guard !isCancelled else { return }
              finished = result
            }

        """),
      breaks: ["also while the filter is at work; doesn't wait"],
      rejectedBy: ["there is no result before it is done"], verdict: .hung,
      advice: "Whoever reads the result waits for the filter then: take the lock only to keep it."),
    Mistake(
      "lock held while it asks",
      .edit(
        make,
        """
            let image = lock.withLock { Result { try input() } }
            let result = Result { try filter(image.get()) }

        """),
      breaks: ["doesn't wait"],
      rejectedBy: ["its result may be read while it asks"], verdict: .hung,
      advice: """
        A provider is somebody else's code, and may wait for whoever reads your result: ask without \
        the lock.
        """),
    Mistake(
      "result unguarded",
      .edits([
        Edit("lock.withLock { finished }", "finished"),
        Edit(keep, "    finished = result\n"),
      ]),
      breaks: ["Safe to read from every thread", "from any thread"],
      rejectedBy: ["the result may be read while it is kept"], verdict: .race,
      advice: """
        Dependents read it when it's there, but a person's thread may read it at any time: put a lock \
        around both.
        """),
  ]
}
