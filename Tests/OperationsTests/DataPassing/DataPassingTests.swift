import Foundation
import Images
import KataTesting
import Testing

/// Proves that a filter operation takes the picture that it was given, or that of the one provider
/// that it depends on; and that an error is passed on.
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
      The operation was given a picture, and has finished. Its result must be the filtered \
      picture: override main(), call the filter with the picture, and store what it returns.
      """)
    #expect(
      calls.value == 1, "The filter was called \(calls.value) times. It must be called once.")
  }

  @Test func `it filters the picture of the provider that it depends on`() throws {
    let shelf = ShelfOperation("shelf", .success(Darkroom.picture))
    let operation = filter(after: [shelf])
    // The dependent is added first.
    try run([operation, shelf])
    expect(
      operation, has: Darkroom.turned,
      """
      The operation depends on an ImageProvider of a class that it doesn't know, and this one has \
      a picture. Look for the protocol, not for a class.
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
      The operation depends on four others. Number \(place + 1) is an ImageProvider; the others \
      aren't, even if one of them has a property of that name. Check all dependencies for the \
      protocol.
      """)
  }

  @Test(arguments: ["has another picture", "has failed", "has nothing"])
  func `a picture that was given takes precedence`(provider: String) throws {
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
      The operation was given a picture, and depends on a provider that \(provider). The given \
      picture takes precedence: filter that one.
      """)
    #expect(
      asked.value == 0,
      """
      The operation was given a picture, and the provider was asked for its own. Don't ask any \
      provider then: it may take long to answer.
      """)
  }

  @Test func `the filter is called on the thread that runs the operation`() throws {
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
      start() was called, and the filter was not called on the same thread, or the operation \
      hasn't finished. Call the filter directly in main(): a second thread only means that this \
      one is blocked.
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
      Before it ran, one dependency was removed and another one was added. It must use the \
      dependencies that it has when it runs: read them in main().
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
      "A filter operation is a provider too, for the next one, even in another queue.")
    #expect(
      calls.value == 1,
      "middle called its filter \(calls.value) times. It must call it once.")
  }
}
