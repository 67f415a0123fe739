import Foundation
import Images
import KataTesting
import Testing

#if !KATA_REFERENCE
  import enum AsyncOperations.DownloadError  // The one that the answer builds on.
#endif

extension ImagePipelineTests {
  // MARK: - Cancellation

  @Test func `cancelled while it downloads, it ends`() throws {
    let server = try LoopbackServer { _ in .slowly(body: Data("body".utf8), until: Gate("the rest"))
    }
    let record = StepRecord()
    let pipeline = room.pipeline(from: server.url("/"), to: "a", steps: record.steps())
    let run = try start(pipeline)
    eventually("The pipeline never sent its request.", timersInPlay: true) {
      !server.requests.isEmpty
    }
    try mustReturn("cancel()", timersInPlay: true) { pipeline.cancel() }
    expectCancelled(run, record, steps: [])
  }

  @Test func `cancelled before its turn, it sends nothing`() throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let record = StepRecord()
    queue.isSuspended = true
    let pipeline = room.pipeline(from: server.url("/"), to: "a", steps: record.steps())
    let run = try start(pipeline)
    try mustReturn("cancel()", timersInPlay: true) { pipeline.cancel() }
    queue.isSuspended = false
    expectCancelled(run, record, steps: [])
    #expect(server.requests.isEmpty, "It was cancelled before its turn, and has sent its request.")
  }

  @Test(arguments: ["decode", "filter"])
  func `cancelled while it decodes or filters, it goes no further`(step: String) throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let (working, record) = (Gate(step), StepRecord())
    let pipeline = room.pipeline(
      from: server.url("/"), to: "a", steps: record.steps(waiting: step, for: working))
    let run = try start(pipeline)
    eventually("The picture has come, and \(step) was never called.", timersInPlay: true) {
      working.waiting > 0
    }
    try mustReturn(
      "cancel()", "A step is under way: call it without a lock that cancel() needs.",
      timersInPlay: true
    ) { pipeline.cancel() }
    working.open()
    let all = ["decode body", "filter decoded"]
    expectCancelled(run, record, steps: step == "decode" ? ["decode body"] : all)
  }

  // save            whoever cancels
  // begins
  //                 cancels
  // ends: the file is there, or it throws
  @Test(arguments: [true, false])
  func `cancelled while it saves, it says how that ended`(isSaved: Bool) throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let (saving, record) = (Gate("save"), StepRecord())
    let steps = record.steps(failing: isSaved ? nil : "save", waiting: "save", for: saving)
    let pipeline = room.pipeline(from: server.url("/"), to: "a", steps: steps)
    let run = try start(pipeline)
    eventually("The picture has come, and save was never called.", timersInPlay: true) {
      saving.waiting > 0
    }
    try mustReturn("cancel()", timersInPlay: true) { pipeline.cancel() }
    saving.open()
    if isSaved {
      expectSaved(run, "a")
    } else {
      expectFailed(run) { $0 as? StepFailure == StepFailure(step: "save") }
    }
  }

  // decode           whoever cancels
  // begins
  //                  suspends the queue
  // throws
  //                  cancels, and resumes the queue
  @Test func `cancelled after a step has failed, it says what failed`() throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let (decoding, record) = (Gate("decode"), StepRecord())
    let steps = record.steps(failing: "decode", waiting: "decode", for: decoding)
    let pipeline = room.pipeline(from: server.url("/"), to: "a", steps: steps)
    let run = try start(pipeline)
    eventually("The picture has come, and decode was never called.", timersInPlay: true) {
      decoding.waiting > 0
    }
    queue.isSuspended = true
    decoding.open()
    runUntilQuiet()
    try mustReturn("cancel()", timersInPlay: true) { pipeline.cancel() }
    queue.isSuspended = false
    expectFailed(run) { $0 as? StepFailure == StepFailure(step: "decode") }
  }

  @Test func `cancelled when it is over, it leaves the file`() throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let record = StepRecord()
    let pipeline = room.pipeline(from: server.url("/"), to: "a", steps: record.steps())
    let run = try start(pipeline)
    expectSaved(run, "a")
    try mustReturn("cancel()", timersInPlay: true) { pipeline.cancel() }
    expectSaved(run, "a")
  }

  // the filter's thread      another thread
  // works
  //                          cancels: nothing but a lock of the answer's orders the two
  // What the runtime does at first calls takes locks, which could order the two; so they meet again.
  @Test(arguments: ["first", "again", "once more"])
  func `it may be cancelled while a step runs`(meeting: String) throws {
    let town = RGBImage.town(width: 24, height: 18)
    let server = try LoopbackServer { _ in .response(body: town.ppm) }
    let (filtering, rendezvous) = (Gate("filter"), RelaxedRendezvous())
    let steps = ImagePipeline.Steps(filter: { picture in
      filtering.wait()
      rendezvous.changed()
      return picture
    })
    let pipeline = room.pipeline(from: server.url("/"), to: "a", steps: steps)
    let run = try start(pipeline)
    eventually("The picture has come, and filter was never called.", timersInPlay: true) {
      filtering.waiting > 0
    }
    let canceller = rendezvous.looker("cancel()") { pipeline.cancel() }
    filtering.open()
    try canceller.result(timersInPlay: true)
    eventually("It was cancelled, and completion was never called.", timersInPlay: true) {
      !run.results.isEmpty
    }
  }

  // the last step's thread   another thread
  // tells how it ended
  //                          cancels: nothing but a lock of the answer's orders the two
  @Test func `it may be cancelled while it tells how it ended`() throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let (meeting, record, ends) = (RelaxedRendezvous(), StepRecord(), SharedCounter())
    let pipeline = room.pipeline(from: server.url("/"), to: "a", steps: record.steps())
    let canceller = meeting.looker("cancel()") { pipeline.cancel() }
    try mustReturn("start", timersInPlay: true) {
      pipeline.start(on: queue) { _ in
        meeting.changed()
        ends.increment()
      }
    }
    try canceller.result(timersInPlay: true)
    eventually("The picture is saved, and completion was never called.", timersInPlay: true) {
      ends.value > 0
    }
  }

  // the download             the steps that wait for it
  // has half of its data
  //                          are cancelled in the queue, and leave it
  // gets the rest, finishes
  //
  // Foundation on Linux doesn't retain the steps: the download looks for them where they were, and the
  // process crashes. Elsewhere there's nothing to see.
  @Test func `cancelled in the queue, what is under way comes to its end`() throws {
    let (rest, line) = (Gate("the rest"), DispatchQueue(label: "katas.spec.image-pipeline"))
    let server = try LoopbackServer { _ in .slowly(body: Data("body".utf8), until: rest) }
    // A serial one: when a block of the spec's has its turn, nothing of the steps is under way any more.
    queue.underlyingQueue = line
    queue.maxConcurrentOperationCount = 8
    for name in ["a", "b", "c", "d"] {
      _ = try start(room.pipeline(from: server.url("/"), to: name, steps: StepRecord().steps()))
    }
    eventually("Four pipelines were started, and not all send their request.", timersInPlay: true) {
      server.requests.count == 4
    }
    for operation in queue.operations where !operation.isExecuting { operation.cancel() }
    eventually("The steps were cancelled, and never leave the queue.", timersInPlay: true) {
      queue.operations.allSatisfy(\.isExecuting)
    }
    try mustReturn("the queue", timersInPlay: true) { line.sync {} }
    rest.open()
    eventually(
      """
      The steps that waited were cancelled in the queue, then the rest of the data came. The downloads must \
      finish and leave the queue.
      """, timersInPlay: true
    ) { queue.operationCount == 0 }
  }

  // MARK: - Its end

  // whoever made it          the pipeline
  // starts it, lets go of it
  //                          gets the rest of its picture
  @Test func `nobody has to keep it`() throws {
    let rest = Gate("the rest")
    let server = try LoopbackServer { _ in .slowly(body: Data("body".utf8), until: rest) }
    let record = StepRecord()
    let run = try start(room.pipeline(from: server.url("/"), to: "a", steps: record.steps()))
    rest.open()
    expectSaved(run, "a")
  }

  @Test(arguments: [nil, "decode", "save"]) func `nothing keeps it alive`(failing: String?) throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let isOver = SharedCounter()
    let parts = try mustReturn("the pipeline", timersInPlay: true) { [room, queue] in
      let record = StepRecord()
      let pipeline = room.pipeline(
        from: server.url("/"), to: "a", steps: record.steps(failing: failing))
      queue.isSuspended = true
      pipeline.start(on: queue) { _ in isOver.increment() }
      let parts = ([pipeline, record] + queue.operations).map(WeakReference<AnyObject>.init)
      queue.isSuspended = false
      return parts
    }
    eventually("The picture has come, and completion was never called.", timersInPlay: true) {
      isOver.value > 0
    }
    guard isOver.value > 0 else { return }
    eventually(
      """
      The pipeline \(failing == nil ? "is over" : "has failed") and everybody has let go of it, but \
      something keeps part of it alive: a closure that captures its own operation, or two that hold \
      each other.
      """, timersInPlay: true
    ) { parts.allSatisfy(\.isGone) }
  }
}
