import Foundation
import KataTesting
import Testing

extension ConcurrentMapTests {
  // MARK: - Many

  // One that waits in a thread of its own costs that thread; one that waits in a loop costs nothing.
  @Test func `no more run at once than there are cores`() throws {
    let limit = max(
      ProcessInfo.processInfo.processorCount, ProcessInfo.processInfo.activeProcessorCount)
    let release = Gate("release the transforms")
    let threadsBefore = processThreadCount()
    let map = TestThread("concurrentMap") { [tally] in
      Array(0..<1000).concurrentMap { number in
        // More than there may be: that's proof enough, and they needn't be held any longer.
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
      There are \(limit) cores, and \(tally.value.largest) transforms were under way at once. \
      They only get in each other's way; concurrentPerform runs as many as there are cores.
      """)
    if let threadsBefore, let threadsMeanwhile {
      #expect(
        threadsMeanwhile < threadsBefore + limit + 50,
        """
        A thousand elements were given, and \(threadsMeanwhile - threadsBefore) threads were made for \
        them. An element that waits for its turn needs no thread.
        """)
    }
    #expect(
      numbers == Array(0..<1000) && tally.value.calls.values.allSatisfy { $0 == 1 },
      "A thousand elements were given, and a thousand results must come back, in order, each once.")
  }

  // iteration 0   iteration 1
  // ends
  //               begins and ends: nothing but a lock of the answer's orders the two
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
}
