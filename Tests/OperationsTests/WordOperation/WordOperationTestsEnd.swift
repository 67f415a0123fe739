import Foundation
import KataTesting
import Testing

extension WordOperationTests {
  // MARK: - The end

  @Test func `the completion comes once, after the last block`() throws {
    let release = Gate("release the slow block")
    let operation = operation(
      [block("slow", until: release)] + blocks("quick"), perform: WordPerformers.backwards)
    queue.addOperation(operation)
    eventually(
      timeline.showing(
        "This `perform` runs the last block first, then the first, and they never ran.")
    ) { timeline.isInside("slow") && timeline.orderOfLeaving == ["quick"] }
    runUntilQuiet()
    #expect(
      !operation.isFinished,
      timeline.showing(
        """
        A block still runs and the operation says that it is finished: main() must return when the \
        last block has, which is when `perform` returns.
        """))
    timeline.expect(
      """
      quick  ├────┤
      slow             ├────…
      """,
      """
      A block still runs, and the completion was called. It is no block among the others: a queue calls \
      `completionBlock` when the operation has finished.
      """)
    let soFar = try mustReturn("words, read while a block runs,") { operation.words }
    #expect(soFar == ["quick"], "One of two words is made: `words` shows those that are there.")

    release.open()
    guard completes(operation) else { return }
    timeline.expect(
      """
      quick       ├────┤
      slow                  ├────┤
      completion                      ●  slow quick
      """, "The completion must be called once, and bring both words.")
  }

  @Test func `who hears of the completion may read the words`() throws {
    let words = whenCompleted { $0.words }
    eventually(
      """
      Whoever hears that all words are made asks for them, and never comes back: call the completion \
      without a lock.
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
    eventually("The operation has run, and the completion was never called.") {
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
      The completion runs, and another thread that reads the words waits until it's over: if the \
      completion waits for that thread, neither ever goes on. Call it without a lock; a recursive one \
      lets in its own thread alone.
      """)
    guard hasReturned else { return }
    #expect(
      try reader.result() == ["many"],
      "The completion runs, and another thread read the words: they must be there.")
    release.open()
    runUntilQuiet()
  }

  @Test func `the completion comes when the operation has finished`() {
    let wasFinished = whenCompleted { $0.isFinished }
    eventually("The operation has run, and the completion was never called.") {
      wasFinished.value != nil
    }
    runUntilQuiet()
    #expect(
      wasFinished.value == true,
      """
      The completion was called while the operation said that it isn't finished. Set completionBlock, and \
      leave it to the queue to call it.
      """)
  }

  @Test func `an operation without blocks completes too`() {
    let operation = operation([])
    queue.addOperation(operation)
    guard completes(operation) else { return }
    #expect(
      completions == [""],
      "Without blocks there are no words, and the completion is called once all the same.")
  }

  // MARK: - Cancellation

  @Test func `cancelled before its start, no block runs and the completion comes`() {
    let operation = operation(blocks("many", "hands"))
    queue.isSuspended = true
    queue.addOperation(operation)
    operation.cancel()
    queue.isSuspended = false
    guard completes(operation) else { return }
    #expect(
      timeline.orderOfEntry.isEmpty,
      timeline.showing("The operation was cancelled before its start, and a block ran."))
    #expect(
      completions == [""],
      timeline.showing("It was cancelled before its start, so the completion must bring no word."))
  }

  @Test func `cancelled in a block, it leaves out those that haven't begun`() {
    let release = Gate("release the first block")
    let operation = operation(
      [block("many", until: release)] + blocks("hands", "light", "work"),
      perform: WordPerformers.forwards)
    queue.addOperation(operation)
    eventually("The operation runs, and its first block never does.") { timeline.isInside("many") }
    timeline.mark("cancel", "called")
    operation.cancel()
    release.open()
    guard completes(operation) else { return }
    #expect(
      timeline.orderOfEntry == ["many"],
      timeline.showing(
        """
        The operation was cancelled while its first block ran, and others began after that. \
        cancel() stops nothing: look at isCancelled before each block.
        """))
    timeline.expect(
      """
      many        ├─────────┤
      cancel           ●  called
      completion                 ●  many
      """, "One block has run to its end: the completion must bring its word.")
  }

  // MARK: - Many threads

  // Nothing but a lock of the answer's orders the two. What Swift's runtime makes at first uses orders threads, too, so
  // they meet three times.
  @Test func `two blocks may bring their words at once`() {
    for meetings in 1...3 {
      let operation = operation(blocks("many", "hands"), perform: WordPerformers.unordered)
      queue.addOperation(operation)
      guard completes(operation, timersInPlay: true) else { return }
      #expect(
        completions == Array(repeating: "many hands", count: meetings),
        "Two blocks brought their words, and one is missing.")
    }
  }

  // Nothing but a lock of the answer's orders the block that brings its word and the reader.
  @Test func `the words may be read while they come`() throws {
    let meeting = RelaxedRendezvous()
    let operation = operation(blocks("many")) { iterations, body in
      WordPerformers.forwards(iterations, body)
      meeting.changed()
    }
    let reader = meeting.looker("words, read while they come,") { _ = operation.words }
    queue.addOperation(operation)
    try reader.result(timersInPlay: true)
    guard completes(operation, timersInPlay: true) else { return }
    #expect(operation.words == ["many"], "One block has brought its word, and it isn't there.")
  }

  @Test func `nothing keeps it alive when it has finished`() throws {
    let remains: WeakReference<WordOperation>
    do {
      let operation = operation(blocks("many", "hands"))
      remains = WeakReference(operation)
      // On a thread that ends: on Apple's platforms its autorelease pool goes with it.
      try mustReturn("addOperation") { queue.addOperation(operation) }
      guard completes(operation) else { return }
    }
    eventually(
      """
      The operation has finished and nobody holds it, and it is still there: it holds its completion \
      block, and one that holds the operation keeps it alive for ever. Let it hold what keeps the words.
      """
    ) { remains.isGone }
  }
}
