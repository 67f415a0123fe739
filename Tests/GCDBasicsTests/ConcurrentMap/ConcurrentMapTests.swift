import Foundation
import KataTesting
import Testing

/// Proves that each element is transformed once, in its own iteration, with results in order.
///
/// Transforms overlap, by default at most one for each core, and the error of the first element that
/// fails is thrown.
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
      The number of elements is \(count), so concurrentMap must call perform exactly once, with \
      \(count), and transform one element in each iteration. Begin with: perform(count) { index in \
      … }
      """)
    let areDoubled = doubled == (0..<count).map { $0 * 2 }
    #expect(
      areDoubled,
      "transform doubles each element, but concurrentMap returned something else.")
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
      \(indices.map { $0.map(String.init) ?? "none" }). Each element must be transformed in the \
      iteration with its own index: transform self[index] there.
      """)
  }

  // iteration 0   iteration 1
  // transforms
  //               transforms
  // both are held; neither waits for the other
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
        Two iterations run at the same time, each on its own thread, so both transforms must be \
        running at once. Transform inside the iterations, and hold no lock while transforming.
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
      The elements 3, 1 and 2 were transformed in iterations that ran \(iterations), and the \
      results must be in that order, whichever was ready first. Give each result a slot that is \
      found by its index.
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

  @Test func `an empty array gives no results`() throws {
    let none = try mustReturn("concurrentMap") { [Int]().concurrentMap { "\($0)" } }
    #expect(none.isEmpty, "There were no elements, but concurrentMap returned results.")
  }

  // MARK: - Failure

  @Test(arguments: [Iterations.forwards, .backwards], [[2, 4], [0, 3], [5]])
  func `the first error wins`(iterations: Iterations, failing: [Int]) {
    #expect(
      throws: Spoiled(element: failing[0]),
      """
      Of the elements 0 to 5, these fail: \(failing). The iterations ran \(iterations). The error \
      of \(failing[0]) must be thrown: it is the first failed element in the array's order, \
      whichever failed first in time.
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
      throws: Spoiled(element: 1), "The transform of element 1 throws; its error must be thrown."
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
      The transform of element 1 throws, and it was called \(calls[1] ?? 0) times. It must be \
      called exactly once, since it may do something that mustn't happen twice. Store the error, \
      and throw it later.
      """)
    #expect(
      calls[0] == 1 && calls[2] == 1,
      """
      The transform of element 1 throws, and elements 0 and 2 were transformed \(calls[0] ?? 0) \
      and \(calls[2] ?? 0) times. Each must be transformed once, even if another one fails; \
      otherwise it would differ from run to run which elements are transformed.
      """)
  }

  // MARK: - Memory

  @Test(arguments: [false, true]) func `no result is retained afterwards`(
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
      \(made) results were made and none is needed any more, but \(made - gone) of them are still \
      in memory. Memory that you have allocated yourself must be cleared before it's freed, even \
      if an error is thrown: in a defer, deinitialize it before you deallocate it.
      """)
  }

  // MARK: - Fixtures

  /// The outcome for two elements whose iterations are run by `perform`.
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

/// A result that the spec watches through a weak reference.
final class Photo: Sendable, OpaqueMirror {}
