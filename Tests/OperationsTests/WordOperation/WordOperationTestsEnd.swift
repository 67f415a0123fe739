import Foundation
import KataTesting
import Testing

extension WordOperationTests {
  // MARK: - The end

  @Test func `the completion is called once, after the last block`() throws {
    let release = Gate("release the slow block")
    let operation = operation(
      [block("slow", until: release)] + blocks("quick"), perform: WordPerformers.backwards)
    queue.addOperation(operation)
    eventually(
      timeline.showing(
        "This `perform` runs the last block and then the first, and one of them was never called.")
    ) { timeline.isInside("slow") && timeline.orderOfLeaving == ["quick"] }
    runUntilQuiet()
    #expect(
      !operation.isFinished,
      timeline.showing(
        """
        A block still runs, and the operation has finished already. main() must return only after \
        `perform` has, when the last block has returned.
        """))
    timeline.expect(
      """
      quick  ├────┤
      slow             ├────…
      """,
      """
      A block still runs, and `completion` was called. It must be called after the operation has \
      finished: use `completionBlock`.
      """)
    let soFar = try mustReturn("words, read while a block runs,") { operation.words }
    #expect(soFar == ["quick"], "One of two blocks has returned, and `words` must have its word.")

    release.open()
    guard completes(operation) else { return }
    timeline.expect(
      """
      quick       ├────┤
      slow                  ├────┤
      completion                      ●  slow quick
      """, "`completion` must be called once, with both words.")
  }

  @Test func `the completion may read the words`() throws {
    let words = whenCompleted { $0.words }
    eventually(
      """
      `completion` reads `words`, and the call never returns. `words` must be readable while \
      `completion` runs: call `completion` without a lock.
      """
    ) { words.value == ["many"] }
    runUntilQuiet()
  }

  @Test func `while the completion runs, another thread may read the words`() throws {
    let release = Gate("release the completion")
    let operation = WordOperation([{ "many" }]) { [timeline] _ in
      timeline.visit("completion", until: release)
    }
    queue.addOperation(operation)
    eventually("The operation has run, and `completion` was never called.") {
      timeline.isInside("completion")
    }
    let reader = timeline.asks("reader") { [timeline] in
      let words = operation.words
      return timeline.visit("reader") { words }
    }
    let hasReturned = timeline.expect(
      """
      completion  ├───────────────────…
      reader           ┆┄┄┄┄├────┤
      """,
      """
      While `completion` runs, another thread reads `words` and has to wait. If `completion` \
      waited for that thread, that would be a deadlock. Call it without a lock: even a recursive \
      one lets in only the thread that holds it.
      """)
    guard hasReturned else { return }
    #expect(
      try reader.result() == ["many"],
      "Another thread read `words` while `completion` ran, and a word is missing.")
    release.open()
    runUntilQuiet()
  }

  @Test func `the completion is called after the operation has finished`() {
    let wasFinished = whenCompleted { $0.isFinished }
    eventually("The operation has run, and `completion` was never called.") {
      wasFinished.value != nil
    }
    runUntilQuiet()
    #expect(
      wasFinished.value == true,
      """
      `completion` was called, and `isFinished` was still false. It must be called after the \
      operation has finished: set `completionBlock`, and don't call it yourself.
      """)
  }

  @Test func `an operation without blocks completes too`() {
    let operation = operation([])
    queue.addOperation(operation)
    guard completes(operation) else { return }
    #expect(
      completions == [""],
      "Without blocks there are no words, and `completion` must be called once all the same.")
  }

  // MARK: - Cancellation

  @Test func `cancelled before its start, it runs no block, and the completion is called`() {
    let operation = operation(blocks("many", "hands"))
    queue.isSuspended = true
    queue.addOperation(operation)
    operation.cancel()
    queue.isSuspended = false
    guard completes(operation) else { return }
    #expect(
      timeline.orderOfEntry.isEmpty,
      timeline.showing("The operation was cancelled before its start, and a block was called."))
    #expect(
      completions == [""],
      timeline.showing(
        """
        The operation was cancelled before its start, so `completion` must be called once, without \
        words.
        """))
  }

  @Test func `cancelled in a block, it skips the blocks that haven't begun`() {
    let release = Gate("release the first block")
    let operation = operation(
      [block("many", until: release)] + blocks("hands", "light", "work"),
      perform: WordPerformers.forwards)
    queue.addOperation(operation)
    eventually(
      "The operation was started, and its first block was never called."
    ) { timeline.isInside("many") }
    timeline.mark("cancel", "called")
    operation.cancel()
    release.open()
    guard completes(operation) else { return }
    #expect(
      timeline.orderOfEntry == ["many"],
      timeline.showing(
        """
        The operation was cancelled while its first block ran, and others began after that. \
        cancel() interrupts nothing: check `isCancelled` before each block.
        """))
    timeline.expect(
      """
      many        ├─────────┤
      cancel           ●  called
      completion                 ●  many
      """, "One block has returned: `completion` must be called once, with its word.")
  }

  // MARK: - Many threads

  // Only the answer's lock orders the two accesses. What Swift's runtime sets up on first use
  // orders threads too, so they meet three times.
  @Test func `two blocks may return at once`() {
    for meetings in 1...3 {
      let operation = operation(blocks("many", "hands"), perform: WordPerformers.unordered)
      queue.addOperation(operation)
      guard completes(operation, timersInPlay: true) else { return }
      #expect(
        completions == Array(repeating: "many hands", count: meetings),
        "Two blocks returned at once, and a word is missing: storing words needs mutual exclusion.")
    }
  }

  // Only the answer's lock orders the block that stores its word and the reader.
  @Test func `the words may be read while blocks return`() throws {
    let meeting = RelaxedRendezvous()
    let operation = operation(blocks("many")) { iterations, body in
      WordPerformers.forwards(iterations, body)
      meeting.changed()
    }
    let reader = meeting.looker("words, read while blocks return,") { _ = operation.words }
    queue.addOperation(operation)
    try reader.result(timersInPlay: true)
    guard completes(operation, timersInPlay: true) else { return }
    #expect(operation.words == ["many"], "One block has returned, and its word is missing.")
  }

  @Test func `it is released when it has finished`() throws {
    for isCancelled in [false, true] {
      let remains: WeakReference<WordOperation>
      do {
        let operation = operation(blocks("many", "hands"))
        remains = WeakReference(operation)
        if isCancelled { operation.cancel() }
        // On a thread that ends: on Apple's platforms its autorelease pool is drained then.
        try mustReturn("addOperation") { queue.addOperation(operation) }
        guard completes(operation) else { return }
      }
      let isGone = eventually(
        """
        The operation \(isCancelled ? "was cancelled before its start and " : "")has finished, no \
        variable refers to it, and it still exists. It retains its closures, so none of them may \
        capture it. Let them capture the object that stores the words.
        """
      ) { remains.isGone }
      guard isGone else { return }
    }
  }
}
