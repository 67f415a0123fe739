import Foundation
import Images
import KataTesting
import Testing

extension DataPassingTests {
  // MARK: - Before the end, and after it

  @Test func `it has no result before the filter has returned`() throws {
    let release = Gate("let the filter end")
    let operation = try mustReturn(
      "init", "init must return without any work: the work belongs in main()."
    ) { [timeline] in
      ImageFilterOperation(input: Darkroom.picture) { image in
        timeline.visit("filter", until: release)
        return Darkroom.turn(image)
      }
    }
    runUntilQuiet()
    #expect(
      timeline.entries(of: "filter") == 0,
      "The operation was created, but not started, and its filter was called. Call it in main().")
    queue.addOperation(operation)
    eventually("The filter was never called.") { timeline.isInside("filter") }
    let early = try mustReturn(
      "imageResult, read while the filter works,",
      "Hold no lock while the filter runs; take it only to store the result or to read it."
    ) { operation.imageResult }
    timeline.mark("result", text(early))
    timeline.expect(
      """
      filter  ├─────────…
      result       ●  nil
      """,
      """
      The filter still ran, and imageResult wasn't nil. It must be nil until the filter has \
      returned.
      """)
    release.open()
    try require([operation])
    expect(
      operation, has: Darkroom.turned,
      "The filter has returned, so its picture must be the result.")
  }

  @Test func `its result may be read while it asks its provider`() throws {
    let release = Gate("let the provider answer")
    let shelf = ShelfOperation("shelf", .success(Darkroom.picture)) { [timeline] in
      timeline.visit("asked", until: release)
    }
    let operation = filter(after: [shelf])
    queue.addOperations([shelf, operation], waitUntilFinished: false)
    eventually("The provider has finished, and was never asked for its picture.") {
      timeline.isInside("asked")
    }
    let early = try mustReturn(
      "imageResult, read while a provider is asked,",
      """
      The provider's code is unknown: it may take long, or wait for a thread that reads this \
      result. Ask it without holding a lock.
      """
    ) { operation.imageResult }
    timeline.mark("result", text(early))
    timeline.expect(
      """
      asked   ├─────────…
      result       ●  nil
      """, "The provider hasn't returned its picture yet, and imageResult wasn't nil.")
    release.open()
    try require([shelf, operation])
    expect(
      operation, has: Darkroom.turned,
      "The provider has returned its picture, so there must be a result.")
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
      The operation was cancelled while its filter ran, and stored \(
        filterThrows ? "the error" : "the picture"). It must have no result then: check \
      isCancelled before you store it.
      """)
    #expect(
      calls.value == 1,
      "The next operation had no picture, and its filter was called. It must not be called then.")
    #expect(
      failure(of: next) as? ImageInputError == .providerWasCancelled("cancelled"),
      """
      The next operation runs all the same, and its result must be the error that its provider was \
      cancelled.
      """)
  }

  @Test(arguments: ["has a picture", "has failed", "has nothing"])
  func `cancelled while it asks its provider, it has no result`(provider: String) throws {
    let content: Result<RGBImage, any Error>? =
      switch provider {
      case "has a picture": .success(Darkroom.picture)
      case "has failed": .failure(DarkroomError.lightLeak)
      default: nil
      }
    let redButton = RedButton()
    let shelf = ShelfOperation("shelf", content) { redButton.press() }
    let operation = filter(after: [shelf])
    redButton.cancels(operation)
    try run([shelf, operation])
    #expect(
      operation.imageResult == nil,
      """
      The operation was cancelled while it asked its provider, which \(provider), and its result \
      is \(text(operation.imageResult)). It must have no result then, neither a picture nor an \
      error.
      """)
  }

  @Test func `cancelled after it has finished, it keeps its result`() throws {
    let operation = filter(input: Darkroom.picture)
    try run([operation])
    operation.cancel()
    expect(
      operation, has: Darkroom.turned,
      "The operation was cancelled after it had finished, so its result must stay as it is.")
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
      """
      The operation was cancelled before its start, so its filter mustn't be called, and it has no \
      result.
      """
    )
  }

  // Only the answer's lock orders the operation, which stores the result, and the reader.
  @Test func `the result may be read while it is stored`() throws {
    let meeting = RelaxedRendezvous()
    let operation = filter(input: Darkroom.picture)
    operation.completionBlock = { meeting.changed() }
    let reader = meeting.looker("imageResult") { _ = operation.imageResult }
    queue.addOperation(operation)
    try reader.result(timersInPlay: true)
    eventually("The operation never finished.", timersInPlay: true) { operation.isFinished }
    runUntilQuiet()
    expect(
      operation, has: Darkroom.turned,
      "The operation has finished, so it must have its result.")
  }
}
