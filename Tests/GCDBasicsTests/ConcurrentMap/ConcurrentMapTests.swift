import Foundation
import KataTesting
import Testing

/// Proves that each element is transformed once, in its own iteration, that transforms overlap but by
/// default never outnumber the cores, that results stand in the elements' order, and that the first failing
/// element's error is thrown.
@Suite(.serialized, .kata) struct ConcurrentMapTests {
  let timeline = Timeline()
  let tally = LockedValue(Tally())

  // MARK: - At once

  @Test(arguments: [3, 1, 2500]) func `perform runs an iteration for each element`(
    count: Int
  ) throws {
    let doubled = try mustReturn("concurrentMap") { [timeline] in
      Array(0..<count).concurrentMap { iterations, body in
        timeline.mark("perform", "\(iterations) iterations")
        Iterations.forwards.perform(iterations, body)
      } _: {
        $0 * 2
      }
    }
    #expect(
      timeline.events.map(\.kind) == [.mark("\(count) iterations")],
      """
      The number of elements was \(count), so concurrentMap has to call perform once, with \(count), \
      and to transform an element in each iteration. Begin with: perform(count) { index in … }
      """)
    let areDoubled = doubled == (0..<count).map { $0 * 2 }
    #expect(
      areDoubled,
      "Each element was to be doubled, and something else came back.")
  }

  @Test(arguments: [Iterations.forwards, .backwards])
  func `an element is transformed in its own iteration`(iterations: Iterations) throws {
    let under = LockedValue<Int?>(nil)
    let indices = try mustReturn("concurrentMap") {
      [0, 1, 2].concurrentMap { count, body in
        iterations.perform(count) { index in
          under.set(index)
          body(index)
          under.set(nil)
        }
      } _: { _ in
        under.value
      }
    }
    #expect(
      indices == [0, 1, 2],
      """
      Elements 0, 1 and 2 were transformed in these iterations: \
      \(indices.map { $0.map(String.init) ?? "none" }). Each belongs to the iteration with its index: \
      transform self[index] there.
      """)
  }

  // iteration 0   iteration 1
  // transforms
  //               transforms
  // both are held; nobody had to wait
  @Test func `transforms overlap`() throws {
    let release = Gate("release the transforms")
    let map = TestThread("concurrentMap") { [timeline] in
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
      [0, 1, 2].concurrentMap(perform: iterations.perform) { element in
        tally.withLock { $0.enter(element) }
      }
    }
    #expect(
      tally.value.calls == [0: 1, 1: 1, 2: 1],
      "There were three elements, and transform must be called once with each of them.")
  }

  @Test func `nothing comes of no elements`() throws {
    let none = try mustReturn("concurrentMap") { [Int]().concurrentMap { "\($0)" } }
    #expect(none.isEmpty, "There were no elements, and yet there are results.")
  }

  // MARK: - Failure

  @Test(arguments: [Iterations.forwards, .backwards], [[2, 4], [0, 3], [5]])
  func `the first error wins`(iterations: Iterations, failing: [Int]) {
    #expect(
      throws: Spoiled(element: failing[0]),
      """
      Of the elements 0 to 5 these fail: \(failing). The iterations ran \(iterations). The error of \
      \(failing[0]) must be thrown, for it comes first among the elements, whichever failed first.
      """
    ) {
      try mustReturn("concurrentMap") {
        try Array(0..<6).concurrentMap(perform: iterations.perform) { element in
          if failing.contains(element) { throw Spoiled(element: element) }
          return element
        }
      }
    }
  }

  @Test(arguments: [Iterations.forwards, .backwards])
  func `an element that fails is transformed once`(
    iterations: Iterations
  ) {
    #expect(
      throws: Spoiled(element: 1), "The transform of element 1 has failed, so this must throw."
    ) {
      try mustReturn("concurrentMap") { [tally] in
        try [0, 1, 2].concurrentMap(perform: iterations.perform) { element in
          _ = tally.withLock { $0.enter(element) }
          if element == 1 { throw Spoiled(element: element) }
        }
      }
    }
    let calls = tally.value.calls
    #expect(
      calls[1] == 1,
      """
      The transform of element 1 has failed, and was called \(calls[1] ?? 0) times. It may do \
      something that mustn't happen twice: keep the error and throw it later.
      """)
    #expect(
      calls[0] == 1 && calls[2] == 1,
      """
      The transform of element 1 has failed, and elements 0 and 2 were transformed \(calls[0] ?? 0) and \
      \(calls[2] ?? 0) times. Each must be transformed once, whatever becomes of the others, so that \
      it doesn't depend on luck which are.
      """)
  }

  // MARK: - Memory

  @Test(arguments: [false, true]) func `nothing is left but what it returns`(
    failing: Bool
  ) throws {
    let photos = LockedValue<[WeakReference<Photo>]>([])
    try mustReturn("concurrentMap") {
      _ = try? [0, 1, 2].concurrentMap(perform: Iterations.forwards.perform) { element in
        if failing, element == 1 { throw Spoiled(element: element) }
        let photo = Photo()
        photos.append(WeakReference(photo))
        return photo
      }
    }
    runUntilQuiet()
    let (made, gone) = (failing ? 2 : 3, photos.value.count(where: \.isGone))
    #expect(
      gone == made,
      """
      \(made) results were made and nobody keeps them any more, but \(made - gone) of them are \
      still in memory. Memory that you have allocated yourself you have to clear yourself, also where \
      an error is thrown: in a defer, deinitialize it before you deallocate it.
      """)
  }

  // MARK: - Fixtures

  /// What becomes of two elements whose iterations are run like this.
  static func outcome(
    of perform: @escaping (_ iterations: Int, _ body: @Sendable (Int) -> Void) -> Void,
    failing: Bool
  ) -> Result<[Int], any Error> {
    Result {
      try [0, 1].concurrentMap(perform: perform) { element in
        if failing { throw Spoiled(element: element) }
        return element
      }
    }
  }
}

/// A result that can be watched.
final class Photo: Sendable, OpaqueMirror {}
