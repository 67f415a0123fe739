import Foundation
import Images
import KataTesting
import Testing

extension DataPassingTests {
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
