import Foundation
import Images
import KataTesting
import Testing

#if !KATA_REFERENCE
  import enum AsyncOperations.DownloadError  // The type that the answer uses.
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

  @Test func `cancelled before its download starts, it sends nothing`() throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let record = StepRecord()
    queue.isSuspended = true
    let pipeline = room.pipeline(from: server.url("/"), to: "a", steps: record.steps())
    let run = try start(pipeline)
    try mustReturn("cancel()", timersInPlay: true) { pipeline.cancel() }
    queue.isSuspended = false
    expectCancelled(run, record, steps: [])
    #expect(server.requests.isEmpty, "It was cancelled before the start, but sent its request.")
  }

  @Test(arguments: ["decode", "filter"])
  func `cancelled while it decodes or filters, it runs no further step`(step: String) throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let (working, record) = (Gate(step), StepRecord())
    let pipeline = room.pipeline(
      from: server.url("/"), to: "a", steps: record.steps(waiting: step, for: working))
    let run = try start(pipeline)
    eventually("The picture has arrived, but \(step) was never called.", timersInPlay: true) {
      working.waiting > 0
    }
    try mustReturn(
      "cancel()", "A step is running: call it without a lock that cancel() needs.",
      timersInPlay: true
    ) { pipeline.cancel() }
    working.open()
    let all = ["decode body", "filter decoded"]
    expectCancelled(run, record, steps: step == "decode" ? ["decode body"] : all)
  }

  // save            another thread
  // begins
  //                 cancels
  // ends: the file is there, or it throws
  @Test(arguments: [true, false])
  func `cancelled while it saves, it reports how the save ended`(isSaved: Bool) throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let (saving, record) = (Gate("save"), StepRecord())
    let steps = record.steps(failing: isSaved ? nil : "save", waiting: "save", for: saving)
    let pipeline = room.pipeline(from: server.url("/"), to: "a", steps: steps)
    let run = try start(pipeline)
    eventually("The picture has arrived, but save was never called.", timersInPlay: true) {
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

  // decode           another thread
  // begins
  //                  suspends the queue
  // throws
  //                  cancels, and resumes the queue
  @Test func `cancelled after a step has failed, it reports the step's error`() throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let (decoding, record) = (Gate("decode"), StepRecord())
    let steps = record.steps(failing: "decode", waiting: "decode", for: decoding)
    let pipeline = room.pipeline(from: server.url("/"), to: "a", steps: steps)
    let run = try start(pipeline)
    eventually("The picture has arrived, but decode was never called.", timersInPlay: true) {
      decoding.waiting > 0
    }
    queue.isSuspended = true
    decoding.open()
    runUntilQuiet()
    try mustReturn("cancel()", timersInPlay: true) { pipeline.cancel() }
    queue.isSuspended = false
    expectFailed(run) { $0 as? StepFailure == StepFailure(step: "decode") }
  }

  @Test func `cancelled after its end, it keeps the file`() throws {
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
  //                          cancels: only a lock in the answer orders the two
  // The runtime takes locks at first calls, which could order the two, so the test is repeated.
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
    eventually("The picture has arrived, but filter was never called.", timersInPlay: true) {
      filtering.waiting > 0
    }
    let canceller = rendezvous.looker("cancel()") { pipeline.cancel() }
    filtering.open()
    try canceller.result(timersInPlay: true)
    eventually("It was cancelled, but completion was never called.", timersInPlay: true) {
      !run.results.isEmpty
    }
  }

  // the last step's thread   another thread
  // calls completion
  //                          cancels: only a lock in the answer orders the two
  @Test func `it may be cancelled while completion is called`() throws {
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
    eventually("The picture is saved, but completion was never called.", timersInPlay: true) {
      ends.value > 0
    }
  }

  // the download             the steps that wait for it
  // has half of its data
  //                          are cancelled in the queue, and leave it
  // gets the rest, finishes
  //
  // Foundation on Linux doesn't retain the steps: the download accesses them although they were
  // freed, and the process crashes. Elsewhere this can't be observed.
  @Test func `if steps are cancelled in the queue, running operations still end`() throws {
    let (rest, line) = (Gate("the rest"), DispatchQueue(label: "katas.spec.image-pipeline"))
    let server = try LoopbackServer { _ in .slowly(body: Data("body".utf8), until: rest) }
    // A serial queue: when a block of the spec runs on it, no code of the steps is running any
    // more.
    queue.underlyingQueue = line
    queue.maxConcurrentOperationCount = 8
    for name in ["a", "b", "c", "d"] {
      _ = try start(room.pipeline(from: server.url("/"), to: name, steps: StepRecord().steps()))
    }
    eventually("Four pipelines were started, but not all send their request.", timersInPlay: true) {
      server.requests.count == 4
    }
    for operation in queue.operations where !operation.isExecuting { operation.cancel() }
    eventually("The steps were cancelled, but they never leave the queue.", timersInPlay: true) {
      queue.operations.allSatisfy(\.isExecuting)
    }
    try mustReturn("the queue", timersInPlay: true) { line.sync {} }
    rest.open()
    eventually(
      """
      The waiting steps were cancelled in the queue, then the rest of the data arrived. The \
      downloads must finish and leave the queue.
      """, timersInPlay: true
    ) { queue.operationCount == 0 }
  }

  // MARK: - Ownership

  // the caller               the pipeline
  // starts it, releases it
  //                          gets the rest of its picture
  @Test func `it ends even if the caller doesn't retain it`() throws {
    let rest = Gate("the rest")
    let server = try LoopbackServer { _ in .slowly(body: Data("body".utf8), until: rest) }
    let record = StepRecord()
    let run = try start(room.pipeline(from: server.url("/"), to: "a", steps: record.steps()))
    rest.open()
    expectSaved(run, "a")
  }

  @Test(arguments: [nil, "decode", "save"]) func `nothing retains it`(failing: String?) throws {
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
    eventually("The picture has arrived, but completion was never called.", timersInPlay: true) {
      isOver.value > 0
    }
    guard isOver.value > 0 else { return }
    eventually(
      """
      The pipeline \(failing == nil ? "is over" : "has failed") and every reference from outside \
      is gone, but a part of it is still in memory. Look for a retain cycle: a closure that \
      captures its own operation, or two objects that retain each other.
      """, timersInPlay: true
    ) { parts.allSatisfy(\.isGone) }
  }
}
