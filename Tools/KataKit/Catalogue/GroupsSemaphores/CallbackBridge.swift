extension Kata {
  static let callbackBridge = Kata(
    "CallbackBridge", module: .groupsSemaphores,
    title: "Wait for a callback, but not for ever",
    difficulty: 3, minutes: 30, needs: ["CallbackGatherer", "BoundedBuffer"],
    hints: [
      """
      A semaphore that begins at 0 makes one thread wait until another signals it, and wait(timeout:) \
      gives up after a while. Something has to keep the result in between. What must be done first, \
      keeping or signalling? And whose is that something: the bridge's, or the call's?
      """,
      """
      Make a small private class with a semaphore, a lock and an optional Result, and a new object of \
      it for every call: then a late callback of an earlier call finds only its own. Call the closure \
      first, without the lock; keep its Result under the lock, unless there is one; then signal. After \
      the wait look whether there's a result, whatever the wait returned.
      """,
      """
      value: let answer = Answer<Value>(); start(request) { value in answer.settle(Result { try \
      value() }) }; return try answer.value(within: seconds). settle: under the lock, guard result == \
      nil, result = newResult; outside the lock isThere.signal(). value(within:): _ = \
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
        rejectedBy: ["a value that has come is never reported as timed out"], verdict: .hung,
        advice: """
          A condition doesn't remember that it was signalled; where the callback was faster, nobody \
          signals again: look first, and wait only while there's nothing.
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
        rejectedBy: ["the caller gets the value that the callback brings"],
        advice: """
          The work may cost money or write a file; start it once, and wait.
          """),
      Mistake(
        "swallows the error",
        .edit(
          "answer.settle(Result { try value() })",
          "if let value = try? value() { answer.settle(.success(value)) }"),
        rejectedBy: ["what the callback throws is thrown to the caller"], verdict: .hung,
        advice: """
          With try? the error is lost, and nobody wakes the caller; keep a Result, whichever it is.
          """),
      Mistake(
        "every error is a time-out",
        .edit(
          "    return try outcome.get()\n",
          """
              guard case .success(let value) = outcome else { throw CallbackBridgeError.timedOut }
              return value

          """),
        rejectedBy: ["what the callback throws is thrown to the caller"],
        advice: """
          Whoever reads timedOut tries again; throw what the callback threw.
          """),
      Mistake(
        "no time-out", .edit("_ = isThere.wait(timeout: .now() + seconds)", "isThere.wait()"),
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
        rejectedBy: ["a value that is still being made when the time is up is late"],
        verdict: .hung,
        advice: """
          Making the value may take long, and the caller whose time is up needs the lock; call the \
          closure first, then lock.
          """),
      Mistake(
        "a late callback writes into the next call", .file("OneBoxForAll.swift"),
        rejectedBy: ["a late callback isn't heard by the next call"],
        advice: """
          The semaphore and the result belong to the call, not to the bridge; make new ones for each.
          """),
      Mistake(
        "the last callback counts",
        .edit("      guard result == nil else { return false }\n", ""),
        rejectedBy: ["a second callback changes nothing"],
        advice: "Only the first callback counts; look whether there's a result before you keep one."
      ),
      Mistake(
        "a group left twice", .file("GroupLeftTwice.swift"),
        rejectedBy: ["a second callback changes nothing"], verdict: .crashed,
        advice: """
          Dispatch traps when a group is left more often than entered, and callbacks do come twice; \
          leave it with the first one only.
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
        rejectedBy: ["calls on several threads wait side by side"],
        advice: """
          A lock that is held during the wait makes every call wait for the slowest callback; calls \
          share nothing, so they need no lock between them.
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
        rejectedBy: ["callbacks may come on any thread"], verdict: .race,
        advice: """
          Another callback may be storing its result while this one looks: every look has to be under \
          the lock, the first one too.
          """),
    ],
    rightAnswers: [
      RightAnswer("a condition and a deadline", .file("ConditionAndDeadline.swift")),
      RightAnswer("a group and a serial queue", .file("GroupAndQueue.swift")),
    ])
}
