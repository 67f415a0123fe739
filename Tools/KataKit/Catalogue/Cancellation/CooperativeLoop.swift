extension Kata {
  static let cooperativeLoop = Kata(
    "CooperativeLoop", module: .cancellation,
    title: "Long work that stops within one chunk and keeps what it has",
    difficulty: 2, minutes: 15, needs: ["CancelBeforeStart"],
    hints: [
      """
      cancel() stops nothing: it makes isCancelled true. Who looks at it, and how often, so that \
      the loop stops within one chunk?
      """,
      """
      while there are items left and the loop isn't cancelled: give done..<end to the work, where \
      end is done plus the smaller of chunkSize and what is left; then put a new LoopResult into \
      current. It's complete when the last item is in it, whether or not somebody has cancelled.
      """,
      """
      var total = 0; var done = 0; while done < count, !isCancelled { let end = done + \
      min(chunkSize, count - done); total += work(done..<end); done = end; let result = \
      LoopResult(total: total, itemCount: done, isComplete: done == count); lock.withLock { current = \
      result } }. And result: lock.withLock { current }.
      """,
    ],
    questions: [
      Question(
        "`cancel()` was called. Who stops the loop?",
        answer: """
          The loop itself, when it looks. `cancel()` sets a flag and returns; nobody stops a \
          thread from outside.
          """),
      Question(
        "By what does one choose the size of a chunk?",
        answer: """
          Small enough that whoever cancels can wait for one of them; large enough that looking \
          costs nothing beside it.
          """),
      Question(
        "The loop is cancelled during its last chunk. What does its result have to say, and why?",
        answer: """
          That it's complete, since everything was done. That is judged by what was done, and not \
          by `isCancelled`, which only says that somebody asked.
          """),
    ],
    mistakes: cooperativeLoopMistakes,
    rightAnswers: [
      RightAnswer("each chunk a block on a serial queue", .file("ChunkByChunk.swift")),
      RightAnswer("an atomic flag and a mutex", .file("FlagAndMutex.swift")),
      RightAnswer(
        "the look after the chunk",
        .edits([
          Edit(
            "    while done < count, !isCancelled {\n", "    while done < count {\n"),
          Edit(
            "      lock.withLock { current = result }\n",
            "      lock.withLock { current = result }\n      guard !isCancelled else { break }\n"),
        ])),
    ],
    unproven: [
      Unproven("What a ``CooperativeLoop`` has done so far.", "a name"),
      Unproven("Creates the result of a loop", "given as it is"),
      Unproven("and nobody but the work can grant it", "what Foundation does"),
      Unproven("So a chunk should be small enough", "advice"),
      Unproven("To be called by `start()` alone.", "asks it of whoever calls"),
    ],
    equivalents: [
      Equivalent("swapped with the next: var total = 0", "Neither depends on the other.")
    ])

  // MARK: - Mistakes

  private static let look = "while done < count, !isCancelled {"
  private static let keep = "      lock.withLock { current = result }\n"

  private static let cooperativeLoopMistakes = [
    Mistake(
      "looks once, at the start",
      .edit(
        "    \(look)\n", "    guard !isCancelled else { return }\n    while done < count {\n"
      ),
      breaks: ["The loop looks before each chunk"],
      rejectedBy: [
        "no chunk begins after the one that was cancelled",
        "what was done is kept, and marked as incomplete",
        "it can be cancelled by another thread",
      ],
      advice: """
        A cancellation comes when the work has begun, as a rule: look at isCancelled before each \
        chunk.
        """),
    Mistake(
      "looks at the end",
      .edits([
        Edit("    \(look)\n", "    while done < count {\n"),
        Edit(
          "\(keep)    }\n",
          """
          \(keep)    }
              if isCancelled {
                lock.withLock {
                  current = LoopResult(total: total, itemCount: done, isComplete: false)
                }
              }

          """),
      ]),
      breaks: ["until all are done or the loop is cancelled"],
      rejectedBy: [
        "no chunk begins after the one that was cancelled",
        "what was done is kept, and marked as incomplete",
        "cancelled during its last chunk, it is complete",
      ],
      advice: "At the end there is nothing left to save: look at isCancelled before each chunk."),
    Mistake(
      "looks at every other chunk",
      .edit(look, "while done < count, done / chunkSize % 2 == 1 || !isCancelled {"),
      breaks: ["How many items are worked on between two looks"],
      rejectedBy: [
        "no chunk begins after the one that was cancelled",
        "what was done is kept, and marked as incomplete",
      ],
      advice: "The chunk is the measure of how long a cancellation may take: look before each."),
    Mistake(
      "everything in one chunk",
      .edit("let end = done + min(chunkSize, count - done)", "let end = count"),
      breaks: [
        "that can be cancelled between two chunks",
        "Works on the items of one chunk, given by their numbers",
      ],
      rejectedBy: ["it works on all items, chunk by chunk"],
      advice: "Who gives the work everything at once can't stop it: give it chunkSize items."),
    Mistake(
      "the last, smaller chunk is lost",
      .edit(look, "while chunkSize <= count - done, !isCancelled {"),
      breaks: ["The last chunk may be smaller."],
      rejectedBy: ["it works on all items, chunk by chunk"],
      advice: "The items left over are a chunk too: go on while done < count."),
    Mistake(
      "a chunk that comes to nothing isn't kept",
      .edits([
        Edit(
          "      total += work(done..<end)\n      done = end\n",
          """
                let worth = work(done..<end)
                done = end
                guard worth != 0 else { continue }
                total += worth

          """)
      ]),
      breaks: [
        "How many items have been worked on, from the first on.",
        "and is what the chunks so far have made",
      ],
      rejectedBy: ["a chunk that comes to nothing counts too"],
      advice: """
        Who finds nothing has looked all the same, and its items count: keep the result after each chunk.
        """),
    Mistake(
      "an empty chunk at the end",
      .edits([
        Edit(
          "    \(look)\n",
          "    for _ in 0...(count / chunkSize) where !isCancelled && count > 0 {\n")
      ]),
      breaks: ["until all are done or the loop is cancelled"],
      rejectedBy: ["chunks are as large as they were asked for"],
      advice: """
        Where the items divide evenly there is nothing left over: go on only while done < count.
        """),
    Mistake(
      "numbered from one",
      .edit("work(done..<end)", "work(done + 1..<end + 1)"),
      breaks: [
        "they are numbered from 0 on", "Works on the items of one chunk, given by their numbers",
      ],
      rejectedBy: ["it works on all items, chunk by chunk"],
      advice: "The items are numbered from 0 on: who looks them up in an array finds none at count."
    ),
    Mistake(
      "from the back",
      .edit("work(done..<end)", "work(count - end..<count - done)"),
      breaks: [
        "in the order of the items", "How many items have been worked on, from the first on.",
      ],
      rejectedBy: ["it works on all items, chunk by chunk"],
      advice: "The result tells how many items were done, from the first on: begin with that one."),
    Mistake(
      "all chunks at once",
      .edits([
        Edit(
          "    var total = 0\n    var done = 0\n    \(look)\n",
          """
              let group = DispatchGroup()
              for done in stride(from: 0, to: count, by: chunkSize) {
                DispatchQueue.global().async(group: group) { [self] in
                guard !isCancelled else { return }

          """),
        Edit(
          "      total += work(done..<end)\n      done = end\n",
          "      let worth = work(done..<end)\n"),
        Edit(
          "      let result = LoopResult(total: total, itemCount: done, isComplete: done == count)\n"
            + keep + "    }\n",
          """
                lock.withLock {
                  let items = current.itemCount + end - done
                  current = LoopResult(
                    total: current.total + worth, itemCount: items, isComplete: items == count)
                }
                }
              }
              group.wait()

          """),
      ]),
      breaks: ["The chunks run one after another"],
      rejectedBy: ["no chunk begins after the one that was cancelled"],
      advice: """
        Chunks that run at the same time can't be stopped between two of them, and come in any order: \
        run one after another.
        """),
    Mistake(
      "the last chunk's alone",
      .edit("total += work(done..<end)", "total = work(done..<end)"),
      breaks: ["The sum of what the chunks so far have come to."],
      rejectedBy: ["it works on all items, chunk by chunk"],
      advice: "Each chunk comes to a part: add it to what those before have made."),
    Mistake(
      "works when it's made",
      .edit(
        "    super.init()\n", "    super.init()\n    Thread.detachNewThread { self.main() }\n"),
      breaks: ["Creates a loop that waits to be started."],
      rejectedBy: ["it works on all items, chunk by chunk"],
      advice: "Its queue starts it when there's room: a loop that is made only waits."),
    Mistake(
      "leaves the chunk behind that runs",
      .edits([
        Edit(
          "      total += work(done..<end)\n",
          """
                let (begin, worth) = (done, Worth())
                DispatchQueue.global().async { [self] in
                  worth.value = work(begin..<end)
                  stop.signal()
                }
                stop.wait()
                guard !isCancelled else { return }
                total += worth.value

          """),
        Edit(
          "  /// Works on the items, chunk",
          """
            private let stop = DispatchSemaphore(value: 0)
            // Safe: written before the semaphore is signalled.
            private final class Worth: @unchecked Sendable { var value = 0 }

            public override func cancel() {
              super.cancel()
              stop.signal()
            }

            /// Works on the items, chunk
          """),
      ]),
      breaks: ["finished when no more of them runs", "comes to its end and counts"],
      rejectedBy: ["cancel doesn't wait for the chunk that runs"],
      advice: """
        The chunk runs on, and whoever depends on the loop goes on beside it: the loop is finished \
        when its chunk has ended.
        """),
    Mistake(
      "throws the partial result away",
      .edits([
        Edit(
          "    var total = 0\n", "    let initial = result\n    var total = 0\n"),
        Edit(
          "\(keep)    }\n",
          """
          \(keep)    }
              if done < count { lock.withLock { current = initial } }

          """),
      ]),
      breaks: ["What has been done when the loop is cancelled is kept"],
      rejectedBy: ["what was done is kept, and marked as incomplete"],
      advice: """
        Half a result that says so may be of use, and has cost time: keep it, marked as incomplete.
        """),
    Mistake(
      "the cancelled chunk doesn't count",
      .edit(
        "      total += work(done..<end)\n      done = end\n",
        """
              let worth = work(done..<end)
              guard !isCancelled else { break }
              total += worth
              done = end

        """),
      breaks: ["comes to its end and counts"],
      rejectedBy: [
        "what was done is kept, and marked as incomplete",
        "cancelled during its last chunk, it is complete",
      ],
      advice: """
        The chunk that ran when the loop was cancelled has come to its end: keep what it has made, \
        then look.
        """),
    Mistake(
      "keeps the result at the end alone",
      .edits([
        Edit(keep, ""),
        Edit(
          "      let result = LoopResult(total: total, itemCount: done, "
            + "isComplete: done == count)\n    }\n",
          """
              }
              let result = LoopResult(
                total: total, itemCount: done, isComplete: done == count)
              lock.withLock { current = result }

          """),
      ]),
      breaks: [
        "may be asked for at any time", "What the chunks that have ended have made so far.",
      ],
      rejectedBy: [
        "the result can be read while a chunk runs", "the result can be read by another thread",
      ],
      advice:
        "Whoever asks in between wants to know how far it is: keep the result after each chunk."),
    Mistake(
      "complete means not cancelled",
      .edit("isComplete: done == count)", "isComplete: !isCancelled)"),
      breaks: ["Whether all items have.", "has done everything, and says so"],
      rejectedBy: [
        "cancelled during its last chunk, it is complete",
        "the result can be read while a chunk runs",
      ],
      advice: """
        isCancelled tells what somebody asked for, not what was done: compare the counts.
        """),
    Mistake(
      "always complete", .edit("isComplete: done == count)", "isComplete: true)"),
      breaks: ["and marked as incomplete", "Whether all items have."],
      rejectedBy: ["what was done is kept, and marked as incomplete"],
      advice: "A part that passes for the whole is worse than none: compare the counts."),
    Mistake(
      "cancel marks it as incomplete",
      .edit(
        "  /// Works on the items, chunk",
        """
          public override func cancel() {
            super.cancel()
            lock.withLock {
              current = LoopResult(
                total: current.total, itemCount: current.itemCount, isComplete: false)
            }
          }

          /// Works on the items, chunk
        """),
      breaks: ["Whether all items have."],
      rejectedBy: [
        "cancelled after its end, its result stays",
        "a loop over nothing is complete, though cancelled",
      ],
      advice: """
        cancel() may come when everything is done: isComplete tells what was done, so leave it to the \
        loop, which compares the counts.
        """),
    Mistake(
      "main returns at once",
      .edits([
        Edit(
          "    var total = 0\n",
          "    DispatchQueue.global().async { [self] in\n    var total = 0\n"),
        Edit("\(keep)    }\n", "\(keep)    }\n    }\n"),
      ]),
      breaks: ["finished when no more of them runs"],
      rejectedBy: ["it is finished when its last chunk is, not before"],
      advice: """
        An operation of this kind is finished when main() returns: work in main() itself, its queue \
        gives it a thread.
        """),
    Mistake(
      "works at least once",
      .edits([
        Edit("    \(look)\n", "    repeat {\n"),
        Edit("\(keep)    }\n", "\(keep)    } while done < count && !isCancelled\n"),
      ]),
      breaks: ["Works on the items, chunk by chunk, until all are done"],
      rejectedBy: ["a loop over nothing is complete"],
      advice: "There may be nothing to do: look whether items are left before the chunk."),
    Mistake(
      "a running flag instead of isCancelled",
      .edits([
        Edit("!isCancelled {", "lock.withLock({ isRunning }) {"),
        Edit("    var total = 0\n", "    lock.withLock { isRunning = true }\n    var total = 0\n"),
        Edit(
          "  /// Works on the items, chunk",
          """
            private var isRunning = false
            public override func cancel() { lock.withLock { isRunning = false } }

            /// Works on the items, chunk
          """),
      ]),
      breaks: ["the loop works on nothing"],
      rejectedBy: [
        "no chunk begins after the one that was cancelled",
        "cancelled before its start, it works on nothing",
        "cancelled while it waits for a dependency, it leaves its queue",
      ],
      advice: """
        A cancellation before the start is overwritten, and Foundation never learns of it: use the \
        inherited isCancelled.
        """),
    Mistake(
      "keeps the cancellation to itself",
      .edits([
        Edit(
          "  /// Works on the items, chunk",
          """
            private var isStopped = false
            public override var isCancelled: Bool { lock.withLock { isStopped } }
            public override func cancel() { lock.withLock { isStopped = true } }

            /// Works on the items, chunk
          """)
      ]),
      breaks: ["and waits for no dependency"],
      rejectedBy: ["cancelled while it waits for a dependency, it leaves its queue"],
      advice: """
        Foundation starts a cancelled operation early, but only if it knows: don't override \
        cancel(), or call super.cancel().
        """),
    Mistake(
      "cancel waits for the end",
      .edit(
        "  /// Works on the items, chunk",
        """
          public override func cancel() {
            super.cancel()
            if isExecuting { waitUntilFinished() }
          }

          /// Works on the items, chunk
        """),
      breaks: ["`cancel()` itself doesn't wait."],
      rejectedBy: ["cancel doesn't wait for the chunk that runs"], verdict: .hung,
      advice: """
        Who cancels is in a hurry, and often the main thread: ask, and let the completion tell.
        """),
    Mistake(
      "the lock is held while a chunk runs",
      .edit(
        "total += work(done..<end)", "total += lock.withLock { work(done..<end) }"),
      breaks: ["Doesn't wait for the chunk that runs.", "It may ask the loop for its result."],
      rejectedBy: [
        "a chunk may ask the loop for its result", "the result can be read while a chunk runs",
      ], verdict: .hung,
      advice: """
        Whoever asks for the result waits as long as a chunk takes: lock to keep the result, not to \
        make it.
        """),
    Mistake(
      "no lock",
      .edits([
        Edit("{ lock.withLock { current } }", "{ current }"),
        Edit("lock.withLock { current = result }", "current = result"),
      ]),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["the result can be read by another thread"], verdict: .race,
      advice: "One thread keeps the result and another reads it: guard it with a lock."),
    Mistake(
      "a flag of its own, unguarded",
      .edits([
        Edit("!isCancelled {", "!isStopped {"),
        Edit(
          "  private let count: Int\n",
          "  private var isStopped = false\n  private let count: Int\n"),
        Edit(
          "  /// Works on the items, chunk",
          """
            public override func cancel() {
              isStopped = true
              super.cancel()
            }

            /// Works on the items, chunk
          """),
      ]),
      breaks: ["Safe to use from every thread"],
      rejectedBy: ["it can be cancelled by another thread"], verdict: .race,
      advice: "The thread that cancels isn't the one that works: use isCancelled, which is guarded."
    ),
  ]
}
