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
      One private serial queue can wait for all of them: its blocks run one at a time, in the order \
      of submission, so only the first in line waits at the semaphore and the others are just blocks \
      in a queue. And who gives the slot back? Finished, called the first time, or the catch of \
      what download throws; an object with a flag behind a lock can tell the first time.
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
        rejectedBy: ["as many downloads start as the limit allows"],
        advice: """
          A limit of N means N free slots at the start; with one less, a limit of 1 starts nothing.
          """),
      Mistake(
        "one slot too many", .edit("for _ in 0..<limit", "for _ in 0...limit"),
        rejectedBy: ["no download starts above the limit"],
        advice: "0...limit counts limit + 1 numbers; a limit of N means N free slots at the start."),
      Mistake(
        "waits on the caller",
        .edit(
          "    dispatcher.async { [slots] in\n      slots.wait()\n",
          "    slots.wait()\n    dispatcher.async { [slots] in\n"),
        rejectedBy: ["submit returns while every slot is taken"], verdict: .hung,
        advice: """
          wait() outside the block holds whoever calls submit until a slot is free; wait inside, on \
          a queue of your own.
          """),
      Mistake(
        "frees the slot when the download has started",
        .edit("try download { slot.free() }", "try download {}\n        slot.free()"),
        rejectedBy: ["no download starts above the limit"],
        advice: """
          download returns as soon as it has started something; it is in flight until it calls \
          finished, and only then its slot is free.
          """),
      Mistake(
        "finished frees nothing", .edit("try download { slot.free() }", "try download {}"),
        rejectedBy: ["a freed slot goes to the next download"],
        advice: "The closure that download is given must free the slot; that is all it is for."),
      Mistake(
        "a concurrent queue whose blocks wait",
        .edit(
          "label: \"katas.groups-semaphores.download-limiter\"",
          "label: \"katas.groups-semaphores.download-limiter\", attributes: .concurrent"),
        rejectedBy: ["a thousand downloads in line hold no threads"],
        advice: """
          On a concurrent queue every download in line gets a thread of its own to wait on, until \
          the pool has none left for anybody; let a serial queue wait for one at a time.
          """),
      Mistake(
        "a thread for each download in line",
        .edit("dispatcher.async {", "Thread.detachNewThread {"),
        rejectedBy: ["a thousand downloads in line hold no threads"],
        advice: """
          A thread is an expensive thing to keep asleep; a block in a serial queue waits its turn \
          without one.
          """),
      Mistake(
        "newest first", .file("NewestFirst.swift"),
        rejectedBy: ["downloads start in the order of submission"],
        advice: """
          Whoever was submitted first must be started first, or it may wait for ever: take from the \
          front of the line.
          """),
      Mistake(
        "calls out with the lock held", .file("LockHeld.swift"),
        rejectedBy: ["a download that finishes at once frees its slot"], verdict: .hung,
        advice: """
          A download may call finished before it returns, and finished wants the lock that you \
          still hold; decide inside the lock, call download outside.
          """),
      Mistake(
        "no signal on throw", .edit("catch {\n        slot.free()\n", "catch {\n"),
        rejectedBy: ["a download that throws frees its slot"],
        advice: """
          A download that throws never calls finished, so its slot is lost for good unless the catch \
          frees it.
          """),
      Mistake(
        "finished twice frees two slots", .edit("if isFirst { slots.signal() }", "slots.signal()"),
        rejectedBy: ["finished called twice frees one slot"],
        advice: """
          Every signal makes a slot, also one that isn't free; remember for each download whether \
          its slot was given back.
          """),
      Mistake(
        "a throw after finished frees another slot",
        .edit("catch {\n        slot.free()\n", "catch {\n        slots.signal()\n"),
        rejectedBy: ["random scripts end as they must"],
        advice: """
          A download may call finished and throw after that; both must go through the same guard, \
          so that its slot is freed once.
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
        rejectedBy: ["a limiter may be let go of with downloads in flight"], verdict: .crashed,
        advice: """
          Dispatch traps when a semaphore dies with a smaller value than it was made with; make it \
          with 0 and signal it limit times.
          """),
      Mistake(
        "nothing guards the line", .file("NoLock.swift"),
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
        rejectedBy: ["submit and finished may be called on any thread"], verdict: .race,
        advice: """
          Two threads that call finished at once can both find the slot taken and both free it; ask \
          and answer under one lock.
          """),
    ],
    rightAnswers: [
      RightAnswer("a lock, a line and a counter", .file("LockAndCounter.swift")),
      RightAnswer("a serial queue, a line and a counter", .file("SerialQueue.swift")),
      RightAnswer("a condition and one thread", .file("ConditionAndThread.swift")),
    ])
}
