import Foundation
import KataTesting
import Testing

/// Proves that perform runs each block once, that words stand in their blocks' order and can be read at any
/// time, that one completion comes after the end, and that a cancellation leaves out what hasn't begun.
@Suite(.serialized, .kata) struct WordOperationTests {
  let queue = OperationQueue()
  let timeline = Timeline()

  // MARK: - The words

  @Test func `each block makes a word, and the completion brings them`() {
    let operation = operation(blocks("many", "hands", "light", "work"))
    queue.addOperation(operation)
    guard completes(operation) else { return }
    #expect(
      completions.first == "many hands light work",
      timeline.showing(
        """
        Four blocks make the words "many hands light work", and the completion brought \
        "\(completions.first ?? "")". Keep the blocks in init; in main(), let `perform` run an \
        iteration for each, which keeps its word.
        """))
    #expect(
      operation.words == ["many", "hands", "light", "work"],
      "When the operation has finished, `words` must have what the completion has brought.")
  }

  @Test func `each word counts, and in its place`() {
    // More than ten, in case that somebody sorts the places as text.
    let words = (1...12).map { ["row", "", "boat"][$0 % 3] }
    let operation = operation(words.map { word in { word } })
    queue.addOperation(operation)
    guard completes(operation) else { return }
    #expect(
      operation.words == words,
      """
      Twelve blocks make the words \(words), some of them alike and some of them empty, and `words` says \
      \(operation.words). Keep each with the place of its block, whatever it is.
      """)
  }

  @Test func `perform is called on the thread that runs the operation`() throws {
    let starter = ThreadMark()
    let isThere = LockedValue<Bool?>(nil)
    let operation = operation(blocks("many", "hands")) { iterations, body in
      isThere.set(starter.isCurrent)
      WordPerformers.forwards(iterations, body)
    }
    try mustReturn("start", "main() must return when its blocks have.") {
      starter.note()
      operation.start()
    }
    guard completes(operation) else { return }
    #expect(
      isThere.value == true,
      """
      The operation was started by hand, and `perform` was called on another thread, while the first one \
      waits. Call it in main().
      """)
  }

  @Test func `no block runs before the operation does`() {
    let operation = operation(blocks("many", "hands"))
    runUntilQuiet()
    #expect(
      timeline.events.isEmpty,
      timeline.showing(
        """
        The operation was only made and is in no queue, and something of it ran: on the thread of \
        whoever made it. Work belongs in main().
        """))
    #expect(operation.words.isEmpty, "No block has run yet, and there are words.")
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
        blocks must run in that order, each once. Let it run an iteration for each block: a loop is \
        none, and Foundation's own blocks run as Foundation likes.
        """))
    #expect(
      completions.first == "many hands light work",
      """
      The blocks ran from the last to the first, and the completion brought \
      "\(completions.first ?? "")". The words come in the order of their blocks, not of time: keep \
      each with its place.
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
      `perform` was called \(calls.value) times for one block. Whoever gives it decides on where every \
      block runs, the only one too.
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
        There is a thread for each of the two blocks, and they aren't inside at the same time. Each \
        needs an iteration of its own, and no lock may be held while a block runs.
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
    eventually("The operation runs, and its first block never does.") { arrived.value > 0 }
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
      Two blocks wait for each other, and the second never begins: where no `perform` is given, it's \
      concurrentPerform, which runs blocks on every core.
      """)
    #expect(
      count <= cores + 1,
      """
      \(cores + 4) blocks ran on \(count) threads, and there are \(cores) cores. A thread costs \
      half a megabyte: where no `perform` is given, it's concurrentPerform.
      """)
  }
}
