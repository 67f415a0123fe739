extension Kata {
  static let downloadOperation = Kata(
    "DownloadOperation", module: .asyncOperations,
    title: "A download that ends on every path",
    difficulty: 3, minutes: 30, needs: ["AsyncOperation"], buildsOn: ["AsyncOperation"],
    hints: [
      """
      What are the ways in which a download can end? Write them down: data, another status, an \
      error, cancelled before, cancelled meanwhile. Every one of them needs a result and one \
      finish().
      """,
      """
      main(): let task = session.dataTask(with: url) { data, response, error in … }, keep the task \
      so that cancel() finds it, resume it, return. In the handler choose the outcome, keep it \
      behind a lock, then finish().
      """,
      """
      cancel(): super.cancel(), then lock.withLock { task }?.cancel(). The handler asks \
      isCancelled first, then error, then (response as? HTTPURLResponse)?.statusCode. result: the \
      outcome, or .failure(.cancelled) where there is none and the operation is cancelled and \
      finished.
      """,
    ],
    questions: [
      Question(
        "The server answers 404. What does `URLSession` say in `error`?",
        answer: """
          Nothing: it is nil, since a whole answer has come. Whether that is a success only the \
          status tells, so the operation has to look.
          """),
      Question(
        "`cancel()` doesn't call `finish()`. Who does?",
        answer: """
          The task's completion handler. A cancelled task calls it as well, with an error, so \
          there is one place through which all paths end, and it is called once.
          """),
      Question(
        "`cancel()` comes while `main()` is making the task. How is the request cancelled?",
        answer: """
          `cancel()` finds no task yet, but has set `isCancelled` before it looked; `main()` keeps \
          the task before it looks at that. Whoever comes second sees what the first has done.
          """),
    ],
    mistakes: [
      Mistake(
        "finished when main returns",
        .edit("    task.resume()\n", "    task.resume()\n    finish()\n"),
        breaks: ["nil until the operation has ended", "When its end is announced"],
        rejectedBy: ["no thread waits for the data"],
        advice: "resume() only begins the request; finish() belongs in the completion handler."),
      Mistake(
        "no finish on an error",
        .edit("    finish()\n", "    if error == nil { finish() }\n"),
        breaks: ["The operation finishes once, on every path."],
        rejectedBy: [
          "a connection that breaks is an error", "a server that isn't there is an error",
        ],
        advice: """
          Without finish() the operation stays in its queue for ever; an error is an end like any \
          other.
          """),
      Mistake(
        "finish on success alone",
        .edit("    finish()\n", "    if case .success = outcome { finish() }\n"),
        breaks: ["The operation finishes once, on every path."],
        rejectedBy: [
          "another status is an error", "a connection that breaks is an error",
          "cancelled while it loads, it cancels the request and finishes",
        ],
        advice: "Every path needs finish(), the ones that went wrong as well."),
      Mistake(
        "every answer is a success",
        .edit("!(200...299).contains(status)", "status < 0"),
        breaks: [
          "Another status is",
          "The server answered with this status",
          "Why a download has no data.",
        ],
        rejectedBy: ["another status is an error"],
        advice: """
          For URLSession an answer is an answer; that 404 is an error is for you to say, by the \
          response's statusCode.
          """),
      Mistake(
        "only 200 is a success",
        .edit("!(200...299).contains(status)", "status != 200"),
        breaks: ["A status from 200 to 299 is a success"],
        rejectedBy: ["every status of success is one"],
        advice: "All of 200 to 299 say that it went well."),
      Mistake(
        "finish before the result",
        .edits([
          Edit(
            "    lock.withLock {\n      self.outcome",
            "    finish()\n    lock.withLock {\n      self.outcome"),
          Edit("      task = nil\n    }\n    finish()\n", "      task = nil\n    }\n"),
        ]),
        breaks: ["When its end is announced"],
        rejectedBy: ["the result is there before the end is announced"],
        advice: """
          finish() starts the dependents and the completion block, which read the result: keep it \
          first.
          """),
      Mistake(
        "cancel doesn't reach the request",
        .edit("    lock.withLock { task }?.cancel()\n", ""),
        breaks: [
          "it cancels the request, and finishes",
          "Asks the operation to stop, and cancels its request.",
        ],
        rejectedBy: ["cancelled while it loads, it cancels the request and finishes"],
        advice: "super.cancel() sets a flag; that the network stops is for you to see to."),
      Mistake(
        "cancel finishes and lets the request run",
        .edit("    lock.withLock { task }?.cancel()\n", "    finish()\n"),
        breaks: ["it cancels the request, and finishes"],
        rejectedBy: ["cancelled while it loads, it cancels the request and finishes"],
        advice:
          "The operation says that it's over while its work goes on: cancel the task, and let it end."
      ),
      Mistake(
        "no super.cancel",
        .edit("    super.cancel()\n", ""),
        breaks: ["Asks the operation to stop, and cancels its request."],
        rejectedBy: ["cancelled while it loads, it cancels the request and finishes"],
        advice: "Without super.cancel() isCancelled stays false, and the queue knows nothing of it."
      ),
      Mistake(
        "cancelled is reported as the session's error",
        .edit(
          "      if isCancelled {\n        .failure(.cancelled)\n      } else if let error",
          "      if let error"),
        breaks: ["A download that was cancelled is", "The operation was cancelled."],
        rejectedBy: ["cancelled while it loads, it cancels the request and finishes"],
        advice: """
          The session calls a cancelled task an error of transport; whoever cancelled wants to \
          tell the two apart, so ask isCancelled first.
          """),
      Mistake(
        "no result for one cancelled before its turn",
        .edit(" ?? (isCancelled && isFinished ? .failure(.cancelled) : nil)", ""),
        breaks: ["A download that was cancelled is"],
        rejectedBy: ["cancelled before its turn, it sends nothing"],
        advice:
          "main() was never called, so nobody kept an outcome; result must say .cancelled all the same."
      ),
      Mistake(
        "cancel writes the result",
        .edit(
          "    lock.withLock { task }?.cancel()\n",
          """
              lock.withLock { outcome = .failure(.cancelled) }
              lock.withLock { task }?.cancel()

          """),
        breaks: [
          "Cancelled after its end, it keeps the result",
          "nil until the operation has ended",
        ],
        rejectedBy: [
          "cancelled before its turn, it sends nothing",
          "cancelled when it has finished, it keeps its data",
        ],
        advice: """
          cancel() only asks, and may come too late: the outcome is decided where the operation \
          ends.
          """),
      Mistake(
        "the session's cancellation is its own",
        .edit(
          "      } else if let error {\n",
          """
                } else if (error as? URLError)?.code == .cancelled {
                  .failure(.cancelled)
                } else if let error {

          """),
        breaks: ["The operation was cancelled.", "An error of the session is"],
        rejectedBy: ["a request that the session's owner cancels is an error"],
        advice: """
          A session's owner may cancel its requests, and whoever waits for the data wants to try again: \
          go by isCancelled alone.
          """),
      Mistake(
        "a failure becomes a cancellation",
        .edit(
          "    super.cancel()\n",
          """
              super.cancel()
              lock.withLock { if case .failure = outcome { outcome = .failure(.cancelled) } }

          """),
        breaks: ["Cancelled after its end, it keeps the result"],
        rejectedBy: ["cancelled when it has failed, it keeps its error"],
        advice: """
          Whoever empties a queue cancels also what has failed in it, and the reason would be lost: \
          what has ended keeps its outcome, whatever that is.
          """),
      Mistake(
        "cancel writes the result of what loads",
        .edit(
          "    lock.withLock { task }?.cancel()\n",
          """
              lock.withLock { if task != nil { outcome = .failure(.cancelled) } }
              lock.withLock { task }?.cancel()

          """),
        breaks: ["nil until the operation has ended"],
        rejectedBy: ["cancelled while its answer comes, it is cancelled"],
        advice: """
          A result means that it's over, and the session still holds the request: the outcome is \
          decided in the handler.
          """),
      Mistake(
        "cancel finishes before the session has let go",
        .edit(
          "    lock.withLock { task }?.cancel()\n",
          "    lock.withLock { task }?.cancel()\n    finish()\n"),
        breaks: ["and finishes as soon as the session has let go of it"],
        rejectedBy: ["cancelled while its answer comes, it is cancelled"],
        advice: """
          Its queue would begin the next one while the session still holds this request: let the \
          handler finish it.
          """),
      Mistake(
        "the request is sent at once",
        .edits([
          Edit(
            "    self.session = session\n",
            "    self.session = session\n    super.init()\n    begin()\n"),
          Edit(
            "  public override func main() {\n",
            "  public override func main() {}\n\n  private func begin() {\n"),
        ]),
        breaks: [
          "Nothing is sent yet.",
          "it sends no request",
          "Creates an operation that will download",
        ],
        rejectedBy: ["nothing is sent before its turn"],
        advice: "An operation works when its queue starts it: a request belongs in main()."),
      Mistake(
        "main waits for the data",
        .edits([
          Edit(
            "    let task = session.dataTask(with: url) { [self] data, response, error in\n      end(data, response, error)\n",
            "    let done = DispatchSemaphore(value: 0)\n    let task = session.dataTask(with: url) { [self] data, response, error in\n      end(data, response, error)\n      done.signal()\n"
          ),
          Edit(
            "    if isCancelled { task.cancel() }\n",
            "    if isCancelled { task.cancel() }\n    done.wait()\n"),
        ]),
        breaks: ["No thread is held while the data is on its way."],
        rejectedBy: ["no thread waits for the data"], verdict: .hung,
        advice:
          "A thread that waits for the network is a thread lost to everybody else: return, and finish() in the handler."
      ),
      Mistake(
        "the data of the first for all",
        .edits([
          Edit(
            "import Foundation\n\n#if",
            "import Foundation\nimport Synchronization\n\nprivate let cache = Mutex<Data?>(nil)\n\n#if"
          ),
          Edit(
            "        .success(data ?? Data())",
            "        .success(\n          cache.withLock { kept in\n            kept = kept ?? data ?? Data()\n            return kept ?? Data()\n          })"
          ),
        ]),
        breaks: ["An operation that downloads what is at a URL."],
        rejectedBy: ["several at once keep their own data"],
        advice: "What belongs to one operation is a property of it, not something that all share."),
      Mistake(
        "a session nobody invalidates",
        .file("LeakedSession.swift"),
        breaks: ["Nothing keeps the operation alive once"],
        rejectedBy: ["nothing keeps it alive"],
        advice: """
          A session holds its delegate until it's invalidated: finishTasksAndInvalidate(), or use \
          the session that was handed in.
          """),
      Mistake(
        "the outcome unguarded",
        .edits([
          Edit("lock.withLock { outcome } ??", "outcome ??"),
          Edit(
            "    lock.withLock {\n      self.outcome = outcome\n",
            "    self.outcome = outcome\n    lock.withLock {\n"),
        ]),
        breaks: ["Safe to read from every thread; doesn't wait."],
        rejectedBy: ["its result may be read at any time"], verdict: .race,
        advice:
          "The session's thread writes the outcome while any thread may read it: guard both with the lock."
      ),
      Mistake(
        "never resumes the task", .edit("    task.resume()\n", ""),
        breaks: ["Sends the request."],
        rejectedBy: ["the data arrives"],
        advice: "A task is made suspended, and sends nothing until somebody calls resume()."),
      Mistake(
        "the query is lost",
        .edit(
          "session.dataTask(with: url) {",
          "session.dataTask(with: URL(string: url.path, relativeTo: url) ?? url) {"),
        breaks: ["What is downloaded.", "url: Where the data is"],
        rejectedBy: ["the data arrives"],
        advice: "A path isn't the whole of a URL: hand on the URL that you were given."),
      Mistake(
        "status 300 is a success",
        .edit("!(200...299).contains(status)", "!(200...300).contains(status)"),
        breaks: ["Another status is", "The server answered with this status"],
        rejectedBy: ["another status is an error"],
        advice: "The successes end at 299: 300 says that there are several pages to choose from."),
      Mistake(
        "an empty answer is a failure",
        .edit(
          "      } else {\n        .success(data ?? Data())\n",
          """
                } else if let data, !data.isEmpty {
                  .success(data)
                } else {
                  .failure(.transport(URLError(.zeroByteResource)))

          """),
        breaks: ["with the data that came, even where that's none"],
        rejectedBy: ["an answer without data is a success"],
        advice:
          "Status 204 means that there is nothing to send, and that's well: look at the status."),
      Mistake(
        "every error is unknown",
        .edit(
          ".transport(error as? URLError ?? URLError(.unknown))", ".transport(URLError(.unknown))"),
        breaks: ["An error of the session is"],
        rejectedBy: ["a server that isn't there is an error"],
        advice: """
          Whoever reads it wants to tell a time-out from a server that isn't there: keep the \
          session's own error.
          """),
      Mistake(
        "an error without data is a success",
        .edit("} else if let error {", "} else if let error, data != nil {"),
        breaks: ["The request failed before there was a whole answer."],
        rejectedBy: [
          "a connection that breaks is an error", "a server that isn't there is an error",
        ],
        advice: "A request that failed has an error and no data: ask for the error alone."),
      Mistake(
        "a cancel before the task is kept is lost",
        .edit("    if isCancelled { task.cancel() }\n", ""),
        breaks: ["it cancels the request, and finishes"],
        rejectedBy: ["cancelled before its request is made, it ends"],
        advice: """
          cancel() found no task yet, so nobody cancels the one that comes: ask isCancelled once \
          more when the task is kept.
          """),
      Mistake(
        "data that came counts more than cancel",
        .edits([
          Edit(
            "      if isCancelled {\n        .failure(.cancelled)\n      } else if let error {\n",
            "      if let error {\n"),
          Edit(
            "        .failure(.transport(error",
            "        isCancelled ? .failure(.cancelled) : .failure(.transport(error"),
        ]),
        breaks: ["also where the rest of the data comes at that moment"],
        rejectedBy: ["cancelled while its answer comes, it is cancelled"],
        advice: """
          The data may be there before the session hears of the cancel: ask isCancelled first, \
          whatever came.
          """),
      Mistake(
        "a session of its own", .file("OwnSession.swift"),
        breaks: ["session: The session that loads it."],
        rejectedBy: ["the session that it was given loads it"],
        advice: """
          The caller's session has its own delegate, cookies and limits, and a copy of its \
          configuration hasn't: load with the session itself.
          """),
      Mistake(
        "invalidates the caller's session",
        .edit("    finish()\n", "    session.finishTasksAndInvalidate()\n    finish()\n"),
        breaks: ["it's neither configured nor invalidated here"],
        rejectedBy: ["a server that isn't there is an error"], verdict: .crashed,
        advice: """
          The next download traps, as its session takes no more tasks: whoever made a session \
          invalidates it.
          """),
      Mistake(
        "keeps itself until it succeeds",
        .edits([
          Edit(
            "lock.withLock { self.task = task }",
            "lock.withLock {\n      self.task = task\n      keeper = self\n    }"),
          Edit(
            "      task = nil\n",
            "      task = nil\n      if case .success = outcome { keeper = nil }\n"),
          Edit(
            "  private var task: URLSessionDataTask?\n",
            """
              private var task: URLSessionDataTask?
              private var keeper: DownloadOperation?

            """),
        ]),
        breaks: ["Nothing keeps the operation alive once"],
        rejectedBy: ["nothing keeps it alive"],
        advice: """
          A download that failed stays in memory for ever: the session's handler keeps the \
          operation for as long as it needs to be, so don't keep it yourself.
          """),
    ],
    rightAnswers: [
      RightAnswer(
        "the result is shown when it is finished",
        .edit(
          "lock.withLock { outcome } ?? (isCancelled && isFinished ? .failure(.cancelled) : nil)",
          "isFinished ? lock.withLock { outcome } ?? .failure(.cancelled) : nil")),
      RightAnswer("one state behind a mutex", .file("StateEnum.swift")),
      RightAnswer("a serial queue around task and outcome", .file("SerialQueue.swift")),
    ],
    unproven: [
      Unproven("On Linux, `URLSession` traps", "told of another class"),
      Unproven("Where downloads are cancelled there", "advice"),
      Unproven("To be called by `start()` alone.", "asked of the caller"),
    ],
    equivalents: [
      Equivalent(
        "made twice: end(data, response, error)",
        "The second comes to the same, and finish() has no effect then."),
      Equivalent(
        "swapped with the next: lock.withLock { self.task = task }",
        "A cancellation in between is caught up with below."),
      Equivalent("made twice: task.resume()", "It runs already."),
      Equivalent("swapped with the next: self.outcome = outcome", "Both are done under the lock."),
      Equivalent("left out: task = nil", "The session has let go of what the task needs."),
      Equivalent(
        "split before task = nil: lock.withLock { …", "A task that has ended may be cancelled."),
    ],
    elusive: [
      Elusive(
        "the first statement before the section: lock.withLock { …",
        "Whoever asks at that very moment may read half of it; the section behind it orders all others."
      ),
      Elusive(
        "the last statement behind the section: lock.withLock { …",
        "A cancellation at that very moment may cancel what has ended."),
      Elusive(
        "swapped with the next: super.cancel()",
        "The request may end before the operation knows that it is cancelled; the session has a thread of its own."
      ),
    ])
}
