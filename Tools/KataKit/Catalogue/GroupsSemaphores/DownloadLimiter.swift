extension Kata {
  static let downloadLimiter = Kata(
    "DownloadLimiter", module: .groupsSemaphores,
    title: "At most so many downloads at once, and nobody waits",
    difficulty: 3, minutes: 30, needs: ["CallbackGatherer"],
    hints: [
      """
      A semaphore counts the free slots: wait takes one or sleeps until there is one, signal gives \
      one back. Sleeping costs the thread that does it. Whose thread may that be, if it is neither \
      the caller's nor one for each download in line?
      """,
      """
      One private serial queue can wait for all of them: its blocks run one at a time, in the \
      order of submission, so only the first in line waits at the semaphore and the others are \
      just blocks in a queue. And who gives the slot back? Finished, called the first time, or the \
      catch of what download throws; an object with a flag behind a lock can tell the first time.
      """,
      """
      init: slots = DispatchSemaphore(value: 0), then slots.signal() limit times. submit: \
      queue.async { [slots] in slots.wait(); let slot = Slot(of: slots); do { try download { \
      slot.free() } } catch { slot.free() } }. Slot is a final class with an NSLock and a flag \
      isTaken; free() sets the flag to false under the lock and signals, outside the lock, only if \
      it was true.
      """,
    ],
    questions: [
      Question(
        "A thousand downloads wait for a slot. How many threads wait?",
        answer: """
          One. The dispatcher is a serial queue, so only its front block stands at the semaphore, \
          on behalf of all; the other 999 are blocks in a line and cost no thread.
          """),
      Question(
        "Why is the semaphore made with zero and then signalled, rather than made with the limit?",
        answer: """
          Dispatch traps when a semaphore is let go of with a smaller value than it was made with, \
          and a limiter may be let go of with downloads in flight.
          """),
      Question(
        "A download calls `finished` twice. What would that do to the limit if nobody noticed?",
        answer: """
          Each surplus signal adds a slot that never goes away, so from then on one download too \
          many is in flight. That's why a slot is an object that can be freed once.
          """),
    ],
    mistakes: [
      Mistake(
        "one slot too few", .edit("for _ in 0..<limit", "for _ in 1..<limit"),
        breaks: ["with `limit` free slots"],
        rejectedBy: ["as many downloads start as the limit allows"],
        advice: """
          A limit of N means N free slots at the start; with one less, a limit of 1 starts nothing.
          """),
      Mistake(
        "one slot too many", .edit("for _ in 0..<limit", "for _ in 0...limit"),
        breaks: ["Lets at most so many downloads be in flight at once"],
        rejectedBy: ["no download starts above the limit"],
        advice: "0...limit counts limit + 1 numbers; a limit of N means N free slots at the start."),
      Mistake(
        "waits on the caller",
        .edit(
          "    dispatcher.async { [slots] in\n      slots.wait()\n",
          "    slots.wait()\n    dispatcher.async { [slots] in\n"),
        breaks: [
          "``submit(_:)`` returns at once",
          "Returns at once, whether a slot is free or not",
        ],
        rejectedBy: ["submit returns while every slot is taken"], verdict: .hung,
        advice: """
          wait() outside the block holds whoever calls submit until a slot is free; wait inside, \
          on a queue of your own.
          """),
      Mistake(
        "frees the slot when the download has started",
        .edit("try download { slot.free() }", "try download {}\n        slot.free()"),
        breaks: [
          "Lets at most so many downloads be in flight at once",
          "Its slot is freed when it calls `finished`",
        ],
        rejectedBy: ["no download starts above the limit"],
        advice: """
          download returns as soon as it has started something; it is in flight until it calls \
          finished, and only then its slot is free.
          """),
      Mistake(
        "finished frees nothing", .edit("try download { slot.free() }", "try download {}"),
        breaks: [
          "the others wait for a free slot",
          "Its slot is freed when it calls `finished`",
        ],
        rejectedBy: ["a freed slot goes to the next download"],
        advice: "The closure that download is given must free the slot; that is all it is for."),
      Mistake(
        "a concurrent queue whose blocks wait",
        .edit(
          "label: \"katas.groups-semaphores.download-limiter\"",
          "label: \"katas.groups-semaphores.download-limiter\", attributes: .concurrent"),
        breaks: ["at most one thread waits for all of them"],
        rejectedBy: ["a thousand downloads in line hold no threads"],
        advice: """
          On a concurrent queue every download in line gets a thread of its own to wait on, until \
          the pool has none left for anybody; let a serial queue wait for one at a time.
          """),
      Mistake(
        "one queue waits for all limiters",
        .edits([
          Edit("  private let dispatcher =", "  private static let dispatcher ="),
          Edit("    dispatcher.async {", "    Self.dispatcher.async {"),
        ]),
        breaks: ["each when a slot is free for it"],
        rejectedBy: ["each limiter has a line of its own"],
        advice: """
          Where one limiter's block waits for a slot, the blocks of all others wait behind it: give \
          each limiter a queue of its own.
          """),
      Mistake(
        "a thread for each download in line",
        .edit("dispatcher.async {", "Thread.detachNewThread {"),
        breaks: ["at most one thread waits for all of them"],
        rejectedBy: ["a thousand downloads in line hold no threads"],
        advice: """
          A thread is an expensive thing to keep asleep; a block in a serial queue waits its turn \
          without one.
          """),
      Mistake(
        "a thread beside each download in flight",
        .edits([
          Edit(
            "      let slot = Slot(of: slots)\n",
            """
                  let slot = Slot(of: slots)
                  let ended = DispatchSemaphore(value: 0)
                  Thread.detachNewThread {
                    ended.wait()
                    slot.free()
                  }

            """),
          Edit("try download { slot.free() }", "try download { ended.signal() }"),
          Edit("catch {\n        slot.free()\n", "catch {\n        ended.signal()\n"),
        ]),
        breaks: ["at most one thread waits for all of them"],
        rejectedBy: ["downloads in flight hold no threads"],
        advice: """
          A download says by itself that it has ended; let finished free the slot, and nobody has \
          to wait for it.
          """),
      Mistake(
        "newest first", .file("NewestFirst.swift"),
        breaks: ["Puts `download` in line.", "in the order of their submission"],
        rejectedBy: ["downloads start in the order of submission"],
        advice: """
          Whoever was submitted first must be started first, or it may wait for ever: take from \
          the front of the line.
          """),
      Mistake(
        "calls out with the lock held", .file("LockHeld.swift"),
        breaks: ["from any thread, at once or later"],
        rejectedBy: ["a download that finishes at once frees its slot"], verdict: .hung,
        advice: """
          A download may call finished before it returns, and finished wants the lock that you \
          still hold; decide inside the lock, call download outside.
          """),
      Mistake(
        "calls out with a recursive lock held", .file("RecursiveLock.swift"),
        breaks: ["also while another download is being started"],
        rejectedBy: ["what is submitted while a download is being started waits in line"],
        verdict: .hung,
        advice: """
          A recursive lock lets the same thread in again and keeps all others out while a download \
          is started; decide inside the lock, call download outside.
          """),
      Mistake(
        "submits with sync", .file("SubmitsWithSync.swift"),
        breaks: [
          "also from the downloads themselves", "also while another download is being started",
        ],
        rejectedBy: ["a download may submit another"], verdict: .hung,
        advice: """
          The queue that calls the downloads is busy with one of them, and sync waits for it; from \
          within that download it never ends. Submit with async.
          """),
      Mistake(
        "starts at once where a slot is free",
        .edits([
          Edit(
            "    dispatcher.async { [slots] in\n      slots.wait()\n      let slot",
            """
                let start: @Sendable () -> Void = { [slots] in
                  let slot
            """),
          Edit(
            """
                    slot.free()
                  }
                }
              }
            }

            """,
            """
                    slot.free()
                  }
                }
                if slots.wait(timeout: .now()) == .success { return start() }
                dispatcher.async { [slots] in
                  slots.wait()
                  start()
                }
              }
            }

            """),
        ]),
        breaks: ["in the order of their submission"],
        rejectedBy: ["what is submitted while a download is being started waits in line"],
        advice: """
          A slot may be free while others are still in line for it; whoever comes goes to the end \
          of the line, and only the first in line looks for a slot.
          """),
      Mistake(
        "no signal on throw", .edit("catch {\n        slot.free()\n", "catch {\n"),
        breaks: [
          "or it throws where there is nothing to wait for",
          "calls `finished` or throws",
        ],
        rejectedBy: ["a download that throws frees its slot"],
        advice: """
          A download that throws never calls finished, so its slot is lost for good unless the \
          catch frees it.
          """),
      Mistake(
        "finished twice frees two slots", .edit("if isFirst { slots.signal() }", "slots.signal()"),
        breaks: ["and only once"],
        rejectedBy: ["finished called twice frees one slot"],
        advice: """
          Every signal makes a slot, also one that isn't free; remember for each download whether \
          its slot was given back.
          """),
      Mistake(
        "a throw after finished frees another slot",
        .edit("catch {\n        slot.free()\n", "catch {\n        slots.signal()\n"),
        breaks: ["whichever comes first, and only once"],
        rejectedBy: [
          "a download that throws and calls finished frees one slot",
          "random scripts end as they must",
        ],
        advice: """
          A download may call finished and throw after that; both must go through the same guard, \
          so that its slot is freed once.
          """),
      Mistake(
        "finished after a throw frees another slot",
        .edits([
          Edit(
            "catch {\n        slot.free()\n",
            "catch {\n        if slot.isStillTaken { slots.signal() }\n"),
          Edit(
            "  func free() {",
            "  var isStillTaken: Bool { lock.withLock { isTaken } }\n\n  func free() {"),
        ]),
        breaks: ["whichever comes first, and only once"],
        rejectedBy: ["a download that throws and calls finished frees one slot"],
        advice: """
          A download that has thrown may call finished later; whoever frees the slot must also \
          note that it is free.
          """),
      Mistake(
        "a dropped finished counts as called",
        .edit("  func free() {", "  deinit { free() }\n\n  func free() {"),
        breaks: ["a download that never does either keeps its slot"],
        rejectedBy: ["a download that never ends keeps its slot"],
        advice: """
          That nobody can call finished any more doesn't say that the download has ended; only a \
          call, or an error, frees the slot.
          """),
      Mistake(
        "what is in line dies with the limiter",
        .edit(
          "    dispatcher.async { [slots] in\n      slots.wait()\n",
          """
              dispatcher.async { [weak self, slots] in
                slots.wait()
                guard self != nil else { return }

          """),
        breaks: ["those in line are started even then"],
        rejectedBy: ["downloads in line start though the limiter is let go of"],
        advice: """
          Nothing says that the limiter outlives its downloads; capture what the blocks need (the \
          semaphore), not a weak self.
          """),
      Mistake(
        "a semaphore made with the limit",
        .edits([
          Edit("slots = DispatchSemaphore(value: 0)", "slots = DispatchSemaphore(value: limit)"),
          Edit("    for _ in 0..<limit { slots.signal() }\n", ""),
        ]),
        breaks: ["A limiter may be let go of while downloads are in flight"],
        rejectedBy: ["a limiter may be let go of with downloads in flight"], verdict: .crashed,
        advice: """
          Dispatch traps when a semaphore dies with a smaller value than it was made with; make it \
          with 0 and signal it limit times.
          """),
      Mistake(
        "nothing guards the line", .file("NoLock.swift"),
        breaks: ["Safe to use from every thread"],
        rejectedBy: ["submit and finished may be called on any thread"], verdict: .race,
        advice: """
          submit and finished are called on any thread, and both change the line and the counter: \
          guard them with one lock, or touch them on one serial queue only.
          """),
      Mistake(
        "nothing guards the flag",
        .edit(
          """
              let isFirst = lock.withLock {
                defer { isTaken = false }
                return isTaken
              }

          """,
          """
              let isFirst = isTaken
              isTaken = false

          """),
        breaks: ["from any thread, at once or later"],
        rejectedBy: ["submit and finished may be called on any thread"], verdict: .race,
        advice: """
          Two threads that call finished at once can both find the slot taken and both free it; \
          ask and answer under one lock.
          """),
      Mistake(
        "a throw looks at the flag without the lock",
        .edits([
          Edit(
            "catch {\n        slot.free()\n", "catch {\n        if slot.isTaken { slot.free() }\n"),
          Edit("  private nonisolated(unsafe) var isTaken", "  nonisolated(unsafe) var isTaken"),
        ]),
        breaks: ["from any thread, at once or later"],
        rejectedBy: ["finished may be called on another thread while the download throws"],
        verdict: .race,
        advice: """
          Another thread may be calling finished at that moment: free has a look of its own, under the \
          lock, and needs none before it.
          """),
    ],
    rightAnswers: [
      RightAnswer("a lock, a line and a counter", .file("LockAndCounter.swift")),
      RightAnswer("a serial queue, a line and a counter", .file("SerialQueue.swift")),
      RightAnswer("a condition and one thread", .file("ConditionAndThread.swift")),
    ],
    unproven: [
      Unproven(
        "Starts a download and returns soon.",
        "What the caller's closure does; the limiter is built on it."),
      Unproven("`limit` is positive.", "What the caller must see to."),
    ],
    equivalents: [
      Equivalent("swapped with the next: slots.wait()", "Making a slot needs none to be free."),
      Equivalent("made twice: slot.free()", "The second time it's free and nothing happens."),
    ],
    elusive: [
      Elusive(
        "split before let slot = Slot(of: slots): dispatcher.async { [slots] in …",
        "Two submit at once, one between the other's two blocks, where nothing of the spec's runs.")
    ])
}
