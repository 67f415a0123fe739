import Foundation
import KataTesting
import Testing

/// Proves that each step begins when those before it have finished, over two queues, and that one that is
/// freed from another begins without it, once, and still waits for the rest.
@Suite(.serialized, .kata) struct DependencyChainTests {
  let chain = DependencyChain()
  let steps = PictureSteps()

  // MARK: - One after another

  // network      processing
  // download
  //              decrypt
  //              tilt-shift
  @Test func `each step begins when the one before it has finished`() throws {
    defer { steps.clear() }
    try add(steps.download, to: steps.network)
    try add(steps.decrypt, to: steps.processing, after: [steps.download])
    try add(steps.tiltShift, to: steps.processing, after: [steps.decrypt])
    expectInside(
      ["download"],
      """
      Three steps were added, each after the one before it. Say with addDependency what comes after \
      what, then add the operation to its queue.
      """)
    end(steps.download)
    expectInside(["decrypt"], "The download has finished, in another queue: decrypt may begin.")
    end(steps.decrypt)
    expectInside(["tilt-shift"], "It is decrypted: the tilt-shift may begin.")
    end(steps.tiltShift)
    let areFinished = steps.all.allSatisfy { $0.isFinished }
    #expect(areFinished, steps.timeline.showing("All three steps must be finished."))
  }

  // The one-wide queue: whoever waits in there for another one of that queue waits for ever.
  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
  func `the order of adding doesn't matter`(order: [Int]) throws {
    defer { steps.clear() }
    steps.processing.maxConcurrentOperationCount = 1
    for index in order {
      try add(
        steps.all[index], to: index == 0 ? steps.network : steps.processing,
        after: index == 0 ? [] : [steps.all[index - 1]])
    }
    let added = order.map { steps.all[$0].label }.joined(separator: ", ")
    for step in steps.all {
      expectInside(
        [step.label],
        """
        Added in the order \(added), to a queue for the download and to one for the rest, where one \
        runs at a time. A step that waits mustn't take the room of another.
        """)
      end(step)
    }
  }

  // Whoever adds dependencies to an operation that is in its queue may be too late. This queue has
  // begun what may begin before it returns, so it's too late every time.
  @Test func `it depends on others before it is in its queue`() throws {
    let prompt = PromptQueue()
    defer { steps.clear() }
    try mustReturn("add", timersInPlay: true) { [chain, steps] in
      chain.add(steps.decrypt, to: prompt, after: [steps.download])
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
    defer { steps.clear() }
    try add(steps.download, to: steps.network)
    try add(steps.decrypt, to: steps.processing, after: [steps.download])
    let isThere = steps.processing.operations.contains(steps.decrypt)
    #expect(
      isThere,
      """
      decrypt was added, and its queue doesn't know of it: whoever waits until that queue is empty goes on \
      too early. Add it to its queue at once; an operation that waits for another one takes no room.
      """)
    steps.processing.cancelAllOperations()
    runUntilQuiet()
    let isGone = steps.decrypt.isCancelled && steps.decrypt.isFinished
    #expect(
      isGone,
      "All operations of the queue were cancelled: decrypt is one of them, and has to leave.")
    end(steps.download)
    expectInside([], "decrypt was cancelled with its queue, so it never works.")
  }

  @Test func `it waits for all that it comes after`() throws {
    let key = StagedOperation("key", on: steps.timeline)
    let other = StagedOperation("decrypt too", on: steps.timeline)
    defer { steps.clear(key, other) }
    try add(steps.decrypt, to: steps.processing, after: [steps.download, key])
    try add(other, to: steps.processing, after: [key, steps.download])
    try add(steps.download, to: steps.network)
    try add(key, to: steps.network)
    end(key)
    expectInside(["download"], "Two steps need the key and the download, and that isn't finished.")
    end(steps.download)
    expectInside(["decrypt", "decrypt too"], "Both the key and the download are there.")
  }

  @Test func `what has finished before holds nobody up`() throws {
    defer { steps.clear() }
    try add(steps.download, to: steps.network)
    end(steps.download)
    try add(steps.decrypt, to: steps.processing, after: [steps.download])
    expectInside(["decrypt"], "The download had finished before this step was added.")
  }

  @Test(arguments: [false, true])
  func `a cancelled one is waited for until it has left`(isBefore: Bool) throws {
    defer { steps.clear() }
    steps.network.isSuspended = true
    try add(steps.download, to: steps.network)
    if isBefore { steps.download.cancel() }
    try add(steps.decrypt, to: steps.processing, after: [steps.download])
    if !isBefore { steps.download.cancel() }
    runUntilQuiet()
    expectInside([], "The download is cancelled and is still in its queue: it hasn't finished.")
    steps.network.isSuspended = false
    runUntilQuiet()
    expectInside(
      ["decrypt"], "The cancelled download has left its queue: nothing holds this step up.")
  }

  @Test func `many in line hold no threads`() throws {
    let inLine = (0..<150).map { StagedOperation("in line \($0)", on: steps.timeline) }
    steps.processing.maxConcurrentOperationCount = 1
    defer {
      for operation in inLine { operation.cancel() }
      steps.clear()
    }
    try add(steps.download, to: steps.network)
    let before = processThreadCount() ?? 0
    try mustReturn("add, 150 times,") { [chain, steps] in
      for operation in inLine {
        chain.add(operation, to: steps.processing, after: [steps.download])
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
    defer { steps.clear() }
    let calls = Counter()
    if !isSetLater { steps.download.completionBlock = { calls.increment() } }
    try add(steps.decrypt, to: steps.processing, after: [steps.download])
    if isSetLater { steps.download.completionBlock = { calls.increment() } }
    try add(steps.download, to: steps.network)
    end(steps.download)
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

  // main thread   download      decrypt       tilt-shift
  // is held       enters
  //               leaves
  //                             enters
  //                                           is freed: enters
  // goes on
  @Test func `a busy main thread holds nobody up`() throws {
    let release = Gate("the main thread goes on")
    defer {
      release.open()
      steps.clear()
    }
    DispatchQueue.main.async { release.wait() }
    runUntilQuiet()
    try add(steps.download, to: steps.network)
    try add(steps.decrypt, to: steps.processing, after: [steps.download])
    try add(steps.tiltShift, to: steps.processing, after: [steps.decrypt])
    end(steps.download)
    expectInside(
      ["decrypt"],
      """
      The download has finished, while the main thread was busy. None of the operations is in the main \
      queue, and perhaps the main thread waits for one of them: take a queue of your own for what opens \
      the way.
      """)
    try free(steps.tiltShift, from: steps.decrypt)
    expectInside(
      ["decrypt", "tilt-shift"],
      "The tilt-shift was freed from decrypt, and must begin though the main thread is busy.")
  }

  @Test func `it goes on when nobody holds the chain`() throws {
    defer { steps.clear() }
    try mustReturn("add, twice,") { [steps] in
      let chain = DependencyChain()
      chain.add(steps.decrypt, to: steps.processing, after: [steps.download])
      chain.add(steps.download, to: steps.network)
    }
    runUntilQuiet()
    expectInside(["download"], "Two steps were added to a chain, and decrypt needs the download.")
    end(steps.download)
    expectInside(
      ["decrypt"],
      """
      The download has finished, and nobody holds the chain any more, which was made in a function. What was \
      added goes on: whatever opens the way must not go away with the chain.
      """)
  }

  // MARK: - Set free

  // download     decrypt
  // enters
  //              waits
  //              is freed: enters
  // stays
  @Test func `freed, it begins though the one before it hasn't finished`() throws {
    defer { steps.clear() }
    try add(steps.download, to: steps.network)
    try add(steps.decrypt, to: steps.processing, after: [steps.download])
    try free(steps.decrypt, from: steps.download)
    expectInside(
      ["download", "decrypt"],
      """
      Decrypt was freed from the download and must begin; the download goes on. removeDependency \
      isn't enough: on Linux the operation is never ready again. Let it depend on one in between, \
      which finishes when you say so.
      """)
    #expect(
      !steps.download.isCancelled && !steps.decrypt.isCancelled,
      "Nobody has asked to cancel a step.")
    end(steps.decrypt)
    end(steps.download)
    #expect(
      steps.timeline.entries(of: "decrypt") == 1,
      steps.timeline.showing("A step that was freed runs once, also when the other has finished."))
  }

  @Test func `freed from one that was named twice, it begins`() throws {
    defer { steps.clear() }
    try add(steps.download, to: steps.network)
    try add(steps.decrypt, to: steps.processing, after: [steps.download, steps.download])
    expectInside(["download"], "Decrypt comes after the download, which was named twice.")
    try free(steps.decrypt, from: steps.download)
    expectInside(
      ["download", "decrypt"],
      "The download was named twice and counts once: freed from it, decrypt has to begin.")
  }

  @Test func `freed again, it runs once`() throws {
    defer { steps.clear() }
    try add(steps.download, to: steps.network)
    try add(steps.decrypt, to: steps.processing, after: [steps.download])
    try free(steps.decrypt, from: steps.download)
    try free(steps.decrypt, from: steps.download)
    end(steps.download)
    try free(steps.decrypt, from: steps.download)
    end(steps.decrypt)
    try free(steps.decrypt, from: steps.download)
    #expect(
      steps.timeline.entries(of: "decrypt") == 1,
      steps.timeline.showing(
        """
        It was freed twice, once more when the download had finished, and again when it had run itself. \
        Where it doesn't wait any longer, nothing happens.
        """))
  }

  // one thread     the other
  // frees it
  //                frees it: nothing but a lock of the answer's orders the two
  @Test func `two threads may free it at once`() throws {
    let decrypt = OperationWithAKnownList()
    defer { steps.clear() }
    try add(steps.download, to: steps.network)
    steps.processing.isSuspended = true
    try add(decrypt, to: steps.processing, after: [steps.download])
    decrypt.noteDependencies()
    try free(decrypt, from: steps.tiltShift)
    let meeting = RelaxedRendezvous()
    let other = meeting.looker("free") { [chain, steps] in
      chain.free(decrypt, from: steps.download)
    }
    let one = TestThread("free") { [chain, steps] in
      chain.free(decrypt, from: steps.download)
      meeting.changed()
    }
    try one.result(timersInPlay: true)
    try other.result(timersInPlay: true)
    steps.processing.isSuspended = false
    runUntilQuiet()
    #expect(decrypt.isFinished, "Two threads have freed it at once, and it never ran.")
  }

  @Test func `freed from one that never comes, it begins`() throws {
    defer { steps.clear() }
    try add(steps.decrypt, to: steps.processing, after: [steps.download])
    try free(steps.decrypt, from: steps.download)
    expectInside(
      ["decrypt"], "The download is in no queue at all; freed from it, this step begins.")
  }

  @Test func `freed from one, it waits for the others`() throws {
    let key = StagedOperation("key", on: steps.timeline)
    defer { steps.clear(key) }
    try add(steps.download, to: steps.network)
    try add(key, to: steps.network)
    try add(steps.decrypt, to: steps.processing, after: [steps.download, key])
    try free(steps.decrypt, from: steps.download)
    expectInside(["download", "key"], "Decrypt was freed from the download, and needs the key.")
    end(key)
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
    let key = StagedOperation("key", on: steps.timeline)
    defer { steps.clear(key) }
    try add(steps.download, to: steps.network)
    try add(key, to: steps.network)
    if moment == .beforeAdding { end(steps.download) }
    try add(steps.decrypt, to: steps.processing, after: [steps.download, key])
    if moment == .beforeFreeing { end(steps.download) }
    try free(steps.decrypt, from: steps.download)
    if moment == .afterFreeing { end(steps.download) }
    try free(steps.decrypt, from: steps.download)
    expectInside(
      ["key"],
      """
      The download has finished \(moment.rawValue), and decrypt was freed from it, twice. But it needs the \
      key, which isn't there. If you count what it waits for, each dependency counts once, whether it \
      finishes or is freed.
      """)
    end(key)
    expectInside(["decrypt"], "The download and the key have finished: nothing holds decrypt up.")
  }

  @Test func `freed, it waits for room in its queue`() throws {
    defer { steps.clear() }
    steps.processing.isSuspended = true
    try add(steps.download, to: steps.network)
    try add(steps.decrypt, to: steps.processing, after: [steps.download])
    try free(steps.decrypt, from: steps.download)
    expectInside(["download"], "Its queue is suspended: being free to begin doesn't mean to begin.")
    steps.processing.isSuspended = false
    runUntilQuiet()
    expectInside(
      ["download", "decrypt"], "Its queue runs again, and it was freed from the download.")
  }

  @Test func `who wasn't freed goes on waiting`() throws {
    let thumbnail = StagedOperation("thumbnail", on: steps.timeline)
    defer { steps.clear(thumbnail) }
    try add(steps.download, to: steps.network)
    try add(steps.decrypt, to: steps.processing, after: [steps.download])
    try add(thumbnail, to: steps.processing, after: [steps.download])
    try free(steps.tiltShift, from: steps.download)
    expectInside(["download"], "The step that was freed wasn't waiting: nothing may change.")
    try free(steps.decrypt, from: steps.download)
    expectInside(
      ["download", "decrypt"], "Only decrypt was freed; the thumbnail needs the download.")
    end(steps.download)
    expectInside(["decrypt", "thumbnail"], "The download has finished: the thumbnail may begin.")
  }
}
