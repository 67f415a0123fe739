extension Kata {
  static let cancelCascade = Kata(
    "CancelCascade", module: .cancellation,
    title: "Cancel what can no longer succeed, and nothing else",
    difficulty: 4, minutes: 35, needs: ["CancelAll"],
    hints: [
      """
      Operations know what they depend on, and you need it the other way round. Build that once. And \
      then think of a queue that runs: what may it begin between two of your calls of cancel()?
      """,
      """
      A dictionary from ObjectIdentifier(dependency) to the operations that depend on it. Then a \
      depth-first search with an array as its stack, and a set of those found. An operation is told \
      when the search comes back from all that depends on it: so push "tell it" below "follow its \
      dependents".
      """,
      """
      var steps = [Step.follow(self)]; while let step = steps.popLast(): .follow(operation): guard \
      found.insert(ObjectIdentifier(operation)).inserted else { continue }; \
      steps.append(.cancel(operation)); for each dependent steps.append(.follow(dependent)). \
      .cancel(operation): operation.cancel(). And for the dictionary: for operation in operations \
      where !operation.isFinished || operation.isCancelled.
      """,
    ],
    questions: [
      Question(
        "Why is whoever depends on an operation told before the operation itself?",
        answer: """
          A cancelled operation is free to leave at once, and then those who depend on it are \
          ready. They would begin, just before they were told.
          """),
      Question(
        """
        A finished operation is left alone, but the cascade goes on past one that is finished and \
        cancelled. Why?
        """,
        answer: """
          The first has handed on what was needed, so what depends on it may still succeed. The \
          second has nothing to hand on, and so what depends on it can't.
          """),
      Question(
        """
        An operation knows what it depends on, not what depends on it. What does it cost to find \
        that out?
        """,
        answer: """
          Searching all operations for each one takes the square of their number. Turned round \
          once into a table, it takes each operation and each dependency once.
          """),
    ],
    mistakes: whomMistakes + finishedMistakes + orderMistakes + sizeMistakes,
    rightAnswers: [
      RightAnswer("wave by wave from the far end", .file("Waves.swift")),
      RightAnswer("held back until all are told", .file("HeldBack.swift")),
      RightAnswer("a path of iterators", .file("PathOfIterators.swift")),
    ],
    unproven: [
      Unproven("When a download fails, or nobody wants it any more", "why it's wanted"),
      Unproven("`cancel()` doesn't tell them", "what Foundation does"),
      Unproven("An operation knows what it depends on", "what Foundation knows"),
      Unproven("Whether that one is told again", "leaves something open"),
    ],
    equivalents: [
      Equivalent(
        "swapped with the next: var steps = [CascadeStep.follow(self)]",
        "Neither depends on the other."),
      Equivalent(
        "made twice: steps.append(.follow(dependent))", "Whoever was found already is passed over."),
    ])

  // MARK: - Pieces of the reference

  private static let condition = "where !operation.isFinished || operation.isCancelled {"
  private static let follow = """
            for dependent in dependents[ObjectIdentifier(operation), default: []] {
              steps.append(.follow(dependent))
            }

    """
  private static let edge =
    "        dependents[ObjectIdentifier(dependency), default: []].append(operation)\n"
  private static let memory =
    "        guard found.insert(ObjectIdentifier(operation)).inserted else { continue }\n"
  private static let tell = "        operation.cancel()\n"
  private static let start =
    "    // Turned round once, instead of being searched for each operation.\n"

  // MARK: - Who is cancelled

  private static let whomMistakes = [
    Mistake(
      "cancels itself alone", .edit(follow, ""),
      breaks: ["everything among `operations` that depends on it"],
      rejectedBy: ["all that depends on it is cancelled, however far away"],
      advice: """
        A cancelled operation counts as finished, so whatever depends on it begins: tell that too.
        """),
    Mistake(
      "direct dependents only",
      .edit(
        memory,
        memory.replacing(
          "else { continue }", with: "else { continue }\n        defer { dependents = [:] }")),
      breaks: ["however far away"],
      rejectedBy: ["all that depends on it is cancelled, however far away"],
      advice: "What depends on a dependent can't succeed either: follow them to the end."),
    Mistake(
      "in the order of the list, once",
      .edit(
        start,
        """
            var doomed: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
            for operation in operations
            where operation.dependencies.contains(where: { doomed.contains(ObjectIdentifier($0)) }) {
              doomed.insert(ObjectIdentifier(operation))
            }
            let operations = operations.filter { doomed.contains(ObjectIdentifier($0)) }
        """ + start),
      breaks: ["in any order"],
      rejectedBy: ["all that depends on it is cancelled, however far away"],
      advice: """
        The list comes in any order, and who stands before what it depends on is missed: note the \
        edges first, then follow them.
        """),
    Mistake(
      "everybody in the list",
      .edit(start, "    for operation in operations { operation.cancel() }\n" + start),
      breaks: ["and nobody else"],
      rejectedBy: ["nothing else is cancelled"],
      advice: "Most of them can still succeed: cancel only what depends on this one."),
    Mistake(
      "siblings too",
      .edit(
        edge,
        edge + "        dependents[ObjectIdentifier(operation), default: []].append(dependency)\n"),
      breaks: ["and nobody else"],
      rejectedBy: ["nothing else is cancelled"],
      advice: """
        What this one depends on can still succeed, and so can whatever else depends on that: follow \
        the edges in one direction.
        """),
    Mistake(
      "the wrong way round",
      .edit(
        edge, "        dependents[ObjectIdentifier(operation), default: []].append(dependency)\n"),
      breaks: ["everything among `operations` that depends on it"],
      rejectedBy: [
        "all that depends on it is cancelled, however far away", "nothing else is cancelled",
      ],
      advice: """
        `dependencies` are those that come before; you want those that come after: the dependency is \
        the key, and the operation goes into its list.
        """),
    Mistake(
      "itself only if it's among them",
      .edit(start, "    guard operations.contains(self) else { return }\n" + start),
      breaks: ["This operation itself needn't be among them"],
      rejectedBy: ["it needn't be among them"],
      advice: "The list names those that may depend on it; it needn't be in there itself."),
    Mistake(
      "forgets itself",
      .edit(tell, "        if operation !== self { operation.cancel() }\n"),
      breaks: ["Cancels this operation"],
      rejectedBy: ["it needn't be among them"],
      advice: "The operation itself is cancelled too, after all that depends on it."),
    Mistake(
      "doesn't remember whom it has found", .edit(memory, ""),
      breaks: ["**Each is told once**"],
      rejectedBy: ["whoever is reached in several ways is told once"],
      advice: """
        Two ways lead to the same operation, and twenty diamonds in a row are a million ways: keep a \
        set of those found.
        """),
    Mistake(
      "whatever stands between, too",
      .edit(
        start,
        """
            var operations = operations
            var known = Set(operations.map(ObjectIdentifier.init))
            var next = 0
            while next < operations.count {
              for dependency in operations[next].dependencies
              where known.insert(ObjectIdentifier(dependency)).inserted {
                operations.append(dependency)
              }
              next += 1
            }

        """ + start),
      breaks: ["What isn't among them is left alone"],
      rejectedBy: ["what isn't among them is left alone"],
      advice: """
        The caller names whom you may cancel; who isn't in the list belongs to somebody else: follow \
        nobody but those in it.
        """),
    Mistake(
      "tells them on many threads",
      .edits([
        Edit(
          "    var steps = [CascadeStep.follow(self)]\n",
          "    var waves: [Operation] = []\n    var steps = [CascadeStep.follow(self)]\n"),
        Edit(
          "        operation.cancel()\n      }\n    }\n",
          """
                  waves.append(operation)
                }
              }
              let queue = DispatchQueue(label: "katas.cascade")
              let group = DispatchGroup()
              for operation in waves { queue.async(group: group) { operation.cancel() } }
              group.wait()

          """),
      ]),
      breaks: ["every `cancel()` is called on the calling one"],
      rejectedBy: ["each is told on the thread that calls"],
      advice: """
        A cancel() may rely on the caller's thread, and the caller waits anyhow: call it right there.
        """),
    Mistake(
      "its memory is shared",
      .edits([
        Edit("    var found: Set<ObjectIdentifier> = []\n", ""),
        Edit(start, "    found = []\n" + start),
        Edit(
          "/// What remains to be done",
          "private nonisolated(unsafe) var found: Set<ObjectIdentifier> = []\n\n/// What remains to be done"
        ),
      ]),
      breaks: ["Safe to call from every thread"],
      rejectedBy: ["two cascades may come from two threads"], verdict: .race,
      advice: """
        Two threads may each call off something of their own: keep what a cascade remembers in the \
        call.
        """),
    Mistake(
      "one cascade at a time",
      .edits([
        Edit(start, "    cascades.lock()\n    defer { cascades.unlock() }\n" + start),
        Edit(
          "/// What remains to be done",
          "private let cascades = NSLock()\n\n/// What remains to be done"
        ),
      ]),
      breaks: ["Returns when all are told", "No lock is held meanwhile"],
      rejectedBy: ["whoever is told may begin a cascade of its own"], verdict: .hung,
      advice: """
        A cancel() may pass it on to its own parts by another cascade, which waits for your lock: what a \
        cascade keeps is in the call, and needs none.
        """),
    Mistake(
      "one cascade at a time, with a recursive lock",
      .edits([
        Edit(start, "    cascades.lock()\n    defer { cascades.unlock() }\n" + start),
        Edit(
          "/// What remains to be done",
          "private let cascades = NSRecursiveLock()\n\n/// What remains to be done"),
      ]),
      breaks: ["No lock is held meanwhile"],
      rejectedBy: ["whoever is told may begin a cascade of its own"], verdict: .hung,
      advice: """
        A recursive lock lets only its own thread in again, and the other cascade may be waited for: what \
        a cascade keeps is in the call, and needs none.
        """),
    Mistake(
      "waits for their end",
      .edit(tell, tell + "        if operation.isExecuting { operation.waitUntilFinished() }\n"),
      breaks: ["waits for nobody's end"],
      rejectedBy: ["who runs is told, and so is what depends on it"], verdict: .hung,
      advice: """
        Who runs may need the thread that cancels it: tell them and return.
        """),
    Mistake(
      "tells them later",
      .edit(tell, "        DispatchQueue.global().async { operation.cancel() }\n"),
      breaks: ["Returns when all are told"],
      rejectedBy: ["it returns when all are told"],
      advice: """
        When the call returns everybody must have been told; and on a queue with many threads the \
        order is lost: call cancel() directly.
        """),
  ]

  // MARK: - Who has finished, who was cancelled

  private static let finishedMistakes = [
    Mistake(
      "goes on past whoever has finished", .edit(condition, "{"),
      breaks: ["Who has finished has what it needed"],
      rejectedBy: ["it ends at whoever has finished"],
      advice: """
        Who has finished without being cancelled has brought what it could: whatever depends on it \
        may still succeed.
        """),
    Mistake(
      "looks late who has finished",
      .edits([
        Edit(condition, "{"),
        Edit(
          memory,
          memory
            + "        if operation !== self, operation.isFinished, !operation.isCancelled { continue }\n"
        ),
      ]),
      breaks: ["It takes the graph as it's at the time of the call"],
      rejectedBy: ["whoever ends in its midst hides nobody"],
      advice: """
        Whoever is told may bring another one to its end, and that is passed over with all behind it: \
        look who has finished when you note who depends on whom.
        """),
    Mistake(
      "stops at whoever has finished, cancelled or not",
      .edit(condition, "where !operation.isFinished {"),
      breaks: ["whether it has finished or not"],
      rejectedBy: ["it goes on past whoever was cancelled before"],
      advice: """
        Who was cancelled and has left has nothing to hand on either: stop only at those that have \
        finished without being cancelled.
        """),
    Mistake(
      "stops at whoever is cancelled",
      .edit(condition, "where !operation.isFinished && !operation.isCancelled {"),
      breaks: ["the cascade goes on past it"],
      rejectedBy: ["it goes on past whoever was cancelled before"],
      advice: """
        Somebody else may have cancelled that one alone, without those that depend on it: go on past \
        it.
        """),
    Mistake(
      "takes isCancelled for its memory",
      .edit(memory, "        guard !operation.isCancelled else { continue }\n"),
      breaks: ["But one that was cancelled has nothing to hand on"],
      rejectedBy: ["it goes on past whoever was cancelled before"],
      advice: """
        isCancelled says that somebody has cancelled it, not that you have been there: keep a set of \
        your own.
        """),
    Mistake(
      "nothing to do for one that has finished",
      .edit(start, "    guard !isFinished else { return }\n" + start),
      breaks: ["This operation may have finished"],
      rejectedBy: ["what depends on one that has finished is cancelled too"],
      advice: "An operation that has failed has finished: it's then that its dependents must go."),
    Mistake(
      "spares who runs", .edit(tell, "        if !operation.isExecuting { operation.cancel() }\n"),
      breaks: ["One that begins by itself meanwhile is told while it runs", "Who runs is told"],
      rejectedBy: ["who runs is told, and so is what depends on it"],
      advice: "Only who has been told can stop early: cancel those that run as well."),
  ]

  // MARK: - The order

  private static let orderMistakes = [
    Mistake(
      "the root first",
      .edits([
        Edit("        steps.append(.cancel(operation))\n", "        operation.cancel()\n"),
        Edit(
          "case .cancel(let operation):\n        operation.cancel()\n",
          "case .cancel:\n        break\n"),
      ]),
      breaks: [
        "**Nobody begins because another was told.**", "Who waits, never begins",
        "This tells them first",
      ],
      rejectedBy: ["nobody begins because another was told"],
      advice: """
        As soon as the first has left, the queue begins what waited for it, just before you tell it: \
        tell the dependents first.
        """),
    Mistake(
      "in the reverse order of finding", .file("Backwards.swift"),
      breaks: ["so that one is told before, or held back until it is"],
      rejectedBy: ["nobody begins because another was told"],
      advice: """
        Who is found late by a long way may be what somebody found early depends on: search depth \
        first, and tell an operation when all that depend on it have been.
        """),
  ]

  // MARK: - The size

  private static let sizeMistakes = [
    Mistake(
      "a function that calls itself", .file("Recursive.swift"),
      breaks: ["a chain may be as long as you like"],
      rejectedBy: ["a hundred thousand in a chain are no trouble"], verdict: .crashed,
      advice: """
        Each step of a recursion takes a piece of the thread's stack, and half a megabyte is soon \
        used up: keep the steps in an array.
        """),
    Mistake(
      "searches all for each",
      .edit(
        "for dependent in dependents[ObjectIdentifier(operation), default: []] {",
        """
        for dependent in operations
                where dependent.dependencies.contains(where: { $0 === operation })
                  && (!dependent.isFinished || dependent.isCancelled)
                {
        """),
      breaks: ["in time proportional", "It takes the graph as it's at the time of the call"],
      rejectedBy: [
        "the graph is that of the time of the call", "a hundred thousand in a chain are no trouble",
      ],
      advice: """
        A hundred thousand times a hundred thousand are ten billion: turn the dependencies round \
        once, in a dictionary.
        """),
    Mistake(
      "goes through all until nothing changes", .file("AgainAndAgain.swift"),
      breaks: ["in time proportional"],
      rejectedBy: ["a hundred thousand in a chain are no trouble"],
      advice: """
        In a chain each pass finds one more: note the edges once, and follow those of whom you have \
        found.
        """),
    Mistake(
      "an array as the memory",
      .edits([
        Edit("    var found: Set<ObjectIdentifier> = []\n", "    var found: [Operation] = []\n"),
        Edit(
          memory,
          """
                  if found.contains(operation) { continue }
                  found.append(operation)

          """),
      ]),
      breaks: ["in time proportional"],
      rejectedBy: ["a hundred thousand in a chain are no trouble"],
      advice: "To search an array for each operation is quadratic: a set looks it up in one step."),
  ]
}
