extension Kata {
  static let callbackBridge = Kata(
    "CallbackBridge", module: .groupsSemaphores,
    title: "Wait for a callback, but not for ever",
    difficulty: 3, minutes: 30, needs: ["CallbackGatherer", "BoundedBuffer"],
    hints: [
      """
      A semaphore that begins at 0 makes one thread wait until another signals it, and \
      wait(timeout:) gives up after a while. Something has to keep the result in between. What \
      must be done first, keeping or signalling? And whose is that something: the bridge's, or the \
      call's?
      """,
      """
      Make a small private class with a semaphore, a lock and an optional Result, and a new object \
      of it for every call: then a late callback of an earlier call finds only its own. Call the \
      closure first, without the lock; keep its Result under the lock, unless there is one; then \
      signal. After the wait look whether there's a result, whatever the wait returned.
      """,
      """
      value: let answer = Answer<Value>(); start(request) { value in answer.settle(Result { try \
      value() }) }; return try answer.value(within: seconds). settle: under the lock, guard result \
      == nil, result = newResult; outside the lock isThere.signal(). value(within:): _ = \
      isThere.wait(timeout: .now() + seconds); under the lock let outcome = result ?? \
      .failure(CallbackBridgeError.timedOut), result = outcome; return try outcome.get().
      """,
    ],
    questions: [
      Question(
        "Why does each call make an answer of its own, with a semaphore of its own?",
        answer: """
          A callback may come after its call has given up. It then settles an answer that nobody \
          looks at any more; with one shared answer it would be taken for that of the next call.
          """),
      Question(
        "The callback and the time-out come at the same moment. Who decides, and how?",
        answer: """
          The lock. What the wait has returned is ignored; under the lock either there is a \
          result, and it counts, or the time-out is stored in its place and the callback is too \
          late.
          """),
      Question(
        "In which situation does every call time out, however fast the API is?",
        answer: """
          Where the callback needs the thread or the serial queue that is waiting: waited for on \
          the main thread, a callback on the main queue can't come.
          """),
    ],
    mistakes: [
      Mistake(
        "waits before it looks", .file("WaitsBeforeItLooks.swift"),
        breaks: ["A callback that has come by then is never too late"],
        rejectedBy: ["a value that has come is never reported as timed out"], verdict: .hung,
        advice: """
          A condition doesn't remember that it was signalled; where the callback was faster, \
          nobody signals again: look first, and wait only while there's nothing.
          """),
      Mistake(
        "signals before storing",
        .edits([
          Edit(
            "      answer.settle(Result { try value() })\n",
            "      answer.isThere.signal()\n      answer.settle(Result { try value() })\n"),
          Edit("private let isThere", "let isThere"),
          Edit("    if isFirst { isThere.signal() }\n", "    _ = isFirst\n"),
        ]),
        breaks: ["``CallbackBridgeError/timedOut`` where its value isn't there in time"],
        rejectedBy: ["the caller waits until the value is there"],
        advice: """
          Whoever is woken looks at once and finds nothing; store the result, and then signal.
          """),
      Mistake(
        "starts it again to be sure",
        .edit(
          "    return try answer.value(within: seconds)\n",
          """
              start(request) { value in answer.settle(Result { try value() }) }
              return try answer.value(within: seconds)

          """),
        breaks: ["`start` is called once"],
        rejectedBy: ["the caller gets the value that the callback brings"],
        advice: """
          The work may cost money or write a file; start it once, and wait.
          """),
      Mistake(
        "starts it on another thread",
        .edit(
          """
              start(request) { value in
                answer.settle(Result { try value() })
              }

          """,
          """
              nonisolated(unsafe) let request = request
              DispatchQueue.global().async { [start] in
                start(request) { value in
                  answer.settle(Result { try value() })
                }
              }

          """),
        breaks: ["on the calling thread"],
        rejectedBy: ["start is called on the calling thread"],
        advice: """
          What begins asynchronous work returns soon, and may belong to the caller's thread: call \
          it there.
          """),
      Mistake(
        "tries again when the time is up",
        .edit(
          "    return try answer.value(within: seconds)\n",
          """
              if let value = try? answer.value(within: seconds) { return value }
              let second = Answer<Value>()
              start(request) { value in
                second.settle(Result { try value() })
              }
              return try second.value(within: seconds)

          """),
        breaks: ["`start` is called once", "this blocks for at most `seconds`"],
        rejectedBy: ["who waits in vain is told so when the time is up"],
        advice: """
          Twice the work, and twice the time: throw timedOut, and let the caller decide whether to \
          try again.
          """),
      Mistake(
        "the time begins before start",
        .edits([
          Edit(
            "    start(request) { value in\n",
            "    let end = DispatchTime.now() + seconds\n    start(request) { value in\n"),
          Edit("answer.value(within: seconds)", "answer.value(until: end)"),
          Edit("func value(within seconds: TimeInterval)", "func value(until end: DispatchTime)"),
          Edit("timeout: .now() + seconds", "timeout: end"),
        ]),
        breaks: ["When it has returned"], rejectedBy: ["the time begins when start has returned"],
        advice: """
          What start takes is taken from the time that the callback has; compute the deadline when \
          start has returned.
          """),
      Mistake(
        "whole seconds only",
        .edit("timeout: .now() + seconds", "timeout: .now() + .seconds(Int(seconds))"),
        breaks: ["How long to wait, in seconds."],
        rejectedBy: ["the time begins when start has returned"],
        advice: "Int(0.25) is 0: add the Double itself to the DispatchTime."),
      Mistake(
        "as many nanoseconds as an Int holds",
        .edit("timeout: .now() + seconds", "timeout: .now() + .nanoseconds(Int(seconds * 1e9))"),
        breaks: ["Where it's infinite, only the callback ends the wait."],
        rejectedBy: ["an infinite wait ends with the callback"], verdict: .crashed,
        advice: """
          Int traps at a Double that it has no room for, and infinity is one; add the Double itself \
          to the DispatchTime, which knows what to do with it.
          """),
      Mistake(
        "0 means without a limit",
        .edit(
          "timeout: .now() + seconds", "timeout: seconds > 0 ? .now() + seconds : .distantFuture"),
        breaks: ["this blocks for at most `seconds`"],
        rejectedBy: ["who waits in vain is told so when the time is up"], verdict: .hung,
        advice: "0 seconds are 0 seconds: look, and throw timedOut where nothing is there."),
      Mistake(
        "sleeps until the time is up",
        .edit(
          "_ = isThere.wait(timeout: .now() + seconds)", "Thread.sleep(forTimeInterval: seconds)"),
        breaks: ["no longer than until the value is there"],
        rejectedBy: ["the caller gets the value that the callback brings"], verdict: .hung,
        advice: "A sleep can't be woken by the callback; wait at something that it signals."),
      Mistake(
        "looks every so often",
        .edit(
          "    _ = isThere.wait(timeout: .now() + seconds)\n",
          """
              let end = DispatchTime.now() + seconds
              while isThere.wait(timeout: .now()) == .timedOut, .now() < end {
                Thread.sleep(forTimeInterval: 1)
              }

          """),
        breaks: ["sleeps until the callback or the time wakes it"],
        rejectedBy: ["the caller waits until the value is there"], verdict: .hung,
        advice: """
          Whoever sleeps in between comes late, and whoever doesn't keeps a core busy; a semaphore \
          wakes its waiter at once.
          """),
      Mistake(
        "swallows the error",
        .edit(
          "answer.settle(Result { try value() })",
          "if let value = try? value() { answer.settle(.success(value)) }"),
        breaks: [
          "keeps what `value` returns or throws",
          "is thrown where somebody waits for it",
        ],
        rejectedBy: ["what the callback throws is thrown to the caller"], verdict: .hung,
        advice: """
          With try? the error is lost, and nobody wakes the caller; keep a Result, whichever it is.
          """),
      Mistake(
        "makes the value to see whether it can be made",
        .edit(
          "answer.settle(Result { try value() })",
          "answer.settle(Result { try value() }.flatMap { _ in Result { try value() } })"),
        breaks: ["It calls `value` once before it returns"],
        rejectedBy: ["the caller gets the value that the callback brings"],
        advice: """
          Making the value may take long, and may not go well twice; call the closure once, and keep \
          what it returned.
          """),
      Mistake(
        "every error is a time-out",
        .edit(
          "    return try outcome.get()\n",
          """
              guard case .success(let value) = outcome else { throw CallbackBridgeError.timedOut }
              return value

          """),
        breaks: [
          "What the first callback's closure throws",
          "The callback hadn't brought its value when the time was up.",
        ],
        rejectedBy: ["what the callback throws is thrown to the caller"],
        advice: """
          Whoever reads timedOut tries again; throw what the callback threw.
          """),
      Mistake(
        "no time-out", .edit("_ = isThere.wait(timeout: .now() + seconds)", "isThere.wait()"),
        breaks: ["this blocks for at most `seconds`"],
        rejectedBy: ["who waits in vain is told so when the time is up"], verdict: .hung,
        advice: """
          A callback that is lost holds the caller for ever; wait(timeout:) gives up, and says so.
          """),
      Mistake(
        "calls out with the lock held",
        .edits([
          Edit("answer.settle(Result { try value() })", "answer.settle(value)"),
          Edit(
            "settle(_ newResult: Result<Value, any Error>)",
            "settle(_ newValue: () throws -> Value)"),
          Edit("result = newResult", "result = Result { try newValue() }"),
        ]),
        breaks: ["this blocks for at most `seconds`"],
        rejectedBy: ["a value that is still being made when the time is up is late"],
        verdict: .hung,
        advice: """
          Making the value may take long, and the caller whose time is up needs the lock; call the \
          closure first, then lock.
          """),
      Mistake(
        "a late callback writes into the next call", .file("OneBoxForAll.swift"),
        breaks: [
          "each call waits for its own callback",
          "Starts the work for `request` and waits for its callback.",
          "A late call and a second call have no effect",
        ],
        rejectedBy: ["a late callback isn't heard by the next call"],
        advice: """
          The semaphore and the result belong to the call, not to the bridge; make new ones for each.
          """),
      Mistake(
        "the last callback counts",
        .edit("      guard result == nil else { return false }\n", ""),
        breaks: [
          "The value of the first callback.",
          "A late call and a second call have no effect",
        ],
        rejectedBy: ["a second callback changes nothing"],
        advice: "Only the first callback counts; look whether there's a result before you keep one."
      ),
      Mistake(
        "a value replaces an error",
        .edit(
          "      guard result == nil else { return false }\n",
          "      if case .success = result { return false }\n"),
        breaks: ["A late call and a second call have no effect"],
        rejectedBy: ["a value doesn't replace the error that came first"],
        advice: """
          An error is a result like another; where one is kept, whatever comes later is too late.
          """),
      Mistake(
        "a group left twice", .file("GroupLeftTwice.swift"),
        breaks: ["A late call and a second call have no effect"],
        rejectedBy: ["a second callback changes nothing"], verdict: .crashed,
        advice: """
          Dispatch traps when a group is left more often than entered, and callbacks do come \
          twice; leave it with the first one only.
          """),
      Mistake(
        "one call at a time",
        .edits([
          Edit(
            "  private let start: Start\n",
            "  private let start: Start\n  private let calls = NSLock()\n"),
          Edit(
            "    let answer = Answer<Value>()\n",
            "    calls.lock()\n    defer { calls.unlock() }\n    let answer = Answer<Value>()\n"),
        ]),
        breaks: ["by several at once"],
        rejectedBy: ["calls on several threads wait side by side"],
        advice: """
          A lock that is held during the wait makes every call wait for the slowest callback; \
          calls share nothing, so they need no lock between them.
          """),
      Mistake(
        "starts with a lock held",
        .edits([
          Edit(
            "  private let start: Start\n",
            "  private let start: Start\n  private let starts = NSLock()\n"),
          Edit(
            """
                start(request) { value in
                  answer.settle(Result { try value() })
                }

            """,
            """
                starts.withLock {
                  start(request) { value in
                    answer.settle(Result { try value() })
                  }
                }

            """),
        ]),
        breaks: ["by several at once"],
        rejectedBy: ["a start that lasts holds no other call up"], verdict: .hung,
        advice: """
          Nobody knows how long start takes, and all other calls wait for it; calls share nothing, \
          so they need no lock between them.
          """),
      Mistake(
        "nothing guards the flag",
        .edits([
          Edit(
            "  private let isThere = DispatchSemaphore(value: 0)\n",
            """
              private nonisolated(unsafe) var isSettled = false
              private let isThere = DispatchSemaphore(value: 0)

            """),
          Edit(
            """
                let isFirst = lock.withLock {
                  guard result == nil else { return false }
                  result = newResult
                  return true
                }
                if isFirst { isThere.signal() }

            """,
            """
                guard !isSettled else { return }
                isSettled = true
                lock.lock()
                result = newResult
                lock.unlock()
                isThere.signal()

            """),
        ]),
        breaks: ["Safe to use from every thread", "from any thread, at once or later"],
        rejectedBy: ["callbacks may come on any thread"], verdict: .race,
        advice: """
          Two callbacks may come at the same moment, or one just when the time is up; ask and keep \
          under one lock.
          """),
      Mistake(
        "looks for a result before the lock",
        .edit(
          "    let isFirst = lock.withLock {\n      guard result",
          """
              guard result == nil else { return }
              let isFirst = lock.withLock {
                guard result
          """),
        breaks: ["from any thread, at once or later"],
        rejectedBy: ["callbacks may come on any thread"], verdict: .race,
        advice: """
          Another callback may be storing its result while this one looks: every look has to be \
          under the lock, the first one too.
          """),
    ],
    rightAnswers: [
      RightAnswer("a condition and a deadline", .file("ConditionAndDeadline.swift")),
      RightAnswer("a group and a serial queue", .file("GroupAndQueue.swift")),
      RightAnswer("who calls first, before the value is made", .file("FirstCaller.swift")),
    ],
    unproven: [
      Unproven("Makes a blocking call out of one", "What the type is for."),
      Unproven("``value(for:within:)`` holds the calling thread.", "What it costs the caller."),
      Unproven(
        "Where the callback needs that very thread", "What comes of using it in the wrong place."),
      Unproven("any one may be the first", "Says what isn't promised."),
      Unproven("and sees to it that `reply` is called", "What the caller's closure does."),
      Unproven("Creates a bridge over `start`.", "Says what the parameter is."),
      Unproven(
        "What `start` is called with.", "Of a generic type there's nothing else to hand in."),
      Unproven("`seconds` isn't negative.", "What the caller must see to."),
      Unproven("Why there's no value.", "What the type is for."),
    ],
    equivalents: [
      Equivalent("left out: result = outcome", "What comes late is kept, and nobody asks for it."),
      Equivalent("swapped with the next: result = outcome", "As left out: it's never reached."),
      Equivalent(
        "another constant: guard result == nil else { return false }",
        "A second signal finds nobody who waits."),
    ])
}
