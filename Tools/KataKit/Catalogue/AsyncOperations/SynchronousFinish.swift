extension Kata {
  static let synchronousFinish = Kata(
    "SynchronousFinish", module: .asyncOperations,
    title: "Work that ends before main has returned",
    difficulty: 3, minutes: 25, needs: ["AsyncOperation"],
    hints: [
      """
      Follow data that is at hand: start() calls main(), main() calls finish(_:), finish(_:) \
      returns, main() returns, and start() goes on. In which state is the operation now, and which \
      does start() give it?
      """,
      """
      Executing comes first, then main(). And so that nothing can overwrite the end, replace the \
      setter by a method that changes from one state to another and refuses where the operation \
      isn't in the first. The data is kept together with the change to finished.
      """,
      """
      start: guard !isCancelled else { change(from: .waiting, to: .finished); return }; guard \
      change(from: .waiting, to: .executing) else { return }; main(). finish: change(from: \
      .executing, to: .finished, keeping: data). change: decide under the lock and note \
      isChanging; will… for both keys; under the lock set loaded and state; did… for both keys.
      """,
    ],
    questions: [
      Question(
        """
        The work ends inside `main()`. In which state does the operation have to be by then, and \
        who has seen to that?
        """,
        answer: """
          In executing: `start()` has to announce it before it calls `main()`. Then `finish` has \
          something to leave, and nothing comes after finished.
          """),
      Question(
        """
        `start()` calls `main()` first and sets executing afterwards. What becomes of work that \
        ends at once?
        """,
        answer: """
          It goes from finished back to executing, and there is nobody left to finish it: it stays \
          in its queue for ever.
          """),
      Question(
        "Why does this mistake live so long in real code?",
        answer: """
          As long as every answer comes later from another thread, the order of the two lines \
          makes no difference. The first hit in a cache, or an error before anything is sent, ends \
          the work inside `main()`.
          """),
    ],
    mistakes: orderMistakes + announcementMistakes + dataMistakes + cancellationMistakes
      + sharingMistakes,
    rightAnswers: [
      RightAnswer("a serial queue and key paths", .file("SerialQueue.swift")),
      RightAnswer("two flags and a semaphore with one place", .file("TwoFlags.swift")),
      RightAnswer("the standard library's mutex", .file("StandardMutex.swift")),
      RightAnswer("an atomic number", .file("AtomicState.swift")),
    ],
    unproven: [
      Unproven("To be called with the data when it's there.", "asked of the caller"),
      Unproven("A queue calls it.", "says who calls, not what the call does"),
      Unproven("Call it by hand only on", "asked of the caller"),
      Unproven("To be called by ``start()`` alone.", "asked of the caller"),
      Unproven("The property that is true in this state", "a private helper, given with the stub"),
    ],
    equivalents: [
      Equivalent(
        "made twice: change(from: .waiting, to: .finished)",
        "The second finds another state, and changes nothing."),
      Equivalent(
        "made twice: change(from: .executing, to: .finished, keeping: data)",
        "The second finds another state, and changes nothing."),
      Equivalent(
        "another constant: guard isMine else { return false }",
        "Nobody asks whether an end was this caller's."),
      Equivalent("swapped with the next: state = new", "Both are done under the lock."),
      Equivalent("swapped with the next: loaded = data", "Both are done under the lock."),
    ],
    elusive: [
      Elusive(
        "the first statement before the section: lock.withLock { …",
        "Whoever reads at that very moment races; Foundation's own question, which takes the lock, orders all others."
      ),
      Elusive(
        "the last statement behind the section: lock.withLock { …",
        "Foundation asks for the state before it tells, which takes the lock; only a look at that very moment is not ordered."
      ),
      Elusive(
        "split before isChanging = false: lock.withLock { …",
        "Whoever comes between the two is refused, and has to be: only a moment later it would not."
      ),
      Elusive(
        "split before state = new: lock.withLock { …",
        "Whoever asks between the two finds what is kept and no end yet."),
    ])

  // MARK: - The order of states

  private static let rightStart =
    "    guard change(from: .waiting, to: .executing) else { return }\n    main()\n"

  private static let orderMistakes = [
    Mistake(
      "the backwards start",
      .edit(rightStart, "    main()\n    change(from: .waiting, to: .executing)\n"),
      breaks: [
        "What is at hand ends the operation at once",
        "whatever `start()` has still to do",
        "at once or later, from any thread",
      ],
      rejectedBy: [
        "data at hand ends it at once", "data that comes before load returns ends it",
        "it executes while it looks and loads", "nothing is called before it executes",
        "its queue lets go of it, and a dependent begins",
      ],
      advice: """
        main() may end the operation before it returns, and "executing" comes after the end: \
        change to executing first, then call main().
        """),
    Mistake(
      "the tutorial's operation", .file("Tutorial.swift"),
      breaks: [
        "It executes before anything of it is called",
        "whatever `start()` has still to do",
      ],
      rejectedBy: [
        "data at hand ends it at once", "data that comes before load returns ends it",
        "it executes while it looks and loads", "its states come in order",
        "cancelled and then started, it ends without looking",
        "cancelled while it loads, it goes on until the data comes",
      ],
      advice: """
        A state that anybody may set to anything lets "executing" overwrite "finished": change to \
        executing before main(), and let the state refuse what doesn't lead on.
        """),
    Mistake(
      "no start of its own", .file("NoStart.swift"),
      breaks: ["Then it is finished, for good", "Calls `main()`; or finishes at once"],
      rejectedBy: ["its queue lets go of it, and a dependent begins"],
      advice: """
        Operation's start() ends the operation itself when main() has returned, so whoever has \
        ended it already has ended it twice: override start() without calling super, and finish in \
        one place.
        """),
    Mistake(
      "executing after main, unless it's finished",
      .edits([
        Edit(rightStart, "    main()\n    change(from: .waiting, to: .executing)\n"),
        Edit(
          "    change(from: .executing, to: .finished, keeping: data)\n",
          """
              if !change(from: .executing, to: .finished, keeping: data) {
                change(from: .waiting, to: .finished, keeping: data)
              }

          """),
      ]),
      breaks: ["It executes before anything of it is called"],
      rejectedBy: [
        "it executes while it looks and loads", "nothing is called before it executes",
      ],
      advice: """
        The end survives, but the work runs while the operation says that it waits: executing \
        belongs before main().
        """),
    Mistake(
      "main begins on another thread first",
      .edit(
        rightStart,
        """
            let begins = DispatchQueue(label: "work")
            begins.async { self.main() }
            change(from: .waiting, to: .executing)
            begins.sync {}

        """),
      breaks: ["It executes before anything of it is called"],
      rejectedBy: ["nothing is called before it executes"],
      advice: """
        Whoever is faster decides: the work may end the operation before it executes. Change to \
        executing first, then let the work begin.
        """),
    Mistake(
      "the end is put off",
      .edit(
        "    change(from: .executing, to: .finished, keeping: data)\n",
        """
            DispatchQueue.global().async {
              self.change(from: .executing, to: .finished, keeping: data)
            }

        """),
      breaks: ["What is at hand ends the operation at once"],
      rejectedBy: ["an end inside main is announced inside main"],
      advice: """
        To finish a little later only hopes that start() is done by then, and keeps whoever waits: \
        change to executing before main(), and finish at once.
        """),
    Mistake(
      "finished when main returns",
      .edit(rightStart, rightStart + "    change(from: .executing, to: .finished)\n"),
      breaks: [
        "ends the operation when it comes: much later",
        "Whether the data is there, or the operation",
      ],
      rejectedBy: [
        "it executes until the data comes", "its queue lets go of it, and a dependent begins",
      ],
      advice: """
        Data that isn't at hand comes after main() has returned: only its coming ends the operation.
        """),
    Mistake(
      "calls super.start()",
      .edit("else { return }\n    main()\n", "else { return }\n    super.start()\n"),
      breaks: ["What is at hand ends the operation at once"],
      rejectedBy: ["data at hand ends it at once"], verdict: .crashed,
      advice: """
        Foundation's start() keeps a state of its own and traps because the operation already \
        executes: call main() yourself.
        """),
    Mistake(
      "works on a thread of its own",
      .edit(
        "    main()\n",
        """
            let returned = DispatchSemaphore(value: 0)
            Thread.detachNewThread { [self] in
              main()
              returned.signal()
            }
            returned.wait()

        """),
      breaks: ["on the thread that starts it", "on the same thread, unless"],
      rejectedBy: ["it looks and loads on the thread that starts it"],
      advice: "The queue has given start() a thread for the work: call main() there."),
    Mistake(
      "looks when it is made",
      .edit(
        "    self.cached = cached\n", "    let found = cached()\n    self.cached = { found }\n"),
      breaks: ["Creates an operation that waits to be started."],
      rejectedBy: ["cancelled and then started, it ends without looking"],
      advice: """
        An operation may wait for an hour, and what was at hand isn't any more; or it's cancelled \
        and wanted nothing: look in main().
        """),
    Mistake(
      "isAsynchronous left as it is",
      .edit("isAsynchronous: Bool { true }", "isAsynchronous: Bool { super.isAsynchronous }"),
      breaks: ["True: the work may go on after"],
      rejectedBy: ["it executes until the data comes"],
      advice: "Answer isAsynchronous with true: the work may outlive start()."),
  ]

  // MARK: - What is announced

  private static let announcementMistakes = [
    Mistake(
      "an end inside main isn't announced",
      .edit(
        "    if let data = cached() {\n      finish(data)\n",
        """
            if let data = cached() {
              lock.withLock {
                loaded = data
                state = .finished
              }

        """),
      breaks: [
        "however soon the end comes",
        "It's the same operation to everybody outside.",
      ],
      rejectedBy: [
        "the data is there when its end is announced",
        "start and end are announced, however soon the data comes",
      ],
      advice: """
        A queue looks again when start() returns and so hides it, but nobody else hears of this \
        end: announce it like any other.
        """),
    Mistake(
      "a cancelled end is announced by half",
      .edit(
        "      change(from: .waiting, to: .finished)\n      return\n",
        """
              lock.withLock { state = .finished }
              didChangeValue(forKey: "isFinished")
              return

        """),
      breaks: ["Every change is announced"],
      rejectedBy: ["cancelled and then started, its end is announced"],
      advice: """
        Whoever observes it may count will and did against each other: announce this end like any \
        other, before the change and after it.
        """),
    Mistake(
      "a cancelled start executes first",
      .edit(
        "      change(from: .waiting, to: .finished)\n      return\n",
        """
              change(from: .waiting, to: .executing)
              change(from: .executing, to: .finished)
              return

        """),
      breaks: [
        "or finishes at once, without it", "Whether the work has begun and the data isn't there.",
      ],
      rejectedBy: ["cancelled and then started, its end is announced"],
      advice: "Work that never began mustn't be seen executing: go from waiting to finished."),
    Mistake(
      "nothing is announced",
      .edits([
        Edit("    for key in keys { willChangeValue(forKey: key) }\n", ""),
        Edit(
          "    for key in keys.reversed() { didChangeValue(forKey: key) }\n", "    _ = keys\n"),
      ]),
      breaks: ["Every change is announced"],
      rejectedBy: [
        "start and end are announced, however soon the data comes",
        "its queue lets go of it, and a dependent begins",
      ],
      advice: "A queue hears of an end that comes later only by didChangeValue: announce it."),
    Mistake(
      "only the new state's property", .edit("[new.key, old.key]", "[new.key]"),
      breaks: ["Every change is announced"],
      rejectedBy: ["start and end are announced, however soon the data comes"],
      advice: "When it's finished it stops executing: announce both properties."),
    Mistake(
      "finished while it still executes", .file("FinishedWhileExecuting.swift"),
      breaks: ["Whether the work has begun and the data isn't there."],
      rejectedBy: ["its states come in order"],
      advice: "Stop executing first, then announce that it's finished; or change both at once."),
    Mistake(
      "notifies with a recursive lock held",
      .edits([
        Edit("= NSLock()", "= NSRecursiveLock()"),
        Edit(
          "let isMine = lock.withLock {",
          "lock.lock()\n    defer { lock.unlock() }\n    let isMine = {"),
        Edit("return true\n    }\n    guard isMine", "return true\n    }()\n    guard isMine"),
        Edit("    lock.withLock {\n      loaded = data", "    do {\n      loaded = data"),
      ]),
      breaks: ["No lock is held while it notifies or calls out."],
      rejectedBy: [
        "the second data has no effect while the first is announced",
        "no lock is held while it notifies",
      ],
      advice: """
        Whoever hears the notice may ask from another thread, and waits for the lock that you \
        hold: let go of it before you notify.
        """),
    Mistake(
      "works with the lock held",
      .edit("    main()\n", "    lock.lock()\n    defer { lock.unlock() }\n    main()\n"),
      breaks: ["No lock is held while it notifies or calls out."],
      rejectedBy: ["data at hand ends it at once"], verdict: .hung,
      advice: """
        The end comes inside main() and needs the lock that start() holds: call out without it.
        """),
  ]

  // MARK: - The data

  private static let dataMistakes = [
    Mistake(
      "finished before the data is kept",
      .edits([
        Edit("      loaded = data\n", ""),
        Edit(
          "    change(from: .executing, to: .finished, keeping: data)\n",
          """
              if change(from: .executing, to: .finished) {
                lock.withLock { loaded = data }
              }

          """),
      ]),
      breaks: [
        "``data`` is there by the time",
        "The data, from the moment that it's there.",
      ],
      rejectedBy: ["the data is there when its end is announced"],
      advice: """
        Dependents and completion blocks may run before the next line does: keep the data first, \
        then finish.
        """),
    Mistake(
      "the second data overwrites the first",
      .edits([
        Edit("      loaded = data\n", ""),
        Edit(
          "    change(from: .executing, to: .finished, keeping: data)\n",
          "    lock.withLock { loaded = data }\n    change(from: .executing, to: .finished)\n"),
      ]),
      breaks: ["every other has no effect"],
      rejectedBy: ["the second data has no effect"],
      advice: """
        Who comes second must change nothing at all: keep the data only if this call has made the \
        change.
        """),
    Mistake(
      "looks, then finishes", .edit("      isChanging = true\n", ""),
      breaks: ["also at the same moment"],
      rejectedBy: ["the second data has no effect while the first is announced"],
      advice: """
        Between the look and the change the lock is free, and a second thread finds the same: \
        leave a note together with the look.
        """),
    Mistake(
      "looks twice",
      .edit(
        "    if let data = cached() {\n", "    if cached() != nil, let data = cached() {\n"),
      breaks: ["cached: Called once when the operation works"],
      rejectedBy: ["it executes while it looks and loads"],
      advice: """
        What was at hand may be gone at the second look, and a look may cost something: keep what \
        the first one has found.
        """),
    Mistake(
      "empty data isn't at hand",
      .edit("    if let data = cached() {\n", "    if let data = cached(), !data.isEmpty {\n"),
      breaks: ["Returns the data if it's at hand, and be it empty."],
      rejectedBy: ["empty data at hand ends it too"],
      advice: "An empty file is an answer: nil alone says that nothing is at hand."),
    Mistake(
      "empty data hasn't come",
      .edit(
        "load { [self] data in finish(data) }",
        "load { [self] data in if !data.isEmpty { finish(data) } }"),
      breaks: ["The first call ends the operation"],
      rejectedBy: ["empty data that is loaded ends it too"],
      advice: """
        Who has loaded an empty file calls the completion once, with what there is; the operation that \
        waits for more never ends.
        """),
    Mistake(
      "an end inside main waits for its return",
      .edits([
        Edit(
          "    main()\n  }\n",
          """
              main()
              let early = lock.withLock {
                hasReturned = true
                return self.early
              }
              if let early { change(from: .executing, to: .finished, keeping: early) }
            }

          """),
        Edit(
          "    change(from: .executing, to: .finished, keeping: data)\n",
          """
              let isEarly = lock.withLock {
                if !hasReturned, early == nil { early = data }
                return !hasReturned
              }
              if !isEarly { change(from: .executing, to: .finished, keeping: data) }

          """),
        Edit(
          "  private let lock = NSLock()\n",
          """
            private let lock = NSLock()
            private var hasReturned = false
            private var early: Data?

          """),
      ]),
      breaks: ["The first call ends the operation"],
      rejectedBy: ["it has ended when the completion returns"],
      advice: """
        Whoever has called the completion may rely on the end, and may wait for it inside load: where \
        executing comes before main(), there's no need to put it off.
        """),
    Mistake(
      "the completion captures it weakly",
      .edit(
        "load { [self] data in finish(data) }", "load { [weak self] data in self?.finish(data) }"),
      breaks: ["It is kept alive by the completion that it hands out"],
      rejectedBy: ["who keeps the completion keeps it"],
      advice: """
        An operation that was started by hand is kept by nobody else, and would never end: let the \
        completion keep it.
        """),
    Mistake(
      "loads what is at hand",
      .edit(
        "      finish(data)\n    } else {\n      load { [self] data in finish(data) }\n    }\n",
        "      finish(data)\n    }\n    load { [self] data in finish(data) }\n"),
      breaks: [
        "unless the data is at hand",
        "Looks whether the data is at hand, and loads it if it isn't.",
        "Loads data, and looks first",
      ],
      rejectedBy: ["data at hand ends it at once"],
      advice: "Data that is at hand needn't be loaded: return, or write else."),
  ]

  // MARK: - Cancellation

  private static let cancellationMistakes = [
    Mistake(
      "start ignores cancellation",
      .edit(
        """
            guard !isCancelled else {
              change(from: .waiting, to: .finished)
              return
            }

        """, ""),
      breaks: [
        "An operation that is cancelled before its start looks and loads nothing",
        "where the operation is cancelled.",
      ],
      rejectedBy: [
        "cancelled and then started, it ends without looking",
        "cancelled in its queue, it ends when its turn comes",
      ],
      advice: "A queue starts cancelled operations too: look at isCancelled first thing in start()."
    ),
    Mistake(
      "a cancelled start returns without finishing",
      .edit("      change(from: .waiting, to: .finished)\n      return\n", "      return\n"),
      breaks: [
        "it is finished, without data, when it's started",
        "Whether the data is there, or the operation",
      ],
      rejectedBy: [
        "cancelled and then started, it ends without looking",
        "cancelled in its queue, it ends when its turn comes",
      ],
      advice: """
        No data will ever end it: finish it before you return, or its queue waits for ever.
        """),
    Mistake(
      "cancel finishes what never started",
      cancelling("super.cancel()\n    change(from: .waiting, to: .finished)"),
      breaks: ["it is finished, without data, when it's started"],
      rejectedBy: [
        "cancelled and then started, it ends without looking",
        "cancelled in its queue, it ends when its turn comes",
      ],
      advice: """
        A queue traps on an operation that is finished before it was added, and complains about \
        one that it hasn't started: leave the end to start().
        """),
    Mistake(
      "cancel finishes it while it loads",
      cancelling("super.cancel()\n    change(from: .executing, to: .finished)"),
      breaks: ["Cancelled later, it goes on until the data comes."],
      rejectedBy: ["cancelled while it loads, it goes on until the data comes"],
      advice: "Dependents would begin beside work that still runs: cancel() only asks."),
    Mistake(
      "cancelled while it looks, it doesn't load",
      .edit(
        "    } else {\n      load {",
        """
            } else if isCancelled {
              change(from: .executing, to: .finished)
            } else {
              load {
        """),
      breaks: ["Cancelled later, it goes on until the data comes."],
      rejectedBy: ["cancelled while it looks, it loads all the same"],
      advice: """
        What has started goes on until the data comes: whether to stop is for `load`, which may \
        look at isCancelled.
        """),
    Mistake(
      "a cancelled operation takes what is at hand",
      .edit(
        "      change(from: .waiting, to: .finished)\n      return\n",
        "      change(from: .waiting, to: .finished, keeping: cached())\n      return\n"),
      breaks: ["Nil until then, and for good where the operation was cancelled"],
      rejectedBy: ["cancelled and then started, it ends without looking"],
      advice: "Nobody wants the data any more: look at nothing, and end without any."),
    Mistake(
      "data after cancel is ignored",
      .edit(
        "    change(from: .executing, to: .finished, keeping: data)\n",
        """
            guard !isCancelled else { return }
            change(from: .executing, to: .finished, keeping: data)

        """),
      breaks: ["Cancelled later, it goes on until the data comes."],
      rejectedBy: ["cancelled while it loads, it goes on until the data comes"],
      advice: "A cancelled operation has to end too: nobody but the data will end it."),
  ]

  private static func cancelling(_ body: String) -> Answer {
    .edit(
      "  /// Looks whether the data",
      """
        public override func cancel() {
          \(body)
        }

        /// Looks whether the data
      """)
  }

  // MARK: - Many threads

  private static let sharingMistakes = [
    Mistake(
      "the state is read without the lock",
      .edits([
        Edit("lock.withLock { state == .executing }", "state == .executing"),
        Edit("lock.withLock { state == .finished }", "state == .finished"),
      ]),
      breaks: ["Safe to use from every thread."],
      rejectedBy: [
        "its state may be read while it starts", "its state may be read while it finishes",
      ],
      verdict: .race,
      advice: """
        A queue's thread reads what the thread that brings the data writes: take the lock in the \
        getters too.
        """),
    Mistake(
      "looks before it takes the lock",
      .edit(
        """
            let isMine = lock.withLock {
              guard state == old, !isChanging else { return false }

        """,
        """
            guard state == old, !isChanging else { return false }
            let isMine = lock.withLock {

        """),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["the second data may come while it finishes"], verdict: .race,
      advice: """
        Between the look and the lock another thread may have ended it: look and take the turn in one \
        step.
        """),
    Mistake(
      "the data is read without the lock", .edit("{ lock.withLock { loaded } }", "{ loaded }"),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["its data may be read while it finishes"], verdict: .race,
      advice: """
        The data is shared like the state: whoever looks too early must find nil, and not half of \
        it.
        """),
  ]
}
