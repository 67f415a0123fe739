import Foundation
import Images
import KataTesting
import Testing

/// Proves that a filter takes its picture from what was given or from the one provider it depends on, and
/// that a failure arrives with its cause.
@Suite(.serialized, .kata) struct DataPassingTests {
  let queue = OperationQueue()
  let timeline = Timeline()
  /// How often a filter was called.
  let calls = SharedCounter()

  // MARK: - Where the picture comes from

  @Test func `it filters the picture that it was given`() throws {
    let operation = filter(input: Darkroom.picture)
    try run([operation])
    expect(
      operation, has: Darkroom.turned,
      """
      The operation was given a picture, and has finished. Override main(): call the filter with the \
      picture and keep what it returns.
      """)
    #expect(
      calls.value == 1, "The filter was called \(calls.value) times, and must be called once.")
  }

  @Test func `it filters the picture of the provider that it depends on`() throws {
    let shelf = ShelfOperation("shelf", .success(Darkroom.picture))
    let operation = filter(after: [shelf])
    // The queue is given the second one first.
    try run([operation, shelf])
    expect(
      operation, has: Darkroom.turned,
      """
      The operation depends on an ImageProvider of a class that it has never heard of, and this one \
      has a picture. Go by the protocol.
      """)
  }

  @Test(arguments: [0, 1, 2, 3])
  func `it finds its provider among other dependencies`(place: Int) throws {
    let shelf = ShelfOperation("shelf", .success(Darkroom.picture))
    var dependencies: [Operation] = [BlockOperation {}, DrawerOperation(), Operation()]
    dependencies.insert(shelf, at: place)
    let operation = filter(after: dependencies)
    try run(dependencies + [operation])
    expect(
      operation, has: Darkroom.turned,
      """
      The operation depends on four others; number \(place + 1) is an ImageProvider, the others \
      aren't, even if one of them has a property of that name. Look at all, and ask the provider.
      """)
  }

  @Test(arguments: ["has another picture", "has failed", "has nothing"])
  func `a picture that was given wins`(provider: String) throws {
    let content: Result<RGBImage, any Error>? =
      switch provider {
      case "has another picture": .success(Darkroom.other)
      case "has failed": .failure(DarkroomError.lightLeak)
      default: nil
      }
    let asked = SharedCounter()
    let shelf = ShelfOperation("shelf", content) { asked.increment() }
    let operation = filter(input: Darkroom.picture, after: [shelf])
    try run([shelf, operation])
    expect(
      operation, has: Darkroom.turned,
      """
      The operation was given a picture, and depends on a provider that \(provider). Whoever gives a \
      picture means that one, and nobody else is asked.
      """)
    #expect(
      asked.value == 0,
      """
      The operation was given a picture, and the provider was asked for its own all the same. It may \
      take its time to answer: ask nobody.
      """)
  }

  @Test func `the filter is called on the thread that runs it`() throws {
    let starter = ThreadMark()
    let isThere = LockedValue<Bool?>(nil)
    let operation = ImageFilterOperation(input: Darkroom.picture) { image in
      isThere.set(starter.isCurrent)
      return image
    }
    try mustReturn("start") {
      starter.note()
      operation.start()
    }
    #expect(
      operation.isFinished && isThere.value == true,
      """
      The operation was started by hand, and its filter was called on another thread. One is held \
      anyway: call the filter in main(), which returns when it's done.
      """)
  }

  @Test func `it looks for its provider when it runs`() throws {
    let former = ShelfOperation("former", .success(Darkroom.other))
    let shelf = ShelfOperation("shelf", .success(Darkroom.picture))
    try run([former])
    let operation = filter(after: [former])
    operation.removeDependency(former)
    operation.addDependency(shelf)
    try run([shelf, operation])
    expect(
      operation, has: Darkroom.turned,
      """
      Before it ran, one dependency was taken away and another one was added. What counts is what it \
      depends on when main() is called.
      """)
  }

  // first queue    shelf ──┐            ┌──▶ last
  // second queue           └──▶ middle ─┘
  @Test func `a picture passes through two queues`() throws {
    let otherQueue = OperationQueue()
    let shelf = ShelfOperation("shelf", .success(Darkroom.picture))
    let middle = filter("middle", after: [shelf])
    let last = ImageFilterOperation { Darkroom.turn($0) }
    last.addDependency(middle)
    queue.addOperations([last, shelf], waitUntilFinished: false)
    otherQueue.addOperation(middle)
    try require([shelf, middle, last])
    expect(
      last, has: Darkroom.turnedTwice,
      "A filter operation is a provider too, for the next one, also in another queue.")
    #expect(calls.value == 1, "middle must have filtered once, not \(calls.value) times.")
  }
}
