extension Kata {
  static let cancelInFlight = Kata(
    "CancelInFlight", module: .cancellation,
    title: "cancel() passes on to the request that is under way",
    difficulty: 4, minutes: 30, needs: ["CancelBeforeStart"],
    hints: [
      """
      How far can the request be when cancel() comes? Not begun, being begun, in flight, over. Write \
      down for each what cancel() has to do, and who does what it can't do yet.
      """,
      """
      Keep the result and how far the request is, both under the lock. One method settles the result, \
      if it's open, and says how far the request was; whoever has settled it does the rest without \
      the lock. Cancelled in flight: cancel the request, then finish(). Cancelled while begin is being \
      called: nothing yet; main() looks when begin has returned. And it looks before it calls begin.
      """,
      """
      cancel: guard let phase = settle(.failure(.cancelled)) else { return }; super.cancel(); in \
      flight: cancelRequest(), finish(); beginning: nothing; else finish(). main: under the lock, if \
      nothing is settled, phase = .beginning, else finish() and return; let cancelRequest = begin { \
      reply in if it settles, finish() }; under the lock, if nothing is settled, phase = \
      .inFlight(cancelRequest); if it's settled as cancelled, cancelRequest(), finish().
      """,
    ],
    questions: [
      Question(
        """
        `cancel()` comes while `begin` is being called. What is the difficulty, and who solves it?
        """,
        answer: """
          There may be a request, but nothing yet to cancel it with. `cancel()` settles the result \
          and leaves; `main()` finds it settled when `begin` returns, cancels the request and \
          finishes.
          """),
      Question(
        "Why is the request cancelled before the operation finishes?",
        answer: """
          Finishing makes room: a queue of width one would begin the next request while this one \
          is still under way.
          """),
      Question(
        "Many requests answer their own cancellation with an error. Why isn't that the result?",
        answer: """
          The first who settles the result decides, and that was `cancel()`, before it cancelled \
          the request. Every reply after that is ignored.
          """),
    ],
    mistakes: requestMistakes + windowMistakes + endMistakes + lockMistakes,
    rightAnswers: [
      RightAnswer("flags behind the standard library's mutex", .file("MutexAndFlags.swift")),
      RightAnswer("a serial queue that answers with actions", .file("SerialQueue.swift")),
      RightAnswer("an object for the request and its window", .file("FlightOfItsOwn.swift")),
    ],
    unproven: [
      Unproven("`cancel()` only raises a flag.", "what Foundation does"),
      Unproven("Whatever the operation has set going goes on", "what Foundation does"),
      Unproven("Why an operation has no data.", "a name"),
      Unproven("What cancels a request that is under way; returns soon.", "asks it of the request"),
      Unproven("It begins the request and returns what cancels it.", "asks it of the closure"),
      Unproven("To be called by `start()` alone.", "asks it of whoever calls"),
    ],
    equivalents: [
      Equivalent(
        "swapped with the next: guard settled == nil else { return false }",
        "Where it is settled, nobody looks at the phase any more."),
      Equivalent("swapped with the next: settled = result", "Both are done under the lock."),
    ])

  private static let passOn = """
        case .inFlight(let cancelRequest):
          cancelRequest()
          finish()

    """
  private static let settleGuard = "      guard settled == nil else { return nil }\n"

  // MARK: - The request

  private static let requestMistakes = [
    Mistake(
      "the request runs on", .edit(passOn, "    case .inFlight: finish()\n"),
      breaks: [
        "when it's cancelled, passes that on to the request",
        "So the operation keeps what its request can be cancelled with",
      ],
      rejectedBy: [
        "cancel passes on to the request", "nobody has to wait for the request's cancel",
      ],
      advice: """
        The operation says that it's over, and its request goes on for nobody: call what begin \
        returned.
        """),
    Mistake(
      "waits for the reply",
      .edits([
        Edit(passOn, "    case .inFlight(let cancelRequest): cancelRequest()\n"),
        Edit(
          "      guard settle(reply.mapError(Failure.request)) != nil else { return }\n",
          "      _ = settle(reply.mapError(Failure.request))\n"),
      ]),
      breaks: ["it doesn't wait for a reply"],
      rejectedBy: ["cancelled in flight, it doesn't wait for a reply"],
      advice: """
        A request that was cancelled may never reply, and then the operation stays in its queue for \
        ever: finish in cancel().
        """),
    Mistake(
      "leaves the end to the reply",
      .edit(passOn, "    case .inFlight(let cancelRequest): cancelRequest()\n"),
      breaks: ["and is finished then"],
      rejectedBy: ["cancelled in flight, it doesn't wait for a reply", "a late reply is ignored"],
      advice:
        "The reply finds it cancelled and returns, and nobody finishes it: finish in cancel()."),
    Mistake(
      "no super.cancel", .edit("    super.cancel()\n", ""),
      breaks: ["`isCancelled` is true before it calls anything else"],
      rejectedBy: ["cancel passes on to the request"],
      advice: """
        isCancelled is Foundation's, and so is the way past the dependencies: call super.cancel().
        """),
    Mistake(
      "the last one wins",
      .edit(settleGuard, ""),
      breaks: [
        "**Whatever comes first is the ``result``**", "A request that has replied isn't cancelled",
        "Replies that come later are ignored",
      ],
      rejectedBy: [
        "a late reply is ignored", "a second reply is ignored",
        "a request that has replied isn't cancelled",
        "a reply inside the request's cancel is ignored",
      ],
      advice:
        "The first reply or cancel() settles the result for good: look before you keep another."),
    Mistake(
      "the request's own word for a cancellation",
      .edits([
        Edit(
          "    guard let phase = settle(.failure(.cancelled)) else { return }\n",
          """
              let cancelRequest: CancelRequest? = lock.withLock {
                if case .inFlight(let cancel) = phase { return cancel } else { return nil }
              }
              cancelRequest?()
              guard let phase = settle(.failure(.cancelled)) else { return }

          """),
        Edit(passOn, "    case .inFlight: finish()\n"),
      ]),
      breaks: [
        "with which many a request answers its own cancellation",
        "It was cancelled before the request had replied.",
      ],
      rejectedBy: ["a reply inside the request's cancel is ignored"],
      advice: """
        Many requests answer their cancellation with an error, at once: settle the result as cancelled \
        before you cancel the request.
        """),
    Mistake(
      "an ignored reply finishes it",
      .edit(
        "      guard settle(reply.mapError(Failure.request)) != nil else { return }\n",
        "      _ = settle(reply.mapError(Failure.request))\n"),
      breaks: [
        "with which many a request answers its own cancellation",
        "the operation finished as soon as `begin` has returned",
      ],
      rejectedBy: [
        "a reply inside the request's cancel is ignored",
        "cancelled while the request is begun, it is cancelled then",
      ],
      advice: """
        The request is still being begun or cancelled, and its queue begins the next one: only a reply \
        that settles the result may finish.
        """),
    Mistake(
      "cancels again and again",
      .edits([
        Edit(settleGuard, "      guard settled == nil else { return phase }\n"),
        Edit("      defer { phase = .over }\n", ""),
      ]),
      breaks: ["the operation cancels its request, once"],
      rejectedBy: [
        "cancelled twice, the request is cancelled once",
        "a request that has replied isn't cancelled",
      ],
      advice:
        "It is settled and over: forget what cancels the request, and do nothing the next time."),
    Mistake(
      "tells Foundation last",
      .edits([
        Edit(
          "    super.cancel()\n    switch phase {\n",
          "    defer { super.cancel() }\n    switch phase {\n")
      ]),
      breaks: ["`isCancelled` is true before it calls anything else"],
      rejectedBy: ["the request is cancelled before the operation is finished"],
      advice: """
        Whoever hears of the cancellation looks at isCancelled: call super.cancel() before you call \
        anything else.
        """),
    Mistake(
      "cancelled after its end",
      .edits([
        Edit("    super.cancel()\n", ""),
        Edit("    guard let phase = settle(", "    super.cancel()\n    guard let phase = settle("),
      ]),
      breaks: ["or has no effect where the result is settled"],
      rejectedBy: ["a call in the midst of the end has no effect"],
      advice: """
        It has its data and says that it was cancelled: look whether the result is settled before you \
        call super.cancel().
        """),
    Mistake(
      "tries again when the request fails",
      .edits([
        Edit(
          "    let cancelRequest = begin { [self] reply in\n",
          """
              let cancelRequest = begin { [self] reply in
                if case .failure = reply, !isCancelled {
                  return _ = begin { [self] reply in
                    if settle(reply.mapError(Failure.request)) != nil { finish() }
                  }
                }

          """)
      ]),
      breaks: ["Called once when the operation starts", "the first reply or ``cancel()``"],
      rejectedBy: ["the request's error is the result too"],
      advice: """
        Whether to ask again is for whoever has asked to say, and a request that isn't kept can't be \
        cancelled: begin once, and take the error for the result.
        """),
    Mistake(
      "an error is not an end",
      .edit(
        "!= nil else { return }\n      finish()\n",
        "!= nil else { return }\n      if case .success = reply { finish() }\n"),
      breaks: ["What a request calls when it has ended"],
      rejectedBy: ["the request's error is the result too"],
      advice: "Every reply ends the request, and so the operation: call finish() for an error too."),
    Mistake(
      "an error is taken for a cancellation",
      .edit("mapError(Failure.request)", "mapError { _ in Failure.cancelled }"),
      breaks: ["The request replied with this error."],
      rejectedBy: ["the request's error is the result too"],
      advice: """
        Who sees "cancelled" doesn't try again: keep the error that the request came with.
        """),
    Mistake(
      "an error's name is taken for a cancellation",
      .edit(
        "mapError(Failure.request)",
        "mapError { $0 is CancellationError ? Failure.cancelled : .request($0) }"),
      breaks: [
        "The request replied with this error.", "It was cancelled before the request had replied.",
      ],
      rejectedBy: ["the request's error is the result too"],
      advice: """
        The request may be cancelled by others, and nobody has cancelled the operation: .cancelled is for \
        its own cancel() alone.
        """),
  ]

  // MARK: - While it's begun, and before

  private static let windowMistakes = [
    Mistake(
      "a cancellation while it's begun is lost",
      .edits([
        Edit("    case .beginning: break", "    case .beginning: finish()"),
        Edit(
          "    cancelRequest()\n    finish()\n  }\n\n  /// Settles the result, unless",
          "  }\n\n  /// Settles the result, unless"),
        Edit("    guard case .failure(.cancelled) = result else { return }\n", "    _ = result\n"),
      ]),
      breaks: ["**Cancelled while `begin` is being called**"],
      rejectedBy: ["cancelled while the request is begun, it is cancelled then"],
      advice: """
        There was nothing to cancel the request with when cancel() came: look when begin has \
        returned, and cancel it then.
        """),
    Mistake(
      "finishes while the request is still being sent",
      .edit("    case .beginning: break", "    case .beginning: finish()"),
      breaks: ["the operation finished as soon as `begin` has returned"],
      rejectedBy: ["cancelled while the request is begun, it is cancelled then"],
      advice: """
        Its queue begins the next one then, while this request goes out: finish when begin has \
        returned and the request is cancelled.
        """),
    Mistake(
      "never finishes when it's cancelled while it begins",
      .edit(
        "    cancelRequest()\n    finish()\n  }\n\n  /// Settles the result, unless",
        "    cancelRequest()\n  }\n\n  /// Settles the result, unless"),
      breaks: ["the operation finished as soon as `begin` has returned"],
      rejectedBy: ["cancelled while the request is begun, it is cancelled then"],
      advice: "cancel() has left the end to main(): call finish() when the request is cancelled."),
    Mistake(
      "main doesn't look again",
      .edit("    guard isWanted else { return finish() }\n", "    _ = isWanted\n"),
      breaks: [
        "**Cancelled earlier**, it never begins a request", "unless it's cancelled by then",
      ],
      rejectedBy: ["cancelled in the midst of its start, it begins no request"],
      advice: """
        start() may have looked just before it was cancelled: look once more in main(), before you \
        begin a request that nobody wants.
        """),
    Mistake(
      "a cancelled main returns without finishing",
      .edit("guard isWanted else { return finish() }", "guard isWanted else { return }"),
      breaks: ["**Cancelled earlier**"],
      rejectedBy: ["cancelled in the midst of its start, it begins no request"],
      advice: """
        When main() finds it cancelled, nobody else will finish it: call finish() before you return.
        """),
    Mistake(
      "no result when it's cancelled before its start",
      .edit(
        "    guard let phase = settle(.failure(.cancelled)) else { return }\n",
        """
            guard isExecuting else { return super.cancel() }
            guard let phase = settle(.failure(.cancelled)) else { return }

        """),
      breaks: ["Settles the result as cancelled"],
      rejectedBy: ["cancelled before its start, it begins no request"],
      advice: """
        main() is never called then, so nobody else keeps a result: settle it in cancel(), also \
        before the start.
        """),
    Mistake(
      "begins when it's made",
      .edits([
        Edit(
          "    self.begin = begin\n    super.init()\n",
          """
              self.begin = begin
              super.init()
              let cancelRequest = begin { [weak self] reply in
                guard let self, settle(reply.mapError(Failure.request)) != nil else { return }
                finish()
              }
              phase = .inFlight(cancelRequest)

          """),
        Edit("      phase = .beginning\n", ""),
        Edit(
          """
              let cancelRequest = begin { [self] reply in
                guard settle(reply.mapError(Failure.request)) != nil else { return }
                finish()
              }
              let result = lock.withLock {
                if settled == nil { phase = .inFlight(cancelRequest) }
                return settled
              }
              guard case .failure(.cancelled) = result else { return }
              cancelRequest()
              finish()

          """, ""),
      ]),
      breaks: ["nothing is sent yet", "Begins the request."],
      rejectedBy: ["cancelled before its start, it begins no request"],
      advice: """
        An operation that waits costs nothing: begin the request in main(), when its queue has room \
        for it.
        """),
    Mistake(
      "starts itself when it's cancelled",
      .edit("    case .notBegun, .over: finish()\n", "    case .notBegun, .over: start()\n"),
      breaks: ["it's finished by its start, as its queue expects"],
      rejectedBy: ["cancelled before its start, it begins no request"],
      advice: """
        Its queue starts it all the same, and is upset by an operation that has finished by then: leave \
        the end to the queue's start.
        """),
    Mistake(
      "a second cancel ends it",
      .edit(
        "    guard let phase = settle(.failure(.cancelled)) else { return }\n",
        "    guard let phase = settle(.failure(.cancelled)) else { return finish() }\n"),
      breaks: ["and the operation finished as soon as `begin` has returned"],
      rejectedBy: ["cancelled while the request is begun, it is cancelled then"],
      advice: """
        While begin is being called the request goes out, however often somebody cancels: only who has \
        settled the result may finish, or main() in its place.
        """),
    Mistake(
      "the result waits for the end",
      .edit("{ lock.withLock { settled } }", "{ isFinished ? lock.withLock { settled } : nil }"),
      breaks: ["nil until that is settled"],
      rejectedBy: ["cancelled before its start, it begins no request"],
      advice: """
        cancel() settles the result, and an operation in a long queue finishes much later: say it as \
        soon as it's settled.
        """),
    Mistake(
      "keeps a request that replied while it was begun",
      .edit(
        "      if settled == nil { phase = .inFlight(cancelRequest) }\n",
        "      phase = .inFlight(cancelRequest)\n"),
      breaks: ["Once it's over the operation keeps nothing of the request"],
      rejectedBy: ["when it's over, nothing is kept"],
      advice: """
        A request that has its data at hand replies before begin returns; what cancels it comes after \
        the end, and must not be kept.
        """),
  ]

  // MARK: - The end

  private static let endMistakes = [
    Mistake(
      "finished before its request is cancelled",
      .edit(
        passOn,
        """
            case .inFlight(let cancelRequest):
              finish()
              cancelRequest()

        """),
      breaks: ["In that order"],
      rejectedBy: ["the request is cancelled before the operation is finished"],
      advice: """
        When it's finished its queue begins the next one, and this request still runs: cancel the \
        request first.
        """),
    Mistake(
      "finished before the result is kept",
      .edit(
        """
              guard settle(reply.mapError(Failure.request)) != nil else { return }
              finish()

        """,
        """
              finish()
              _ = settle(reply.mapError(Failure.request))

        """),
      breaks: ["It's there before the operation is announced as finished"],
      rejectedBy: ["it finishes once, and its result is there then"],
      advice: "Whoever waits for the end looks for the result at once: keep it before finish()."),
    Mistake(
      "keeps its request for ever",
      .edit("      defer { phase = .over }\n", ""),
      breaks: ["Once it's over the operation keeps nothing of the request"],
      rejectedBy: ["when it's over, nothing is kept"],
      advice: """
        The operation holds what cancels the request, and the request what it replies to, which is \
        the operation: let go of it when it's over.
        """),
    Mistake(
      "finishes twice", .file("FinishesTwice.swift"),
      breaks: ["which happens once"],
      rejectedBy: ["it finishes once, and its result is there then"],
      advice: """
        cancel() has ended it, and the late reply ends it again: only who has settled the result may \
        finish.
        """),
  ]

  // MARK: - The lock

  private static let lockMistakes = [
    Mistake(
      "begins the request with the lock held",
      .edits(beginsUnderLock),
      breaks: ["No lock is held while a request is begun or cancelled"],
      rejectedBy: ["a reply inside begin is the result"], verdict: .hung,
      advice: """
        A request that has its data at hand replies at once, and waits for the lock that you hold: \
        call begin without it.
        """),
    Mistake(
      "begins the request with a recursive lock held",
      .edits([Edit("lock = NSLock()", "lock = NSRecursiveLock()")] + beginsUnderLock),
      breaks: ["No lock is held while a request is begun or cancelled"],
      rejectedBy: ["cancelled while the request is begun, it is cancelled then"], verdict: .hung,
      advice: """
        A recursive lock lets only its own thread in again; every other one waits until begin \
        returns: call out without a lock.
        """),
    Mistake(
      "cancels the request with the lock held",
      .edit(passOn, lockedPassOn),
      breaks: ["so both may reply"],
      rejectedBy: ["a reply inside the request's cancel is ignored"], verdict: .hung,
      advice: """
        Many requests reply before their cancel returns, and wait for the lock that you hold: call \
        out without it.
        """),
    Mistake(
      "cancels the request with a recursive lock held",
      .edits([
        Edit("lock = NSLock()", "lock = NSRecursiveLock()"),
        Edit(passOn, lockedPassOn),
      ]),
      breaks: ["No lock is held while a request is begun or cancelled", "Doesn't wait."],
      rejectedBy: ["nobody has to wait for the request's cancel"],
      advice: """
        A recursive lock lets only its own thread in again; every other one waits until the request \
        is cancelled: call out without a lock.
        """),
    Mistake(
      "nothing guards the decision",
      .edits([
        Edit(
          """
              lock.withLock {
                guard settled == nil else { return nil }
                settled = result
                defer { phase = .over }
                return phase
              }

          """,
          """
              guard settled == nil else { return nil }
              settled = result
              defer { phase = .over }
              return phase

          """)
      ]),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["the two calls may come from two threads"], verdict: .race,
      advice: """
        The reply and cancel() come from different threads, and both can find nothing settled: guard \
        the decision with the lock.
        """),
    Mistake(
      "keeps what cancels the request without the lock",
      .edit(
        """
            let result = lock.withLock {
              if settled == nil { phase = .inFlight(cancelRequest) }
              return settled
            }

        """,
        """
            let result = settled
            if result == nil { phase = .inFlight(cancelRequest) }

        """),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["one thread begins the request, and another cancels it"], verdict: .race,
      advice: """
        cancel() comes from another thread while main() keeps what cancels the request: one lock \
        guards both.
        """),
    Mistake(
      "looks without the lock what came while it began",
      .edit(
        """
            let result = lock.withLock {
              if settled == nil { phase = .inFlight(cancelRequest) }
              return settled
            }

        """,
        """
            if settled == nil { lock.withLock { phase = .inFlight(cancelRequest) } }
            let result = lock.withLock { settled }

        """),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["one thread begins the request, and another brings the reply"], verdict: .race,
      advice: """
        The reply may come on another thread before begin has returned: look and keep in one step, under \
        the lock.
        """),
    Mistake(
      "finished before what it began is cancelled",
      .edit(
        """
            guard case .failure(.cancelled) = result else { return }
            cancelRequest()
            finish()

        """,
        """
            guard case .failure(.cancelled) = result else { return }
            finish()
            cancelRequest()

        """),
      breaks: ["In that order, so that a queue that is one wide never has two requests under way."],
      rejectedBy: ["cancelled while the request is begun, it is cancelled then"],
      advice: "Whoever hears of the end begins the next request: cancel this one first."),
    Mistake(
      "reads the result without the lock",
      .edit("{ lock.withLock { settled } }", "{ settled }"),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["the result may be read on any thread"], verdict: .race,
      advice: "A lock protects only if everybody takes it, the getter too."),
  ]

  private static let lockedPassOn = """
        case .inFlight(let cancelRequest):
          lock.withLock { cancelRequest() }
          finish()

    """

  private static let beginsUnderLock = [
    Edit(
      "    let cancelRequest = begin { [self] reply in\n",
      "    lock.lock()\n    let cancelRequest = begin { [self] reply in\n"),
    Edit(
      "      finish()\n    }\n    let result",
      "      finish()\n    }\n    lock.unlock()\n    let result"),
  ]
}
