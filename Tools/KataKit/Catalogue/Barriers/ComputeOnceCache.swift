extension Kata {
  static let computeOnceCache = Kata(
    "ComputeOnceCache", module: .barriers,
    title: "A value for each key, computed once",
    difficulty: 3, minutes: 35, needs: ["PhotoStore", "Lazily"],
    hints: [
      """
      A key isn't only there or missing: it can also be on its way. What has to be in the dictionary, \
      so that the second who asks knows that? And who takes it out again when the computation throws?
      """,
      """
      Two shapes work. A lock or serial queue for each key, kept in a dictionary with a lock of its own \
      which is held only to find it: then the key's lock may be held while its value is computed. Or \
      one NSCondition, the values, and the set of keys that are being computed: wait while the key is \
      in the set, look again, put it in, let go of the lock, compute, take it out on every way, and \
      broadcast.
      """,
      """
      final class Cell holds a DispatchQueue and a var value: Value?. Find it: lock.withLock { let cell \
      = cells[key] ?? Cell(); cells[key] = cell; return cell }. Then try cell.queue.sync { if let value \
      = cell.value { return value }; let value = try compute(); cell.value = value; return value }.
      """,
    ],
    questions: [
      Question(
        "The look is locked and the store is locked. How can one key still be computed twice?",
        answer: """
          Two threads look, one after the other, before either has stored; both find nothing. \
          Whoever finds nothing has to leave a mark in that same step.
          """),
      Question(
        """
        Two threads ask for the key "a" and two for "b", all at once. Who waits for whom?
        """,
        answer: """
          One of each pair computes, and the other waits for it. The keys don't wait for each \
          other, since no lock is held while anybody computes.
          """),
      Question(
        """
        A computation throws. What has to be done before the others are woken, and what do they \
        do?
        """,
        answer: """
          Its entry has to go; otherwise they would find the old attempt and wait for one that is \
          over. They look again, and one of them computes with its own closure.
          """),
    ],
    mistakes: computeOnceCacheMistakes,
    rightAnswers: [
      RightAnswer("a lock for each key, found behind a barrier", .file("LockPerKey.swift")),
      RightAnswer("a condition and a set of keys", .file("ConditionAndSet.swift")),
      RightAnswer("a serial queue for each key, and a mutex", .file("QueuePerKey.swift")),
      RightAnswer("the turn is handed over", .file("HandOver.swift")),
    ],
    unproven: [Unproven("compute: Computes the value.", "what it is")],
    equivalents: [
      Equivalent("left out: return value", "The next look finds it."),
      Equivalent("swapped with the next: attempt.enter()", "Both are done under the lock."),
      Equivalent(
        "swapped with the next: lock.withLock { entries[key] = entry }",
        "Whoever wakes too soon finds the attempt over, and looks again."),
    ])

  // MARK: - Mistakes

  private static let atOnce = "callers at the same moment compute it once"
  private static let sideBySide = "different keys are computed side by side"
  private static let tryAgain = "of those who waited for a failure, one tries again"

  private static let computeOnceCacheMistakes = [
    Mistake(
      "looks, then computes", .file("CheckThenAct.swift"),
      breaks: [
        "Values by key, each computed once", "Whoever asks for the same key meanwhile waits",
        "Blocks while somebody else computes the value of this key",
        "the same for all who ask for this key",
      ],
      rejectedBy: [atOnce, tryAgain],
      advice: """
        Between the look and the keeping there is room for another look: leave a mark in the same step \
        as the look, so that the next one waits.
        """),
    Mistake(
      "the first value stays", .file("FirstStays.swift"),
      breaks: [
        "Values by key, each computed once", "Whoever asks for the same key meanwhile waits",
        "Blocks while somebody else computes the value of this key",
        "only where this caller is the one to compute",
      ],
      rejectedBy: [atOnce, tryAgain],
      advice: """
        All hold the same value, but the work was done as often as they came: let the second wait \
        before it computes.
        """),
    Mistake(
      "a barrier around everything", .file("BarrierAroundAll.swift"),
      breaks: [
        "Different keys have nothing to do with each other",
        "A computation may ask for the value of another key",
      ],
      rejectedBy: [
        sideBySide, "a value that is there is had while another is computed",
        "a computation may ask for another key",
      ],
      advice: """
        The barrier is held while a value is computed, so all keys wait for one: look behind it, and \
        compute outside.
        """),
    Mistake(
      "one computation at a time", .file("OneAtATime.swift"),
      breaks: [
        "Different keys have nothing to do with each other",
        "A computation may ask for the value of another key",
      ],
      rejectedBy: [sideBySide, "a computation may ask for another key"],
      advice: """
        That somebody computes says nothing of the other keys: keep a set of the keys that are being \
        computed.
        """),
    Mistake(
      "sixteen locks for all keys", .file("Stripes.swift"),
      breaks: ["Different keys have nothing to do with each other"],
      rejectedBy: [sideBySide],
      advice: """
        Keys that share a lock by chance wait for each other, and only sometimes: stripes are for steps \
        that take no time, not for computations.
        """),
    Mistake(
      "keys by their hash value",
      .edits([
        Edit("var entries: [Key: Entry]", "var entries: [Int: Entry]"),
        Edit("switch entries[key] {", "switch entries[key.hashValue] {"),
        Edit("entries[key] = .computing(attempt)", "entries[key.hashValue] = .computing(attempt)"),
        Edit("entries[key] = entry }", "entries[key.hashValue] = entry }"),
      ]),
      breaks: ["What the value belongs to", "The value of `key`, which is computed"],
      rejectedBy: ["each key has a value of its own"],
      advice: "Different keys may have the same hash value; only == tells them apart."),
    Mistake(
      "keys by their description",
      .edits([
        Edit("var entries: [Key: Entry]", "var entries: [String: Entry]"),
        Edit("switch entries[key] {", "switch entries[\"\\(key)\"] {"),
        Edit("entries[key] = .computing(attempt)", "entries[\"\\(key)\"] = .computing(attempt)"),
        Edit("entries[key] = entry }", "entries[\"\\(key)\"] = entry }"),
      ]),
      breaks: ["What the value belongs to", "The value of `key`, which is computed"],
      rejectedBy: ["each key has a value of its own"],
      advice: """
        A description is made for people, and two photos may be called the same in it; only == tells keys \
        apart.
        """),
    Mistake(
      "keeps nothing", .edit("        entry = .computed(value)\n", ""),
      breaks: ["it's kept, and never computed again", "the same for all who ask for this key"],
      rejectedBy: ["a value is computed when it's first asked for, and kept"],
      advice: "What compute has returned must be kept, or every caller computes it anew."),
    Mistake(
      "keeps one key",
      .edit(
        "lock.withLock { entries[key] = entry }",
        "lock.withLock { entries = entry.map { [key: $0] } ?? [:] }"),
      breaks: ["it's kept, and never computed again"],
      rejectedBy: ["each key has a value of its own"],
      advice: "A cache of one forgets a key when the next one comes: keep a value for each."),
    Mistake(
      "the failure is kept", .file("CachesFailure.swift"),
      breaks: [
        "goes to the caller whose attempt it was, and isn't kept",
        "one makes the next attempt, with its own closure",
      ],
      rejectedBy: ["a failure isn't kept", tryAgain],
      advice: "One bad moment, and the key fails for ever: keep values, and throw errors away."),
    Mistake(
      "those who waited get the failure", .file("WaitersGetTheFailure.swift"),
      breaks: [
        "goes to the caller whose attempt it was, and isn't kept",
        "one makes the next attempt, with its own closure", "What `compute` has thrown.",
      ],
      rejectedBy: [tryAgain],
      advice: """
        An error belongs to whoever tried; those who waited brought a closure of their own, and one of \
        them tries it.
        """),
    Mistake(
      "still computing after a failure", .file("StillComputing.swift"),
      breaks: [
        "one makes the next attempt, with its own closure",
        "Blocks while somebody else computes the value of this key",
      ],
      rejectedBy: ["a failure isn't kept", tryAgain], verdict: .hung,
      advice: """
        The error leaves past the line that says that nobody computes any more, and everybody who asks \
        from then on waits for nobody: see to it on every way out.
        """),
    Mistake(
      "whoever wakes up doesn't look again", .file("IfForWhile.swift"),
      breaks: [
        "Whoever asks for the same key meanwhile waits",
        "one makes the next attempt, with its own closure",
      ],
      rejectedBy: ["whoever waits for one key doesn't mind another", tryAgain],
      advice: """
        Who is woken knows only that something has changed, perhaps for another key: wait in a loop \
        that looks again.
        """),
    Mistake(
      "looks without the lock first", .file("LooksFirst.swift"),
      breaks: ["Values by key, each computed once"],
      rejectedBy: ["whoever comes later may ask as well"], verdict: .race,
      advice: """
        Even where the dictionary is replaced and never changed in place, nothing orders the replacing \
        and the look: take the lock, or read behind a barrier.
        """),
    Mistake(
      "wakes one after a failure", .file("WakesOne.swift"),
      breaks: [
        "one makes the next attempt, with its own closure",
        "Different keys have nothing to do with each other",
      ],
      rejectedBy: ["a failure wakes who waited for it, whoever else waits"],
      advice: """
        Only one of them is to try again, but whoever is woken may wait for another key, and then nobody \
        does: wake them all, and let them look.
        """),
    Mistake(
      "computes rather than wait within a computation",
      .edits([
        Edit(
          "      case .wait(let attempt): attempt.wait()\n",
          """
                case .wait(let attempt):
                  if Thread.current.threadDictionary["computing"] != nil { return try compute() }
                  attempt.wait()

          """),
        Edit(
          "        var entry: Entry?\n",
          """
                  Thread.current.threadDictionary["computing"] = true
                  defer { Thread.current.threadDictionary["computing"] = nil }
                  var entry: Entry?

          """),
      ]),
      breaks: [
        "Whoever asks for the same key meanwhile waits",
        "A computation may ask for the value of another key",
      ],
      rejectedBy: ["a computation that asks for another key waits like anybody else"],
      advice: """
        It can't deadlock that way, and computes what another thread is computing: let it wait, and let \
        those who ask see to it that they don't ask in a circle.
        """),
    Mistake(
      "computes on a thread of its own",
      .edits([
        Edit(
          "let value = try compute()\n",
          "let value = try elsewhere(compute, rescue: { throw $0 })\n"),
        Edit(
          "  /// Looks who is to compute,",
          """
            private func elsewhere(
              _ work: () throws -> Value, rescue: (any Error) throws -> Value
            ) rethrows -> Value {
              let outcome = withoutActuallyEscaping(work) { escaping in
                nonisolated(unsafe) var work: (() throws -> Value)? = escaping
                nonisolated(unsafe) var ended: Result<Value, any Error>?
                let done = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                  ended = Result { try work!() }
                  work = nil
                  done.signal()
                }
                done.wait()
                return ended!
              }
              switch outcome {
              case .success(let value): return value
              case .failure(let error): return try rescue(error)
              }
            }

            /// Looks who is to compute,
          """),
      ]),
      breaks: ["Called on the calling thread"],
      rejectedBy: ["compute is called on the calling thread"],
      advice: """
        The caller waits anyway, and what belongs to its thread isn't there on another one: call compute \
        where you are.
        """),
    Mistake(
      "keeps a hundred keys",
      .edit(
        "lock.withLock { entries[key] = entry }",
        """
        lock.withLock {
              if entries.count > 100 {
                entries = entries.filter { if case .computing = $0.value { true } else { false } }
              }
              entries[key] = entry
            }
        """),
      breaks: ["it's kept, and never computed again"],
      rejectedBy: ["many keys are kept"],
      advice: """
        Whoever asks for what was dropped has it computed again, and may hold another value than those \
        who came before: forget nothing.
        """),
    Mistake(
      "forgets the oldest of a thousand",
      .edits([
        Edit(
          "  private let lock = NSLock()\n",
          """
            private nonisolated(unsafe) var order: [Key] = []  // Safe: as above.
            private let lock = NSLock()

          """),
        Edit(
          "lock.withLock { entries[key] = entry }",
          """
          lock.withLock {
                entries[key] = entry
                if entry != nil { order.append(key) }
                if order.count > 1000 { entries[order.removeFirst()] = nil }
              }
          """),
      ]),
      breaks: ["it's kept, and never computed again"],
      rejectedBy: ["many keys are kept"],
      advice: """
        It shows only where there are many keys, and then two callers hold different values of one: \
        forget nothing that isn't promised to be forgotten.
        """),
    Mistake(
      "one dictionary for all caches",
      .edits([
        Edit(
          "  private nonisolated(unsafe) var entries: [Key: Entry] = [:]\n  private let lock = NSLock()\n",
          """
            private var entries: [Key: Entry] {
              get { commonEntries[ObjectIdentifier(Self.self)] as? [Key: Entry] ?? [:] }
              set { commonEntries[ObjectIdentifier(Self.self)] = newValue }
            }
            private let lock = commonLock

          """),
        Edit(
          "/// Values by key,",
          """
          private let commonLock = NSLock()
          // Safe: guarded by the lock.
          private nonisolated(unsafe) var commonEntries: [ObjectIdentifier: Any] = [:]

          /// Values by key,
          """),
      ]),
      breaks: ["Creates an empty cache"],
      rejectedBy: ["a value is computed when it's first asked for, and kept"],
      advice: "Two caches may have the same keys and other values: let each have a dictionary."),
  ]
}
