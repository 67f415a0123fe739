import Foundation
import KataTesting
import Testing

/// Proves that each step begins when those before it have finished, over two queues, and that one that is
/// freed from another begins without it, once, and still waits for the rest.
@Suite(.serialized, .kata) struct DependencyChainTests {
  let chain = DependencyChain()
  let timeline = Timeline()
  let network = OperationQueue()
  let processing = OperationQueue()
  /// What becomes of a picture, in the order in which it must run.
  let steps: [StagedOperation]

  var download: StagedOperation { steps[0] }
  var decrypt: StagedOperation { steps[1] }
  var tiltShift: StagedOperation { steps[2] }

  init() {
    steps = timeline.jobs("download", "decrypt", "tilt-shift")
  }

  // MARK: - One after another

  @Test func `each step begins when the one before it has finished`() throws {
    defer { clearUp() }
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download])
    try add(tiltShift, to: processing, after: [decrypt])
    timeline.expect(
      """
      download    ┆┄┄┄┄├──────────────…
      decrypt               ┆┄┄┄┄┄┄┄┄┄…
      tilt-shift                 ┆┄┄┄┄…
      """,
      """
      Three steps were added, each after the one before it. Say with addDependency what comes after \
      what, then add the operation to its queue.
      """)
    download.end()
    timeline.expect(
      """
      download    ┆┄┄┄┄├──────────────┤
      decrypt               ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────…
      tilt-shift                 ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      """, "The download has finished, in another queue: decrypt may begin.")
    decrypt.end()
    timeline.expect(
      """
      download    ┆┄┄┄┄├──────────────┤
      decrypt               ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      tilt-shift                 ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────…
      """, "It is decrypted: the tilt-shift may begin.")
    tiltShift.end()
    let areFinished = steps.allSatisfy { $0.isFinished }
    #expect(areFinished, timeline.showing("All three steps must be finished."))
  }

  // The one-wide queue: whoever waits in there for another one of that queue waits for ever.
  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func `the order of adding doesn't matter`(order: [Int]) throws {
    defer { clearUp() }
    processing.maxConcurrentOperationCount = 1
    for index in order {
      try add(
        steps[index], to: index == 0 ? network : processing,
        after: index == 0 ? [] : [steps[index - 1]])
    }
    let added = order.map { steps[$0].label }.joined(separator: ", ")
    for step in steps {
      expectInside(
        [step.label],
        """
        Added in the order \(added), to a queue for the download and to one for the rest, where one \
        runs at a time. A step that waits mustn't take the room of another.
        """)
      step.end()
    }
  }

  // Whoever adds dependencies to an operation that is in its queue may be too late. This queue has
  // begun what may begin before it returns, so it's too late every time.
  @Test func `it depends on others before it is in its queue`() throws {
    let prompt = PromptQueue()
    defer { clearUp() }
    try mustReturn("add", timersInPlay: true) {
      chain.add(decrypt, to: prompt, after: [download])
    }
    runUntilQuiet()
    expectInside(
      [],
      """
      Nothing was downloaded yet. An operation may begin as soon as it's in its queue: add its \
      dependencies before that.
      """)
  }

  @Test func `it is in its queue when add has returned`() throws {
    defer { clearUp() }
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download])
    let isThere = processing.operations.contains(decrypt)
    #expect(
      isThere,
      """
      decrypt was added, and its queue doesn't know of it: whoever waits until that queue is empty goes on \
      too early. Add it to its queue at once; an operation that waits for another one takes no room.
      """)
    processing.cancelAllOperations()
    runUntilQuiet()
    let isGone = decrypt.isCancelled && decrypt.isFinished
    #expect(
      isGone,
      "All operations of the queue were cancelled: decrypt is one of them, and has to leave.")
    download.end()
    expectInside([], "decrypt was cancelled with its queue, so it never works.")
  }

  @Test func `it waits for all that it comes after`() throws {
    let key = StagedOperation("key", on: timeline)
    let other = StagedOperation("decrypt too", on: timeline)
    defer { clearUp([key, other]) }
    try add(decrypt, to: processing, after: [download, key])
    try add(other, to: processing, after: [key, download])
    try add(download, to: network)
    try add(key, to: network)
    key.end()
    expectInside(["download"], "Two steps need the key and the download, and that isn't finished.")
    download.end()
    expectInside(["decrypt", "decrypt too"], "Both the key and the download are there.")
  }

  @Test func `what has finished before holds nobody up`() throws {
    defer { clearUp() }
    try add(download, to: network)
    download.end()
    try add(decrypt, to: processing, after: [download])
    expectInside(["decrypt"], "The download had finished before this step was added.")
  }

  @Test(arguments: [false, true])
  func `a cancelled one is waited for until it has left`(isBefore: Bool) throws {
    defer { clearUp() }
    network.isSuspended = true
    try add(download, to: network)
    if isBefore { download.cancel() }
    try add(decrypt, to: processing, after: [download])
    if !isBefore { download.cancel() }
    runUntilQuiet()
    expectInside([], "The download is cancelled and is still in its queue: it hasn't finished.")
    network.isSuspended = false
    runUntilQuiet()
    expectInside(
      ["decrypt"], "The cancelled download has left its queue: nothing holds this step up.")
  }
}
