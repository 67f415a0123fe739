extension Kata {
  static let concurrentMap = Kata(
    "ConcurrentMap", module: .gcdBasics,
    title: "A map that uses all cores and keeps the order",
    difficulty: 3, minutes: 30, needs: ["SerialLog"],
    hints: [
      """
      The iterations come in any order and at the same time, and each knows its index. So where does \
      a result belong, whichever was ready first? And what if it's an error: can that wait there too?
      """,
      """
      Make an array of optional results, a slot for each element: [Result<Transformed, Failure>?]. \
      Each iteration transforms first and then fills its own slot under a lock. When perform has \
      returned, go through the slots in order, and let get() return or throw.
      """,
      """
      let lock = NSLock(); nonisolated(unsafe) var slots = [Result<Transformed, \
      Failure>?](repeating: nil, count: count). perform(count) { index in let result = Result { () \
      throws(Failure) in try transform(self[index]) }; lock.withLock { slots[index] = result } }. \
      Then: for case let slot? in slots { results.append(try slot.get()) }.
      """,
    ],
    questions: [
      Question(
        """
        Each iteration writes to an index of its own. Why is that a race with an array, and none \
        with the buffer of the reference?
        """,
        answer: """
          An array is one value: setting any element is an access to the whole of it, which checks \
          whether its storage is shared and may copy it. The buffer's slots are separate places in \
          memory, each written by one iteration.
          """),
      Question(
        "The slots are read without a lock. What keeps that apart from the writes?",
        answer: """
          `concurrentPerform` returns when all iterations have, so every write has happened before \
          the first read. The calling thread is the only one left.
          """),
      Question(
        "Why is the error thrown that stands first, and not the one that happened first?",
        answer: """
          Which one happens first is different from run to run; which one stands first isn't. The \
          price is that what stands before a failure must always be transformed.
          """),
    ],
    mistakes: concurrentMapMistakes,
    rightAnswers: [
      RightAnswer("an array and a lock", .file("LockedSlots.swift")),
      RightAnswer("pairs that are sorted at the end", .file("SortedPairs.swift")),
      RightAnswer("a dictionary on a serial queue", .file("DictionaryOnQueue.swift")),
      RightAnswer("an object for each element", .file("ObjectEach.swift")),
    ],
    equivalents: [
      Equivalent(
        "made twice: slots.initialize(repeating: nil)", "The second nil takes the place of another."
      ),
      Equivalent(
        "swapped with the next: slots.initialize(repeating: nil)",
        "Both are done before anything can end the function."),
      Equivalent(
        "swapped with the next: defer { …",
        "perform doesn't throw, so nothing can end the function in between."),
      Equivalent(
        "swapped with the next: perform(count) { index in …",
        "An empty array may be made before or after."),
      Equivalent(
        "left out: results.reserveCapacity(count)", "It only saves the array from growing."),
      Equivalent(
        "made twice: results.reserveCapacity(count)", "There is room for all after the first."),
      Equivalent(
        "swapped with the next: results.reserveCapacity(count)",
        "It only saves the array from growing."),
      Equivalent(
        "left out: slots.deallocate()",
        "The results are the same. The memory is lost, which tools such as Leaks show, and no test."
      ),
    ])

  // MARK: - Mistakes

  private static let iterate = "    perform(count) { index in\n"
  private static let fill =
    "      slots[index] = Result { () throws(Failure) in try transform(self[index]) }\n"
  private static let take = "      results.append(try slot.get())\n"
  private static let useLocks = Edit("import Dispatch\n", "import Dispatch\nimport Foundation\n")

  private static let concurrentMapMistakes = [
    Mistake(
      "a serial loop", .edit(iterate, "    for index in 0..<count {\n"),
      breaks: ["made by several threads at once", "`perform` runs an iteration for each element"],
      rejectedBy: ["perform runs an iteration for each element", "transforms overlap"],
      advice: """
        A loop transforms one element after the other while the other cores have nothing to do: let \
        perform run the iterations.
        """),
    Mistake(
      "another way to run them",
      .edit(iterate, "    DispatchQueue.concurrentPerform(iterations: count) { index in\n"),
      breaks: ["`perform` runs an iteration for each element"],
      rejectedBy: ["perform runs an iteration for each element"],
      advice: """
        The caller has said how iterations are to be run; concurrentPerform is only what it is by \
        default. Call perform.
        """),
    Mistake(
      "a lock held while transforming",
      .edits([
        useLocks, Edit(iterate, "    let lock = NSLock()\n\(iterate)      lock.lock()\n"),
        Edit(fill, "\(fill)      lock.unlock()\n"),
      ]),
      breaks: ["made by several threads at once"],
      rejectedBy: ["transforms overlap"],
      advice: """
        Whoever holds the lock keeps all others from transforming: transform first, then take the \
        lock to keep the result.
        """),
    Mistake(
      "results in the order of completion", .file("CompletionOrder.swift"),
      breaks: [
        "The results of `transform`, in the order of the elements",
        "The results stand in the order of the elements, whichever was ready first.",
      ],
      rejectedBy: ["results stand in the order of the elements", "the first error wins"],
      advice: """
        Appending puts first what was ready first, and that's another one each time: let each \
        iteration fill the slot with its own index.
        """),
    Mistake(
      "unsynchronised writes", .file("SharedArray.swift"),
      breaks: ["made by several threads at once"],
      rejectedBy: ["iterations run on any threads"], verdict: .race,
      advice: """
        An array is one value: changing different elements of it from several threads is a race all \
        the same. Take a lock, or write to memory that isn't an array.
        """),
    Mistake(
      "the first error is looked for without a lock",
      .edits([
        Edit(
          iterate,
          """
              // Safe: it isn't.
              nonisolated(unsafe) var first = Int.max
          \(iterate)
          """),
        Edit(
          fill, "\(fill)      if case .failure = slots[index], index < first { first = index }\n"),
        Edit(
          "    var results: [Transformed] = []\n",
          """
              if first < count, let failed = slots[first] { _ = try failed.get() }
              var results: [Transformed] = []

          """),
      ]),
      breaks: ["made by several threads at once"],
      rejectedBy: ["iterations run on any threads"], verdict: .race,
      advice: """
        The slots are one for each, but all iterations change this one variable: look for the first \
        error when perform has returned.
        """),
    Mistake(
      "the error is lost",
      .edit(take, "      if let result = try? slot.get() { results.append(result) }\n"),
      breaks: ["the error of the first such element is thrown"],
      rejectedBy: ["the first error wins", "an element that fails is transformed once"],
      advice: """
        Whoever asked for six results gets four and never learns why: throw the error when all \
        iterations have ended.
        """),
    Mistake(
      "the first error in time wins",
      .edits([
        useLocks,
        Edit(
          iterate,
          """
              let lock = NSLock()
              // Safe: guarded by `lock`.
              nonisolated(unsafe) var first: Failure?
          \(iterate)
          """),
        Edit(
          fill,
          """
          \(fill)      if case .failure(let error) = slots[index] {
                  lock.withLock { if first == nil { first = error } }
                }

          """),
        Edit(
          "    var results: [Transformed] = []\n",
          "    if let first { throw first }\n    var results: [Transformed] = []\n"),
      ]),
      breaks: ["first in the order of the elements, not of time"],
      rejectedBy: ["the first error wins"],
      advice: """
        Which one fails first is a matter of luck, so the same elements give another error each \
        time: throw the one that stands first.
        """),
    Mistake(
      "the last error wins",
      .edits([
        Edit(
          take,
          """
                do throws(Failure) { results.append(try slot.get()) } catch { last = error }

          """),
        Edit(
          "    var results: [Transformed] = []\n",
          "    var results: [Transformed] = []\n    var last: Failure?\n"),
        Edit("    return results\n", "    if let last { throw last }\n    return results\n"),
      ]),
      breaks: ["the error of the first such element is thrown"],
      rejectedBy: ["the first error wins"],
      advice: "A later error overwrites an earlier one here: keep the first, or throw at once."),
    Mistake(
      "nothing is transformed after a failure",
      .edits([
        useLocks,
        Edit(
          iterate,
          """
              let lock = NSLock()
              // Safe: guarded by `lock`.
              nonisolated(unsafe) var hasFailed = false
          \(iterate)      if lock.withLock({ hasFailed }) { return }

          """),
        Edit(
          fill,
          "\(fill)      if case .failure = slots[index] { lock.withLock { hasFailed = true } }\n"
        ),
        Edit(
          "      guard let slot else { preconditionFailure(\"perform has left out iteration \\(index)\") }\n",
          "      guard let slot else { continue }\n"),
        Edit("for (index, slot) in slots.enumerated()", "for slot in slots"),
      ]),
      breaks: [
        "also where another one has failed", "the error of the first such element is thrown",
      ],
      rejectedBy: ["the first error wins"],
      advice: """
        Which elements are left out depends on luck, and one of them may stand before the one that \
        failed, and fail too: transform them all, and throw at the end.
        """),
    Mistake(
      "what stands behind a failure is left out",
      .edits([
        useLocks,
        Edit(
          iterate,
          """
              let lock = NSLock()
              // Safe: guarded by `lock`.
              nonisolated(unsafe) var first = Int.max
          \(iterate)      if index > lock.withLock({ first }) { return }

          """),
        Edit(
          fill,
          """
          \(fill)      if case .failure = slots[index] {
                  lock.withLock { first = Swift.min(first, index) }
                }

          """),
        Edit(
          "      guard let slot else { preconditionFailure(\"perform has left out iteration \\(index)\") }\n",
          "      guard let slot else { continue }\n"),
        Edit("for (index, slot) in slots.enumerated()", "for slot in slots"),
      ]),
      breaks: ["also where another one has failed"],
      rejectedBy: ["an element that fails is transformed once"],
      advice: """
        The error is the right one, but how many of the elements behind it were transformed is \
        another number each time: transform them all.
        """),
    Mistake(
      "chunks where there are many",
      .edits([
        Edit(
          iterate,
          """
              let size = count < 128 ? 1 : 16
              perform((count + size - 1) / size) { chunk in
                for index in chunk * size..<Swift.min(count, (chunk + 1) * size) {

          """),
        Edit(fill, "\(fill)      }\n"),
      ]),
      breaks: ["`perform` runs an iteration for each element"],
      rejectedBy: ["perform runs an iteration for each element"],
      advice: """
        Sixteen slow elements in one iteration keep one core busy while the others have nothing to do \
        any more: how iterations are shared out is for perform to decide.
        """),
    Mistake(
      "a thousand pieces",
      .edits([
        Edit(
          iterate,
          """
              let size = Swift.max(1, count / 1000)
              perform((count + size - 1) / size) { piece in
                for index in piece * size..<Swift.min(count, (piece + 1) * size) {

          """),
        Edit(fill, "\(fill)      }\n"),
      ]),
      breaks: ["`perform` runs an iteration for each element"],
      rejectedBy: ["perform runs an iteration for each element"],
      advice: """
        It makes a difference from two thousand elements on, so it's found out late: how iterations are \
        shared out is for perform to decide, however many there are.
        """),
    Mistake(
      "a single element without an iteration",
      .edit(iterate, "    if count == 1 { return [try transform(self[0])] }\n\(iterate)"),
      breaks: ["`perform` runs an iteration for each element"],
      rejectedBy: ["perform runs an iteration for each element"],
      advice: """
        The caller has said how iterations are to be run, and perhaps on which thread: one element is \
        one iteration, not none.
        """),
    Mistake(
      "each iteration takes the next element",
      .edits([
        useLocks,
        Edit(
          iterate,
          """
              let lock = NSLock()
              // Safe: guarded by `lock`.
              nonisolated(unsafe) var taken = 0
              perform(count) { _ in
                let index = lock.withLock {
                  defer { taken += 1 }
                  return taken
                }

          """),
      ]),
      breaks: ["in the iteration with its index"],
      rejectedBy: ["an element is transformed in its own iteration"],
      advice: """
        A plain loop that runs backwards was meant to begin with the last element, and a counter that \
        all share is one more lock: the iteration has its index already.
        """),
    Mistake(
      "the slots aren't cleared", .edit("      slots.deinitialize()\n", ""),
      breaks: ["Nothing is left of it afterwards"],
      rejectedBy: ["nothing is left but what it returns"],
      advice: """
        deallocate gives the memory back and not what is kept there, so each photo stays for ever: \
        deinitialize the slots first.
        """),
    Mistake(
      "index 0 stands for no failure",
      .edits([
        useLocks,
        Edit(
          iterate,
          """
              let lock = NSLock()
              // Safe: guarded by `lock`.
              nonisolated(unsafe) var first = 0
          \(iterate)
          """),
        Edit(
          fill,
          """
          \(fill)      if case .failure = slots[index] {
                  lock.withLock { first = first == 0 ? index : Swift.min(first, index) }
                }

          """),
        Edit(
          "    var results: [Transformed] = []\n",
          """
              if first > 0, let failed = slots[first] { _ = try failed.get() }
              var results: [Transformed] = []

          """),
      ]),
      breaks: ["the error of the first such element is thrown"],
      rejectedBy: ["the first error wins"],
      advice: """
        Where element 0 has failed that is forgotten, and a later error is thrown: an index that may \
        be missing is an optional.
        """),
    Mistake(
      "transformed again for its error",
      .edit(take, "      if case .failure = slot { _ = try transform(self[index]) }\n\(take)"),
      breaks: ["`transform` is called once with each element"],
      rejectedBy: ["an element that fails is transformed once"],
      advice: """
        To throw by failing again is an old trick, and the second time it may succeed, or send the \
        letter twice: keep the error.
        """),
    Mistake(
      "filled with the first result", .file("FilledWithTheFirst.swift"),
      breaks: ["`transform` is called once with each element"],
      rejectedBy: ["each element is transformed once", "nothing comes of no elements"],
      advice: """
        The first element is transformed twice, and where there is none the process ends: fill the \
        array with nil.
        """),
    Mistake(
      "a thread for each element", .file("ThreadEach.swift"),
      breaks: ["which takes as many threads as there are cores"],
      rejectedBy: [
        "perform runs an iteration for each element", "no more run at once than there are cores",
      ],
      advice: """
        More threads than cores do no more work, they only share it out: concurrentPerform makes as \
        many as there are cores.
        """),
    Mistake(
      "a thread for each element, in line", .file("ThreadsInLine.swift"),
      breaks: ["which takes as many threads as there are cores"],
      rejectedBy: [
        "perform runs an iteration for each element", "no more run at once than there are cores",
      ],
      advice: """
        The semaphore keeps few at work, but a thousand threads wait in front of it: an element that \
        waits needs only its index.
        """),
  ]
}
