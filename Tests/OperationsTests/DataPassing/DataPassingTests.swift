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
  let calls = Counter()

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
    let asked = Counter()
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
    let isThere = Locked<Bool?>(nil)
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

  // MARK: - Where there is no picture

  @Test func `a failure is passed on with its cause`() throws {
    let shelf = ShelfOperation("shelf", .failure(DarkroomError.lightLeak))
    let first = filter("first", after: [shelf])
    let second = filter("second", after: [first])
    try run([shelf, first, second])
    for operation in [first, second] {
      expect(
        operation, failsWith: DarkroomError.lightLeak,
        """
        The provider has failed with an error. Whoever looks at the end of the chain wants to know \
        what went wrong at its beginning: pass the error on as it is.
        """)
    }
  }

  @Test(arguments: [false, true])
  func `a cancelled provider is an error, and no hang`(isFilter: Bool) throws {
    let source: Operation =
      isFilter
      ? filter("source", input: Darkroom.picture)
      : ShelfOperation("source", .success(Darkroom.picture))
    source.cancel()
    let first = filter("first", after: [source])
    let second = filter("second", after: [first])
    try run([source, first, second])
    for operation in [first, second] {
      expect(
        operation, failsWith: ImageInputError.providerWasCancelled("source"),
        """
        source was cancelled before it ran, so it has no picture, and never will. What depends on it \
        runs all the same.
        """)
    }
  }

  @Test func `a provider without a name goes by its type`() throws {
    for isCancelled in [true, false] {
      let shelf = ShelfOperation("", nil)
      shelf.name = nil
      if isCancelled { shelf.cancel() }
      let operation = filter(after: [shelf])
      try run([shelf, operation])
      let error: ImageInputError =
        isCancelled
        ? .providerWasCancelled("ShelfOperation") : .providerHasNothing("ShelfOperation")
      expect(
        operation, failsWith: error,
        "Its provider has no name, and \"\" helps nobody: say what type of operation it is.")
    }
  }

  @Test func `a provider that has nothing is an error`() throws {
    let shelf = ShelfOperation("shelf", nil)
    let operation = filter(after: [shelf])
    try run([shelf, operation])
    expect(
      operation, failsWith: ImageInputError.providerHasNothing("shelf"),
      "The provider has finished, wasn't cancelled, and its result is nil.")
  }

  @Test func `a picture of a cancelled provider is a picture`() throws {
    let shelf = ShelfOperation("shelf", .success(Darkroom.picture), cancelsItself: true)
    let operation = filter(after: [shelf])
    try run([shelf, operation])
    expect(
      operation, has: Darkroom.turned,
      """
      The provider was cancelled when its work was done, and has a picture. Ask for the result first, \
      and only where there's none whether it was cancelled.
      """)
  }

  @Test func `without a provider there is an error`() throws {
    let others = [DrawerOperation(), BlockOperation {}]
    let shelf = ShelfOperation("shelf", .success(Darkroom.picture))
    for other in others { other.addDependency(shelf) }
    let operation = filter(after: others)
    try run([shelf] + others + [operation])
    expect(
      operation, failsWith: ImageInputError.noProvider,
      """
      The operation was given no picture, and nothing that it depends on is an ImageProvider. That those \
      depend on one doesn't count: they may come after it for the order alone.
      """)
  }

  @Test func `the error says how many providers there are`() throws {
    let shelves = (1...3).map { ShelfOperation("\($0)", .success(Darkroom.picture)) }
    let operation = filter(after: [BlockOperation {}] + shelves)
    try run(operation.dependencies + [operation])
    expect(
      operation, failsWith: ImageInputError.severalProviders(3),
      "The operation depends on four others, of which three are providers.")
  }

  @Test(arguments: [false, true])
  func `two providers are an error, and no guess`(isOneEmpty: Bool) throws {
    let shelves = [
      ShelfOperation("one", .success(Darkroom.picture)),
      ShelfOperation("two", isOneEmpty ? nil : .success(Darkroom.other)),
    ]
    let operation = filter(after: shelves)
    try run(shelves + [operation])
    expect(
      operation, failsWith: ImageInputError.severalProviders(2),
      """
      The operation depends on two providers\(isOneEmpty ? ", of which one has nothing" : ""). The \
      first one that was added isn't the one that was meant, it's just the first.
      """)
  }

  @Test func `a filter that fails is a failure`() throws {
    let tries = Counter()
    let operation = ImageFilterOperation(input: Darkroom.picture) { _ in
      tries.increment()
      throw DarkroomError.outOfPaper
    }
    let next = filter("next", after: [operation])
    try run([operation, next])
    for operation in [operation, next] {
      expect(
        operation, failsWith: DarkroomError.outOfPaper,
        "A filter has thrown an error, which is the result of its operation.")
    }
    #expect(
      tries.value == 1,
      "A filter that throws was called \(tries.value) times, and must be called once.")
  }

  @Test(arguments: ["the filter", "the provider"])
  func `a cancellation that isn't its own is a failure`(whose: String) throws {
    let isFilters = whose == "the filter"
    let shelf = ShelfOperation(
      "shelf", isFilters ? .success(Darkroom.picture) : .failure(CancellationError()))
    let operation = ImageFilterOperation { image in
      if isFilters { throw CancellationError() }
      return image
    }
    operation.name = "operation"
    operation.addDependency(shelf)
    let next = filter("next", after: [operation])
    try run([shelf, operation, next])
    for operation in [operation, next] {
      #expect(
        failure(of: operation) is CancellationError,
        """
        \(isFilters ? "The filter has thrown" : "The provider has failed with") \
        CancellationError, for something of its own was cancelled; the operation wasn't. The result \
        of \(operation.name ?? "it") must be that error, and is \(text(operation.imageResult)). Only \
        isCancelled tells whether the operation was cancelled.
        """)
    }
    #expect(calls.value == 0, "There was no picture for the next one, and its filter was called.")
  }

  // MARK: - When it's done, and when it isn't

  @Test func `there is no result before it is done`() throws {
    let release = Gate("let the filter end")
    let operation = try mustReturn(
      "init", "It may be called anywhere, and does no work: that belongs in main()."
    ) { [timeline] in
      ImageFilterOperation(input: Darkroom.picture) { image in
        timeline.visit("filter", until: release)
        return Darkroom.turn(image)
      }
    }
    runUntilQuiet()
    #expect(
      timeline.entries(of: "filter") == 0,
      "The operation was only made, and its filter was called: on the thread of whoever made it.")
    queue.addOperation(operation)
    eventually("The filter is never called.") { timeline.isInside("filter") }
    let early = try mustReturn(
      "imageResult, read while the filter works,",
      "Call the filter without the lock; take it only to keep the result or to read it."
    ) { operation.imageResult }
    timeline.mark("result", text(early))
    timeline.expect(
      """
      filter  ├─────────…
      result       ●  nil
      """, "The filter was still at work, and there was a result.")
    release.open()
    try require([operation])
    expect(operation, has: Darkroom.turned, "The filter has returned, so there is a result.")
  }

  @Test func `its result may be read while it asks`() throws {
    let release = Gate("let the provider answer")
    let shelf = ShelfOperation("shelf", .success(Darkroom.picture)) { [timeline] in
      timeline.visit("asked", until: release)
    }
    let operation = filter(after: [shelf])
    queue.addOperations([shelf, operation], waitUntilFinished: false)
    eventually("The provider has finished, and is never asked for its picture.") {
      timeline.isInside("asked")
    }
    let early = try mustReturn(
      "imageResult, read while a provider is asked,",
      """
      The provider is somebody else's code, which may take its time or ask you back: ask it without \
      the lock.
      """
    ) { operation.imageResult }
    timeline.mark("result", text(early))
    timeline.expect(
      """
      asked   ├─────────…
      result       ●  nil
      """, "There was no picture yet, and there was a result.")
    release.open()
    try require([shelf, operation])
    expect(operation, has: Darkroom.turned, "The provider has answered.")
  }

  @Test(arguments: [false, true])
  func `cancelled in its filter, it has no result`(filterThrows: Bool) throws {
    let redButton = RedButton()
    let operation = ImageFilterOperation(input: Darkroom.picture) { [calls] image in
      calls.increment()
      redButton.press()
      if filterThrows { throw DarkroomError.lightLeak }
      return image
    }
    operation.name = "cancelled"
    let next = filter("next", after: [operation])
    redButton.cancels(operation)
    try run([operation, next])
    #expect(
      operation.imageResult == nil,
      """
      The operation was cancelled while its filter worked, and kept \(
        filterThrows ? "the error" : "the picture"). Whoever cancels doesn't want it: look at \
      isCancelled before you keep it.
      """)
    #expect(calls.value == 1, "There was no picture for the next one, and its filter was called.")
    #expect(
      failure(of: next) as? ImageInputError == .providerWasCancelled("cancelled"),
      "The next one runs all the same, and must be told that its provider was cancelled.")
  }

  @Test func `cancelled when it's done, it keeps its result`() throws {
    let operation = filter(input: Darkroom.picture)
    try run([operation])
    operation.cancel()
    expect(
      operation, has: Darkroom.turned,
      "The operation was cancelled when it had finished. What is done is done.")
  }

  @Test func `cancelled before its start, it filters nothing`() throws {
    let operation = filter(input: Darkroom.picture)
    queue.isSuspended = true
    queue.addOperation(operation)
    operation.cancel()
    queue.isSuspended = false
    try require([operation])
    #expect(
      calls.value == 0 && operation.imageResult == nil,
      "The operation was cancelled before it began: its filter mustn't be called, nor has it a result."
    )
  }

  // Nothing but a lock of the answer's orders the operation, which keeps the result, and the reader.
  @Test func `the result may be read while it is kept`() throws {
    let meeting = RelaxedRendezvous()
    let operation = filter(input: Darkroom.picture)
    operation.completionBlock = { meeting.changed() }
    let reader = meeting.looker("imageResult") { _ = operation.imageResult }
    queue.addOperation(operation)
    try reader.result(timersInPlay: true)
    eventually("The operation never finishes.", timersInPlay: true) { operation.isFinished }
    runUntilQuiet()
    expect(operation, has: Darkroom.turned, "The operation has finished.")
  }
}
