import Foundation
import KataTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

/// Proves with a server of the spec's own that data, a bad status, a broken connection or a cancellation
/// ends the operation with the result that belongs to it, and that no thread waits meanwhile.
@Suite(.serialized, .kata) struct DownloadOperationTests {
  let body = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
  let session = DownloadSession()
  let queue = OperationQueue()

  @Test func `the data arrives`() throws {
    let server = try LoopbackServer { [body] _ in .response(body: body) }
    let download = DownloadOperation(url: server.url("/town.ppm?size=2"), session: session.session)
    runs(download)
    #expect(
      server.requests == ["/town.ppm?size=2"],
      "One download must send one request, for its URL. Begin with main(): make a task and resume it."
    )
    #expect(
      download.result == .success(body),
      """
      The server has answered with status 200 and \(body.count) bytes; the operation has finished, \
      and its result must be these bytes.
      """)
  }

  @Test(.observesKVO) func `the result is there before the end is announced`() throws {
    let server = try LoopbackServer { [body] _ in .response(body: body) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    let seen = LockedValue<[DownloadResult]>([])
    let probe = KVOProbe(download) { [unowned download] in
      if $0 == .did(.isFinished) { seen.append(download.result) }
    }
    runs(download)
    withExtendedLifetime(probe) {}
    #expect(
      seen.value == [.success(body)],
      """
      Whoever hears that the download has finished reads its result at once. Keep the result \
      first, then call finish(), once.
      """)
  }

  @Test(arguments: [201, 206, 299]) func `every status of success is one`(status: Int) throws {
    let server = try LoopbackServer { [body] _ in .response(status: status, body: body) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    runs(download)
    #expect(
      download.result == .success(body),
      "Status \(status) is a success, as all from 200 to 299 are.")
  }

  @Test(arguments: [200, 204]) func `an answer without data is a success`(status: Int) throws {
    let server = try LoopbackServer { _ in .response(status: status, body: Data()) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    runs(download)
    #expect(
      download.result == .success(Data()),
      "Status \(status) without a byte is a success all the same, with empty data.")
  }

  @Test(arguments: [300, 404, 500]) func `another status is an error`(status: Int) throws {
    let server = try LoopbackServer { _ in .response(status: status, body: Data("sorry".utf8)) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    runs(download)
    #expect(
      download.result == .failure(.status(status)),
      """
      The server has answered with status \(status). URLSession calls that a success, with the \
      error page as its data: look at the response's statusCode.
      """)
  }

  @Test func `a connection that breaks is an error`() throws {
    let server = try LoopbackServer { [body] _ in .hangUp(body: body) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    runs(download)
    expectTransportError(of: download, "The server hung up in the middle of the body.")
  }

  @Test func `a server that isn't there is an error`() throws {
    let download = DownloadOperation(url: try LoopbackServer.deadEnd(), session: session.session)
    runs(download)
    expectTransportError(of: download, "Nobody listens at this URL.")
    // Whatever it has done with the session is done.
    eventually("Its request never ends.", timersInPlay: true) { session.isIdle }
    let error = try mustReturn("the session", timersInPlay: true) { [session] in
      session.error(at: download.url)
    }
    let code = error?.code.rawValue ?? 0
    #expect(
      download.transportError?.code.rawValue == code,
      "The session's own error has the code \(code), and that's the one to keep.")
    #expect(
      download.transportError?.failingURL == error?.failingURL,
      """
      The session's own error tells which URL failed, in its userInfo, and the one in the result \
      doesn't. A new URLError has nothing but its code: keep the session's error itself.
      """)
  }

  @Test func `the session that it was given loads it`() throws {
    let gate = Gate("the rest")
    let server = try LoopbackServer { [body] _ in .slowly(body: body, until: gate) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    queue.addOperation(download)
    expectRequest(at: server)
    #expect(
      !session.isIdle,
      """
      The request is under way, and the session that was handed in knows nothing of it: load with \
      that one, which has the caller's delegate and cookies.
      """)
    gate.open()
    eventually("The data has come, and it never finishes.", timersInPlay: true) {
      download.isFinished
    }
  }

  @Test func `no thread waits for the data`() throws {
    let gate = Gate("the rest")
    let server = try LoopbackServer { [body] _ in .slowly(body: body, until: gate) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    try mustReturn(
      "start()", "The data is still on its way: main() must begin the request and return.",
      timersInPlay: true
    ) { download.start() }
    #expect(
      download.isExecuting && !download.isFinished && download.result == nil,
      "The data is still on its way: it must be executing, without a result.")
    gate.open()
    eventually("The data has come, and it never finishes.", timersInPlay: true) {
      download.isFinished
    }
  }

  @Test func `several at once keep their own data`() throws {
    let gate = Gate("the bodies")
    let server = try LoopbackServer { .slowly(body: Data("This is \($0)".utf8), until: gate) }
    let paths = (1...4).map { "/\($0)" }
    let downloads = paths.map {
      DownloadOperation(url: server.url($0), session: session.session)
    }
    queue.addOperations(downloads, waitUntilFinished: false)
    eventually(
      "Four downloads were added to a queue, and not all of them have sent their request.",
      timersInPlay: true
    ) { server.requests.count == 4 }
    gate.open()
    eventually("The bodies have come, and not every download has finished.", timersInPlay: true) {
      downloads.allSatisfy(\.isFinished)
    }
    #expect(
      downloads.map(\.result) == paths.map { .success(Data("This is \($0)".utf8)) },
      "Each download must keep the data that came for it.")
  }

  // MARK: - Moves

  /// Lets the queue run `download` to its end; says so where it never comes.
  func runs(
    _ download: DownloadOperation, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let completions = SharedCounter()
    download.completionBlock = { completions.increment() }
    queue.addOperation(download)
    let isOver = eventually(
      """
      The download never finishes. main() must send the request, and finish() must be called on \
      every path: with data, with an error, with any status.
      """, timersInPlay: true, sourceLocation: sourceLocation
    ) { download.isFinished && completions.value > 0 }
    guard isOver else { return }
    #expect(
      completions.value == 1, "It completed \(completions.value) times.",
      sourceLocation: sourceLocation)
    #expect(
      download.result != nil, "It has finished without a result: keep it before you call finish().",
      sourceLocation: sourceLocation)
  }

  func expectRequest(
    at server: LoopbackServer, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    eventually(
      "The operation never sent its request.", timersInPlay: true, sourceLocation: sourceLocation
    ) { !server.requests.isEmpty }
  }

  func expectTransportError(
    of download: DownloadOperation, _ cause: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let isTransportError = if case .failure(.transport) = download.result { true } else { false }
    #expect(
      isTransportError,
      "\(cause) The result must be .failure(.transport(…)) with the session's error.",
      sourceLocation: sourceLocation)
  }
}
