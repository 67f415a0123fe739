import Foundation
import Images
import KataTesting
import Testing

#if !KATA_REFERENCE
  import enum AsyncOperations.DownloadError  // The type that the answer uses.
#endif

/// Proves that a picture goes through its four steps, and that a failure or a cancellation ends the
/// pipeline.
///
/// The result is the cause, and a cancellation that comes too late changes nothing.
@Suite(.serialized, .kata) struct ImagePipelineTests {
  let room = PipelineRoom()
  let queue = OperationQueue()

  @Test func `the picture is downloaded, filtered and saved`() throws {
    let town = RGBImage.town(width: 24, height: 18)
    let server = try LoopbackServer { _ in .response(body: town.ppm) }
    let run = try start(room.pipeline(from: server.url("/town.ppm?size=2"), to: "town"))
    expectSaved(run, "town")
    #expect(
      server.requests == ["/town.ppm?size=2"],
      "One pipeline must send one request, for the URL that was passed in.")
    let filter = TiltShift()
    let expected = RGBImage(rows: (0..<town.height).map { filter.row($0, of: town) })
    #expect(
      room.data(of: "town") == expected.ppm,
      """
      The file doesn't contain the tilt-shifted picture. The downloaded picture must go through \
      decode, then filter, then save.
      """)
  }

  @Test func `each step receives the result of the step before it`() throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let record = StepRecord()
    let run = try start(
      room.pipeline(from: server.url("/"), to: "a", steps: record.steps()))
    expectSaved(run, "a")
    #expect(
      record.calls == ["decode body", "filter decoded", "save filtered"],
      """
      The steps must run once each, one after another: decode with the downloaded data, filter \
      with the decoded picture, save with the filtered one.
      """)
  }

  @Test func `start doesn't wait`() throws {
    let server = try LoopbackServer { _ in .slowly(body: Data("body".utf8), until: Gate("the rest"))
    }
    let record = StepRecord()
    let pipeline = room.pipeline(from: server.url("/"), to: "a", steps: record.steps())
    let run = try start(pipeline)
    eventually("The pipeline was started, but sends no request.", timersInPlay: true) {
      !server.requests.isEmpty
    }
    #expect(
      !room.isIdle,
      "The request is running, but not in the session that was passed in.")
    #expect(
      run.results.isEmpty && record.calls.isEmpty,
      "The data hasn't arrived yet: no step may run, and completion must not be called.")
  }

  @Test func `five pipelines on a queue of width one don't mix`() throws {
    queue.maxConcurrentOperationCount = 1
    let server = try LoopbackServer {
      $0 == "/none" ? .response(status: 404, body: Data()) : .response(body: Data($0.utf8))
    }
    let record = StepRecord()
    // The outcome of this one must not affect those that come after it.
    let failing = room.pipeline(from: server.url("/none"), to: "none", steps: record.steps())
    expectFailed(try start(failing)) { $0 as? AsyncOperations.DownloadError == .status(404) }
    let runs = try (1...5).map { number in
      try start(
        room.pipeline(from: server.url("/\(number)"), to: "\(number)", steps: record.steps()))
    }
    for (index, run) in runs.enumerated() { expectSaved(run, "\(index + 1)") }
    #expect(
      (1...5).map { room.data(of: "\($0)").map { String(decoding: $0, as: UTF8.self) } }
        == (1...5).map { "/\($0)" },
      "Each pipeline must save its own picture.")
  }

  @Test func `nothing is sent before it is started`() throws {
    let server = try LoopbackServer { _ in .response(body: Data("body".utf8)) }
    let early = room.pipeline(from: server.url("/early"), to: "b")
    // Anything that the first has sent by now arrives before these requests, which are sent one by
    // one.
    for path in ["/1", "/2", "/3"] {
      let record = StepRecord()
      let run = try start(room.pipeline(from: server.url(path), to: "a", steps: record.steps()))
      expectSaved(run, "a")
    }
    withExtendedLifetime(early) {}
    #expect(
      server.requests == ["/1", "/2", "/3"],
      "A pipeline was created and never started, but has sent its request.")
  }

  // MARK: - Errors

  @Test func `a download that fails ends it with its cause`() throws {
    let server = try LoopbackServer { _ in .response(status: 404, body: Data("sorry".utf8)) }
    let record = StepRecord()
    let run = try start(room.pipeline(from: server.url("/"), to: "a", steps: record.steps()))
    expectFailed(run) { $0 as? AsyncOperations.DownloadError == .status(404) }
    #expect(
      record.calls.isEmpty && room.data(of: "a") == nil,
      "The download has failed, but a step after it ran, without a picture.")
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

  @Test func `a picture that can't be written is reported`() throws {
    let town = RGBImage.town(width: 24, height: 18)
    let server = try LoopbackServer { _ in .response(body: town.ppm) }
    let run = try start(room.pipeline(from: server.url("/"), to: "no such folder/town"))
    expectFailed(run) { !($0 is AsyncOperations.DownloadError) }
  }

  // MARK: - Moves

  func start(
    _ pipeline: ImagePipeline, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> PipelineResults {
    let run = PipelineResults()
    try mustReturn(
      "start", "start must add the operations and wait for none of them.", timersInPlay: true,
      sourceLocation: sourceLocation
    ) { [queue] in
      pipeline.start(on: queue) { run.add($0, isOnQueue: OperationQueue.current === queue) }
    }
    return run
  }

  /// Waits for the end, and for anything that may come after it.
  func expectEnd(_ run: PipelineResults, sourceLocation: SourceLocation) -> Bool {
    let isOver = eventually(
      "The pipeline has ended, but completion was never called.", timersInPlay: true,
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

  func expectSaved(
    _ run: PipelineResults, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard expectEnd(run, sourceLocation: sourceLocation) else { return }
    #expect(
      (try? run.results.first?.get()) == room.file(name) && room.data(of: name) != nil,
      """
      The pipeline must save its picture, then call completion with the file. completion received: \
      \(run.description).
      """, sourceLocation: sourceLocation)
  }

  func expectFailed(
    _ run: PipelineResults, sourceLocation: SourceLocation = #_sourceLocation,
    _ isCause: (any Error) -> Bool
  ) {
    guard expectEnd(run, sourceLocation: sourceLocation) else { return }
    #expect(
      run.error.map(isCause) == true,
      """
      A step has failed: completion must receive the very error that it threw. completion \
      received: \(run.description).
      """, sourceLocation: sourceLocation)
  }

  func expectCancelled(
    _ run: PipelineResults, _ record: StepRecord, steps: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard expectEnd(run, sourceLocation: sourceLocation) else { return }
    #expect(
      run.error as? AsyncOperations.DownloadError == .cancelled,
      """
      It was cancelled: completion must receive AsyncOperations.DownloadError.cancelled. It \
      received: \(run.description).
      """,
      sourceLocation: sourceLocation)
    #expect(
      record.calls == steps,
      "It was cancelled: a step that hadn't begun must not be called.",
      sourceLocation: sourceLocation)
  }
}

extension ImagePipeline: OpaqueMirror {}
