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

  @Test func `many in line hold no threads`() throws {
    let inLine = (0..<150).map { StagedOperation("in line \($0)", on: timeline) }
    processing.maxConcurrentOperationCount = 1
    defer { clearUp(inLine) }
    try add(download, to: network)
    let before = processThreadCount() ?? 0
    try mustReturn("add, 150 times,") {
      for operation in inLine {
        chain.add(operation, to: processing, after: [download])
      }
    }
    let more = (processThreadCount() ?? 0) - before
    #expect(
      more < 75,
      """
      150 operations wait for the download, and the process has \(more) threads more than before. A \
      thread that waits costs half a megabyte and does nothing: an operation that depends on another \
      needs none.
      """)
    runUntilQuiet()
    expectInside(["download"], "Everybody else waits for the download.")
  }

  @Test(arguments: [false, true])
  func `the completion block is left to the caller`(isSetLater: Bool) throws {
    defer { clearUp() }
    let calls = Counter()
    if !isSetLater { download.completionBlock = { calls.increment() } }
    try add(decrypt, to: processing, after: [download])
    if isSetLater { download.completionBlock = { calls.increment() } }
    try add(download, to: network)
    download.end()
    let moment = isSetLater ? "after" : "before"
    expectInside(
      ["decrypt"],
      """
      The download has finished. Its completion block was set by the caller, \(moment) decrypt was added, and \
      decrypt must begin whatever stands there: let an operation of your own depend on the download.
      """)
    #expect(
      calls.value == 1,
      """
      The caller gave the download a completion block, \(moment) decrypt was added. It was to be called \
      once, and was called \(calls.value) times: a property of somebody else's is no place to keep \
      something in.
      """)
  }

  @Test func `a busy main thread holds nobody up`() throws {
    let release = Gate("the main thread goes on")
    defer {
      release.open()
      clearUp()
    }
    DispatchQueue.main.async { [timeline] in timeline.visit("main thread", until: release) }
    runUntilQuiet()
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download])
    try add(tiltShift, to: processing, after: [decrypt])
    download.end()
    timeline.expect(
      """
      main thread  ├──────────────────────────────────…
      download          ┆┄┄┄┄├──────────────┤
      decrypt                     ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────…
      tilt-shift                       ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄…
      """,
      """
      The download has finished, while the main thread was busy. None of the operations is in the main \
      queue, and perhaps the main thread waits for one of them: take a queue of your own for what opens \
      the way.
      """)
    try free(tiltShift, from: decrypt)
    timeline.expect(
      """
      main thread  ├────────────────────────────────────────────…
      download          ┆┄┄┄┄├──────────────┤
      decrypt                     ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄├──────────────…
      tilt-shift                       ┆┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄├────…
      free                                            ●  called
      """,
      "The tilt-shift was freed from decrypt, and must begin though the main thread is busy.")
  }

  @Test func `it goes on when nobody holds the chain`() throws {
    defer { clearUp() }
    try mustReturn("add, twice,") {
      let chain = DependencyChain()
      chain.add(decrypt, to: processing, after: [download])
      chain.add(download, to: network)
    }
    runUntilQuiet()
    expectInside(["download"], "Two steps were added to a chain, and decrypt needs the download.")
    download.end()
    expectInside(
      ["decrypt"],
      """
      The download has finished, and nobody holds the chain any more, which was made in a function. What was \
      added goes on: whatever opens the way must not go away with the chain.
      """)
  }

  // MARK: - Set free

  @Test func `freed, it begins though the one before it hasn't finished`() throws {
    defer { clearUp() }
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download])
    try free(decrypt, from: download)
    timeline.expect(
      """
      download  ┆┄┄┄┄├───────────────────…
      decrypt             ┆┄┄┄┄┄┄┄┄┄├────…
      free                     ●  called
      """,
      """
      Decrypt was freed from the download and must begin; the download goes on. removeDependency \
      isn't enough: on Linux the operation is never ready again. Let it depend on one in between, \
      which finishes when you say so.
      """)
    #expect(
      !download.isCancelled && !decrypt.isCancelled,
      "Nobody has asked to cancel a step.")
    decrypt.end()
    download.end()
    timeline.expect(
      """
      download  ┆┄┄┄┄├────────────────────────┤
      decrypt             ┆┄┄┄┄┄┄┄┄┄├────┤
      free                     ●  called
      """, "A step that was freed runs once, also when the other has finished.")
  }

  @Test func `freed from one that was named twice, it begins`() throws {
    defer { clearUp() }
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download, download])
    expectInside(["download"], "Decrypt comes after the download, which was named twice.")
    try free(decrypt, from: download)
    expectInside(
      ["download", "decrypt"],
      "The download was named twice and counts once: freed from it, decrypt has to begin.")
  }

  @Test func `freed again, it runs once`() throws {
    defer { clearUp() }
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download])
    try free(decrypt, from: download)
    try free(decrypt, from: download)
    download.end()
    try free(decrypt, from: download)
    decrypt.end()
    try free(decrypt, from: download)
    #expect(
      timeline.entries(of: "decrypt") == 1,
      timeline.showing(
        """
        It was freed twice, once more when the download had finished, and again when it had run itself. \
        Where it doesn't wait any longer, nothing happens.
        """))
  }

  // Nothing but a lock of the answer's orders the two.
  @Test func `two threads may free it at once`() throws {
    let decrypt = OperationWithAKnownList()
    defer { clearUp() }
    try add(download, to: network)
    processing.isSuspended = true
    try add(decrypt, to: processing, after: [download])
    decrypt.noteDependencies()
    try free(decrypt, from: tiltShift)
    try meet(
      "free", { chain.free(decrypt, from: download) }, { chain.free(decrypt, from: download) })
    processing.isSuspended = false
    runUntilQuiet()
    #expect(decrypt.isFinished, "Two threads have freed it at once, and it never ran.")
  }

  @Test func `freed from one that never comes, it begins`() throws {
    defer { clearUp() }
    try add(decrypt, to: processing, after: [download])
    try free(decrypt, from: download)
    expectInside(
      ["decrypt"], "The download is in no queue at all; freed from it, this step begins.")
  }

  @Test func `freed from one, it waits for the others`() throws {
    let key = StagedOperation("key", on: timeline)
    defer { clearUp([key]) }
    try add(download, to: network)
    try add(key, to: network)
    try add(decrypt, to: processing, after: [download, key])
    try free(decrypt, from: download)
    expectInside(["download", "key"], "Decrypt was freed from the download, and needs the key.")
    key.end()
    expectInside(["download", "decrypt"], "The key is there, and it was freed from the download.")
  }

  // decrypt comes after the download and the key
  // download     key
  // leaves       stays
  // decrypt is freed from the download, twice: waits
  //              leaves
  // decrypt enters
  @Test(arguments: DownloadEnd.allCases)
  func `freed from one that has finished, it waits for the others`(moment: DownloadEnd) throws {
    let key = StagedOperation("key", on: timeline)
    defer { clearUp([key]) }
    try add(download, to: network)
    try add(key, to: network)
    if moment == .beforeAdding { download.end() }
    try add(decrypt, to: processing, after: [download, key])
    if moment == .beforeFreeing { download.end() }
    try free(decrypt, from: download)
    if moment == .afterFreeing { download.end() }
    try free(decrypt, from: download)
    expectInside(
      ["key"],
      """
      The download has finished \(moment.rawValue), and decrypt was freed from it, twice. But it needs the \
      key, which isn't there. If you count what it waits for, each dependency counts once, whether it \
      finishes or is freed.
      """)
    key.end()
    expectInside(["decrypt"], "The download and the key have finished: nothing holds decrypt up.")
  }

  @Test func `freed, it waits for room in its queue`() throws {
    defer { clearUp() }
    processing.isSuspended = true
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download])
    try free(decrypt, from: download)
    expectInside(["download"], "Its queue is suspended: being free to begin doesn't mean to begin.")
    processing.isSuspended = false
    runUntilQuiet()
    expectInside(
      ["download", "decrypt"], "Its queue runs again, and it was freed from the download.")
  }

  @Test func `who wasn't freed goes on waiting`() throws {
    let thumbnail = StagedOperation("thumbnail", on: timeline)
    defer { clearUp([thumbnail]) }
    try add(download, to: network)
    try add(decrypt, to: processing, after: [download])
    try add(thumbnail, to: processing, after: [download])
    try free(tiltShift, from: download)
    expectInside(["download"], "The step that was freed wasn't waiting: nothing may change.")
    try free(decrypt, from: download)
    expectInside(
      ["download", "decrypt"], "Only decrypt was freed; the thumbnail needs the download.")
    download.end()
    expectInside(["decrypt", "thumbnail"], "The download has finished: the thumbnail may begin.")
  }
}
