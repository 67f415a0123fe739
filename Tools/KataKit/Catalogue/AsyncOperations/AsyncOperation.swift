extension Kata {
  static let asyncOperation = Kata(
    "AsyncOperation", module: .asyncOperations,
    title: "An operation that ends when its callback comes",
    difficulty: 4, minutes: 45, needs: ["OperationState", "StateNotifier"],
    hints: [
      """
      Foundation asks your operation two questions, isExecuting and isFinished, and asks them \
      again only when you announce a change. So there are three things to write: who knows the \
      answers, what changes them, and who is told.
      """,
      """
      Keep an enum (waiting, executing, finished) behind an NSLock. Write one private method that \
      makes a change: under the lock, look whether the state is the one you come from; without the \
      lock call willChangeValue for each key that changes; take the lock for the change itself; \
      without it again call didChangeValue. start() and finish() only say from where to where.
      """,
      """
      start: if isCancelled, change waiting → finished and return; else change waiting → \
      executing, then main() if it's still executing. finish: change executing → finished. The \
      change: let mine = lock.withLock { guard state == old, !isChanging else { return false }; \
      isChanging = true; return true }; if it's mine: will… for the keys of new and old, \
      lock.withLock { state = new; isChanging = false }, did… for the same keys the other way round.
      """,
    ],
    questions: [
      Question(
        """
        The state is set and `isFinished` is true, but nobody was notified. What becomes of the \
        operation?
        """,
        answer: """
          It stays: its queue only looks when it is told. Its place is taken for good, and its \
          dependents never start.
          """),
      Question(
        "Why does `start()` not call `super.start()`?",
        answer: """
          Foundation's `start()` runs `main()` and marks the operation finished when that returns, \
          in a state of its own. That is the very thing that an asynchronous operation replaces.
          """),
      Question(
        "Why is `isReady` left to Foundation?",
        answer: """
          Only the superclass knows the dependencies. An override that answers from one's own \
          state alone starts the operation before what it depends on.
          """),
      Question(
        "Why does `finish()` have no effect on an operation that hasn't been started?",
        answer: """
          Its queue hasn't begun it, and would be told of an end without a beginning: added then, \
          such an operation traps, and one that waits in a queue upsets its count. So only what \
          executes can be finished.
          """),
    ],
    mistakes: stateMistakes + noticeMistakes + startMistakes + cancelMistakes + finishMistakes,
    rightAnswers: [
      RightAnswer("a serial queue and key paths", .file("SerialQueue.swift")),
      RightAnswer("a readers–writers queue and an observed property", .file("BarrierQueue.swift")),
      RightAnswer("two flags and two setters", .file("TwoFlags.swift")),
      RightAnswer("a pthread mutex", .file("PthreadMutex.swift")),
      RightAnswer("an atomic number", .file("AtomicState.swift")),
      RightAnswer("the standard library's mutex", .file("StandardMutex.swift")),
    ],
    unproven: [
      Unproven("A plain `Operation` is finished", "told of another class"),
      Unproven("A queue calls it.", "says who calls, not what the call does"),
      Unproven("Call it by hand only on", "asked of the caller"),
    ],
    equivalents: [
      Equivalent(
        "made twice: change(from: .waiting, to: .finished)",
        "The second finds another state, and changes nothing."),
      Equivalent(
        "made twice: change(from: .executing, to: .finished)",
        "The second finds another state, and changes nothing."),
      Equivalent("swapped with the next: state = new", "Both are done under the lock."),
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
    ])

  // MARK: - The state

  private static let stateMistakes = [
    Mistake(
      "state without protection",
      .edits(unlockedReads + unlockedWrites),
      breaks: ["Safe to use from every thread.", "on every path, from any thread"],
      rejectedBy: [
        "its state may be read while it starts", "its state may be read while it finishes",
      ],
      verdict: .race,
      advice: """
        The thread that works, the queue's threads and whoever asks all touch the state at once: \
        guard every read and every write with the same lock.
        """),
    Mistake(
      "only the writes are protected", .edits(unlockedReads),
      breaks: ["Safe to use from every thread."],
      rejectedBy: [
        "its state may be read while it starts", "its state may be read while it finishes",
      ],
      verdict: .race,
      advice: "A read beside a write is a race as well: take the lock in the getters too."),
    Mistake(
      "only the reads are protected", .edits(unlockedWrites),
      breaks: ["Safe to use from every thread.", "once, from any thread"],
      rejectedBy: [
        "its state may be read while it starts", "its state may be read while it finishes",
      ],
      verdict: .race,
      advice: "A lock helps only where everybody takes it: change the state under it too."),
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
      breaks: ["Safe to use from every thread.", "once, from any thread"],
      rejectedBy: ["finish may be called while it finishes"], verdict: .race,
      advice: """
        Between the look and the lock another thread may have gone further: look and take the turn in one \
        step.
        """),
    Mistake(
      "a concurrent queue without a barrier",
      .edits([
        Edit(
          "private let lock = NSLock()",
          #"private let queue = DispatchQueue(label: "state", attributes: .concurrent)"#),
        Edit("lock.withLock { state == .executing }", "queue.sync { state == .executing }"),
        Edit("lock.withLock { state == .finished }", "queue.sync { state == .finished }"),
        Edit("let isMine = lock.withLock {", "let isMine = queue.sync {"),
        Edit("    lock.withLock {\n      state = new", "    queue.sync {\n      state = new"),
      ]),
      breaks: ["Safe to use from every thread."],
      rejectedBy: [
        "its state may be read while it starts", "its state may be read while it finishes",
      ],
      verdict: .race,
      advice: """
        On a concurrent queue reads and writes run side by side: make the writes barriers, or the \
        queue serial.
        """),
    Mistake(
      "isExecuting stays true", .edit("{ state == .executing }", "{ state != .waiting }"),
      breaks: [
        "Whether the work has begun and ``finish()`` hasn't been called.",
        "Ends the operation.",
      ],
      rejectedBy: ["finish ends it"],
      advice: """
        An operation that is finished doesn't execute: isExecuting is true in one state only.
        """),
    Mistake(
      "executing before its start", .edit("{ state == .executing }", "{ state != .finished }"),
      breaks: [
        "Creates an operation that waits to be added",
        "Whether the work has begun and ``finish()`` hasn't been called.",
      ],
      rejectedBy: ["it goes on executing after main has returned"],
      advice: "A queue traps when it's given an operation that executes already: begin in start()."),
    Mistake(
      "isFinished left to Foundation",
      .edit("lock.withLock { state == .finished }", "super.isFinished"),
      breaks: ["Whether the work has ended, or was cancelled", "Ends the operation."],
      rejectedBy: ["finish ends it"],
      advice: "Foundation's isFinished doesn't know your state: override it too."),
    Mistake(
      "isAsynchronous left as it is",
      .edit("isAsynchronous: Bool { true }", "isAsynchronous: Bool { super.isAsynchronous }"),
      breaks: ["True: the work may go on after"],
      rejectedBy: ["it goes on executing after main has returned"],
      advice: "Answer isAsynchronous with true: the work goes on after start() has returned."),
    Mistake(
      "isReady forgets super",
      .edit(
        "  /// True: the work may go on",
        """
          public final override var isReady: Bool { lock.withLock { state == .waiting } }

          /// True: the work may go on
        """),
      breaks: ["`isReady` is left to Foundation", "its dependents wait, and no thread"],
      rejectedBy: ["a dependent waits for finish"],
      advice: """
        Only the superclass knows the dependencies: leave isReady alone, or and it with \
        super.isReady.
        """),
  ]

  private static let unlockedReads = [
    Edit("lock.withLock { state == .executing }", "state == .executing"),
    Edit("lock.withLock { state == .finished }", "state == .finished"),
  ]

  private static let unlockedWrites = [
    Edit("let isMine = lock.withLock {", "let isMine = {"),
    Edit("return true\n    }\n    guard isMine", "return true\n    }()\n    guard isMine"),
    Edit("    lock.withLock {\n      state = new", "    do {\n      state = new"),
  ]

  // MARK: - The notices

  private static let noticeMistakes = [
    Mistake(
      "no notices",
      .edits([
        Edit("    for key in keys { willChangeValue(forKey: key) }\n", ""),
        Edit("    for key in keys.reversed() { didChangeValue(forKey: key) }\n", ""),
      ]),
      breaks: [
        "Every change of `isExecuting` and `isFinished` is announced",
        "Then its queue lets go of it",
      ],
      rejectedBy: [
        "its queue lets go of it after finish, not after main", "a dependent waits for finish",
        "its start is announced around the change", "its end is announced around the change",
      ],
      advice: """
        A queue hears of a change only through willChangeValue and didChangeValue: announce \
        isExecuting and isFinished.
        """),
    Mistake(
      "executing isn't announced",
      .edit(#"case .executing: "isExecuting""#, "case .executing: nil"),
      breaks: ["Every change of `isExecuting` and `isFinished` is announced"],
      rejectedBy: [
        "its start is announced around the change", "its end is announced around the change",
      ],
      advice: "isExecuting changes twice, at the start and at the end: announce both."),
    Mistake(
      "the old state's key isn't announced", .edit("[new.key, old.key]", "[new.key]"),
      breaks: ["Every change of `isExecuting` and `isFinished` is announced"],
      rejectedBy: ["its end is announced around the change"],
      advice: """
        When executing becomes finished, two properties change: announce isExecuting as well as \
        isFinished.
        """),
    Mistake(
      "both notices after the change",
      .edits([
        Edit("    for key in keys { willChangeValue(forKey: key) }\n", ""),
        Edit(
          "    for key in keys.reversed()",
          "    for key in keys { willChangeValue(forKey: key) }\n    for key in keys.reversed()"),
      ]),
      breaks: ["with the old value before the change"],
      rejectedBy: [
        "its start is announced around the change", "its end is announced around the change",
      ],
      advice: """
        willChangeValue comes before the change: an observer reads the old value inside it.
        """),
    Mistake(
      "both notices before the change",
      .edits([
        Edit("    for key in keys.reversed() { didChangeValue(forKey: key) }\n", ""),
        Edit(
          "    for key in keys { willChangeValue(forKey: key) }\n",
          """
              for key in keys { willChangeValue(forKey: key) }
              for key in keys.reversed() { didChangeValue(forKey: key) }

          """),
      ]),
      breaks: ["the new one after it", "Then its queue lets go of it"],
      rejectedBy: [
        "its queue lets go of it after finish, not after main",
        "its start is announced around the change", "its end is announced around the change",
      ],
      advice: """
        didChangeValue comes after the change: the queue reads isFinished inside it, and must find \
        it true.
        """),
    Mistake(
      "finished while it still executes", .file("FinishedWhileExecuting.swift"),
      breaks: ["By the time that `isFinished` is announced"],
      rejectedBy: ["its end is announced around the change"],
      advice: "Stop executing first, then announce that it is finished; or change both at once."),
    Mistake(
      "a cancelled end isn't announced",
      .edit(
        "      change(from: .waiting, to: .finished)\n",
        "      lock.withLock { state = .finished }\n"),
      breaks: ["Every change of `isExecuting` and `isFinished` is announced"],
      rejectedBy: ["a cancelled operation's end is announced by its start, not before"],
      advice: """
        Announce the end of a cancelled operation like any other: use the same way to change.
        """),
    Mistake(
      "notifies with the lock held",
      .edits(lockHeldMeanwhile),
      breaks: ["No lock is held meanwhile"],
      rejectedBy: ["it goes on executing after main has returned"], verdict: .hung,
      advice: """
        Foundation reads the state inside didChangeValue, and your getter waits for the lock that \
        you hold: let go of it before you notify.
        """),
    Mistake(
      "notifies with a recursive lock held",
      .edits([Edit("= NSLock()", "= NSRecursiveLock()")] + lockHeldMeanwhile),
      breaks: ["No lock is held meanwhile"],
      rejectedBy: ["no lock is held while it notifies"], verdict: .hung,
      advice: """
        A recursive lock lets the same thread in, but an observer that asks from another thread \
        still waits: let go of it before you notify.
        """),
    Mistake(
      "one change at a time on a serial queue",
      .edit(
        "  private func change(from old: State, to new: State) -> Bool {\n",
        """
          private func change(from old: State, to new: State) -> Bool {
            changes.sync { makeChange(from: old, to: new) }
          }

          private let changes = DispatchQueue(label: "changes")

          private func makeChange(from old: State, to new: State) -> Bool {

        """),
      breaks: ["No lock is held meanwhile"],
      rejectedBy: ["inside the notice of its start it may be finished"], verdict: .hung,
      advice: """
        An observer that calls finish() asks for the very queue that it's running on, and waits \
        for ever: a queue held while you notify is a lock held.
        """),
    Mistake(
      "one change at a time under a recursive lock",
      .edit(
        "  private func change(from old: State, to new: State) -> Bool {\n",
        """
          private func change(from old: State, to new: State) -> Bool {
            changes.withLock { makeChange(from: old, to: new) }
          }

          private let changes = NSRecursiveLock()

          private func makeChange(from old: State, to new: State) -> Bool {

        """),
      breaks: ["No lock is held meanwhile"],
      rejectedBy: [
        "inside the notice of its start it may be finished",
        "finish called while another is announced has no effect",
      ], verdict: .hung,
      advice: """
        Another thread that calls finish() waits until the notices are sent, which may wait for \
        that thread: decide under the lock, and notify without one.
        """),
    Mistake(
      "the note goes after the last notice",
      .edits([
        Edit("      state = new\n      isChanging = false\n", "      state = new\n"),
        Edit(
          "didChangeValue(forKey: key) }\n",
          "didChangeValue(forKey: key) }\n    lock.withLock { isChanging = false }\n"),
      ]),
      breaks: ["so an observer may read the operation or call it"],
      rejectedBy: ["inside the notice of its start it may be finished"],
      advice: """
        Inside did the change is made, so finish() must count there: work that ends at once would \
        be forgotten, and stay in its queue for ever.
        """),
  ]

  private static let lockHeldMeanwhile = [
    Edit(
      "let isMine = lock.withLock {",
      "lock.lock()\n    defer { lock.unlock() }\n    let isMine = {"),
    Edit("return true\n    }\n    guard isMine", "return true\n    }()\n    guard isMine"),
    Edit("    lock.withLock {\n      state = new", "    do {\n      state = new"),
  ]

  // MARK: - The start

  private static let startMistakes = [
    Mistake(
      "the backwards start",
      .edit(
        "    guard change(from: .waiting, to: .executing), isExecuting else { return }\n    main()\n",
        "    main()\n    change(from: .waiting, to: .executing)\n"),
      breaks: [
        "May be called before `main()` returns.",
        "Until ``finish()`` the operation is executing",
      ],
      rejectedBy: [
        "it executes while main runs", "work that ends before main returns leaves it finished",
      ],
      advice: """
        main() may end the work before it returns: change to executing first, then call main().
        """),
    Mistake(
      "calls super.start()",
      .edit("else { return }\n    main()\n", "else { return }\n    super.start()\n"),
      breaks: ["An operation whose work goes on after `main()` has returned"],
      rejectedBy: ["it goes on executing after main has returned"], verdict: .crashed,
      advice: """
        Foundation's start() does everything once more, and traps because the operation already \
        executes: call main() yourself, never super.start().
        """),
    Mistake(
      "start left to Foundation", .file("FoundationStart.swift"),
      breaks: ["Until ``finish()`` the operation is executing"],
      rejectedBy: ["it goes on executing after main has returned"],
      advice: "Foundation's start() ends with main(): write your own, without calling it."),
    Mistake(
      "never calls main", .edit("else { return }\n    main()\n", "else { return }\n"),
      breaks: ["Begins the work: calls `main()`"],
      rejectedBy: ["it goes on executing after main has returned"],
      advice: "start() must call main(), where subclasses begin their work."),
    Mistake(
      "main on another thread",
      .edit(
        "else { return }\n    main()\n",
        "else { return }\n    DispatchQueue.global().async { self.main() }\n"),
      breaks: ["calls `main()` on the calling thread"],
      rejectedBy: ["main is called on the thread that starts it"],
      advice: """
        The queue has given start() a thread for main(): call it there, and leave it to the \
        subclass to go elsewhere.
        """),
    Mistake(
      "start waits for finish",
      .edit(
        "else { return }\n    main()\n", "else { return }\n    main()\n    waitUntilFinished()\n"),
      breaks: ["its dependents wait, and no thread is held"],
      rejectedBy: ["it goes on executing after main has returned"], verdict: .hung,
      advice: """
        A thread that waits for the end is held for as long as the work takes: return, and let \
        finish() announce the end.
        """),
    Mistake(
      "a second start begins again",
      .edit(
        "guard change(from: .waiting, to: .executing), isExecuting else",
        "change(from: .waiting, to: .executing)\n    guard isExecuting else"),
      breaks: ["Another call has no effect."],
      rejectedBy: ["a second start has no effect"],
      advice: """
        main() would begin the same work twice: go on only where this call has made the change.
        """),
    Mistake(
      "a second start ends what was cancelled",
      .edit(
        "      change(from: .waiting, to: .finished)\n",
        "      change(from: isExecuting ? .executing : .waiting, to: .finished)\n"),
      breaks: ["Another call has no effect.", "is finished by ``finish()`` like any other"],
      rejectedBy: ["a second start has no effect"],
      advice: """
        Its work still runs, and its dependents would start beside it: only a waiting operation is \
        finished by start().
        """),
    Mistake(
      "main although it's finished in the notice",
      .edit("to: .executing), isExecuting else", "to: .executing) else"),
      breaks: ["An operation that is finished in the notices of its start"],
      rejectedBy: ["inside the notice of its start it may be finished"],
      advice: """
        Whoever hears of the start may have called finish(): look at isExecuting once more before \
        you call main().
        """),
    Mistake(
      "the inherited main traps",
      inheritedMain(#"fatalError("main() must be overridden")"#),
      breaks: ["the inherited one does nothing"],
      rejectedBy: ["the inherited main does nothing"], verdict: .crashed,
      advice: """
        Many a subclass calls super.main() out of habit, and has a right to: leave main() as it's \
        inherited.
        """),
    Mistake(
      "the inherited main finishes",
      inheritedMain("finish()"),
      breaks: ["An operation that nobody finishes stays", "the inherited one does nothing"],
      rejectedBy: ["the inherited main does nothing"],
      advice: """
        A subclass that calls super.main() would be finished before its work has ended: leave \
        main() as it's inherited.
        """),
    Mistake(
      "finished when main returns",
      .edit("else { return }\n    main()\n", "else { return }\n    main()\n    finish()\n"),
      breaks: [
        "An operation whose work goes on after `main()` has returned",
        "An operation that nobody finishes stays",
        "its dependents wait, and no thread",
      ],
      rejectedBy: [
        "it goes on executing after main has returned",
        "its queue lets go of it after finish, not after main", "a dependent waits for finish",
        "a queue one wide runs the next after finish",
      ],
      advice: "The work goes on after main() has returned: only the subclass may call finish()."),
    Mistake(
      "start ignores cancellation",
      .edit(
        """
            guard !isCancelled else {
              change(from: .waiting, to: .finished)
              return
            }

        """, ""),
      breaks: ["never calls `main()`; it is finished when its queue starts it"],
      rejectedBy: [
        "cancelled before its start, it finishes without main when it is started",
        "cancelled before it is added, it finishes in its queue",
        "cancelled while it waits in a queue, it finishes when its turn comes",
      ],
      advice: """
        Look at isCancelled first thing in start(): a cancelled operation never calls main().
        """),
    Mistake(
      "a cancelled start returns without finishing",
      .edit("      change(from: .waiting, to: .finished)\n      return\n", "      return\n"),
      breaks: ["or finishes at once where the operation is cancelled"],
      rejectedBy: [
        "cancelled before its start, it finishes without main when it is started",
        "cancelled before it is added, it finishes in its queue",
        "cancelled while it waits in a queue, it finishes when its turn comes",
        "cancelled while it waits for a dependency, it leaves its queue",
      ],
      advice: """
        An operation that never finishes holds its place in the queue and its dependents for ever: \
        move to finished before you return.
        """),
  ]

  private static func inheritedMain(_ body: String) -> Answer {
    .edit(
      "  /// Ends the operation.",
      """
        open override func main() { \(body) }

        /// Ends the operation.
      """)
  }

  // MARK: - Cancellation

  private static let cancelMistakes = [
    Mistake(
      "cancel finishes what never started",
      cancel("super.cancel()\n    change(from: .waiting, to: .finished)"),
      breaks: ["not before, so that whatever depends on it goes on in order"],
      rejectedBy: [
        "cancelled before its start, it finishes without main when it is started",
        "cancelled before it is added, it finishes in its queue",
        "cancelled while it waits in a queue, it finishes when its turn comes",
        "a cancelled operation's end is announced by its start, not before",
      ],
      advice: """
        A queue traps on an operation that is finished before it was added, and complains about \
        one that it hasn't started: leave the end to start().
        """),
    Mistake(
      "a cancelled start executes first",
      .edit(
        "      change(from: .waiting, to: .finished)\n",
        """
              change(from: .waiting, to: .executing)
              change(from: .executing, to: .finished)

        """),
      breaks: [
        "or finishes at once where the operation is cancelled",
        "Whether the work has begun and ``finish()`` hasn't been called.",
      ],
      rejectedBy: ["a cancelled operation's end is announced by its start, not before"],
      advice: """
        Whoever watches isExecuting would count work that never began: go from waiting to finished \
        in one step.
        """),
    Mistake(
      "cancel finishes it while its work runs", cancel("super.cancel()\n    finish()"),
      breaks: ["`cancel()` is a request."],
      rejectedBy: ["cancelled while it works, it goes on until finish"],
      advice: """
        cancel() is a request: dependents would start beside work that still runs, so let the work \
        see isCancelled and call finish().
        """),
    Mistake(
      "no super.cancel", cancel("change(from: .executing, to: .finished)"),
      breaks: ["`cancel()` is a request."],
      rejectedBy: [
        "cancelled before its start, it finishes without main when it is started",
        "cancelled while it works, it goes on until finish",
      ],
      advice: """
        Without super.cancel() nobody learns that it is cancelled: call it, or don't override.
        """),
    Mistake(
      "a cancelled flag of its own",
      .edits([
        cancelEdit("lock.withLock { wasCancelled = true }"),
        Edit(
          "  /// True: the work may go on",
          """
            private var wasCancelled = false
            public final override var isCancelled: Bool { lock.withLock { wasCancelled } }

            /// True: the work may go on
          """),
      ]),
      breaks: ["never calls `main()`; it is finished when its queue starts it"],
      rejectedBy: ["cancelled while it waits for a dependency, it leaves its queue"],
      advice: """
        Foundation lets a cancelled operation go past its dependencies, but only if it knows: use \
        the inherited isCancelled and super.cancel().
        """),
    Mistake(
      "finish after cancel is ignored",
      finish("guard !isCancelled else { return }\n    change(from: .executing, to: .finished)"),
      breaks: ["An operation that is cancelled while it works is finished"],
      rejectedBy: ["cancelled while it works, it goes on until finish"],
      advice: """
        A cancelled operation has to end too: finish() must not ask whether it's cancelled.
        """),
  ]

  private static func cancel(_ body: String) -> Answer { .edits([cancelEdit(body)]) }

  private static func cancelEdit(_ body: String) -> Edit {
    Edit(
      "  /// Ends the operation.",
      """
        public final override func cancel() {
          \(body)
        }

        /// Ends the operation.
      """)
  }

  // MARK: - The end

  private static let finishMistakes = [
    Mistake(
      "traps when finished twice",
      finish(
        """
        precondition(!isFinished, "finished twice")
            change(from: .executing, to: .finished)
        """),
      breaks: ["Any other call has no effect"],
      rejectedBy: ["finish called twice does no harm"], verdict: .crashed,
      advice: """
        A callback and a time-out may both call finish(): the second call must have no effect \
        rather than stop the program.
        """),
    Mistake(
      "finish before the start counts", .edit("guard state == old,", "guard state != new,"),
      breaks: ["one before the start hasn't either"],
      rejectedBy: ["finish has no effect before the start"],
      advice: """
        An operation that is finished without having been started upsets its queue: look where you \
        come from, and let finish() end an executing one only.
        """),
    Mistake(
      "no note that it's about to change", .edit("      isChanging = true\n", ""),
      breaks: ["One call ends the operation", "Another call has no effect."],
      rejectedBy: [
        "finish called while another is announced has no effect",
        "start called while another is announced has no effect",
      ],
      advice: """
        Between the look and the change a second caller sees the old state, and both announce the \
        end: note under the lock that a change is on its way.
        """),
    Mistake(
      "every finish is announced",
      finish(
        """
        guard lock.withLock({ state != .waiting }) else { return }
            change(from: lock.withLock { state }, to: .finished)
        """),
      breaks: ["Any other call has no effect"],
      rejectedBy: ["finish called twice does no harm"],
      advice: """
        Whoever counts the ends that it hears of would count one twice: a call that changes \
        nothing announces nothing.
        """),
    Mistake(
      "finish ends it later",
      finish("DispatchQueue.global().async { self.change(from: .executing, to: .finished) }"),
      breaks: ["The call that ends it returns when the change is announced."],
      rejectedBy: ["finish returns when the end is announced"],
      advice: """
        After finish() the caller takes the operation for finished: make the change on the calling \
        thread.
        """),
    Mistake(
      "calls the completionBlock itself",
      finish("change(from: .executing, to: .finished)\n    completionBlock?()"),
      breaks: ["its dependents start and its `completionBlock` is called, once"],
      rejectedBy: [
        "its queue lets go of it after finish, not after main", "finish called twice does no harm",
      ],
      advice: """
        Foundation calls the completionBlock when it hears of the end, so it's called twice: leave \
        it alone.
        """),
  ]

  private static func finish(_ body: String) -> Answer {
    .edit("    change(from: .executing, to: .finished)\n", "    \(body)\n")
  }
}
