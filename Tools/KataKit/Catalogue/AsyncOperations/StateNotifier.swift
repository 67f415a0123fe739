extension Kata {
  static let stateNotifier = Kata(
    "StateNotifier", module: .asyncOperations,
    title: "A state that announces its own changes",
    difficulty: 3, minutes: 25, needs: ["OperationState"],
    hints: [
      """
      A move has four parts: decide, announce, change, announce. Two of them touch the state and \
      need the lock. The other two call out, to people you don't know, and mustn't hold it.
      """,
      """
      Between deciding and changing you let go of the lock, so another thread may come in and \
      decide as well. Leave a note when you decide, a Bool beside the state, and refuse whoever \
      finds it. Take the note away together with the change.
      """,
      """
      let isMine = lock.withLock { guard old.canMove(to: new), current == old, !isMoving else { \
      return false }; isMoving = true; return true }. If it's mine: willChangeValue for new.key \
      and old.key; lock.withLock { current = new; isMoving = false }; didChangeValue for both; true.
      """,
    ],
    questions: [
      Question(
        "What does an observer read inside *will*, and what inside *did*?",
        answer: """
          The old state inside both *wills* and the new one inside both *dids*. So the change \
          stands between them, and both properties are announced around the same change.
          """),
      Question(
        "Why is the lock let go before the notices?",
        answer: """
          Observers run right there, on this thread. One that reads the state would wait for a \
          lock that its own thread holds; so would any thread that an observer waits for.
          """),
      Question(
        "What is `isMoving` for, if there is a lock?",
        answer: """
          Between the decision and the change the lock is open, for the *wills*. The mark keeps a \
          second thread from deciding on the same move and announcing it once more.
          """),
    ],
    mistakes: noticeMistakes + lockMistakes + decisionMistakes + guardMistakes + keepMistakes,
    rightAnswers: [
      RightAnswer("an atomic number", .file("AtomicState.swift")),
      RightAnswer("a serial queue", .file("SerialQueue.swift")),
      RightAnswer("the standard library's mutex", .file("StandardMutex.swift")),
      RightAnswer("flags behind a read–write lock", .file("Flags.swift")),
    ],
    unproven: [
      Unproven("An operation that keeps its own state keeps one", "how it's used"),
      Unproven("Which of the two properties comes first", "permits, and promises nothing"),
      Unproven("Where an operation is in its life.", "what a type is for"),
      Unproven("Started, and its work hasn't ended.", "what a case is called"),
      Unproven("operation: The operation whose state", "what a parameter is"),
      Unproven("The name of the property of `Operation`", "a private helper, given with the stub"),
    ],
    equivalents: [
      Equivalent("swapped with the next: current = new", "Both are done under the lock.")
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
        "split before isMoving = false: lock.withLock { …",
        "Whoever comes between the two is refused, and has to be: only a moment later it would not."
      ),
    ])

  // MARK: - The notices

  private static let wills = "    for key in keys { operation.willChangeValue(forKey: key) }\n"
  private static let dids =
    "    for key in keys.reversed() { operation.didChangeValue(forKey: key) }\n"

  private static let noticeMistakes = [
    Mistake(
      "no notices", .edits([Edit(wills, ""), Edit(dids, "")]),
      breaks: [
        "which announces every change of it",
        "announces it as a change of `operation`",
      ],
      rejectedBy: ["both properties are announced", "a queue hears of the end"],
      advice: """
        The state is right and nobody hears of it: call willChangeValue before the change and \
        didChangeValue after it, for both properties.
        """),
    Mistake(
      "only the did notices", .edit(wills, ""),
      breaks: ["a *will* before the change and a *did* after it"],
      rejectedBy: ["both properties are announced"],
      advice: """
        Observers that ask for the old value get it from willChangeValue, and every did needs its \
        will: announce before the change as well.
        """),
    Mistake(
      "all notices before the change",
      .edits([Edit(dids, ""), Edit(wills, wills + dids)]),
      breaks: ["reads the old state inside both *wills* and the new state"],
      rejectedBy: [
        "inside will it is the old state, inside did the new", "a queue hears of the end",
      ],
      advice: """
        The queue reads isFinished inside didChangeValue and finds the old value: change first, \
        then say that it has changed.
        """),
    Mistake(
      "all notices after the change",
      .edits([Edit(wills, ""), Edit(dids, wills + dids)]),
      breaks: ["reads the old state inside both *wills* and the new state"],
      rejectedBy: ["inside will it is the old state, inside did the new"],
      advice: "willChangeValue comes before the change: inside it the old value is read."),
    Mistake(
      "only the new state's property", .edit("[new.key, old.key]", "[new.key]"),
      breaks: ["A move changes two properties"],
      rejectedBy: ["both properties are announced"],
      advice: "The old state's property becomes false: that is a change too, so announce it."),
    Mistake(
      "only the old state's property", .edit("[new.key, old.key]", "[old.key]"),
      breaks: ["A move changes two properties"],
      rejectedBy: ["both properties are announced", "a queue hears of the end"],
      advice: "The new state's property becomes true, and nobody hears of it: announce both."),
    Mistake(
      "two setters that notify", .file("TwoSetters.swift"),
      breaks: ["reads the old state inside both *wills* and the new state"],
      rejectedBy: ["inside will it is the old state, inside did the new"],
      advice: """
        Between the two setters the operation is neither what it was nor what it will be: change \
        both values in one step, and announce both around it.
        """),
    Mistake(
      "announces on another queue",
      .edits([
        Edit(wills, ""),
        Edit(
          dids,
          """
              DispatchQueue.global().async {
                for key in keys { operation.willChangeValue(forKey: key) }
                for key in keys.reversed() { operation.didChangeValue(forKey: key) }
              }

          """),
      ]),
      breaks: ["Notifies on the calling thread, and returns when all is said."],
      rejectedBy: ["the thread that moves sends the notices"],
      advice: """
        When move has returned, its caller relies on it that everybody has been told: notify \
        directly, on the thread that moves.
        """),
    Mistake(
      "announces before it decides",
      .edits([
        Edit(wills, ""),
        Edit(
          "    let isMine = lock",
          """
              let keys = [new.key, old.key]
              for key in keys { operation.willChangeValue(forKey: key) }
              let isMine = lock
          """),
        Edit("    guard isMine else { return false }\n\n    let keys = [new.key, old.key]\n", ""),
        Edit(dids + "    return true\n", dids + "    return isMine\n"),
        Edit("      current = new\n", "      if isMine { current = new }\n"),
      ]),
      breaks: ["A refused move announces nothing."],
      rejectedBy: ["a refused move announces nothing"],
      advice: """
        Whether there is a change is known only after you have decided: refuse first, announce then.
        """),
  ]

  // MARK: - The lock

  private static let lockMistakes = [
    Mistake(
      "notifies with the lock held", .edits(lockHeldMeanwhile),
      breaks: ["Inside a notice any thread may read", "Doesn't wait for a notice."],
      rejectedBy: ["a move changes the state"], verdict: .hung,
      advice: """
        Whoever hears the notice asks for the state and waits for the lock that you hold: let go \
        of it before you notify.
        """),
    Mistake(
      "notifies with a recursive lock held",
      .edits([Edit("= NSLock()", "= NSRecursiveLock()")] + lockHeldMeanwhile),
      breaks: ["Inside a notice any thread may read", "Doesn't wait for a notice."],
      rejectedBy: [
        "no lock is held while it notifies", "a move that another thread makes is refused",
      ],
      advice: """
        A recursive lock lets the same thread in again, and stops every other one that asks for \
        the state inside the notice: let go of it before you notify.
        """),
    Mistake(
      "willSet and didSet inside the lock", .file("ObservedPropertyLocked.swift"),
      breaks: ["Inside a notice any thread may read"],
      rejectedBy: ["no lock is held while it notifies"],
      advice: """
        Property observers run where the property is set, and here that is inside the lock: send \
        the notices from move, outside of it.
        """),
    Mistake(
      "moves wait for each other",
      .edits([
        Edit(
          "  private let lock = NSLock()\n",
          "  private let lock = NSLock()\n  private let moves = NSRecursiveLock()\n"),
        Edit(
          "    let isMine = lock",
          "    moves.lock()\n    defer { moves.unlock() }\n    let isMine = lock"),
      ]),
      breaks: ["The others are refused without waiting"],
      rejectedBy: [
        "a move that another thread makes is refused", "inside did the next move may be made",
      ],
      advice: """
        A second lock around the whole move is held while you notify, and an observer whose thread \
        asks for the next move waits for it: a note under the first lock does it.
        """),
  ]

  private static let lockHeldMeanwhile = [
    Edit(
      "let isMine = lock.withLock {", "lock.lock()\n    defer { lock.unlock() }\n    let isMine = {"
    ),
    Edit("return true\n    }\n    guard isMine", "return true\n    }()\n    guard isMine"),
    Edit("    lock.withLock {\n      current = new", "    do {\n      current = new"),
  ]

  // MARK: - The decision

  private static let decisionMistakes = [
    Mistake(
      "leaves no note", .edit("      isMoving = true\n", ""),
      breaks: [
        "one makes it and announces it",
        "where nobody is on the way to leave it",
      ],
      rejectedBy: ["a move that another thread makes is refused"],
      advice: """
        Between the decision and the change the lock is free, and a second thread decides the \
        same: note under the lock that a move is being made.
        """),
    Mistake(
      "the state is compared on another queue", .file("ComparedElsewhere.swift"),
      breaks: ["one makes it and announces it"],
      rejectedBy: ["a move that another thread makes is refused"],
      advice: """
        What was read on one queue is out of date on the next: look, compare and decide in one \
        block.
        """),
    Mistake(
      "willSet and didSet without protection", .file("ObservedProperty.swift"),
      breaks: ["one makes it and announces it"],
      rejectedBy: ["a move that another thread makes is refused"],
      advice: """
        The property announces itself, but two threads may set it at once: guard the decision with \
        a lock, and send the notices from move.
        """),
    Mistake(
      "the note stays until all is announced",
      .edits([
        Edit("      isMoving = false\n", ""),
        Edit(dids, dids + "    lock.withLock { isMoving = false }\n"),
      ]),
      breaks: ["once the state has changed any thread may ask for the next move"],
      rejectedBy: ["inside did the next move may be made"],
      advice: """
        Who hears that it executes may finish it at once, and is refused: take the note away \
        together with the change.
        """),
    Mistake(
      "a refused move leaves its note",
      .edit(
        """
              guard old.canMove(to: new), current == old, !isMoving else { return false }
              isMoving = true
              return true

        """,
        """
              guard !isMoving else { return false }
              isMoving = true
              return old.canMove(to: new) && current == old

        """),
      breaks: ["A move is made where the state is `old`"],
      rejectedBy: ["after a refused move the next may be made"],
      advice: """
        Nobody takes a note away that a refused move has left, and every later move is refused: \
        leave it only when you have decided to move.
        """),
    Mistake(
      "the note goes after the first did",
      .edits([
        Edit("      isMoving = false\n", ""),
        Edit(
          dids,
          """
              for key in keys.reversed() {
                operation.didChangeValue(forKey: key)
                lock.withLock { isMoving = false }
              }

          """),
      ]),
      breaks: ["inside a *did* too"],
      rejectedBy: ["inside did the next move may be made"],
      advice: """
        The state has changed before the first did, and whoever hears it may ask for the next \
        move: take the note away together with the change.
        """),
    Mistake(
      "the note goes after the first will",
      .edits([
        Edit("      isMoving = false\n", ""),
        Edit(
          wills,
          """
              for key in keys {
                operation.willChangeValue(forKey: key)
                lock.withLock { isMoving = false }
              }

          """),
      ]),
      breaks: ["from its first *will* on", "where nobody is on the way to leave it"],
      rejectedBy: ["a move that another thread makes is refused"],
      advice: """
        Until the state has changed everybody finds the old one: the note has to stay for as long, \
        and goes together with the change.
        """),
    Mistake(
      "the moving thread may move again",
      .edits([
        Edit(
          "  private nonisolated(unsafe) var isMoving = false  // Safe: as above.\n",
          "  private nonisolated(unsafe) var mover: Thread?  // Safe: as above.\n"),
        Edit("!isMoving else", "mover == nil || mover === Thread.current else"),
        Edit("      isMoving = true\n", "      mover = Thread.current\n"),
        Edit("      isMoving = false\n", "      mover = nil\n"),
      ]),
      breaks: ["not even this thread"],
      rejectedBy: ["inside will the moving thread is refused as well"],
      advice: """
        An observer on that thread would finish what hasn't begun, and the first move would begin it \
        again afterwards: a note counts for everybody.
        """),
    Mistake(
      "one note for all operations",
      .edit(
        "  private nonisolated(unsafe) var isMoving = false  // Safe: as above.\n",
        """
          private var isMoving: Bool {
            get { Self.isOneMoving }
            set { Self.isOneMoving = newValue }
          }
          // Safe: guarded by `lock`, which it isn't where there are two of them.
          private nonisolated(unsafe) static var isOneMoving = false

        """),
      breaks: ["The state of one operation"],
      rejectedBy: ["another operation moves meanwhile"],
      advice: """
        Whoever hears of one operation may start the next one there and then: what belongs to one \
        operation is a property of its notifier.
        """),
    Mistake(
      "goes to the next state, whichever was asked for",
      .edit("      current = new\n", "      current = old == .ready ? .executing : .finished\n"),
      breaks: ["new: The state to go to.", "Moves from `old` to `new`"],
      rejectedBy: ["only a move that leads on from the state is made"],
      advice: "From ready there are two ways on: go where the caller says."),
    Mistake(
      "every call is told that it has moved",
      .edit("guard isMine else { return false }", "guard isMine else { return true }"),
      breaks: ["Whether this call has made the move."],
      rejectedBy: [
        "only a move that leads on from the state is made", "of several threads one makes the move",
      ],
      advice: """
        Of two threads that finish an operation both would think that they did: return what was \
        decided under the lock.
        """),
    Mistake(
      "begins in executing",
      .edit("var current = State.ready", "var current = State.executing"),
      breaks: ["Creates the state of an operation that is ready.", "Not started."],
      rejectedBy: ["a move changes the state"],
      advice: "Nothing has started when it's made: begin with ready."),
    Mistake(
      "doesn't ask for the state", .edit("current == old, !isMoving", "!isMoving"),
      breaks: ["Otherwise it's refused.", "old: The state to come from."],
      rejectedBy: [
        "only a move that leads on from the state is made", "a refused move announces nothing",
        "of several threads one makes the move",
      ],
      advice: "A move is asked for from a certain state: compare it before you decide."),
    Mistake(
      "doesn't ask the table", .edit("old.canMove(to: new), current", "current"),
      breaks: ["Over, for good.", "where it leads from ready to executing"],
      rejectedBy: ["only a move that leads on from the state is made"],
      advice: "Not every move leads on: ask canMove(to:), or finished can be left again."),
    Mistake(
      "cancelled ones can't finish",
      .edit("(.ready, .executing), (.ready, .finished), ", "(.ready, .executing), "),
      breaks: [
        "or from ready to finished",
        "Whether an operation in this state may be in `next`",
      ],
      rejectedBy: ["only a move that leads on from the state is made"],
      advice: "From ready to finished is the way of those that were cancelled: allow it."),
    Mistake(
      "keeps the operation",
      .edits([
        Edit(
          "  private let lock = NSLock()\n",
          """
            // Safe: guarded by `lock`.
            private nonisolated(unsafe) var operation: Operation?
            private let lock = NSLock()

          """),
        Edit(
          "      isMoving = true\n", "      isMoving = true\n      self.operation = operation\n"),
      ]),
      breaks: ["Doesn't keep the operation alive."],
      rejectedBy: ["it doesn't keep the operation"],
      advice: """
        The operation keeps its notifier; a notifier that keeps the operation makes a circle that \
        is never freed.
        """),
  ]

  // MARK: - What it keeps

  private static let keepMistakes = [
    Mistake(
      "keeps the operation until it's finished",
      .edits([
        Edit(
          "  private let lock = NSLock()\n",
          """
            // Safe: guarded by `lock`.
            private nonisolated(unsafe) var operation: Operation?
            private let lock = NSLock()

          """),
        Edit(
          "      isMoving = true\n",
          "      isMoving = true\n      self.operation = new == .finished ? nil : operation\n"),
      ]),
      breaks: ["Doesn't keep the operation alive."],
      rejectedBy: ["it doesn't keep the operation"],
      advice: """
        An operation that nobody finishes stays in memory for ever, and all that it holds: a queue \
        keeps what it runs, so don't.
        """)
  ]

  // MARK: - What guards the state

  private static let guardMistakes = [
    Mistake(
      "the state is read without the lock", .edit("{ lock.withLock { current } }", "{ current }"),
      breaks: ["Safe to use from every thread.", "The state now."],
      rejectedBy: ["the state may be read while it moves"], verdict: .race,
      advice: "A read beside a write is a race as well: take the lock in the getter too."),
    Mistake(
      "the state is changed without the lock",
      .edit("    lock.withLock {\n      current = new", "    do {\n      current = new"),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["the state may be read while it moves"], verdict: .race,
      advice: "A lock helps only where everybody takes it: change the state under it too."),
    Mistake(
      "changed on one queue, read on another", .file("TwoQueues.swift"),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["the state may be read while it moves"], verdict: .race,
      advice: """
        Two queues know nothing of each other: every access to the state belongs on the same one.
        """),
    Mistake(
      "the note is looked at without the lock",
      .edits([
        Edit(
          "  private nonisolated(unsafe) var isMoving = false  // Safe: as above.\n", ""),
        Edit(
          "  private let lock = NSLock()\n",
          """
            // Safe: it isn't.
            private nonisolated(unsafe) var isMoving = false
            private let lock = NSLock()

          """),
        Edit(
          "    let isMine = lock.withLock {\n      guard old.canMove(to: new), current == old, !isMoving",
          """
              guard !isMoving else { return false }
              isMoving = true
              let isMine = lock.withLock {
                guard old.canMove(to: new), current == old
          """),
        Edit("      isMoving = true\n      return true\n", "      return true\n"),
        Edit(
          "    guard isMine else { return false }\n",
          "    guard isMine else {\n      isMoving = false\n      return false\n    }\n"),
      ]),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["a move may be asked for while another is made"], verdict: .race,
      advice: """
        Two threads may both find the note missing and both leave one: look at it and leave it \
        under the lock, together with the state.
        """),
  ]
}
