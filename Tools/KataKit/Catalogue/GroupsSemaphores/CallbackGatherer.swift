extension Kata {
  static let callbackGatherer = Kata(
    "CallbackGatherer", module: .groupsSemaphores,
    title: "Many callbacks, one delivery, in order",
    difficulty: 2, minutes: 30, needs: ["AllDone"],
    hints: [
      """
      The API returns at once and answers later, so async(group:) can't see when it has. A group \
      also counts by hand: enter says that something begins, leave that it has ended. Which line \
      of yours is sure to come before any callback? And which is sure to come once, and only once?
      """,
      """
      For each request: enter the group, then call the API with a callback that stores the result \
      at the request's index, under a lock, unless one is there; and leaves the group only if it \
      was the first. A thrown error goes the same way: call the callback with it. After the loop \
      notify.
      """,
      """
      A final class holds slots: [Result?] and an NSLock; fill(index, result) -> Bool returns \
      false where the slot is taken. Loop: group.enter(); let callback: Callback = { if \
      slots.fill(index, with: $0) { group.leave() } }; do { try api(request, callback) } catch { \
      callback(.failure(error)) }. Then group.notify(queue: queue) { completion(slots.all) }.
      """,
    ],
    questions: [
      Question(
        "Where does `enter()` have to stand, and which two APIs break the code if it doesn't?",
        answer: """
          On the gathering thread, before the API is called. An API that calls back at once would \
          leave before anybody entered, which traps; and one that takes its time would find that \
          `notify` has seen an empty group and delivered.
          """),
      Question(
        "What happens when an API calls back twice, and what would happen without the check?",
        answer: """
          The second call finds its slot filled and does nothing. Without the check `leave` would \
          be called twice for one `enter`: the delivery comes before another request's result is \
          there, or the group traps.
          """),
      Question(
        """
        An API throws and its callback comes as well. Why is that the same problem, and the same \
        cure?
        """,
        answer: """
          Both are results of one request, and only one may count. Both go through `fill`, which \
          decides under the lock who is first, and only that one leaves the group.
          """),
    ],
    mistakes: callbackGathererMistakes,
    rightAnswers: [
      RightAnswer("a lock and a counter", .file("LockAndCounter.swift")),
      RightAnswer("a serial queue for the results", .file("SerialQueue.swift")),
    ],
    unproven: [
      Unproven("Tells the result of a request.", "What the type is for."),
      Unproven("Begins to work on a request and returns soon.", "What the caller's API does."),
      Unproven("Creates a gatherer that asks `api`.", "Says what the parameter is."),
    ],
    equivalents: [
      Equivalent(
        "swapped with the next: let results = ResultSlots<Value>(count: requests.count)",
        "Neither depends on the other."),
      Equivalent("swapped with the next: group.enter()", "A callback is made, and not called yet."),
      Equivalent("made twice: callback(.failure(error))", "The second one comes too late."),
    ])

  // MARK: - Mistakes

  private static let enter = "      group.enter()\n"
  private static let fill = "        if results.fill(index, with: result) { group.leave() }\n"
  private static let ask = "        try api(request, callback)\n"
  private static let rescue = "        callback(.failure(error))\n"
  private static let deliver = "    group.notify(queue: queue) { completion(results.all) }\n"
  private static let makeGroup = "    let group = DispatchGroup()\n"
  private static let storedAPI = "  private let api: API\n"
  private static let store = """
          guard slots[index] == nil else { return false }
          slots[index] = result

    """

  private static let callbackGathererMistakes = [
    Mistake(
      "asks on another queue",
      .edits([
        Edit("      do {\n", "      DispatchQueue.global().async {\n      do {\n"),
        Edit("\(rescue)      }\n", "\(rescue)      }\n      }\n"),
      ]),
      breaks: ["on this thread, before this returns"],
      rejectedBy: ["the API is asked for each request, in order"],
      advice: """
        The API begins and returns, so there is no need for another thread; and not every API may \
        be called on one.
        """),
    Mistake(
      "the last request first",
      .edit("requests.enumerated() {", "requests.enumerated().reversed() {"),
      breaks: ["in their order"], rejectedBy: ["the API is asked for each request, in order"],
      advice: "What is asked for first is begun first; whoever calls knows what is most urgent."),
    Mistake(
      "a thread waits for each gather",
      .edit(
        deliver,
        """
            DispatchQueue.global().async {
              group.wait()
              queue.async { completion(results.all) }
            }

        """),
      breaks: ["No thread waits for the callbacks"],
      rejectedBy: ["gathers under way hold no threads"],
      advice: """
        A block that waits holds a thread of the pool until the last callback has come, and a few \
        dozen of them hold all; notify holds none.
        """),
    Mistake(
      "delivers with sync", .file("DeliversWithSync.swift"),
      breaks: ["from any thread, at once or later"],
      rejectedBy: ["a callback may come on the delivery queue"], verdict: .crashed,
      advice: """
        A callback that comes on the delivery queue would wait for itself, and Dispatch traps; \
        deliver with async.
        """),
    Mistake(
      "results die with the gatherer",
      .edits([
        Edit("public struct CallbackGatherer", "public final class CallbackGatherer"),
        Edit(
          "let callback: Callback = { result in\n",
          """
          let callback: Callback = { [weak self] result in
                  guard self != nil else { return }

          """
        ),
      ]),
      breaks: ["even if nobody keeps the gatherer"],
      rejectedBy: ["gather returns before the callbacks come"],
      advice: """
        Callers ask and forget; let each callback keep what it needs, the results and the group, \
        and no weak self.
        """),
    Mistake(
      "a forgotten callback is an answer",
      .edits([
        Edit(
          "      let callback: Callback = { result in\n",
          """
                let fallback = Fallback {
                  if results.fill(index, with: .failure(CancellationError())) { group.leave() }
                }
                let callback: Callback = { result in
                  defer { withExtendedLifetime(fallback) {} }

          """),
        Edit(
          "/// A place for the result of each request",
          """
          /// Calls a closure when nobody keeps it any more.
          private final class Fallback: Sendable {
            private let body: @Sendable () -> Void

            init(_ body: @escaping @Sendable () -> Void) {
              self.body = body
            }

            deinit {
              body()
            }
          }

          /// A place for the result of each request
          """),
      ]),
      breaks: ["keeps its gather under way for ever"],
      rejectedBy: ["a forgotten callback is no answer"],
      advice: """
        A callback that is gone says nothing of the request; an answer is what it was called with, \
        or what the API threw.
        """),
    Mistake(
      "waits on the caller",
      .edit(deliver, "    group.wait()\n    queue.async { completion(results.all) }\n"),
      breaks: ["No thread waits for the callbacks", "Asks for every request and returns"],
      rejectedBy: ["gather returns before the callbacks come"], verdict: .hung,
      advice: """
        wait() holds the caller until the last callback has come, and that one may want to come on \
        the caller's thread; notify holds nobody.
        """),
    Mistake(
      "enter in the callback",
      .edits([Edit(enter, ""), Edit(fill, "        group.enter()\n\(fill)")]),
      breaks: [
        "delivers all results together",
        "the results are delivered when the last has come",
      ],
      rejectedBy: [
        "gather returns before the callbacks come",
        "the results come together, in the order of the requests",
      ],
      advice: """
        Until the callback comes, nobody has entered, and an empty group notifies at once: enter \
        before the API is called.
        """),
    Mistake(
      "enter after the call",
      .edits([Edit(enter, ""), Edit("\(rescue)      }\n", "\(rescue)      }\n\(enter)")]),
      breaks: ["from any thread, at once or later"],
      rejectedBy: ["a callback may come before the API returns"], verdict: .crashed,
      advice: """
        A callback may come before the API returns, and then leave comes before enter: enter \
        first, then call.
        """),
    Mistake(
      "the group is left when the API returns",
      .edits([
        Edit(fill, "        _ = results.fill(index, with: result)\n"),
        Edit("\(rescue)      }\n", "\(rescue)      }\n      group.leave()\n"),
      ]),
      breaks: [
        "delivers all results together",
        "the results are delivered when the last has come",
      ],
      rejectedBy: ["gather returns before the callbacks come"],
      advice: """
        The API has only begun when it returns; the request is done when its callback has come, so \
        leave there.
        """),
    Mistake(
      "in the order of arrival",
      .edits([
        Edit(
          "  private let lock = NSLock()\n",
          """
            private nonisolated(unsafe) var arrived: [Result<Value, any Error>] = []
            private let lock = NSLock()

          """),
        Edit(
          "      slots[index] = result\n",
          "      slots[index] = result\n      arrived.append(result)\n"),
        Edit("slots.compactMap(\\.self)", "arrived"),
      ]),
      breaks: ["delivers all results together, in order", "in the order of the requests"],
      rejectedBy: ["the results come together, in the order of the requests"],
      advice: """
        Callbacks come in any order; put each result at the index of its request instead of at the \
        end.
        """),
    Mistake(
      "a delivery for each request",
      .edits([Edit(deliver, ""), Edit("\(rescue)      }\n", "\(rescue)      }\n\(deliver)")]),
      breaks: ["delivers all results together", "Called once, with a result for each request"],
      rejectedBy: [
        "the results come together, in the order of the requests",
        "without requests there is a delivery too",
      ],
      advice: "Each notify calls once; call it once, after the loop."),
    Mistake(
      "no requests, no delivery",
      .edit(
        "    let results = ", "    guard !requests.isEmpty else { return }\n    let results = "),
      breaks: ["What to ask for; may be empty."],
      rejectedBy: ["without requests there is a delivery too"],
      advice: "Whoever gathers nothing waits for completion, too; an empty group notifies at once."),
    Mistake(
      "no requests: delivered on the spot",
      .edit(
        "    let results = ",
        "    guard !requests.isEmpty else { return completion([]) }\n    let results = "),
      breaks: ["The queue that `completion` is called on."],
      rejectedBy: ["the results are delivered on the queue that was asked for"],
      advice: """
        completion is always called on the queue, also where the answer is clear at once; callers \
        rely on it.
        """),
    Mistake(
      "delivered on another queue", .edit("notify(queue: queue)", "notify(queue: .global())"),
      breaks: ["The queue that `completion` is called on."],
      rejectedBy: ["the results are delivered on the queue that was asked for"],
      advice: "completion belongs on the queue that the caller gave; give it to notify."),
    Mistake(
      "no leave on error",
      .edit(fill, "        guard case .success = result else { return }\n\(fill)"),
      breaks: ["with a result for each request"],
      rejectedBy: ["a failure is a result like another"],
      advice: """
        One error, and the group is never empty again: leave on every path, and keep the error as \
        the request's result.
        """),
    Mistake(
      "failures left out",
      .edit("compactMap(\\.self)", "compactMap { try? $0?.get() }.map { .success($0) }"),
      breaks: ["with a result for each request"],
      rejectedBy: ["a failure is a result like another"],
      advice:
        "Each request has a result, also one that failed, or nobody knows whose result is whose."),
    Mistake(
      "no leave on throw", .edit(rescue, ""),
      breaks: [
        "or it throws where it can't even begin",
        "or the error that the API threw before that",
      ],
      rejectedBy: ["an API that throws has answered"],
      advice: """
        An API that throws won't call back, so nobody leaves for it: let the catch do what the \
        callback would.
        """),
    Mistake(
      "the first throw ends the loop", .edit(rescue, "\(rescue)        break\n"),
      breaks: ["The API is called for all requests"],
      rejectedBy: ["an API that throws has answered"],
      advice: "The error is one request's result; the others have still to be asked for."),
    Mistake(
      "asks with a lock held",
      .edits([
        Edit(makeGroup, "\(makeGroup)    let lock = NSLock()\n"),
        Edit(ask, "        try lock.withLock { try api(request, callback) }\n"),
        Edit(
          fill,
          """
                  lock.withLock {
                    if results.fill(index, with: result) { group.leave() }
                  }

          """),
      ]),
      breaks: ["It is called without a lock held"],
      rejectedBy: ["a callback may come before the API returns"], verdict: .hung,
      advice: """
        A callback may come before the API returns, and wants the lock that you hold: never call \
        out with a lock held.
        """),
    Mistake(
      "asks with a recursive lock held",
      .edits([
        Edit(makeGroup, "\(makeGroup)    let lock = NSRecursiveLock()\n"),
        Edit(ask, "        try lock.withLock { try api(request, callback) }\n"),
        Edit(
          fill,
          """
                  lock.withLock {
                    if results.fill(index, with: result) { group.leave() }
                  }

          """),
      ]),
      breaks: ["It is called without a lock held"],
      rejectedBy: ["a callback may come on another thread before the API returns"], verdict: .hung,
      advice: """
        A recursive lock lets in the same thread only, and the API may wait for a callback on \
        another: never call out with a lock held.
        """),
    Mistake(
      "one gather at a time",
      .edits([
        Edit(storedAPI, "\(storedAPI)  private let lock = NSLock()\n"),
        Edit(
          "    for (index, request)",
          "    lock.lock()\n    defer { lock.unlock() }\n    for (index, request)"),
      ]),
      breaks: ["several gathers may be under way"],
      rejectedBy: ["a gather that is still asking holds no other up"], verdict: .hung,
      advice: """
        Nobody knows how long the API takes to begin, and all other gathers wait for it; what each \
        gather needs is its own, so there's nothing to guard.
        """),
    Mistake(
      "leaves for every call",
      .edit(fill, "        _ = results.fill(index, with: result)\n        group.leave()\n"),
      breaks: ["a callback that comes again must do no harm"],
      rejectedBy: [
        "a callback that comes twice counts once", "a callback after the delivery does no harm",
      ],
      advice: """
        A callback that comes twice leaves for somebody else, or one time too often, and then \
        Dispatch traps: leave only when the slot was empty.
        """),
    Mistake(
      "the last call stands",
      .edit(
        store,
        """
              let isFirst = slots[index] == nil
              slots[index] = result
              guard isFirst else { return false }

        """),
      breaks: ["what its callback was called with the first time"],
      rejectedBy: ["the first call of a callback stands"],
      advice: "Store a result only where none is yet: what came first stands."),
    Mistake(
      "a value takes the place of a failure",
      .edit(
        store,
        """
              if case .failure? = slots[index], case .success = result { slots[index] = result }
        \(store)
        """),
      breaks: ["what its callback was called with the first time"],
      rejectedBy: ["the first call of a callback stands"],
      advice: """
        The first answer was an error, and whoever reads the result never learns of it: what came first \
        stands, good or bad.
        """),
    Mistake(
      "leaves for a throw after a callback",
      .edit(
        rescue, "        _ = results.fill(index, with: .failure(error))\n        group.leave()\n"),
      breaks: ["whatever comes later is ignored"],
      rejectedBy: ["an API that calls back and throws has answered once"], verdict: .crashed,
      advice: """
        An API may call back and throw after that; let the catch go through the same guard as the \
        callback.
        """),
    Mistake(
      "leaves for a callback after a throw",
      .edits([
        Edit(
          rescue,
          "        if results.note(error, at: index) { group.leave() }\n"),
        Edit(
          "  private let lock = NSLock()\n",
          """
            private nonisolated(unsafe) var errors: [Int: any Error] = [:]
            private let lock = NSLock()

          """),
        Edit(
          "  /// What the slots hold, in their order.\n",
          """
            /// Notes an error for a slot, unless it is filled.
            func note(_ error: any Error, at index: Int) -> Bool {
              lock.withLock {
                guard slots[index] == nil else { return false }
                errors[index] = error
                return true
              }
            }

            /// What the slots hold, in their order.

          """),
        Edit(
          "slots.compactMap(\\.self)",
          "slots.enumerated().compactMap { $1 ?? errors[$0].map { .failure($0) } }"),
      ]),
      breaks: ["whatever comes later is ignored"],
      rejectedBy: ["an API that throws and calls back later has answered once"],
      advice: """
        An API may throw and call back all the same; put the error where the callback looks, so \
        that it finds the slot filled.
        """),
    Mistake(
      "one group for all gathers",
      .edits([
        Edit(makeGroup, ""), Edit(storedAPI, "\(storedAPI)  private let group = DispatchGroup()\n"),
      ]),
      breaks: ["none knows of the others"],
      rejectedBy: ["two gathers know nothing of each other"],
      advice: """
        A group that gathers share is empty when the slowest of them is done; make one in each \
        gather.
        """),
    Mistake(
      "counts the gathers without a lock",
      .edits([
        Edit(deliver, "\(deliver)    gathersSoFar += 1\n"),
        Edit(
          "/// A place for the result of each request",
          """
          // Safe: it isn't, and that is the mistake.
          private nonisolated(unsafe) var gathersSoFar = 0

          /// A place for the result of each request
          """),
      ]),
      breaks: ["Safe to use from every thread"], rejectedBy: ["gather may be called on any thread"],
      verdict: .race,
      advice: """
        Two gathers on two threads may both read the counter before either writes it; whatever \
        gathers share needs a lock.
        """),
    Mistake(
      "unsynchronised results",
      .edit(
        """
            lock.withLock {
              guard slots[index] == nil else { return false }
              slots[index] = result
              return true
            }

        """,
        """
            guard slots[index] == nil else { return false }
            slots[index] = result
            return true

        """),
      breaks: ["from any thread, at once or later"],
      rejectedBy: ["callbacks may come on any thread"], verdict: .race,
      advice: """
        Callbacks come on any thread, and an array isn't made for two writers, not even at two \
        indices: guard it with a lock.
        """),
  ]
}
