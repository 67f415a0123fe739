import Foundation
import KataTesting
import Testing

@Suite(.serialized, .kata) struct ConcurrentMapTests {
  private let timeline = Timeline()
  private let tally = Tally()

  // MARK: - At once

  @Test func `perform runs an iteration for each element`() throws {
    let doubled = try mustReturn("concurrentMap") { [timeline] in
      [1, 2, 3].concurrentMap { iterations, body in
        timeline.mark("perform", "\(iterations) iterations")
        Iterations.forwards.perform(iterations, body)
      } _: {
        $0 * 2
      }
    }
    #expect(
      timeline.events.map(\.kind) == [.mark("3 iterations")],
      """
      There were three elements, so concurrentMap has to call perform once, with 3, and to transform \
      an element in each iteration. Begin with: perform(count) { index in … }
      """)
    #expect(doubled == [2, 4, 6], "1, 2 and 3 were doubled, so 2, 4 and 6 must come back.")
  }

  // iteration 0   iteration 1
  // transforms
  //               transforms
  // both are held; nobody had to wait
  @Test func `transforms overlap`() throws {
    let release = Gate("release the transforms")
    let map = Participant("concurrentMap") { [timeline] in
      [1, 2].concurrentMap(perform: Iterations.together.perform) { number in
        timeline.visit("transform \(number)", until: release)
        return number * 2
      }
    }
    eventually(
      timeline.showing(
        """
        Two iterations run, each on a thread of its own, so both transforms must be under way at the \
        same time. Transform in the iterations, and hold no lock meanwhile.
        """)
    ) { timeline.overlapped("transform 1", "transform 2") }
    release.open()
    #expect(try map.result() == [2, 4], "1 and 2 were doubled, so 2 and 4 must come back.")
  }

  // MARK: - In order, and once

  @Test(arguments: Iterations.allCases) func `results stand in the order of the elements`(
    iterations: Iterations
  ) throws {
    let names = try mustReturn("concurrentMap") {
      [3, 1, 2].concurrentMap(perform: iterations.perform) { "number \($0)" }
    }
    #expect(
      names == ["number 3", "number 1", "number 2"],
      """
      3, 1 and 2 were transformed, by iterations that ran \(iterations), and their results must stand \
      in that order, whichever was ready first: a slot for each, found by its index.
      """)
  }

  @Test(arguments: Iterations.allCases) func `each element is transformed once`(
    iterations: Iterations
  ) throws {
    _ = try mustReturn("concurrentMap") { [tally] in
      [0, 1, 2].concurrentMap(perform: iterations.perform) { tally.enter($0) }
    }
    #expect(
      tally.callsByElement == [0: 1, 1: 1, 2: 1],
      "There were three elements, and transform must be called once with each of them.")
  }

  @Test func `nothing comes of no elements`() throws {
    let none = try mustReturn("concurrentMap") { [Int]().concurrentMap { "\($0)" } }
    #expect(none.isEmpty, "There were no elements, and yet there are results.")
  }

  // MARK: - Failure

  @Test(arguments: [Iterations.forwards, .backwards]) func `the first error wins`(
    iterations: Iterations
  ) {
    #expect(
      throws: Spoiled(element: 2),
      """
      Of the elements 0 to 5 those numbered 2 and 4 fail, and the iterations ran \(iterations). The \
      error of 2 must be thrown, for it comes first among the elements, whichever failed first.
      """
    ) {
      try mustReturn("concurrentMap") {
        try Array(0..<6).concurrentMap(perform: iterations.perform) { element in
          if element == 2 || element == 4 { throw Spoiled(element: element) }
          return element
        }
      }
    }
  }

  @Test func `an element that fails is transformed once`() {
    #expect(
      throws: Spoiled(element: 1), "The transform of element 1 has failed, so this must throw."
    ) {
      try mustReturn("concurrentMap") { [tally] in
        try [0, 1, 2].concurrentMap(perform: Iterations.forwards.perform) { element in
          tally.enter(element)
          if element == 1 { throw Spoiled(element: element) }
        }
      }
    }
    #expect(
      tally.callsByElement[1] == 1,
      """
      The transform of element 1 has failed, and was called \(tally.callsByElement[1] ?? 0) times. It \
      may do something that mustn't happen twice: keep the error and throw it later.
      """)
  }

  // MARK: - Many

  // One that waits in a thread of its own costs that thread; one that waits in a loop costs nothing.
  @Test func `no more run at once than there are cores`() throws {
    let limit = max(
      ProcessInfo.processInfo.processorCount, ProcessInfo.processInfo.activeProcessorCount)
    let release = Gate("release the transforms")
    let threadsBefore = processThreadCount()
    let map = Participant("concurrentMap") { [tally] in
      Array(0..<1000).concurrentMap { number in
        // More than there may be: that's proof enough, and they needn't be held any longer.
        if tally.enter(number) > limit { release.open() }
        release.wait()
        tally.leave()
        return number
      }
    }
    runUntilQuiet()
    let threadsMeanwhile = processThreadCount()
    release.open()
    let numbers = try map.result()
    #expect(
      tally.largestNumberInside <= limit,
      """
      There are \(limit) cores, and \(tally.largestNumberInside) transforms were under way at once. \
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
      numbers == Array(0..<1000) && tally.callsByElement.values.allSatisfy { $0 == 1 },
      "A thousand elements were given, and a thousand results must come back, in order, each once.")
  }

  // iteration 0   iteration 1
  // ends
  //               begins and ends: nothing but a lock of the answer's orders the two
  @Test(arguments: [false, true]) func `iterations run on any threads`(failing: Bool) throws {
    let outcome = try mustReturn("concurrentMap", timersInPlay: true) {
      Result {
        try [0, 1].concurrentMap(perform: Iterations.unordered) { element in
          if failing { throw Spoiled(element: element) }
          return element
        }
      }
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
