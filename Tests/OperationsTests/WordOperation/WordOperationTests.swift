import Foundation
import KataTesting
import Testing

/// Proves that perform runs each block once; that words are in the order of their blocks and can be
/// read at any time; that the completion is called once, after the end; and that a cancel skips the
/// blocks that haven't begun.
@Suite(.serialized, .kata) struct WordOperationTests {
  let queue = OperationQueue()
  let timeline = Timeline()

  // MARK: - The words

  @Test func `each block makes a word, and the completion receives them all`() {
    let operation = operation(blocks("many", "hands", "light", "work"))
    queue.addOperation(operation)
    guard completes(operation) else { return }
    #expect(
      completions.first == "many hands light work",
      timeline.showing(
        """
        Four blocks made the words "many hands light work", and `completion` received \
        "\(completions.first ?? "")". It must receive the word of every block. Store the blocks in \
        init; in main(), call `perform` with an iteration for each block, which stores its word.
        """))
    #expect(
      operation.words == ["many", "hands", "light", "work"],
      "When the operation has finished, `words` must return what `completion` has received.")
  }

  @Test func `every word is kept, at the position of its block`() {
    // More than ten, in case an answer sorts the positions as text.
    let words = (1...12).map { ["row", "", "boat"][$0 % 3] }
    let operation = operation(words.map { word in { word } })
    queue.addOperation(operation)
    guard completes(operation) else { return }
    #expect(
      operation.words == words,
      """
      Twelve blocks made the words \(words), and `words` returned \(operation.words). Every word \
      counts, even if it's empty or equal to another. Store each with the position of its block.
      """)
  }

  @Test func `perform is called on the thread that runs the operation`() throws {
    let starter = ThreadMark()
    let isThere = LockedValue<Bool?>(nil)
    let operation = operation(blocks("many", "hands")) { iterations, body in
      isThere.set(starter.isCurrent)
      WordPerformers.forwards(iterations, body)
    }
    try mustReturn("start", "main() must return when all blocks have.") {
      starter.note()
      operation.start()
    }
    guard completes(operation) else { return }
    #expect(
      isThere.value == true,
      """
      `start()` was called, and `perform` ran on another thread while the caller's thread waited. \
      Call `perform` on the thread that runs the operation, in main().
      """)
  }

  @Test func `no block runs before the operation does`() {
    let operation = operation(blocks("many", "hands"))
    runUntilQuiet()
    #expect(
      timeline.events.isEmpty,
      timeline.showing(
        """
        The operation was created, but neither added to a queue nor started, and a block was \
        called. No block may run before the operation does: call them in main().
        """))
    #expect(operation.words.isEmpty, "No block has been called yet, and `words` isn't empty.")
  }

  @Test func `perform runs each block once, in whatever order`() {
    let operation = operation(
      blocks("many", "hands", "light", "work"), perform: WordPerformers.backwards)
    queue.addOperation(operation)
    guard completes(operation) else { return }
    #expect(
      timeline.orderOfEntry == ["work", "light", "hands", "many"],
      timeline.showing(
        """
        This `perform` runs its iterations one after another, from the last to the first, so the \
        blocks must run in that order, each once. Call it with one iteration for each block, and \
        call one block in each iteration.
        """))
    #expect(
      completions.first == "many hands light work",
      """
      The blocks ran from the last to the first, and `completion` received \
      "\(completions.first ?? "")". It must receive all words in the order of their blocks, not in \
      the order of completion. Store each word with the position of its block.
      """)
  }

  @Test func `perform runs a single block too`() {
    let calls = SharedCounter()
    let operation = operation(blocks("many")) { iterations, body in
      calls.increment()
      WordPerformers.forwards(iterations, body)
    }
    queue.addOperation(operation)
    guard completes(operation) else { return }
    #expect(
      calls.value == 1,
      """
      `perform` was called \(calls.value) times for one block. It must run every block, even a \
      single one.
      """)
  }

  // first      second
  // enters
  //            enters
  // leaves     leaves
  @Test func `the blocks overlap`() {
    let release = Gate("release both blocks")
    let operation = operation(
      [block("first", until: release), block("second", until: release)],
      perform: WordPerformers.together)
    queue.addOperation(operation)
    eventually(
      timeline.showing(
        """
        This `perform` runs each iteration on a thread of its own, and the two blocks don't run \
        side by side. Give each block an iteration of its own, and hold no lock while a block \
        runs.
        """)
    ) { timeline.inside.count == 2 }
    release.open()
    completes(operation)
  }

  // first block     second block     all others
  // stays
  //                 stays
  // leaves                           on the cores that are free
  //                 leaves
  @Test func `by default the blocks run side by side, on no more threads than there are cores`() {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    let threads = LockedValue<Set<Thread>>([])
    let arrived = SharedCounter()
    let stays = [Gate("the first block may leave"), Gate("the second block may leave")]
    let block: @Sendable () -> String = {
      threads.withLock { _ = $0.insert(.current) }
      let number = arrived.increment()
      if number <= stays.count { stays[number - 1].wait() }
      return "word"
    }
    let operation = operation(Array(repeating: block, count: cores + 4))
    queue.addOperation(operation)
    eventually(
      "The operation was started, and none of its blocks was called."
    ) { arrived.value > 0 }
    runUntilQuiet()
    let together = arrived.value
    for gate in stays {
      gate.open()
      runUntilQuiet()
    }
    guard completes(operation) else { return }
    let count = threads.withLock { $0.count }
    #expect(
      together >= WordPerformers.iterationsAtOnce,
      """
      The first block waits, and no other block begins meanwhile. By default blocks must run side \
      by side, as with `DispatchQueue.concurrentPerform`, and no lock may be held while a block \
      runs.
      """)
    #expect(
      count <= cores + 1,
      """
      \(cores + 4) blocks ran on \(count) threads, and there are \(cores) cores. Each thread has a \
      stack of its own, and more threads than cores don't run faster. By default use \
      `DispatchQueue.concurrentPerform`, which limits their number.
      """)
  }
}
