extension Kata {
  static let taskOperation = Kata(
    "TaskOperation", module: .asyncOperations,
    title: "An operation whose work is async",
    difficulty: 4, minutes: 35, needs: ["AsyncOperation", "AsyncSumOperation"],
    buildsOn: ["AsyncOperation"],
    hints: [
      """
      The task ends the operation, not the other way round: main() only makes it. So what does the \
      task do when the work has returned or thrown? And who can reach the task to cancel it?
      """,
      """
      Keep the task and the result behind one lock. In the task: run the work in do/catch, store \
      the result, then finish(). cancel(): super.cancel(), take the task out under the lock, \
      cancel it without. Between the start and the moment at which main() stores the task there is \
      none to cancel, so look at isCancelled once more behind that.
      """,
      """
      main: let task = Task(priority: priority) { do { end(.success(try await work())) } catch { \
      end(.failure(error)) } }; lock.withLock { self.task = task }; if isCancelled { task.cancel() \
      }. cancel: super.cancel(); lock.withLock { task }?.cancel(). end: lock.withLock { \
      self.outcome = outcome }; if the error is a CancellationError, super.cancel(); finish().
      """,
    ],
    questions: [
      Question(
        "`main()` could start the task and wait for it with a semaphore. What goes wrong?",
        answer: """
          Each operation then holds a thread that does nothing. Enough of them leave nobody to run \
          on; and if the waiting thread is one of Swift concurrency's few, the task may never get \
          one.
          """),
      Question(
        """
        `cancel()` comes just before the task is stored. Why does the task hear of it all the \
        same?
        """,
        answer: """
          `super.cancel()` comes before `cancel()` looks for the task, and `main()` stores the \
          task before it looks at `isCancelled`. So one of the two sees the other; if both do, to \
          cancel twice is harmless.
          """),
      Question(
        "The operation was cancelled and its work returns a value anyway. What is the result?",
        answer: """
          The value. Cancelling is a request, and the work didn't heed it or was done already; \
          only ending with a `CancellationError` says that it gave up.
          """),
    ],
    mistakes: threadMistakes + resultMistakes + cancelMistakes,
    rightAnswers: [
      RightAnswer("one enum under one lock", .file("PhasesUnderOneLock.swift")),
      RightAnswer("a serial queue and two detached tasks", .file("SerialQueue.swift")),
      RightAnswer("a mutex, and a result that waits for the end", .file("StandardMutex.swift")),
    ],
    unproven: [
      Unproven("An operation whose work is `async`: a bridge", "what it's called"),
      Unproven("So functions that are `async` take part", "what it's good for"),
      Unproven("To be called by `start()` alone.", "asked of the caller"),
    ],
    equivalents: [
      Equivalent(
        "made twice: end(.failure(error))",
        "The second comes to the same, and finish() has no effect then."),
      Equivalent(
        "swapped with the next: lock.withLock { self.outcome = outcome }",
        "Both are done before the end."),
    ])

  private static let task = """
        let task = Task(priority: priority) {
          do {
            end(.success(try await work()))
          } catch {
            end(.failure(error))
          }
        }

    """
  private static let store = """
        lock.withLock { self.task = task }
        // A cancellation that came before there was a task to cancel.
        if isCancelled { task.cancel() }

    """
  private static let report =
    "    if case .failure(let error) = outcome, error is CancellationError { super.cancel() }\n"

  // MARK: - Threads

  private static let threadMistakes = [
    Mistake(
      "waits for the task with a semaphore",
      .edits([
        Edit(
          "import Foundation\n", "import Dispatch\nimport Foundation\n"),
        Edit(
          task,
          "    let done = DispatchSemaphore(value: 0)\n"
            + task.replacing(
              "      }\n    }\n", with: "      }\n      done.signal()\n    }\n")),
        Edit(store, store + "    done.wait()\n"),
      ]),
      breaks: ["no thread is held: a thousand of these"],
      rejectedBy: [
        "it goes on until its work has ended, without a thread",
        "more are under way than there are threads",
      ],
      advice: """
        The semaphore holds a thread for as long as the work waits, and tasks run on those threads \
        too: a few such operations, and nothing moves any more.
        """),
    Mistake(
      "waits for the task on a thread of its own",
      .edits([
        Edit(
          "import Foundation\n", "import Dispatch\nimport Foundation\n"),
        Edit(
          task,
          """
              let done = DispatchSemaphore(value: 0)
              let task = Task(priority: priority) {
                do {
                  let value = try await work()
                  lock.withLock { self.outcome = .success(value) }
                } catch {
                  lock.withLock { self.outcome = .failure(error) }
                }
                done.signal()
              }
              Thread.detachNewThread { [self] in
                done.wait()
                if let result { end(result) }
              }

          """),
      ]),
      breaks: ["no thread is held: a thousand of these"],
      rejectedBy: ["more are under way than there are threads"],
      advice: """
        A thread that waits is a thread too many, whoever made it: let the task call finish() \
        itself.
        """),
    Mistake(
      "finishes at once", .edit(store, store + "    finish()\n"),
      breaks: ["the operation is finished when that has ended"],
      rejectedBy: [
        "it goes on until its work has ended, without a thread", "a dependent waits for the work",
      ],
      advice: "main() returns long before the work has ended: only the task may call finish()."),
    Mistake(
      "the task is made with the operation",
      .edits([
        Edit(task + store, "    lock.withLock { isStarted = true }\n"),
        Edit("  private var outcome", "  private var isStarted = false\n  private var outcome"),
        Edit(
          "    super.init()\n",
          "    super.init()\n" + task + "    self.task = task\n"),
      ]),
      breaks: [
        "never calls its work, and has no result",
        "Creates an operation that waits",
        "Begins the work.",
      ],
      rejectedBy: ["cancelled before its start, it never works"],
      advice:
        "A task begins when it's made; an operation when its queue starts it: make it in main()."
    ),
    Mistake(
      "the work begins on the thread that starts it",
      .edit("Task(priority: priority) {", "Task.immediate(priority: priority) {"),
      breaks: [
        "No part of the work runs on the thread that starts it.",
        "The work runs in a task of its own",
      ],
      rejectedBy: ["its work runs on another thread than its start"],
      advice: """
        Work that counts for a second before its first await holds the queue's thread meanwhile: \
        make the task with Task, which runs it elsewhere.
        """),
    Mistake(
      "nil is the priority of the background",
      .edit("Task(priority: priority) {", "Task(priority: priority ?? .background) {"),
      breaks: ["The priority of the task; nil for the default"],
      rejectedBy: ["its work has the priority that was asked for"],
      advice: """
        Whoever names no priority wants the usual one, and background work may wait for minutes: \
        hand nil on.
        """),
    Mistake(
      "no work where it's cancelled just after the start",
      .edit(
        "        end(.success(try await work()))\n",
        "        try Task.checkCancellation()\n        end(.success(try await work()))\n"),
      breaks: ["also where it is cancelled at the very moment of the start"],
      rejectedBy: ["cancelled at the moment of its start, its task is cancelled"],
      advice: """
        What has started is the work's to end: it may have to clean up, or return what it has, so \
        call it and let it look.
        """),
    Mistake(
      "a second try when it throws",
      .edit(
        "      } catch {\n        end(.failure(error))\n",
        """
              } catch is CancellationError {
                end(.failure(CancellationError()))
              } catch {
                do { end(.success(try await work())) } catch { end(.failure(error)) }

        """),
      breaks: ["work: Called once, in the task"],
      rejectedBy: ["an error keeps its type"],
      advice: """
        Half of the work may be done already, and would be done twice: whether to try again is for \
        whoever reads the result.
        """),
    Mistake(
      "ignores the priority", .edit("Task(priority: priority) {", "Task {"),
      breaks: ["The priority of the task; nil for the default"],
      rejectedBy: ["its work has the priority that was asked for"],
      advice: "Pass the priority on to the task."),
  ]

  // MARK: - The result

  private static let resultMistakes = [
    Mistake(
      "finishes before it stores",
      .edits([
        Edit("    lock.withLock { self.outcome = outcome }\n", ""),
        Edit("    finish()\n", "    finish()\n    lock.withLock { self.outcome = outcome }\n"),
      ]),
      breaks: ["It is there when the operation is finished"],
      rejectedBy: ["who hears that it is finished finds the result"],
      advice: """
        Dependents start as soon as finish() announces the end: store the result first, finish last.
        """),
    Mistake(
      "no finish when the work throws",
      .edit(
        task,
        """
            let task = Task(priority: priority) {
              guard let value = try? await work() else { return }
              end(.success(value))
            }

        """),
      breaks: [
        "the operation is finished when that has ended",
        "What the work has returned or thrown; nil",
      ],
      rejectedBy: [
        "an error keeps its type", "work that ends by CancellationError leaves it cancelled",
      ],
      advice: """
        `try?` throws the error away, and the way out with it: every path has to store a result \
        and call finish().
        """),
    Mistake(
      "wraps the error",
      .edit(
        "        end(.failure(error))\n",
        "        end(.failure(NSError(domain: \"\\(error)\", code: 1)))\n"),
      breaks: ["an error keeps its type"],
      rejectedBy: [
        "an error keeps its type", "work that ends by CancellationError leaves it cancelled",
      ],
      advice: """
        Whoever handles the error has to know which it is: keep the one that was thrown.
        """),
    Mistake(
      "every error is a cancellation",
      .edit(report, "    if case .failure = outcome { super.cancel() }\n"),
      breaks: ["no other error does"],
      rejectedBy: ["an error keeps its type"],
      advice: "Only CancellationError says that the work was cancelled; other errors are failures."),
    Mistake(
      "another's cancellation counts as its own",
      .edits([
        Edit(
          "import Foundation\n",
          """
          import Foundation

          #if canImport(FoundationNetworking)
            import FoundationNetworking
          #endif

          """),
        Edit(
          report,
          """
              if case .failure(let error) = outcome,
                error is CancellationError || (error as? URLError)?.code == .cancelled
              {
                super.cancel()
              }

          """),
      ]),
      breaks: ["no other error does"],
      rejectedBy: ["another's cancellation is an error like any other"],
      advice: """
        A request that was cancelled is a failure of this work, which may have gone on without: \
        only CancellationError says that the work itself gave up.
        """),
    Mistake(
      "a person's Cancel counts as its own",
      .edit(
        report,
        """
            if case .failure(let error) = outcome,
              error is CancellationError || (error as? CocoaError)?.code == .userCancelled
            {
              super.cancel()
            }

        """),
      breaks: ["no other error does"],
      rejectedBy: ["another's cancellation is an error like any other"],
      advice: """
        Many errors say that something was cancelled, and none of them says what: go by \
        CancellationError alone.
        """),
    Mistake(
      "goes by the error's name",
      .edit(
        report,
        """
            if case .failure(let error) = outcome, "\\(type(of: error))" == "CancellationError" {
              super.cancel()
            }

        """),
      breaks: ["no other error does"],
      rejectedBy: ["another's cancellation is an error like any other"],
      advice: "Any module may have an error of that name: ask for the type, with `is`."),
    Mistake(
      "a result as soon as it is cancelled",
      .edit(
        "Result<Success, any Error>? { lock.withLock { outcome } }",
        """
        Result<Success, any Error>? {
            lock.withLock { outcome } ?? (isCancelled ? .failure(CancellationError()) : nil)
          }
        """),
      breaks: [
        "What the work has returned or thrown; nil", "never calls its work, and has no result",
        "is what the work has returned or thrown",
      ],
      rejectedBy: [
        "cancelled before its start, it never works",
        "cancelled, it goes on until its work has ended",
      ],
      advice: """
        The work still runs and may return a value, so the result would change later: it's nil \
        until the work has ended.
        """),
    Mistake(
      "looks at a flag before the lock",
      .edits([
        Edit(
          "Result<Success, any Error>? { lock.with",
          "Result<Success, any Error>? { !hasEnded ? nil : lock.with"),
        Edit(
          "    lock.withLock { self.outcome = outcome }\n",
          "    lock.withLock { self.outcome = outcome }\n    hasEnded = true\n"),
        // In a word of its own, away from the base class's state.
        Edit(
          "  private var task: Task<Void, Never>?\n",
          "  private var task: Task<Void, Never>?\n  private var hasEnded = false\n"),
      ]),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["its result may be read while it finishes"], verdict: .race,
      advice: """
        The task sets the flag while others look at it, and the lock behind it doesn't help: guard \
        every variable, each time.
        """),
    Mistake(
      "reads the result without the lock",
      .edit(
        "Result<Success, any Error>? { lock.withLock { outcome } }",
        "Result<Success, any Error>? { outcome }"),
      breaks: ["Safe to use from every thread."],
      rejectedBy: ["its result may be read while it finishes"], verdict: .race,
      advice: """
        The task stores the outcome under the lock, which helps only if whoever reads it takes the \
        lock as well.
        """),
  ]

  // MARK: - Cancellation

  private static let cancelMistakes = [
    Mistake(
      "the task isn't cancelled", .edit("    lock.withLock { task }?.cancel()\n", ""),
      breaks: [
        "`cancel()` cancels the task",
        "Asks the work to stop, by cancelling its task.",
      ],
      rejectedBy: ["cancel cancels its task", "a cancellation handler may ask the operation"],
      advice: """
        A task doesn't know the operation that made it: keep it, and cancel it in cancel().
        """),
    Mistake(
      "no super.cancel",
      .edit("    super.cancel()\n    // Called without", "    // Called without"),
      breaks: ["never calls its work, and has no result"],
      rejectedBy: [
        "cancelled before its start, it never works",
        "cancelled, it goes on until its work has ended",
      ],
      advice: "isCancelled is Foundation's: without super.cancel() nobody learns of it."),
    Mistake(
      "a cancellation before the task is lost",
      .edit("    if isCancelled { task.cancel() }\n", ""),
      breaks: ["also at the very moment of the start; the work sees it"],
      rejectedBy: ["cancelled at the moment of its start, its task is cancelled"],
      advice: """
        cancel() may come when there's no task yet, and it won't come again: look at isCancelled \
        when you have stored the task.
        """),
    Mistake(
      "cancels the task with the lock held",
      .edit("lock.withLock { task }?.cancel()", "lock.withLock { task?.cancel() }"),
      breaks: ["and they may ask the operation"],
      rejectedBy: ["a cancellation handler may ask the operation"], verdict: .hung,
      advice: """
        task.cancel() calls the work's handlers there and then, and they may ask for the result, \
        which needs your lock: let go of it first.
        """),
    Mistake(
      "cancels the task first",
      .edits([
        Edit("    super.cancel()\n    // Called without", "    // Called without"),
        Edit(
          "    lock.withLock { task }?.cancel()\n",
          "    lock.withLock { task }?.cancel()\n    super.cancel()\n"),
      ]),
      breaks: ["`isCancelled` is true already"],
      rejectedBy: ["a cancellation handler may ask the operation"],
      advice: """
        task.cancel() calls the work's handlers there and then, and they'd find isCancelled false: \
        call super.cancel() first.
        """),
    Mistake(
      "cancel finishes it",
      .edit(
        "lock.withLock { task }?.cancel()\n", "lock.withLock { task }?.cancel()\n    finish()\n"),
      breaks: ["It is finished when the work has ended."],
      rejectedBy: ["cancelled, it goes on until its work has ended"],
      advice: """
        cancel() is a request, and the work may take its time: only when it has ended may \
        dependents start.
        """),
    Mistake(
      "a value is thrown away because it was cancelled",
      .edit(
        "    lock.withLock { self.outcome = outcome }\n",
        """
            let outcome = isCancelled ? .failure(CancellationError()) : outcome
            lock.withLock { self.outcome = outcome }

        """),
      breaks: ["Work that ends otherwise has the result it has"],
      rejectedBy: ["cancelled, it goes on until its work has ended"],
      advice: """
        The work may have come to its end in spite of the cancellation, and what it has done is \
        done: keep what it has returned.
        """),
    Mistake(
      "an error after a cancel is a cancellation",
      .edit(
        "        end(.failure(error))\n",
        "        end(.failure(Task.isCancelled ? CancellationError() : error))\n"),
      breaks: ["an error keeps its type", "Work that ends otherwise has the result it has"],
      rejectedBy: ["cancelled, its work may throw an error of its own"],
      advice: """
        The work may have failed in spite of the cancellation, or while it cleaned up, and somebody \
        has to know: keep the error that was thrown.
        """),
    Mistake(
      "cancel before the start stores an error",
      .edit(
        "    lock.withLock { task }?.cancel()\n",
        """
            lock.withLock {
              if task == nil, !isExecuting { outcome = .failure(CancellationError()) }
            }
            lock.withLock { task }?.cancel()

        """),
      breaks: [
        "never calls its work, and has no result", "What the work has returned or thrown; nil",
      ],
      rejectedBy: ["cancelled before its start, it never works"],
      advice: """
        Work that never ran has no result, not even an error; that the operation was cancelled is \
        what isCancelled says.
        """),
    Mistake(
      "CancellationError isn't reported", .edit(report, ""),
      breaks: ["leaves the operation cancelled (`isCancelled`)"],
      rejectedBy: ["work that ends by CancellationError leaves it cancelled"],
      advice: """
        Work can be cancelled from inside as well; whoever asks isCancelled should know: call \
        super.cancel() before you finish.
        """),
    Mistake(
      "CancellationError is reported after the end",
      .edits([Edit(report, ""), Edit("    finish()\n", "    finish()\n" + report)]),
      breaks: ["leaves the operation cancelled (`isCancelled`)"],
      rejectedBy: ["work that ends by CancellationError leaves it cancelled"],
      advice:
        "A finished operation can't be cancelled any more: call super.cancel() before finish()."),
  ]
}
