extension Kata {
  static let cycleDetector = Kata(
    "CycleDetector", module: .operations,
    title: "Operations that wait for each other: refuse them before they do",
    difficulty: 4, minutes: 35, needs: ["TiltShiftOperation"],
    hints: [
      """
      Walk from an operation to one that it waits for, and on. When do you know that you are in a \
      circle? And when you come to somebody for the second time, what tells a circle from two ways to \
      the same place?
      """,
      """
      Two memories: who stands on the path that you came by, and whom you have followed to the end. On \
      the path: a cycle, from there to the path's end. Followed: nothing to see. For the way back \
      without recursion, put a mark into your array of steps, below those that an operation waits for.
      """,
      """
      var steps = operations.map(Step.follow); while let step = steps.popLast(): .follow(operation): \
      .done → continue; .onPath(place) → return Array(path[place...]); unknown → marks[id] = \
      .onPath(path.count), path.append(operation), steps.append(.goBack), steps += \
      operation.dependencies.map(Step.follow), unless it is executing, finished or cancelled. .goBack: \
      marks[id of path.removeLast()] = .done.
      """,
    ],
    questions: [
      Question(
        "Why does the search need two marks, on the path and done, where other searches have one?",
        answer: """
          In a diamond two ways lead to the same operation, which is no cycle. Only who meets an \
          operation that stands on the very path to it has gone round.
          """),
      Question(
        "Why does it keep a stack of its own instead of calling itself?",
        answer: """
          A recursion is as deep as the longest chain, and a thread's stack is small, on secondary \
          threads most of all. An array grows as long as there is memory.
          """),
      Question(
        "Why isn't a cycle reported that goes through a cancelled operation?",
        answer: """
          It comes undone: a cancelled operation waits for no dependency, so it is started, \
          finishes, and frees whoever waits for it.
          """),
    ],
    mistakes: cycleMistakes + standMistakes + queueMistakes + largeMistakes,
    rightAnswers: [
      RightAnswer("takes away who is free, and walks", .file("TakeAwayAndWalk.swift")),
      RightAnswer("a path of iterators", .file("PathOfIterators.swift")),
      RightAnswer(
        "doesn't follow who is ready",
        .edit(
          "    if operation.isExecuting { return [] }\n",
          "    if operation.isReady || operation.isExecuting { return [] }\n")),
    ],
    unproven: [
      Unproven("Foundation doesn't look", "tells of Foundation"),
      Unproven("A dependency that's added later", "says what it doesn't do"),
    ],
    equivalents: [
      Equivalent("swapped with the next: path.append(operation)", "Neither depends on the other."),
      Equivalent(
        "swapped with the next: if operation.isExecuting { return [] }", "Either is enough."),
      Equivalent(
        "swapped with the next: if operation.isFinished { return [] }", "Either is enough."),
    ])

  // MARK: - Pieces of the reference

  private static let given = "return Array(path[place...])"
  private static let followed = "marks[ObjectIdentifier(path.removeLast())] = .done"
  private static let goOn = "steps += waited(for: operation).map(CycleStep.follow)"

  /// The search as a whole.
  private static let search = """
        var marks: [ObjectIdentifier: CycleMark] = [:]
        // The way from a start to where we are: each waits for the next.
        var path: [Operation] = []
        // A stack of our own: the thread's would overflow where a chain is long.
        var steps = operations.map(CycleStep.follow)
        while let step = steps.popLast() {
          switch step {
          case .follow(let operation):
            switch marks[ObjectIdentifier(operation)] {
            case .done: continue
            case .onPath(let place): return Array(path[place...])
            case nil:
              marks[ObjectIdentifier(operation)] = .onPath(path.count)
              path.append(operation)
              steps.append(.goBack)
              steps += waited(for: operation).map(CycleStep.follow)
            }
          case .goBack:
            marks[ObjectIdentifier(path.removeLast())] = .done
          }
        }
        return nil

    """

  // MARK: - What is a cycle

  private static let cycleMistakes = [
    Mistake(
      "only two that wait for each other",
      .edit(
        search,
        """
            for operation in operations {
              for other in waited(for: operation) {
                if other === operation { return [operation] }
                if waited(for: other).contains(operation) { return [operation, other] }
              }
            }
            return nil

        """),
      breaks: [
        "Finds operations that wait for each other",
        "Looks for operations that wait for each other",
      ],
      rejectedBy: ["operations that wait for each other in a ring are found"],
      advice: "A cycle may be of any length: go on from whom you have found, until a way ends."),
    Mistake(
      "only who comes back to the start",
      .edit(
        search,
        """
            for start in operations {
              var found: Set<ObjectIdentifier> = []
              var path = [start]
              while let next = path.last.flatMap({ waited(for: $0).first }),
                found.insert(ObjectIdentifier(next)).inserted
              {
                if next === start { return path }
                path.append(next)
              }
            }
            return nil

        """),
      breaks: ["follows their dependencies wherever they lead", "Finds operations that wait"],
      rejectedBy: [
        "one that waits for itself is found", "the way into a cycle isn't part of it",
        "a cycle in other queues is found",
      ],
      advice: """
        A cycle needn't go through where you began, nor through the first of several dependencies: \
        follow all of them, and look whether you meet anybody on the path.
        """),
    Mistake(
      "a diamond taken for a cycle",
      .edit(
        search,
        """
            var found: Set<ObjectIdentifier> = []
            var path: [Operation] = []
            var steps = Array(operations.prefix(1))
            while let operation = steps.popLast() {
              path.append(operation)
              guard found.insert(ObjectIdentifier(operation)).inserted else { return path }
              steps += waited(for: operation)
            }
            return nil

        """),
      breaks: ["nil where there are none"],
      rejectedBy: ["a graph without a cycle has none"],
      advice: """
        Two ways to the same operation are no cycle: only one that leads back to somebody on the path \
        by which you came.
        """),
    Mistake(
      "the path as a whole", .edit(given, "return path"),
      breaks: ["nobody who merely waits for it"],
      rejectedBy: ["the way into a cycle isn't part of it"],
      advice: """
        Who leads to a cycle only waits for it: the cycle begins where the operation stands on the \
        path that you have met again.
        """),
    Mistake(
      "the wrong way round", .edit(given, "return path[place...].reversed()"),
      breaks: ["Operations of which each waits for the next"],
      rejectedBy: ["operations that wait for each other in a ring are found"],
      advice: "Each waits for the next: leave the path in the order in which you walked it."),
    Mistake(
      "the first once more at the end", .edit(given, "return path[place...] + [operation]"),
      breaks: ["each of its members once"],
      rejectedBy: ["operations that wait for each other in a ring are found"],
      advice: "Each member is named once; that the last waits for the first goes without saying."),
    Mistake(
      "all that can never begin",
      .edit(
        search,
        """
            var waiting: [ObjectIdentifier: Operation] = [:]
            var line = operations
            while let operation = line.popLast() {
              guard waiting.updateValue(operation, forKey: ObjectIdentifier(operation)) == nil else {
                continue
              }
              line += waited(for: operation)
            }
            var before = 0
            repeat {
              before = waiting.count
              waiting = waiting.filter { _, operation in
                waited(for: operation).contains { waiting[ObjectIdentifier($0)] != nil }
              }
            } while waiting.count < before
            return waiting.isEmpty ? nil : Array(waiting.values)

        """),
      breaks: ["Where there are several, it's one of them.", "**It names one cycle**"],
      rejectedBy: [
        "the way into a cycle isn't part of it", "where cycles meet, one of them is named",
      ],
      advice: """
        Who can never begin isn't yet who is to blame: walk among those that are left until you meet \
        somebody again, and name what lies between.
        """),
    Mistake(
      "one that waits for itself is passed over",
      .edit(
        goOn, "steps += waited(for: operation).filter { $0 !== operation }.map(CycleStep.follow)"),
      breaks: ["One that waits for itself is a cycle of one."],
      rejectedBy: ["one that waits for itself is found"],
      advice: "It waits for ever, as any cycle does: follow every dependency."),
    Mistake(
      "named twice, taken for a cycle",
      .edit(
        "    var marks: [ObjectIdentifier: CycleMark] = [:]\n",
        """
            var isNamed: Set<ObjectIdentifier> = []
            for operation in operations where !isNamed.insert(ObjectIdentifier(operation)).inserted {
              return [operation]
            }
            var marks: [ObjectIdentifier: CycleMark] = [:]

        """),
      breaks: ["the list may name an operation twice"],
      rejectedBy: ["a graph without a cycle has none"],
      advice: "Lists are put together: one that was followed already is nothing to see."),
    Mistake(
      "remembers from call to call",
      .edits([
        Edit(
          "    var marks: [ObjectIdentifier: CycleMark] = [:]\n", "    var marks = memory.marks\n"),
        Edit("    return nil\n  }\n", "    memory.marks = marks\n    return nil\n  }\n"),
        Edit(
          "private enum CycleMark {",
          """
          private final class CycleMemory: @unchecked Sendable {
            private let lock = NSLock()
            private var kept: [ObjectIdentifier: CycleMark] = [:]
            var marks: [ObjectIdentifier: CycleMark] {
              get { lock.withLock { kept } }
              set { lock.withLock { kept = newValue } }
            }
          }

          private let memory = CycleMemory()

          private enum CycleMark {
          """),
      ]),
      breaks: ["It sees the graph as it's at the time of the call."],
      rejectedBy: ["each call sees the graph as it is"],
      advice: """
        Dependencies come and go between two calls, and operations too: begin each search with an empty \
        memory.
        """),
    Mistake(
      "one memory for all calls",
      .edits([
        Edit(
          "    var marks: [ObjectIdentifier: CycleMark] = [:]\n", "    marks.removeAll()\n"),
        Edit(
          "private enum CycleMark {",
          """
          private nonisolated(unsafe) var marks: [ObjectIdentifier: CycleMark] = [:]

          private enum CycleMark {
          """),
      ]),
      breaks: ["Safe to call from every thread"],
      rejectedBy: ["two threads may search at once"], verdict: .race,
      advice: "Two searches at once write over each other's marks: let each have its own."),
    Mistake(
      "begins at the first alone",
      .edit("operations.map(CycleStep.follow)\n", "operations.prefix(1).map(CycleStep.follow)\n"),
      breaks: ["Where to begin, in any order"],
      rejectedBy: ["a cycle is found from any operation of the list"],
      advice: "The first may have nothing to do with the others: begin at each of them."),
    Mistake(
      "only those in the list",
      .edits([
        Edit(
          goOn,
          "steps += waited(for: operation).filter { isNamed[ObjectIdentifier($0)] != nil }"
            + ".map(CycleStep.follow)"),
        Edit(
          "    var marks: ",
          """
              let isNamed = Dictionary(
                operations.map { (ObjectIdentifier($0), true) }, uniquingKeysWith: { $1 })
              var marks: 
          """),
      ]),
      breaks: ["to operations in other queues too"],
      rejectedBy: ["a cycle in other queues is found"],
      advice: """
        An operation waits for those in other queues too, whether you were told of them or not: follow \
        every dependency.
        """),
  ]

  // MARK: - Who waits for nobody

  private static let standMistakes =
    [
      ("who runs is thought to wait", "isExecuting", "One that has begun waits no longer."),
      (
        "who has finished is thought to wait", "isFinished",
        "One that has finished waits no longer."
      ),
      (
        "who was cancelled is thought to wait", "isCancelled",
        "A cancelled operation doesn't wait for its dependencies: its queue lets it go at once."
      ),
    ].map { name, flag, advice in
      Mistake(
        name, .edit("    if operation.\(flag) { return [] }\n", ""),
        breaks: ["Whoever has begun, has finished or was cancelled waits for nobody"],
        rejectedBy: ["a cycle through one that doesn't wait any more is none"],
        advice: "\(advice) Such a cycle comes undone by itself: don't follow its dependencies.")
    } + [
      Mistake(
        "follows who doesn't wait",
        .edits([
          Edit(
            "        case .onPath(let place): return Array(path[place...])\n",
            """
                    case .onPath(let place):
                      if path.contains(where: { waited(for: $0).isEmpty }) { continue }
                      return Array(path[place...])

            """),
          Edit(goOn, "steps += operation.dependencies.map(CycleStep.follow)"),
        ]),
        breaks: ["Where to begin, in any order", "and isn't reported"],
        rejectedBy: ["a cycle that one who doesn't wait leads to is found"],
        advice: """
          On the way through somebody who doesn't wait, every cycle looks as if it came undone, and \
          whoever stands there counts as searched: don't follow those who don't wait.
          """)
    ]

  // MARK: - The queue

  private static let refuse = """
        if let cycle = CycleDetector.cycle(from: operations) { throw DependencyCycle(cycle) }
        addOperations(operations, waitUntilFinished: false)

    """

  private static let queueMistakes = [
    Mistake(
      "adds them first",
      .edit(
        refuse,
        """
            addOperations(operations, waitUntilFinished: false)
            if let cycle = CycleDetector.cycle(from: operations) { throw DependencyCycle(cycle) }

        """),
      breaks: ["Adds operations, unless one of them would wait for ever.", "All or none"],
      rejectedBy: ["with a cycle none is added, and the error names it"],
      advice: "What is in a queue can't be taken out again: look before you add."),
    Mistake(
      "one after another",
      .edit(
        refuse,
        """
            for operation in operations {
              if let cycle = CycleDetector.cycle(from: [operation]) { throw DependencyCycle(cycle) }
              addOperation(operation)
            }

        """),
      breaks: ["All or none", "with the dependencies that they already have"],
      rejectedBy: ["with a cycle none is added, and the error names it"],
      advice: """
        When the third is refused, the first two are in the queue: look at all of them before you add \
        one.
        """),
    Mistake(
      "leaves out who is to blame",
      .edit(
        refuse,
        """
            let cycle = CycleDetector.cycle(from: operations) ?? []
            addOperations(operations.filter { !cycle.contains($0) }, waitUntilFinished: false)
            if !cycle.isEmpty { throw DependencyCycle(cycle) }

        """),
      breaks: ["All or none"],
      rejectedBy: ["with a cycle none is added, and the error names it"],
      advice: "Whoever hears an error expects that nothing was done: add all of them, or none."),
    Mistake(
      "refuses without a word",
      .edit("{ throw DependencyCycle(cycle) }", "{ return print(DependencyCycle(cycle)) }"),
      breaks: ["The cycle."],
      rejectedBy: ["with a cycle none is added, and the error names it"],
      advice: "A line in a log is no answer to the caller, who goes on as if they ran: throw."),
    Mistake(
      "an error without names",
      .edit(
        """
            (operations + operations.prefix(1))
              .map { $0.name ?? "\\(type(of: $0))" }
              .joined(separator: " → ")

        """, "    \"\\(operations.count) operations wait for each other\"\n"),
      breaks: ["The names, each followed by whom it waits for"],
      rejectedBy: ["with a cycle none is added, and the error names it"],
      advice: "Whoever reads it has to find the dependency that's too much: give the names."),
    Mistake(
      "the first isn't said again",
      .edit("(operations + operations.prefix(1))\n", "operations\n"),
      breaks: ["The names, each followed by whom it waits for"],
      rejectedBy: ["the error says who waits for whom"],
      advice: "Whom does the last one wait for? Say the first once more at the end."),
    Mistake(
      "says nothing of those without a name",
      .edit(".map { $0.name ?? \"\\(type(of: $0))\" }", ".compactMap(\\.name)"),
      breaks: ["An operation without a name goes by its type."],
      rejectedBy: ["the error says who waits for whom"],
      advice: "Most operations have no name, and the error would be empty: say the type."),
    Mistake(
      "members by name",
      .edit(
        "    self.operations = operations\n",
        "    self.operations = operations.sorted { ($0.name ?? \"\") < ($1.name ?? \"\") }\n"),
      breaks: ["The members of the cycle", "Creates the error for a cycle."],
      rejectedBy: ["the error says who waits for whom"],
      advice: "Then nobody can tell who waits for whom: keep the order of the cycle."),
    Mistake(
      "the error names all of them",
      .edit(
        "if let cycle = CycleDetector.cycle(from: operations) { throw DependencyCycle(cycle) }",
        """
        if CycleDetector.cycle(from: operations) != nil { throw DependencyCycle(operations) }
        """),
      breaks: ["Operations that wait for each other.", "The members of the cycle"],
      rejectedBy: ["with a cycle none is added, and the error names it"],
      advice: "Among a hundred operations nobody finds the two that are to blame: throw the cycle."),
    Mistake(
      "refuses its own alone",
      .edit(
        "if let cycle = CycleDetector.cycle(from: operations) {",
        """
        if let cycle = CycleDetector.cycle(from: operations), cycle.contains(where: operations.contains) {
        """),
      breaks: ["however far away and in whichever queue"],
      rejectedBy: ["who waits for a cycle far away is refused"],
      advice: """
        Who waits for a cycle never begins either, though others are to blame: refuse it wherever the \
        cycle is.
        """),
    Mistake(
      "waits for their end", .edit("waitUntilFinished: false", "waitUntilFinished: true"),
      breaks: ["Returns at once, and waits for nobody's end."],
      rejectedBy: ["what has no cycle is added and runs"], verdict: .hung,
      advice: "What runs may need the thread that adds it: add them and return."),
  ]

  // MARK: - Large graphs

  private static let large = "twenty thousand operations are no trouble"

  private static let largeMistakes = [
    Mistake(
      "a function that calls itself",
      .edit(
        search,
        """
            var marks: [ObjectIdentifier: CycleMark] = [:]
            var path: [Operation] = []
            func follow(_ operation: Operation) -> [Operation]? {
              switch marks[ObjectIdentifier(operation)] {
              case .done: return nil
              case .onPath(let place): return Array(path[place...])
              case nil: break
              }
              marks[ObjectIdentifier(operation)] = .onPath(path.count)
              path.append(operation)
              for other in waited(for: operation) {
                if let cycle = follow(other) { return cycle }
              }
              marks[ObjectIdentifier(path.removeLast())] = .done
              return nil
            }
            for operation in operations {
              if let cycle = follow(operation) { return cycle }
            }
            return nil

        """),
      breaks: ["no more stack for a long chain"],
      rejectedBy: [large], verdict: .crashed,
      advice: """
        Each step of a recursion takes a piece of the thread's stack, and half a megabyte is soon \
        used up: keep the steps in an array.
        """),
    Mistake(
      "forgets whom it has followed",
      .edit(followed, "marks[ObjectIdentifier(path.removeLast())] = nil"),
      breaks: ["It takes time proportional"],
      rejectedBy: [large],
      advice: """
        Twenty diamonds in a row are a million ways, and each is followed again: remember whom you \
        have followed to the end.
        """),
    Mistake(
      "searches an array for each",
      .edits([
        Edit(
          "    var marks: [ObjectIdentifier: CycleMark] = [:]\n", "    var done: [Operation] = []\n"
        ),
        Edit(
          """
                  switch marks[ObjectIdentifier(operation)] {
                  case .done: continue
                  case .onPath(let place): return Array(path[place...])
                  case nil:
                    marks[ObjectIdentifier(operation)] = .onPath(path.count)
                    path.append(operation)
                    steps.append(.goBack)
                    steps += waited(for: operation).map(CycleStep.follow)
                  }

          """,
          """
                  if done.contains(operation) { continue }
                  if let place = path.firstIndex(of: operation) { return Array(path[place...]) }
                  path.append(operation)
                  steps.append(.goBack)
                  steps += waited(for: operation).map(CycleStep.follow)

          """),
        Edit(followed, "done.append(path.removeLast())"),
      ]),
      breaks: ["It takes time proportional"],
      rejectedBy: [large],
      advice: """
        An array is searched from its beginning, twenty thousand times: a set or a dictionary finds \
        an operation in one step.
        """),
    Mistake(
      "searches an array by identity",
      .edits([
        Edit(
          "        case .onPath(let place): return Array(path[place...])\n",
          "        case .onPath: continue\n"),
        Edit(
          "        switch marks[ObjectIdentifier(operation)] {\n",
          """
                  if let place = path.firstIndex(where: { $0 === operation }) {
                    return Array(path[place...])
                  }
                  switch marks[ObjectIdentifier(operation)] {

          """),
      ]),
      breaks: ["It takes time proportional"],
      rejectedBy: [large],
      advice: """
        The path may be as long as the whole graph, and each operation goes through it from the \
        beginning: keep the places in a dictionary.
        """),
    Mistake(
      "searches anew from each",
      .edit(
        search,
        """
            for start in operations {
              var found: Set<ObjectIdentifier> = []
              var cameFrom: [ObjectIdentifier: Operation] = [:]
              var steps = [start]
              while let operation = steps.popLast() {
                for other in waited(for: operation) {
                  if other === start {
                    var cycle = [operation]
                    while let last = cycle.last, last !== start {
                      cycle.append(cameFrom[ObjectIdentifier(last)] ?? start)
                    }
                    return cycle.reversed()
                  }
                  guard found.insert(ObjectIdentifier(other)).inserted else { continue }
                  cameFrom[ObjectIdentifier(other)] = operation
                  steps.append(other)
                }
              }
            }
            return nil

        """),
      breaks: ["It takes time proportional"],
      rejectedBy: [large, "a cycle in other queues is found"],
      advice: """
        A search of its own for each of twenty thousand goes through all that was searched before, \
        and finds only cycles through its start: keep one memory for all.
        """),
  ]
}
