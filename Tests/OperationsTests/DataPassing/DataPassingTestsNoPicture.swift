import Foundation
import Images
import KataTesting
import Testing

extension DataPassingTests {
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
    let tries = SharedCounter()
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
}
