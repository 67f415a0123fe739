extension Kata {
  static let boundedBuffer = Kata(
    "BoundedBuffer", module: .groupsSemaphores,
    title: "Producers and consumers who wait for each other",
    difficulty: 3, minutes: 35, needs: ["DownloadLimiter"],
    hints: [
      """
      There are two reasons to wait, no place and no element, and each has its own semaphore: one \
      counts free places, the other elements. Who waits for which, and who signals which? The lock \
      is for the elements alone: nobody may hold it while they wait.
      """,
      """
      put: wait for a place, append under the lock, signal that there's an element. take: wait for \
      an element, remove the oldest under the lock, signal that there's a place. For close nobody \
      knows how many threads sleep: it gives each semaphore one unit that stands for nothing. \
      Whoever gets it finds the buffer closed, or finds no element, and signals it on to the next.
      """,
      """
      put: free.wait(); let isIn = lock.withLock { if isClosed { return false }; append; return \
      true }; if isIn { filled.signal() } else { free.signal() }; return isIn. take: \
      filled.wait(); let element = lock.withLock { the oldest, or nil }; if element != nil { \
      free.signal() } else { filled.signal() }. close: the first time only, set isClosed under the \
      lock, then free.signal() and filled.signal(). init: both semaphores with value 0, then \
      free.signal() capacity times.
      """,
    ],
    questions: [
      Question(
        "Why does `put` wait for a free place before it takes the lock, and not after?",
        answer: """
          Whoever sleeps with the lock in hand keeps out the only ones who could make room: `take` \
          needs that lock. Both sides would wait for ever.
          """),
      Question(
        "What does each of the two semaphores count, and why can't one do?",
        answer: """
          One counts free places and the other elements. Full and empty are two conditions, each \
          with other people waiting for it, and a semaphore can make wait for one only.
          """),
      Question(
        "`close` signals each semaphore once. How does everybody wake up who waits?",
        answer: """
          Whoever is woken and finds the buffer closed signals again, so the unit is handed from \
          one to the next, and stays for all who come later.
          """),
    ],
    mistakes: [
      Mistake(
        "semaphores swapped",
        .edits([
          Edit("free.wait()\n    let isIn", "filled.wait()\n    let isIn"),
          Edit("filled.wait()\n    let element", "free.wait()\n    let element"),
          Edit("if isIn { filled.signal() } else { free.signal() }", "free.signal()"),
          Edit("if element != nil { free.signal() } else { filled.signal() }", "filled.signal()"),
        ]),
        breaks: ["``put(_:)`` while the buffer is full", "Blocks while the buffer is full"],
        rejectedBy: ["what is put first is taken first"], verdict: .hung,
        advice: """
          Whoever puts waits for a free place and tells of an element; whoever takes waits for an \
          element and tells of a free place.
          """),
      Mistake(
        "newest first",
        .edit(
          """
              defer {
                places[first] = nil
                first = (first + 1) % places.count
                count -= 1
              }
              return places[first]

          """,
          """
              count -= 1
              return places[(first + count) % places.count]

          """),
        breaks: [
          "Elements come out in the order in which they went in.",
          "Takes the element that is longest in the line",
        ],
        rejectedBy: ["what is put first is taken first"],
        advice:
          "A stack keeps the oldest for ever where there is always something newer; use a line."),
      Mistake(
        "take doesn't wait", .edit("    filled.wait()\n", ""),
        breaks: [
          "``take()`` while it's empty",
          "Blocks while the buffer is empty",
          "hold the calling thread for as long as it takes",
        ],
        rejectedBy: ["take waits while the buffer is empty"],
        advice:
          "An empty buffer isn't the end: take has to wait for a unit of the filled semaphore."),
      Mistake(
        "waits while it holds the lock",
        .edit(
          """
              filled.wait()
              let element = lock.withLock { elements.removeFirst() }

          """,
          """
              let element = lock.withLock {
                filled.wait()
                return elements.removeFirst()
              }

          """),
        breaks: ["until somebody puts an element in"],
        rejectedBy: ["take waits while the buffer is empty"], verdict: .hung,
        advice: """
          Whoever could bring what you wait for needs the lock that you hold; wait first, then lock.
          """),
      Mistake(
        "put doesn't wait", .edit("    free.wait()\n", ""),
        breaks: [
          "A line of limited length",
          "and memory stays bounded",
          "Blocks while the buffer is full",
        ],
        rejectedBy: ["put waits while the buffer is full"],
        advice:
          "Without a wait for a free place there's no bound, and the fast side fills the memory."),
      Mistake(
        "looks every so often",
        .edit(
          "    free.wait()\n",
          "    while free.wait(timeout: .now()) == .timedOut { Thread.sleep(forTimeInterval: 1) }\n"
        ),
        breaks: ["Whoever waits sleeps until woken"],
        rejectedBy: ["put waits while the buffer is full"], verdict: .hung,
        advice: """
          Whoever sleeps in between comes late, and whoever doesn't keeps a core busy; a semaphore \
          wakes its waiter at once.
          """),
      Mistake(
        "one place too many", .edit("for _ in 0..<capacity", "for _ in 0...capacity"),
        breaks: ["Creates an empty buffer with room for `capacity` elements."],
        rejectedBy: ["put waits while the buffer is full"],
        advice: "0...capacity counts capacity + 1 numbers: one unit more than there are places."),
      Mistake(
        "take frees no place",
        .edit(
          "if element != nil { free.signal() } else { filled.signal() }",
          "if element == nil { filled.signal() }"),
        breaks: ["until somebody takes an element"],
        rejectedBy: ["put waits while the buffer is full"], verdict: .hung,
        advice: "What was taken leaves a free place: signal it, or putters will wait for ever."),
      Mistake(
        "looks for its place before it waits", .file("PlaceBeforeWait.swift"),
        breaks: ["Puts `element` at the end of the line."],
        rejectedBy: ["one take lets one putter in"],
        advice: """
          While a putter waits others come and go, so what it found out before is old; choose the \
          place after the wait, under the same lock that fills it.
          """),
      Mistake(
        "if where it must be while", .file("IfForWhile.swift"),
        breaks: ["nil where the buffer is closed and nothing is left in it"],
        rejectedBy: ["one put lets one taker go on"],
        advice: """
          Whoever wakes at a condition isn't alone: another may have been quicker; look again, in \
          a loop.
          """),
      Mistake(
        "wakes only where it was full or empty", .file("WakesAtTheEdge.swift"),
        breaks: ["until somebody takes an element", "until somebody puts an element in"],
        rejectedBy: ["two calls in a row let two go on"], verdict: .hung,
        advice: """
          Two elements may come before the first taker has got going, and the second finds the \
          buffer not empty; wake one for every element and every place.
          """),
      Mistake(
        "one signal for two kinds of sleepers", .file("OneSignal.swift"),
        breaks: ["by any number of them"], rejectedBy: ["two calls in a row let two go on"],
        verdict: .hung,
        advice: """
          Putters and takers wait at one condition, and signal may wake the kind that can't go on; \
          broadcast, or give each kind a condition of its own.
          """),
      Mistake(
        "close waits until all is taken",
        .edits([
          Edit("  private var count = 0\n", "  private(set) var count = 0\n"),
          Edit(
            "    free.signal()\n    filled.signal()\n",
            """
                free.signal()
                filled.signal()
                while lock.withLock({ elements.count > 0 }) { Thread.sleep(forTimeInterval: 0.1) }

            """),
        ]),
        breaks: ["Returns at once."], rejectedBy: ["what is left in a closed buffer can be taken"],
        verdict: .hung,
        advice: """
          Whoever closes may be the one that takes the rest; say that nothing more comes, and return.
          """),
      Mistake(
        "nobody may close twice",
        .edit(
          "    guard isFirst else { return }\n", "    precondition(isFirst, \"closed twice\")\n"),
        breaks: ["Closing a closed buffer changes nothing."],
        rejectedBy: ["what is left in a closed buffer can be taken"], verdict: .crashed,
        advice: """
          With several producers nobody knows who closes first; the second time there's nothing to do.
          """),
      Mistake(
        "close only sets the flag",
        .edit(
          "    guard isFirst else { return }\n    free.signal()\n    filled.signal()\n",
          "    _ = isFirst\n"),
        breaks: ["and lets everybody go who waits"],
        rejectedBy: [
          "close lets everybody go who waits for an element",
          "close lets everybody go who waits for a place",
        ],
        advice: "Whoever sleeps at a semaphore doesn't see a flag; close has to signal."),
      Mistake(
        "close wakes one of each",
        .edits([
          Edit(
            "if isIn { filled.signal() } else { free.signal() }", "if isIn { filled.signal() }"),
          Edit(
            "if element != nil { free.signal() } else { filled.signal() }",
            "if element != nil { free.signal() }"),
        ]),
        breaks: [
          "and lets everybody go who waits",
          "and whoever waits in it does at once",
          "by any number of them",
        ],
        rejectedBy: [
          "close lets everybody go who waits for an element",
          "close lets everybody go who waits for a place",
        ],
        advice: """
          One signal wakes one thread; whoever finds the buffer closed signals it on, so that the \
          next one wakes as well.
          """),
      Mistake(
        "close forgets the putters",
        .edit("    free.signal()\n    filled.signal()\n", "    filled.signal()\n"),
        breaks: ["Whoever waits in ``put(_:)`` returns with false"],
        rejectedBy: ["close lets everybody go who waits for a place"],
        advice: "There are two kinds of sleepers, at two semaphores, and close has to wake both."),
      Mistake(
        "whoever is woken by close still gets in",
        .edit("      if isClosed { return false }\n", ""),
        breaks: [
          "and their elements aren't in",
          "false where the buffer is closed, before this call or while it waits",
        ],
        rejectedBy: ["close lets everybody go who waits for a place"],
        advice: """
          A unit after close isn't a free place; look at the flag after the wait, under the lock.
          """),
      Mistake(
        "close wakes two hundred of each",
        .edits([
          Edit(
            "if isIn { filled.signal() } else { free.signal() }", "if isIn { filled.signal() }"),
          Edit(
            "if element != nil { free.signal() } else { filled.signal() }",
            "if element != nil { free.signal() }"),
          Edit(
            "    guard isFirst else { return }\n    free.signal()\n    filled.signal()\n",
            """
                guard isFirst else { return }
                for _ in 1...200 {
                  free.signal()
                  filled.signal()
                }

            """),
        ]),
        breaks: [
          "then ``take()`` returns nil", "false where the buffer is closed, before this call",
          "by any number of them",
        ],
        rejectedBy: ["nobody waits at a closed buffer, however many come"], verdict: .hung,
        advice: """
          However large the number, somebody comes after it, and waits for ever: one unit is enough if \
          whoever gets it passes it on.
          """),
      Mistake(
        "looks for room before it looks whether it's closed",
        .edits([
          Edit(
            "    free.wait()\n    let",
            """
                if lock.withLock({ isClosed }) { return false }
                free.wait()
                let
            """),
          Edit(
            "      if isClosed { return false }\n", "      if elements.isFull { return false }\n"),
          Edit(
            "  private var count = 0\n",
            "  private var count = 0\n  var isFull: Bool { count == places.count }\n"),
        ]),
        breaks: [
          "and their elements aren't in", "false where the buffer is closed, before this call or",
          "Lets nothing in any more",
        ],
        rejectedBy: ["whoever waits for a place when it's closed doesn't get in"],
        advice: """
          Between close and waking up somebody may have made room: look at the flag once more after the \
          wait, and before anything else.
          """),
      Mistake(
        "close throws away what is left",
        .edit(
          "lock.withLock { elements.removeFirst() }",
          "lock.withLock { isClosed ? nil : elements.removeFirst() }"),
        breaks: ["What's in the buffer can still be taken"],
        rejectedBy: ["what is left in a closed buffer can be taken"],
        advice: """
          put has said of those elements that they are in; ask whether there is an element, not \
          whether the buffer is closed.
          """),
      Mistake(
        "a semaphore made with the capacity",
        .edits([
          Edit(
            "private let free = DispatchSemaphore(value: 0)", "private let free: DispatchSemaphore"),
          Edit(
            "    for _ in 0..<capacity { free.signal() }\n",
            "    free = DispatchSemaphore(value: capacity)\n"),
        ]),
        breaks: ["A buffer may be let go of with elements in it."],
        rejectedBy: ["a buffer may be let go of with elements in it"], verdict: .crashed,
        advice: """
          Dispatch traps when a semaphore dies with a smaller value than it was made with; make it \
          with 0 and signal it capacity times.
          """),
      Mistake(
        "keeps what was taken", .edit("      places[first] = nil\n", ""),
        breaks: ["the buffer doesn't keep it"], rejectedBy: ["what was taken isn't kept"],
        advice: """
          Large elements stay in memory until somebody happens to overwrite them; empty the place \
          when its element is taken.
          """),
      Mistake(
        "no mutual exclusion",
        .edits([
          Edit(
            """
                let isIn = lock.withLock {
                  if isClosed { return false }
                  elements.append(element)
                  return true
                }

            """,
            """
                let isIn = !isClosed
                if isIn { elements.append(element) }

            """),
          Edit("lock.withLock { elements.removeFirst() }", "elements.removeFirst()"),
        ]),
        breaks: ["Safe to use from every thread"],
        rejectedBy: ["put, take and close may be called on any thread"], verdict: .race,
        advice: """
          The semaphores say how many may come, not that they come one by one: two putters with a \
          place each change the same line; guard it with a lock.
          """),
      Mistake(
        "looks at the flag without the lock",
        .edit(
          "    free.wait()\n    let", "    if isClosed { return false }\n    free.wait()\n    let"),
        breaks: ["Safe to use from every thread"],
        rejectedBy: ["put, take and close may be called on any thread"], verdict: .race,
        advice: """
          Another thread sets the flag while you read it; every look at it has to be under the lock.
          """),
      Mistake(
        "close looks at the flag without the lock",
        .edit(
          "    let isFirst = lock.withLock {\n",
          "    if isClosed { return }\n    let isFirst = lock.withLock {\n"),
        breaks: ["Safe to use from every thread"],
        rejectedBy: ["put, take and close may be called on any thread"], verdict: .race,
        advice: """
          Another thread may be closing at this moment; every look at the flag has to be under the \
          lock, the first one too.
          """),
    ],
    rightAnswers: [
      RightAnswer("a condition", .file("Condition.swift")),
      RightAnswer("a lock for each end", .file("LockForEachEnd.swift")),
      RightAnswer("elements handed over from thread to thread", .file("HandedOver.swift")),
    ],
    unproven: [
      Unproven("goes on first isn't promised", "Says what isn't promised."),
      Unproven("Call them on threads of your own", "Advice."),
      Unproven("`capacity` is positive.", "What the caller must see to."),
    ],
    equivalents: [
      Equivalent(
        "left out: guard isFirst else { return }",
        "Once it's closed, a unit more is passed on like the first."),
      Equivalent(
        "swapped with the next: guard isFirst else { return }",
        "Once it's closed, a unit more is passed on like the first."),
      Equivalent("made twice: free.signal()", "Likewise."),
      Equivalent("made twice: filled.signal()", "Likewise."),
      Equivalent("swapped with the next: free.signal()", "Neither depends on the other."),
      Equivalent(
        "left out: guard count > 0 else { return nil }",
        "A ring is asked in vain only where it's closed; by then all places are empty for good."),
      Equivalent("swapped with the next: guard count > 0 else { return nil }", "Likewise."),
      Equivalent("moved by one: guard count > 0 else { return nil }", "Likewise."),
      Equivalent(
        "swapped with the next: first = (first + 1) % places.count",
        "Neither depends on the other."),
    ])
}
