import Foundation
import KataTesting
import Testing

extension ConcurrentMapTests {
  // MARK: - Many

  // An element that waits on a thread of its own costs that thread; as an index it costs nothing.
  @Test func `no more run at once than there are cores`() throws {
    let limit = max(
      ProcessInfo.processInfo.processorCount, ProcessInfo.processInfo.activeProcessorCount)
    let release = Gate("release the transforms")
    let threadsBefore = processThreadCount()
    let map = TestThread("concurrentMap") { [tally] in
      Array(0..<1000).concurrentMap { number in
        // More than allowed: that's proof enough, so they needn't be held any longer.
        if tally.withLock({ $0.enter(number) }) > limit { release.open() }
        release.wait()
        tally.withLock { $0.leave() }
        return number
      }
    }
    runUntilQuiet()
    let threadsMeanwhile = processThreadCount()
    release.open()
    let numbers = try map.result()
    #expect(
      tally.value.largest <= limit,
      """
      There are \(limit) cores, and \(tally.value.largest) transforms were running at once. There \
      must never be more than there are cores: they would only compete for them. concurrentPerform \
      keeps to that limit.
      """)
    if let threadsBefore, let threadsMeanwhile {
      #expect(
        threadsMeanwhile < threadsBefore + limit + 50,
        """
        There were a thousand elements, and \(threadsMeanwhile - threadsBefore) threads were \
        started for them. An element that waits for its turn must not take a thread.
        """)
    }
    #expect(
      numbers == Array(0..<1000) && tally.value.calls.values.allSatisfy { $0 == 1 },
      "There were a thousand elements: each must be transformed once, and the results be in order.")
  }

  // Hundreds of iterations, each on a thread of its own, all held while they transform
  @Test func `hundreds of transforms overlap`() throws {
    let release = Gate("release the transforms")
    let map = TestThread("concurrentMap") { [tally] in
      Array(0..<300).concurrentMap(perform: Iterations.together.perform) { number in
        _ = tally.withLock { $0.enter(number) }
        release.wait()
        return number
      }
    }
    eventually(
      """
      300 iterations run at the same time, each on its own thread, and at most \
      \(tally.value.largest) of the transforms were running at once. No transform may wait for \
      another one, however many there are.
      """
    ) { tally.value.inside == 300 }
    release.open()
    let areInOrder = try map.result() == Array(0..<300)
    #expect(areInOrder, "The numbers 0 to 299 came in, so they must come back, in order.")
  }

  // iteration 0   iteration 1
  // ends
  //               begins and ends: only a lock in the answer orders the two
  @Test(arguments: [false, true]) func `iterations run on any threads`(failing: Bool) throws {
    // What Swift's runtime does at a first call would order the two; see RelaxedRendezvous.
    _ = try mustReturn("concurrentMap") {
      Self.outcome(of: Iterations.forwards.perform, failing: failing)
    }
    let outcome = try mustReturn("concurrentMap", timersInPlay: true) {
      Self.outcome(of: Iterations.unordered, failing: failing)
    }
    switch outcome {
    case .success(let elements):
      #expect(!failing && elements == [0, 1], "Both elements must come back, in order.")
    case .failure(let error):
      #expect(
        failing && error as? Spoiled == Spoiled(element: 0),
        "The error of element 0 must be thrown.")
    }
  }

  // Four transforms are under way; element 0 succeeds, the others fail one after another
  @Test(arguments: [[1, 2, 3], [2, 3, 1], [3, 1, 2]])
  func `the first error wins if several fail at once`(order: [Int]) {
    let gates = (0..<4).map { Gate("release element \($0)") }
    let map = TestThread("concurrentMap") {
      try [0, 1, 2, 3].concurrentMap(perform: Iterations.together.perform) { element in
        gates[element].wait()
        if element > 0 { throw Spoiled(element: element) }
        return element
      }
    }
    runUntilQuiet()
    for element in order {
      gates[element].open()
      runUntilQuiet()
    }
    gates[0].open()
    #expect(
      throws: Spoiled(element: 1),
      """
      Elements 1, 2 and 3 were being transformed at the same time, and failed in this order: \
      \(order). The error of element 1 must be thrown: of the failed elements, it has the lowest \
      index.
      """
    ) {
      try map.result()
    }
  }
}
