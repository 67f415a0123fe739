extension Kata {
  static let deadlineOperation = Kata(
    "DeadlineOperation", module: .cancellation,
    title: "Give up after some seconds, and say so",
    difficulty: 4, minutes: 40, needs: ["CancelRace", "AsyncBlockOperation"],
    hints: [
      """
      Three may end it: the value, the timer, cancel(). Write one method for all three that settles \
      the outcome under the lock, once; everything else follows from who was first. What follows?
      """,
      """
      settle(outcome): under the lock, where nothing is settled, keep the outcome and take out the \
      work, the way to stop it and the way to cancel the timer. Without the lock: super.cancel() if \
      it's a cancellation, cancel the timer, stop the work unless it has brought its value, \
      finish(). main(): look once more, set the timer, take the work out and begin it. What schedule \
      and work return may come too late to be kept: then call it at once.
      """,
      """
      main: guard outcome == nil else { return finish() }; let cancelTimer = schedule(deadline) { \
      [weak self] in self?.settle(.timedOut) }; if !keep(cancelTimer) { cancelTimer() }; take work \
      out under the lock; guard let work; let stop = work { [weak self] in \
      self?.settle(.completed($0)) }; if !keep(stop), it isn't completed { stop() }. keep: \
      lock.withLock { guard settled == nil else { return false }; store it; return true }.
      """,
    ],
    questions: [
      Question(
        "From when does the time count, and why not from when the operation is made?",
        answer: """
          From its start. What waits in a long queue would otherwise be timed out before it had \
          done anything.
          """),
      Question(
        """
        The value, the timer and `cancel()` come at the same moment. How does each thing happen \
        once?
        """,
        answer: """
          `settle` takes the outcome and all belongings out under the lock, and all but the first \
          find it settled. The winner then cancels the timer, stops the work if it was given up, \
          and finishes.
          """),
      Question(
        "A thousand of these wait for slow servers. How many threads do their timers hold?",
        answer: """
          None. Dispatch keeps its timers together and puts a handler in line when one is due; \
          nobody sleeps for each.
          """),
    ],
    mistakes: endMistakes + timerMistakes + orderMistakes + waitMistakes + lockMistakes
      + memoryMistakes,
    rightAnswers: [
      RightAnswer("decided on a serial queue", .file("SerialQueue.swift")),
      RightAnswer("a state machine in a box", .file("StateMachine.swift")),
      RightAnswer("an atomic claim", .file("AtomicClaim.swift")),
    ],
    unproven: [
      Unproven("Whether anything but its queue keeps it", "leaves something open"),
      Unproven("What the operation came to.", "a name"),
      Unproven("Tells the work that nobody waits for it any more.", "a name"),
      Unproven("The work: it begins, returns soon how to stop it", "asks it of the closure"),
      Unproven("To be called by `start()` alone.", "asks it of whoever calls"),
    ],
    equivalents: [
      Equivalent("swapped with the next: var work: Work?", "Two properties, in any order."),
      Equivalent("swapped with the next: var stopWork: Stop?", "Two properties, in any order."),
      Equivalent("made twice: settle(.cancelled)", "The second finds it settled."),
      Equivalent("left out: defer { belongings.work = nil }", "All of it goes at the end."),
      Equivalent(
        "swapped with the next: defer { belongings.work = nil }", "What is returned is read before."
      ),
      Equivalent(
        "swapped with the next: belongings.cancelTimer?()",
        "Which of the two is told first is left open."),
      Equivalent(
        "swapped with the next: if isGivenUp { belongings.stopWork?() }",
        "Which of the two comes first is left open."),
      Equivalent(
        "swapped with the next: self.schedule = schedule",
        "Nobody has the object before its initialiser ends."),
    ])

  // MARK: - Pieces of the reference

  private static let settingOfTimer = #"""
        let cancelTimer = schedule(deadline) { [weak self] in self?.settle(.timedOut) }
        if !keep(cancelTimer, in: \.cancelTimer) { cancelTimer() }

    """#
  private static let beginningOfWork = #"""
        let stopWork = work { [weak self] value in self?.settle(.completed(value)) }
        if !keep(stopWork, in: \.stopWork), isGivenUp { stopWork() }

    """#
  private static let keepingOfStop =
    #"    if !keep(stopWork, in: \.stopWork), isGivenUp { stopWork() }"# + "\n"
  private static let tellingOfTimer = "    belongings.cancelTimer?()\n"
  private static let tellingOfWork = "    if isGivenUp { belongings.stopWork?() }\n"
  private static let claim = """
          guard settled == nil else { return nil }
          settled = outcome

    """
  private static let lettingGo = "      defer { self.belongings = Belongings() }\n"
  private static let cancelBody = "    settle(.cancelled)\n"
  private static let finishing = "    finish()\n  }\n}"

  // MARK: - How it ends

  private static let endMistakes = [
    Mistake(
      "the deadline only stops the work",
      .edit(finishing, "    if case .timedOut = outcome {} else { finish() }\n  }\n}"),
      breaks: [
        "An operation that gives up after some seconds",
        "it doesn't wait for work that it has given up",
      ],
      rejectedBy: ["when its time is up it gives up and says so"],
      advice: "Work that is late may never listen: finish the operation when its time is up."),
    Mistake(
      "the deadline cancels it",
      .edit("self?.settle(.timedOut)", "self?.cancel()"),
      breaks: ["reads in ``outcome`` which of the three it was"],
      rejectedBy: ["when its time is up it gives up and says so"],
      advice: """
        Whoever waits must know why there is no value: nobody has cancelled it, so settle it as \
        timedOut.
        """),
    Mistake(
      "the work isn't told", .edit(tellingOfWork, ""),
      breaks: ["**Work that's given up is told to stop**"],
      rejectedBy: [
        "when its time is up it gives up and says so",
        "cancelled while it works, it is over at once",
      ],
      advice: """
        A request that nobody waits for goes on loading: call what the work has returned when you \
        give it up.
        """),
    Mistake(
      "tells work that has ended", .edit(tellingOfWork, "    belongings.stopWork?()\n"),
      breaks: ["Work that has ended isn't told"],
      rejectedBy: ["the value that comes in time is the outcome"],
      advice: """
        Work that has brought its value is over, and what it used may be somebody else's by now: \
        stop only what you give up.
        """),
    Mistake(
      "no super.cancel", .edit("    if case .cancelled = outcome { super.cancel() }\n", ""),
      breaks: ["`isCancelled` is true before it calls anything else"],
      rejectedBy: [
        "cancelled while it works, it is over at once",
        "cancelled before its start, it never works",
      ],
      advice: "isCancelled is Foundation's: call super.cancel() where it's cancelled."),
    Mistake(
      "tells Foundation last",
      .edits([
        Edit("    if case .cancelled = outcome { super.cancel() }\n", ""),
        Edit(
          tellingOfWork, tellingOfWork + "    if case .cancelled = outcome { super.cancel() }\n"),
      ]),
      breaks: ["`isCancelled` is true before it calls anything else"],
      rejectedBy: ["when anything is called by cancel, isCancelled is true"],
      advice: """
        Whoever is told to stop looks at isCancelled: call super.cancel() before you call anything else.
        """),
    Mistake(
      "cancelled after its end",
      .edit(cancelBody, "    super.cancel()\n" + cancelBody),
      breaks: ["`isCancelled` is as it was"],
      rejectedBy: ["a call in the midst of another has no effect"],
      advice: """
        It has completed and says that it was cancelled: call super.cancel() only where the \
        cancellation has settled the outcome.
        """),
    Mistake(
      "the work is told on another thread",
      .edit(
        tellingOfWork,
        """
            if isGivenUp, let stopWork = belongings.stopWork {
              DispatchQueue.global().async(execute: stopWork)
            }

        """),
      breaks: ["is called on the thread that gives the work up"],
      rejectedBy: ["the work is told by whoever gives it up"],
      advice: """
        When cancel() has returned, the work must have been told: call what it has returned there and \
        then.
        """),
    Mistake(
      "late work is told on another thread",
      .edit(
        keepingOfStop,
        #"""
            if !keep(stopWork, in: \.stopWork), isGivenUp {
              DispatchQueue.global().async(execute: stopWork)
            }

        """#),
      breaks: ["on the one that began it"],
      rejectedBy: ["it may be over before the work has returned"],
      advice: """
        The thread that began the work is there, and the work must be told at once: call what it has \
        returned.
        """),
    Mistake(
      "begins the work on another thread",
      .edit(
        beginningOfWork,
        #"""
            DispatchQueue.global().async { [self] in
              let stopWork = work { [weak self] value in self?.settle(.completed(value)) }
              if !keep(stopWork, in: \.stopWork), isGivenUp { stopWork() }
            }

        """#),
      breaks: ["on the thread that starts it, unless the outcome is settled"],
      rejectedBy: ["the value that comes in time is the outcome"],
      advice: """
        The queue has given the operation a thread, and another one is no faster: begin the work in \
        main(), there and then.
        """),
    Mistake(
      "starts itself when it's cancelled",
      .edit(cancelBody, cancelBody + "    if !isExecuting { start() }\n"),
      breaks: ["but the operation is finished by its start"],
      rejectedBy: ["cancelled before its start, it never works"],
      advice: """
        Its queue starts it all the same, and is upset by an operation that has finished by then: leave \
        the end to the queue's start.
        """),
    Mistake(
      "cancel leaves the end to the deadline", .edit(cancelBody, "    super.cancel()\n"),
      breaks: [
        "or when it's cancelled: whichever comes first", "Settles the outcome as cancelled",
      ],
      rejectedBy: ["cancelled while it works, it is over at once"],
      advice: "Whoever cancels doesn't want to wait for the time to pass: settle it there and then."
    ),
    Mistake(
      "cancelled before its start isn't settled",
      .edit(cancelBody, "    guard isExecuting else { return super.cancel() }\n" + cancelBody),
      breaks: ["the outcome is settled at once", "Settles the outcome as cancelled"],
      rejectedBy: ["cancelled before its start, it never works"],
      advice: "An operation that never works has an outcome too: settle it in cancel()."),
    Mistake(
      "main doesn't look again", .edit("    guard outcome == nil else { return finish() }\n", ""),
      breaks: ["finished by its start, as its queue expects"],
      rejectedBy: ["cancelled in the midst of its start, it comes to its end"],
      advice: """
        start() may have looked just before it was cancelled, and then finish() had no effect: look \
        once more in main(), and finish.
        """),
    Mistake(
      "begins work that is over",
      .edit(
        lettingGo, "      defer { self.belongings = Belongings(work: self.belongings.work) }\n"),
      breaks: ["unless the outcome is settled by then"],
      rejectedBy: ["it may be over while the timer is set"],
      advice:
        "It may be over before the work has begun: look again under the lock that hands it out."
    ),
  ]

  // MARK: - The timer

  private static let timerMistakes = [
    Mistake(
      "its time counts from its making",
      .edits([
        Edit(settingOfTimer, ""), Edit("    super.init()\n", "    super.init()\n" + settingOfTimer),
      ]),
      breaks: ["the time in a queue is free", "Creates an operation that waits to be started."],
      rejectedBy: ["its time counts from its start"],
      advice: """
        Behind others in a queue its time would be up before it has begun: set the timer in main().
        """),
    Mistake(
      "the timer is set after the work",
      .edits([
        Edit(settingOfTimer, ""), Edit(keepingOfStop, keepingOfStop + settingOfTimer),
      ]),
      breaks: ["counted from just before it's begun", "Sets the timer and begins the work."],
      rejectedBy: ["its time counts from its start"],
      advice: """
        What the work does before it returns counts as well, and work that ends at once leaves the \
        timer behind: set it first.
        """),
    Mistake(
      "a timer of its own",
      .edit("schedule(deadline) {", "AsyncBlockOperation.dispatchTimer(deadline) {"),
      breaks: ["Sets the timer, on the thread that starts the operation"],
      rejectedBy: ["its time counts from its start"],
      advice: "Set the timer by the scheduler that it was given; that of Dispatch is the default."),
    Mistake(
      "no timer by default",
      .edit("= AsyncBlockOperation.dispatchTimer,", "= { _, _ in {} },"),
      breaks: ["a timer of Dispatch by default"],
      rejectedBy: ["the timer of Dispatch ends it"],
      advice: "Who names no scheduler wants a timer all the same: that of Dispatch."),
    Mistake(
      "the timer is set on another thread",
      .edit(
        settingOfTimer,
        #"""
            DispatchQueue.global().async { [weak self, schedule, deadline] in
              let cancelTimer = schedule(deadline) { [weak self] in self?.settle(.timedOut) }
              if self?.keep(cancelTimer, in: \.cancelTimer) != true { cancelTimer() }
            }

        """#),
      breaks: ["Sets the timer, on the thread that starts the operation"],
      rejectedBy: ["the value that comes in time is the outcome"],
      advice: """
        On a busy machine that thread comes late, and so does the deadline: set the timer in main(), \
        there and then.
        """),
    Mistake(
      "milliseconds", .edit("schedule(deadline) {", "schedule(deadline * 1000) {"),
      breaks: ["The time that the work has, in seconds"],
      rejectedBy: ["its time counts from its start"],
      advice: "The deadline is in seconds, and so is what the scheduler takes."),
    Mistake(
      "the timer is never cancelled", .edit(tellingOfTimer, ""),
      breaks: ["and of the timer, which is cancelled"],
      rejectedBy: [
        "the value that comes in time is the outcome",
        "cancelled while it works, it is over at once",
      ],
      advice: """
        A timer that nobody needs stays until its time has come, and wakes the machine for nothing: \
        cancel it at the end.
        """),
    Mistake(
      "cancel forgets the timer",
      .edit(tellingOfTimer, "    if case .completed = outcome { belongings.cancelTimer?() }\n"),
      breaks: ["and of the timer, which is cancelled"],
      rejectedBy: ["cancelled while it works, it is over at once"],
      advice:
        "However it ends, the timer has to go: cancel it in the one place where it is settled."),
    Mistake(
      "a timer that comes too late to be kept",
      .edit(
        #"    if !keep(cancelTimer, in: \.cancelTimer) { cancelTimer() }"#,
        #"    _ = keep(cancelTimer, in: \.cancelTimer)"#),
      breaks: ["and of the timer, which is cancelled"],
      rejectedBy: ["it may be over while the timer is set"],
      advice: """
        It may be cancelled while the scheduler still sets the timer: cancel the timer at once where \
        it's over.
        """),
  ]

  // MARK: - Who is first

  private static let orderMistakes = [
    Mistake(
      "the last one decides", .edit("      guard settled == nil else { return nil }\n", ""),
      breaks: [
        "a timer that goes off late", "Its time was up before the work had ended.",
        "It was cancelled before the work had ended.",
      ],
      rejectedBy: ["what comes later has no effect"],
      advice: """
        Whoever was told that it has timed out can't be told later that it has a value: the first \
        outcome stays.
        """),
    Mistake(
      "a late value counts",
      .edit(
        "      guard settled == nil else { return nil }\n",
        """
              if case .completed = outcome {} else if settled != nil { return nil }

        """),
      breaks: ["a value that comes late", "The work has ended in time, with this value."],
      rejectedBy: ["what comes later has no effect"],
      advice: "It was given up, and everybody was told: ignore a value that comes late."),
    Mistake(
      "asks isFinished who was first",
      .edit("guard settled == nil else { return nil }", "guard !isFinished else { return nil }"),
      breaks: ["The outcome stays as it is then"],
      rejectedBy: ["a call in the midst of another has no effect"],
      advice: """
        Between the decision and the announcement isFinished is still false: decide by the outcome, \
        under the lock.
        """),
    Mistake(
      "looks, cancels the timer, then settles",
      .edits([
        Edit(
          claim, "      guard settled == nil else { return nil }\n      isOpen = true\n"),
        Edit(
          "  private var settled: Outcome?\n",
          "  private var settled: Outcome?\n  private var isOpen = true\n"),
        Edit(lettingGo, ""),
        Edit(
          tellingOfTimer,
          """
              belongings.cancelTimer?()
              lock.withLock {
                settled = outcome
                self.belongings = Belongings()
              }

          """),
      ]),
      breaks: ["The outcome stays as it is then"],
      rejectedBy: ["a call in the midst of another has no effect"],
      advice: """
        While the timer is being cancelled the outcome is still open, and another call settles it: \
        look and settle under one hold of the lock.
        """),
    Mistake(
      "settles after the end",
      .edits([
        Edit(
          claim,
          "      guard !isClaimed else { return nil }\n      isClaimed = true\n"),
        Edit(
          "  private var settled: Outcome?\n",
          "  private var settled: Outcome?\n  private var isClaimed = false\n"),
        Edit(
          tellingOfWork + finishing,
          """
              if case .completed = outcome {} else { belongings.stopWork?() }
              finish()
              lock.withLock { settled = outcome }
            }
          }
          """),
      ]),
      breaks: ["which is before it's announced as finished"],
      rejectedBy: ["the outcome is there when the end is announced"],
      advice:
        "finish() announces the end, and whoever hears of it reads the outcome: settle it first."
    ),
    Mistake(
      "work that can't be stopped yet",
      .edit(keepingOfStop, #"    _ = keep(stopWork, in: \.stopWork)"# + "\n"),
      breaks: ["it's told as soon as it has"],
      rejectedBy: [
        "it may be over before the work has returned", "it may be over inside the work",
      ],
      advice: """
        Its time may be up before the work has returned how to stop it: stop it as soon as it has.
        """),
    Mistake(
      "stops work that has ended inside",
      .edit(#"in: \.stopWork), isGivenUp {"#, #"in: \.stopWork) {"#),
      breaks: ["Work that has ended isn't told"],
      rejectedBy: [
        "it may be over before the work has returned", "it may be over inside the work",
      ],
      advice: """
        It may be over by the time the work returns because the work has ended: stop only what was \
        given up.
        """),
  ]

  // MARK: - Who waits

  private static let waitMistakes = [
    Mistake(
      "waits in main",
      .edits([
        Edit(beginningOfWork, beginningOfWork + "    ended.wait()\n    finish()\n"),
        Edit(finishing, "    if isExecuting { ended.signal() } else { finish() }\n  }\n}"),
        Edit(
          "  private let lock = NSLock()\n",
          "  private let lock = NSLock()\n  private let ended = DispatchSemaphore(value: 0)\n"),
      ]),
      breaks: ["any number of operations may work without a thread"],
      rejectedBy: [
        "the value that comes in time is the outcome", "a hundred of them work on one thread",
      ],
      verdict: .hung,
      advice: """
        A thread that waits is a thread that nobody else has, and a hundred operations hold a \
        hundred: return from main() and let the timer call.
        """),
    Mistake(
      "a thread waits for each",
      .edit(
        settingOfTimer,
        #"""
            let alarm = DispatchSemaphore(value: 0)
            let cancel = schedule(deadline) { alarm.signal() }
            let cancelTimer: @Sendable () -> Void = {
              cancel()
              alarm.signal()
            }
            Thread.detachNewThread { [weak self] in
              alarm.wait()
              self?.settle(.timedOut)
            }
            if !keep(cancelTimer, in: \.cancelTimer) { cancelTimer() }

        """#),
      breaks: ["Nothing waits for the timer but the timer"],
      rejectedBy: ["a hundred of them work on one thread"],
      advice: "The scheduler calls when the time has come: nobody has to wait for it on a thread."),
  ]

  // MARK: - The lock

  private static let lockMistakes = [
    Mistake(
      "begins the work with the lock held",
      .edit(
        beginningOfWork,
        #"""
            let stopWork = lock.withLock {
              work { [weak self] value in self?.settle(.completed(value)) }
            }
            if !keep(stopWork, in: \.stopWork), isGivenUp { stopWork() }

        """#),
      breaks: [
        "It may call `complete` at once or later", "No lock is held while anything is called",
      ],
      rejectedBy: [
        "it may be over before the work has returned", "it may be over inside the work",
      ],
      verdict: .hung,
      advice:
        "The work may end at once, and settling needs the lock that you hold: call it without."),
    Mistake(
      "sets the timer with the lock held",
      .edit(
        settingOfTimer,
        """
            lock.withLock {
              belongings.cancelTimer = schedule(deadline) { [weak self] in self?.settle(.timedOut) }
            }

        """),
      breaks: ["No lock is held while anything is called"],
      rejectedBy: ["it may be over while the timer is set"],
      advice: """
        A scheduler may call the timer's action at once, which needs the lock that you hold: set the \
        timer first, then keep the way to cancel it under the lock.
        """),
    Mistake(
      "sets the timer with a recursive lock held",
      .edits([
        Edit("lock = NSLock()", "lock = NSRecursiveLock()"),
        Edit(
          settingOfTimer,
          """
              lock.withLock {
                let cancelTimer = schedule(deadline) { [weak self] in self?.settle(.timedOut) }
                if settled == nil { belongings.cancelTimer = cancelTimer } else { cancelTimer() }
              }

          """),
      ]),
      breaks: ["No lock is held while anything is called"],
      rejectedBy: ["nobody has to wait for the timer to be set"],
      advice: """
        A recursive lock lets only its own thread in again; every other one waits until the timer is \
        set: call out without a lock.
        """),
    Mistake(
      "tells the work with the lock held",
      .edit(
        tellingOfWork,
        """
            if case .completed = outcome {} else { lock.withLock { belongings.stopWork?() } }

        """),
      breaks: ["No lock is held while anything is called"],
      rejectedBy: ["who is told to stop may call the operation"], verdict: .hung,
      advice:
        "Whoever is told to stop may ask for the outcome, and waits for the lock that you hold."),
    Mistake(
      "cancels the timer with the lock held",
      .edit(tellingOfTimer, "    lock.withLock { belongings.cancelTimer?() }\n"),
      breaks: ["No lock is held while anything is called"],
      rejectedBy: ["a call in the midst of another has no effect"],
      advice: """
        The scheduler's closure is somebody else's code and may take long: nobody must wait for the \
        lock meanwhile.
        """),
    Mistake(
      "finishes with the lock held",
      .edit(finishing, "    lock.withLock { finish() }\n  }\n}"),
      breaks: ["which is before it's announced as finished"],
      rejectedBy: [
        "a call in the midst of another has no effect",
        "the outcome is there when the end is announced",
      ],
      advice: """
        finish() tells others, who ask for the outcome and wait for the lock that you hold: let go \
        of it first.
        """),
    Mistake(
      "looks without the lock",
      .edit(
        "    let belongings: Belongings? = lock",
        "    guard settled == nil else { return }\n    let belongings: Belongings? = lock"),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["one thread settles it, and another comes too late"], verdict: .race,
      advice:
        "A look beside somebody else's write is a race, even if you look again: take the lock."),
    Mistake(
      "keeps without the lock",
      .edit(
        """
            lock.withLock {
              guard settled == nil else { return false }
              belongings[keyPath: place] = closure
              return true
            }

        """,
        """
            guard settled == nil else { return false }
            belongings[keyPath: place] = closure
            return true

        """),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["cancelled by another thread while it begins, it undoes what it has begun"],
      verdict: .race,
      advice: """
        The work may be given up by another thread while it begins: look and keep under one hold of \
        the lock.
        """),
    Mistake(
      "reads the outcome without the lock",
      .edit("{ lock.withLock { settled } }", "{ settled }"),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["the outcome may be read on any thread"], verdict: .race,
      advice: "A lock protects only if everybody takes it, the getter too."),
  ]

  // MARK: - Who keeps whom

  private static let memoryMistakes = [
    Mistake(
      "the timer keeps the operation",
      .edit("{ [weak self] in self?.settle(.timedOut) }", "{ self.settle(.timedOut) }"),
      breaks: ["Whoever still keeps `complete` or the timer's action"],
      rejectedBy: ["neither its timer nor complete keeps it"],
      advice: """
        Many timers keep their action until its time has come, even if they are cancelled: capture \
        the operation weakly.
        """),
    Mistake(
      "complete keeps the operation",
      .edit("{ [weak self] value in self?.settle", "{ value in self.settle"),
      breaks: ["Whoever still keeps `complete` or the timer's action"],
      rejectedBy: ["neither its timer nor complete keeps it"],
      advice: """
        Work that was given up may keep complete for hours: capture the operation weakly.
        """),
    Mistake(
      "the timer keeps the work",
      .edit(
        settingOfTimer,
        #"""
            let begun = lock.withLock { belongings.work }
            let cancelTimer = schedule(deadline) { [weak self] in
              withExtendedLifetime(begun) { self?.settle(.timedOut) }
            }
            if !keep(cancelTimer, in: \.cancelTimer) { cancelTimer() }

        """#),
      breaks: ["keeps neither the operation nor its work"],
      rejectedBy: ["when it is over it lets go of its work and its timer"],
      advice: """
        What the timer's action captures lives as long as the timer's time: it needs nothing but the \
        operation, weakly.
        """),
    Mistake(
      "keeps what it's handed after its end",
      .edit(
        """
              guard settled == nil else { return false }
              belongings[keyPath: place] = closure

        """,
        """
              belongings[keyPath: place] = closure
              guard settled == nil else { return false }

        """),
      breaks: ["of its work, of the way to stop it, and of the timer"],
      rejectedBy: ["when it is over it lets go of its work and its timer"],
      advice: """
        It may be over before the work has returned how to stop it: look first, and keep it only where \
        there is something to stop.
        """),
    Mistake(
      "keeps work that it never begins",
      .edits([
        Edit(
          lettingGo,
          """
                defer {
                  var kept = Belongings()
                  if case .timedOut = outcome { kept.work = self.belongings.work }
                  self.belongings = kept
                }

          """),
        Edit(
          "    let work = lock.withLock {\n",
          "    let work: Work? = lock.withLock {\n      guard settled == nil else { return nil }\n"),
      ]),
      breaks: ["of its work, of the way to stop it, and of the timer"],
      rejectedBy: ["when it is over it lets go of its work and its timer"],
      advice: """
        The timer may go off while it's set, and then the work is never begun: let go of it where the \
        outcome is settled, whatever was begun.
        """),
    Mistake(
      "keeps how to stop the work", .edit(lettingGo, ""),
      breaks: ["of the way to stop it"],
      rejectedBy: ["when it is over it lets go of its work and its timer"],
      advice: """
        Finished operations are kept for their outcome; let go of the closures that you were handed.
        """),
    Mistake(
      "keeps its timer",
      .edit(
        lettingGo,
        """
              defer {
                self.belongings = Belongings(cancelTimer: self.belongings.cancelTimer)
              }

        """),
      breaks: ["and of the timer, which is cancelled"],
      rejectedBy: ["when it is over it lets go of its work and its timer"],
      advice: "The way to cancel a timer keeps the timer: let go of it when you have called it."),
  ]
}
