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
      rejectedBy: ["cancelled in flight, it doesn't wait for a reply"],
      advice: """
        A request that was cancelled may never reply, and then the operation stays in its queue for \
        ever: finish in cancel().
        """),
    Mistake(
      "leaves the end to the reply",
      .edit(passOn, "    case .inFlight(let cancelRequest): cancelRequest()\n"),
      rejectedBy: ["cancelled in flight, it doesn't wait for a reply", "a late reply is ignored"],
      advice:
        "The reply finds it cancelled and returns, and nobody finishes it: finish in cancel()."),
    Mistake(
      "no super.cancel", .edit("    super.cancel()\n", ""),
      rejectedBy: ["cancel passes on to the request"],
      advice: """
        isCancelled is Foundation's, and so is the way past the dependencies: call super.cancel().
        """),
    Mistake(
      "the last one wins",
      .edit(settleGuard, ""),
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
      rejectedBy: ["a reply inside the request's cancel is ignored"],
      advice: """
        Many requests answer their cancellation with an error, at once: settle the result as cancelled \
        before you cancel the request.
        """),
    Mistake(
      "cancels again and again",
      .edits([
        Edit(settleGuard, "      guard settled == nil else { return phase }\n"),
        Edit("      defer { phase = .over }\n", ""),
      ]),
      rejectedBy: [
        "cancelled twice, the request is cancelled once",
        "a request that has replied isn't cancelled",
      ],
      advice:
        "It is settled and over: forget what cancels the request, and do nothing the next time."),
    Mistake(
      "an error is not an end",
      .edit(
        "!= nil else { return }\n      finish()\n",
        "!= nil else { return }\n      if case .success = reply { finish() }\n"),
      rejectedBy: ["the request's error is the result too"],
      advice: "Every reply ends the request, and so the operation: call finish() for an error too."),
    Mistake(
      "an error is taken for a cancellation",
      .edit("mapError(Failure.request)", "mapError { _ in Failure.cancelled }"),
      rejectedBy: ["the request's error is the result too"],
      advice: """
        Who sees "cancelled" doesn't try again: keep the error that the request came with.
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
      rejectedBy: ["cancelled while the request is begun, it is cancelled then"],
      advice: """
        There was nothing to cancel the request with when cancel() came: look when begin has \
        returned, and cancel it then.
        """),
    Mistake(
      "finishes while the request is still being sent",
      .edit("    case .beginning: break", "    case .beginning: finish()"),
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
      rejectedBy: ["cancelled while the request is begun, it is cancelled then"],
      advice: "cancel() has left the end to main(): call finish() when the request is cancelled."),
    Mistake(
      "main doesn't look again",
      .edit("    guard isWanted else { return finish() }\n", "    _ = isWanted\n"),
      rejectedBy: ["cancelled in the midst of its start, it begins no request"],
      advice: """
        start() may have looked just before it was cancelled: look once more in main(), before you \
        begin a request that nobody wants.
        """),
    Mistake(
      "a cancelled main returns without finishing",
      .edit("guard isWanted else { return finish() }", "guard isWanted else { return }"),
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
      rejectedBy: ["cancelled before its start, it begins no request"],
      advice: """
        main() is never called then, so nobody else keeps a result: settle it in cancel(), also \
        before the start.
        """),
    Mistake(
      "keeps a request that replied while it was begun",
      .edit(
        "      if settled == nil { phase = .inFlight(cancelRequest) }\n",
        "      phase = .inFlight(cancelRequest)\n"),
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
      rejectedBy: ["it finishes once, and its result is there then"],
      advice: "Whoever waits for the end looks for the result at once: keep it before finish()."),
    Mistake(
      "keeps its request for ever",
      .edit("      defer { phase = .over }\n", ""),
      rejectedBy: ["when it's over, nothing is kept"],
      advice: """
        The operation holds what cancels the request, and the request what it replies to, which is \
        the operation: let go of it when it's over.
        """),
    Mistake(
      "finishes twice", .file("FinishesTwice.swift"),
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
      rejectedBy: ["a reply inside begin is the result"], verdict: .hung,
      advice: """
        A request that has its data at hand replies at once, and waits for the lock that you hold: \
        call begin without it.
        """),
    Mistake(
      "begins the request with a recursive lock held",
      .edits([Edit("lock = NSLock()", "lock = NSRecursiveLock()")] + beginsUnderLock),
      rejectedBy: ["cancelled while the request is begun, it is cancelled then"], verdict: .hung,
      advice: """
        A recursive lock lets only its own thread in again; every other one waits until begin \
        returns: call out without a lock.
        """),
    Mistake(
      "cancels the request with the lock held",
      .edit(passOn, lockedPassOn),
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
      rejectedBy: ["one thread begins the request, and another cancels it"], verdict: .race,
      advice: """
        cancel() comes from another thread while main() keeps what cancels the request: one lock \
        guards both.
        """),
    Mistake(
      "reads the result without the lock",
      .edit("{ lock.withLock { settled } }", "{ settled }"),
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
