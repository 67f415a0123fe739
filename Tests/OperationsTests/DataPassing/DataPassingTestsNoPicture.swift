import Foundation
import Images
import KataTesting
import Testing

extension DataPassingTests {
  // MARK: - Without a picture

  @Test(arguments: [false, true])
  func `a provider's error is passed on`(cancelsItself: Bool) throws {
    let shelf = ShelfOperation(
      "shelf", .failure(DarkroomError.lightLeak), cancelsItself: cancelsItself)
    let first = filter("first", after: [shelf])
    let second = filter("second", after: [first])
    try run([shelf, first, second])
    for operation in [first, second] {
      expect(
        operation, failsWith: DarkroomError.lightLeak,
        """
        The provider has failed with an error\(cancelsItself ? ", and was cancelled meanwhile" : ""). \
        The end of the chain must show what went wrong at its beginning: pass the error on as it is.
        """)
    }
  }

  @Test(arguments: [false, true])
  func `a cancelled provider is an error`(isFilter: Bool) throws {
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
        source was cancelled before it ran, so it has no picture and never will. Its dependents \
        run all the same, and need an error of their own.
        """)
    }
  }

  @Test func `a provider without a name is named by its type`() throws {
    for isCancelled in [true, false] {
      let shelf = ShelfOperation("", nil)
      shelf.name = nil
      if isCancelled { shelf.cancel() }
      let operation = filter(after: [shelf])
      try run([shelf, operation])
      // With its module, it's the type's name as well.
      let long = String(reflecting: ShelfOperation.self)
      let name = "\(text(operation.imageResult))".contains(long) ? long : "ShelfOperation"
      let error: ImageInputError =
        isCancelled ? .providerWasCancelled(name) : .providerHasNothing(name)
      expect(
        operation, failsWith: error,
        "Its provider has no name, and \"\" identifies no operation: use the type's name.")
    }
  }

  @Test func `a provider without a result is an error`() throws {
    let shelf = ShelfOperation("shelf", nil)
    let operation = filter(after: [shelf])
    try run([shelf, operation])
    expect(
      operation, failsWith: ImageInputError.providerHasNothing("shelf"),
      "The provider has finished without a result, and it wasn't cancelled.")
  }

  @Test func `a picture of a cancelled provider is used`() throws {
    let shelf = ShelfOperation("shelf", .success(Darkroom.picture), cancelsItself: true)
    let operation = filter(after: [shelf])
    try run([shelf, operation])
    expect(
      operation, has: Darkroom.turned,
      """
      The provider was cancelled late and has a picture, which must be used. Read its result \
      first, and check whether it was cancelled only if there is none.
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
      The operation was given no picture, and none of its dependencies is an ImageProvider. \
      Dependencies of its dependencies don't count: they may be there only for the order.
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
  func `two providers are an error`(isOneEmpty: Bool) throws {
    let shelves = [
      ShelfOperation("one", .success(Darkroom.picture)),
      ShelfOperation("two", isOneEmpty ? nil : .success(Darkroom.other)),
    ]
    let operation = filter(after: shelves)
    try run(shelves + [operation])
    expect(
      operation, failsWith: ImageInputError.severalProviders(2),
      """
      The operation depends on two providers\(isOneEmpty ? ", of which one has nothing" : ""). \
      It's unclear which picture is meant, so don't choose one of them.
      """)
  }

  @Test func `a filter's error becomes the result`() throws {
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
        "A filter has thrown an error, which must become the result of its operation.")
    }
    #expect(
      tries.value == 1,
      "A filter that throws was called \(tries.value) times. It must be called once.")
  }

  @Test(arguments: ["the filter", "the provider"])
  func `another's cancellation is an error like any other`(whose: String) throws {
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
        \(isFilters ? "The filter has thrown" : "The provider has failed with") CancellationError \
        because work of its own was cancelled; the operation wasn't. The result of \
        \(operation.name ?? "it") is \(text(operation.imageResult)), and must be that error. Only \
        isCancelled says whether the operation was cancelled.
        """)
    }
    #expect(
      calls.value == 0,
      "The next operation had no picture, and its filter was called. It must not be called then.")
  }
}
