import Foundation
import KataTesting
import Testing

/// Proves that each step begins when its dependencies have finished, across two queues; and that a
/// step that is freed from one of them begins without it, once, and still waits for the others.
@Suite(.serialized, .kata) struct DependencyChainTests {
  let chain = DependencyChain()
  let timeline = Timeline()
  let network = OperationQueue()
  let processing = OperationQueue()
  /// The steps that a picture goes through, in the order in which they must run.
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
      Three steps were added, each after the one before it, and not only the first has begun. Each \
      must begin when the one before it has finished. Add the dependencies before the operation is \
      in its queue.
      """)
    download.end()
    timeline.expect(
      """
      download    ┆┄┄┄┄├──────────────┤
      decrypt               ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────…
      tilt-shift                 ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      """, "The download has finished, in another queue, so decrypt must begin.")
    decrypt.end()
    timeline.expect(
      """
      download    ┆┄┄┄┄├──────────────┤
      decrypt               ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────┤
      tilt-shift                 ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────…
      """, "decrypt has finished, so the tilt-shift must begin.")
    tiltShift.end()
    let areFinished = steps.allSatisfy { $0.isFinished }
    #expect(areFinished, timeline.showing("All three steps have ended, and must be finished."))
  }

  // The queue is one wide: an operation that executes there and waits for another waits for ever.
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
        The steps were added in the order \(added): the download to one queue, the others to \
        another that runs one at a time. A step that waits must not take the place of another.
        """)
      step.end()
    }
  }

  // An answer that adds dependencies to an operation in a queue may be too late. This queue starts
  // operations that are ready before it returns, so it's too late every time.
  @Test func `its dependencies are added before it is in its queue`() throws {
    let prompt = PromptQueue()
    defer { clearUp() }
    try mustReturn("add", timersInPlay: true) {
      chain.add(decrypt, to: prompt, after: [download])
    }
    runUntilQuiet()
    expectInside(
      [],
      """
      The download isn't in a queue yet, so decrypt must wait for it. An operation may begin as \
      soon as it's in its queue: add its dependencies before.
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
      decrypt was added, and it isn't in its queue: a thread that waits until that queue is empty \
      continues too early. It must be there when add returns. Add it at once; while it waits for \
      dependencies, it takes no place.
      """)
    processing.cancelAllOperations()
    runUntilQuiet()
    let isGone = decrypt.isCancelled && decrypt.isFinished
    #expect(
      isGone,
      """
      All operations of its queue were cancelled, so decrypt must be cancelled and leave the \
      queue.
      """)
    download.end()
    expectInside([], "decrypt was cancelled with its queue, so it never executes.")
  }

  @Test func `it waits for all its dependencies`() throws {
    let key = StagedOperation("key", on: timeline)
    let other = StagedOperation("decrypt too", on: timeline)
    defer { clearUp([key, other]) }
    try add(decrypt, to: processing, after: [download, key])
    try add(other, to: processing, after: [key, download])
    try add(download, to: network)
    try add(key, to: network)
    key.end()
    expectInside(
      ["download"],
      "Two steps wait for the key and the download, and the download hasn't finished.")
    download.end()
    expectInside(["decrypt", "decrypt too"], "Both the key and the download have finished.")
  }

  @Test func `a dependency that has finished before holds nothing up`() throws {
    defer { clearUp() }
    try add(download, to: network)
    download.end()
    try add(decrypt, to: processing, after: [download])
    expectInside(
      ["decrypt"],
      "The download had finished before this step was added, so it doesn't wait.")
  }

  @Test(arguments: [false, true])
  func `a cancelled operation is waited for until it has left its queue`(isBefore: Bool) throws {
    defer { clearUp() }
    network.isSuspended = true
    try add(download, to: network)
    if isBefore { download.cancel() }
    try add(decrypt, to: processing, after: [download])
    if !isBefore { download.cancel() }
    runUntilQuiet()
    expectInside([], "The download was cancelled and is still in its queue, so it hasn't finished.")
    network.isSuspended = false
    runUntilQuiet()
    expectInside(
      ["decrypt"], "The cancelled download has left its queue, so this step must begin.")
  }
}
