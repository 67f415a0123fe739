import Foundation
import Images
import KataTesting
import Testing

#if !KATA_REFERENCE
  import enum AsyncOperations.DownloadError  // The one that the answer builds on.
#endif

/// Proves that a picture goes through its four steps, that a failure or a cancellation ends the pipeline
/// with its cause, and that a cancellation that comes too late changes nothing.
@Suite(.serialized, .kata) struct ImagePipelineTests {
  private let room = PipelineRoom()
  private let queue = OperationQueue()

  @Test func `the picture is downloaded, filtered and saved`() throws {
    let town = RGBImage.town(width: 24, height: 18)
    let server = try LoopbackServer { _ in .response(body: town.ppm) }
    let run = try start(room.pipeline(from: server.url("/town.ppm?size=2"), to: "town"))
    expectSaved(run, "town")
    #expect(
      server.requests == ["/town.ppm?size=2"],
      "One pipeline must send one request, for the URL that it was given.")
    let filter = TiltShift()
    let expected = RGBImage(rows: (0..<town.height).map { filter.row($0, of: town) })
    #expect(
      room.data(of: "town") == expected.ppm,
      """
      What is in the file isn't the tilt-shifted picture: the picture that came must go through \
      decode, then filter, then save.
      """)
  }

  @Test func `each step gets what the one before it has made`() throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let record = StepRecord()
    let run = try start(
      room.pipeline(from: server.url("/"), to: "a", steps: record.steps()))
    expectSaved(run, "a")
    #expect(
      record.calls == ["decode body", "filter decoded", "save filtered"],
      """
      The steps must run once each, one after another: decode with the data that came, filter with \
      the decoded picture, save with the filtered one.
      """)
  }

  @Test func `start doesn't wait`() throws {
    let server = try LoopbackServer { _ in .slowly(body: Data("body".utf8), until: Gate("the rest"))
    }
    let record = StepRecord()
    let pipeline = room.pipeline(from: server.url("/"), to: "a", steps: record.steps())
    let run = try start(pipeline)
    eventually("The pipeline was started, and sends no request.", timersInPlay: true) {
      !server.requests.isEmpty
    }
    #expect(
      !room.isIdle,
      "The request is under way, and the session that was handed in knows nothing of it.")
    #expect(
      run.results.isEmpty && record.calls.isEmpty,
      "The data is still on its way: no step may run, and completion mustn't be called yet.")
  }

  @Test func `five pipelines on a queue of width one don't mix`() throws {
    queue.maxConcurrentOperationCount = 1
    let server = try LoopbackServer { .response(body: Data($0.utf8)) }
    let record = StepRecord()
    let runs = try (1...5).map { number in
      try start(
        room.pipeline(from: server.url("/\(number)"), to: "\(number)", steps: record.steps()))
    }
    for (index, run) in runs.enumerated() { expectSaved(run, "\(index + 1)") }
    #expect(
      (1...5).map { room.data(of: "\($0)").map { String(decoding: $0, as: UTF8.self) } }
        == (1...5).map { "/\($0)" },
      "Each pipeline must save what it has downloaded itself.")
  }

  @Test func `nothing is sent before it is started`() throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let early = room.pipeline(from: server.url("/early"), to: "b")
    // What the first has sent by now arrives before these do, one after the other.
    for path in ["/1", "/2", "/3"] {
      let record = StepRecord()
      let run = try start(room.pipeline(from: server.url(path), to: "a", steps: record.steps()))
      expectSaved(run, "a")
    }
    withExtendedLifetime(early) {}
    #expect(
      server.requests == ["/1", "/2", "/3"],
      "A pipeline was made and never started, and has sent its request all the same.")
  }

  // MARK: - Errors

  @Test func `a download that fails ends it with its cause`() throws {
    let server = try LoopbackServer { _ in .response(status: 404, body: Data("sorry".utf8)) }
    let record = StepRecord()
    let run = try start(room.pipeline(from: server.url("/"), to: "a", steps: record.steps()))
    expectFailed(run) { $0 as? AsyncOperations.DownloadError == .status(404) }
    #expect(
      record.calls.isEmpty && room.data(of: "a") == nil,
      "The download has failed, and a step after it ran all the same, on no picture.")
  }

  @Test(arguments: ["decode", "filter", "save"]) func `a step that fails ends it with its error`(
    step: String
  ) throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let record = StepRecord()
    let run = try start(
      room.pipeline(from: server.url("/"), to: "a", steps: record.steps(failing: step)))
    expectFailed(run) { $0 as? StepFailure == StepFailure(step: step) }
    let all = ["decode body", "filter decoded", "save filtered"]
    let expected = all.prefix { !$0.hasPrefix(step) } + all.filter { $0.hasPrefix(step) }
    #expect(
      record.calls == Array(expected), "\(step) has thrown: the steps after it must not be called.")
  }

  @Test func `a step may fail with a cancellation of its own`() throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let steps = ImagePipeline.Steps(decode: { _ in throw CancellationError() })
    let run = try start(room.pipeline(from: server.url("/"), to: "a", steps: steps))
    expectFailed(run) { $0 is CancellationError }
  }

  @Test func `a picture that can't be written is told`() throws {
    let town = RGBImage.town(width: 24, height: 18)
    let server = try LoopbackServer { _ in .response(body: town.ppm) }
    let run = try start(room.pipeline(from: server.url("/"), to: "no such folder/town"))
    expectFailed(run) { !($0 is AsyncOperations.DownloadError) }
  }

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
  @Test func `it may be cancelled while a step runs`() throws {
    let town = RGBImage.town(width: 24, height: 18)
    let server = try LoopbackServer { _ in .response(body: town.ppm) }
    let (filtering, meeting) = (Gate("filter"), RelaxedRendezvous())
    let steps = ImagePipeline.Steps(filter: { picture in
      filtering.wait()
      meeting.changed()
      return picture
    })
    let pipeline = room.pipeline(from: server.url("/"), to: "a", steps: steps)
    let run = try start(pipeline)
    eventually("The picture has come, and filter was never called.", timersInPlay: true) {
      filtering.waiting > 0
    }
    let canceller = meeting.looker("cancel()") { pipeline.cancel() }
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
    let (meeting, record, ends) = (RelaxedRendezvous(), StepRecord(), Counter())
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

  // MARK: - Its end

  @Test(arguments: [nil, "decode", "save"]) func `nothing keeps it alive`(failing: String?) throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let isOver = Counter()
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

  // MARK: - Moves

  private func start(
    _ pipeline: ImagePipeline, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> PipelineResults {
    let run = PipelineResults()
    try mustReturn(
      "start", "start adds operations to the queue and waits for none of them.", timersInPlay: true,
      sourceLocation: sourceLocation
    ) { [queue] in
      pipeline.start(on: queue) { run.add($0, isOnQueue: OperationQueue.current === queue) }
    }
    return run
  }

  /// Waits for the end and for what may come after it.
  private func expectEnd(_ run: PipelineResults, sourceLocation: SourceLocation) -> Bool {
    let isOver = eventually(
      "The pipeline has come to its end, and completion was never called.", timersInPlay: true,
      sourceLocation: sourceLocation
    ) { !run.results.isEmpty && queue.operationCount == 0 }
    guard isOver else { return false }
    #expect(
      run.strays == 0,
      "completion was called on another thread than the queue's: call it in an operation.",
      sourceLocation: sourceLocation)
    #expect(
      run.results.count == 1, "completion was called \(run.results.count) times for one pipeline.",
      sourceLocation: sourceLocation)
    return true
  }

  private func expectSaved(
    _ run: PipelineResults, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard expectEnd(run, sourceLocation: sourceLocation) else { return }
    #expect(
      (try? run.results.first?.get()) == room.file(name) && room.data(of: name) != nil,
      """
      The pipeline must save its picture, then call completion with the file. It says: \
      \(run.description).
      """, sourceLocation: sourceLocation)
  }

  private func expectFailed(
    _ run: PipelineResults, sourceLocation: SourceLocation = #_sourceLocation,
    _ isCause: (any Error) -> Bool
  ) {
    guard expectEnd(run, sourceLocation: sourceLocation) else { return }
    #expect(
      run.error.map(isCause) == true,
      """
      A step has failed: completion must get the very error that it failed with, so that a person \
      can be told. It says: \(run.description).
      """, sourceLocation: sourceLocation)
  }

  private func expectCancelled(
    _ run: PipelineResults, _ record: StepRecord, steps: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard expectEnd(run, sourceLocation: sourceLocation) else { return }
    #expect(
      run.error as? AsyncOperations.DownloadError == .cancelled,
      """
      It was cancelled: completion must get AsyncOperations.DownloadError.cancelled. It says: \
      \(run.description).
      """,
      sourceLocation: sourceLocation)
    #expect(
      record.calls == steps,
      "It was cancelled: the steps that hadn't begun by then must not be called.",
      sourceLocation: sourceLocation)
  }
}

extension ImagePipeline: OpaqueMirror {}
