import Foundation
import KataTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

/// Proves that each way to end a download gives the right result, and that no thread waits
/// meanwhile.
///
/// The spec has a server of its own, for data, a bad status, a broken connection and a
/// cancellation.
@Suite(.serialized, .kata) struct DownloadOperationTests {
  let body = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
  let session = DownloadSession()
  let queue = OperationQueue()

  @Test func `the data arrives`() throws {
    let server = try LoopbackServer { [body] _ in .response(body: body) }
    // The encoded characters would mean something else if they were decoded. The server's address
    // is in the base of the URL.
    let path = "/my%20towns%2F1.ppm?size=1%2B1&label=a%26b%3Dc+d"
    let url = try #require(URL(string: path, relativeTo: server.url("/")))
    let download = DownloadOperation(url: url, session: session.session)
    runs(download)
    #expect(
      server.requests == [path],
      """
      One download must send one request, for its URL as it was given: \(path). Begin with main(): \
      make and resume a task. The server got \(server.requests).
      """)
    #expect(
      download.result == .success(body),
      """
      The server has answered with status 200 and \(body.count) bytes, and the operation has \
      finished. Its result must be these bytes.
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
      An observer of the end must find the result, and didn't. Store the result first, then call \
      finish(), once.
      """)
  }

  @Test(arguments: [201, 206, 299]) func `every 2xx status is a success`(status: Int) throws {
    let server = try LoopbackServer { [body] _ in .response(status: status, body: body) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    runs(download)
    #expect(
      download.result == .success(body),
      "Status \(status) must be a success, like all from 200 to 299.")
  }

  @Test(arguments: [200, 204]) func `an empty answer is a success`(status: Int) throws {
    let server = try LoopbackServer { _ in .response(status: status, body: Data()) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    runs(download)
    #expect(
      download.result == .success(Data()),
      "Status \(status) with an empty body must be a success, with empty data.")
  }

  @Test(arguments: [300, 404, 500]) func `another status is an error`(status: Int) throws {
    let server = try LoopbackServer { _ in .response(status: status, body: Data("sorry".utf8)) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    runs(download)
    #expect(
      download.result == .failure(.status(status)),
      """
      The server has answered with status \(status). URLSession reports no error for that, and \
      passes the error page as data: check the statusCode of the response.
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
    expectTransportError(of: download, "No server listens at this URL.")
    // The operation has finished, and its request must end too.
    eventually("Its request never ends.", timersInPlay: true) { session.isIdle }
    let error = try mustReturn("the session", timersInPlay: true) { [session] in
      session.error(at: download.url)
    }
    let code = error?.code.rawValue ?? 0
    #expect(
      download.transportError?.code.rawValue == code,
      "The session's own error has the code \(code): keep that error.")
    #expect(
      download.transportError?.failingURL == error?.failingURL,
      """
      The session's own error names the URL that failed, in its userInfo, and the one in the \
      result doesn't. A new URLError has only a code: keep the session's error itself.
      """)
  }

  @Test func `an error of another type ends it too`() throws {
    let session = DownloadSession(isScripted: true)
    let requests = ScriptedRequests(isAnswered: true, error: CocoaError(.fileReadCorruptFile))
    let download = DownloadOperation(url: requests.url, session: session.session)
    runs(download)
    #expect(
      download.transportError != nil,
      """
      The session has reported an error that isn't a URLError. The result must be \
      .failure(.transport(…)), with a URLError of your choice.
      """)
    requests.forget()
  }

  @Test func `the data is loaded by the given session`() throws {
    let gate = Gate("the rest")
    let server = try LoopbackServer { [body] _ in .slowly(body: body, until: gate) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    queue.addOperation(download)
    expectRequest(at: server)
    #expect(
      !session.isIdle,
      """
      The request is running, but not in the session that was passed in: load with that one, which \
      has the caller's delegate and cookies.
      """)
    gate.open()
    eventually("The data has arrived, but it never finishes.", timersInPlay: true) {
      download.isFinished
    }
  }

  @Test func `no thread waits for the data`() throws {
    let gate = Gate("the rest")
    let server = try LoopbackServer { [body] _ in .slowly(body: body, until: gate) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    try mustReturn(
      "start()", "The data hasn't arrived yet: main() must begin the request and return.",
      timersInPlay: true
    ) { download.start() }
    #expect(
      download.isExecuting && !download.isFinished && download.result == nil,
      "The data hasn't arrived yet: it must be executing, without a result.")
    gate.open()
    eventually("The data has arrived, but it never finishes.", timersInPlay: true) {
      download.isFinished
    }
  }

  @Test func `several downloads at once keep their own data`() throws {
    let gate = Gate("the bodies")
    let server = try LoopbackServer { .slowly(body: Data("This is \($0)".utf8), until: gate) }
    let paths = (1...4).map { "/\($0)" }
    let downloads = paths.map {
      DownloadOperation(url: server.url($0), session: session.session)
    }
    queue.addOperations(downloads, waitUntilFinished: false)
    eventually(
      "Four downloads were added to a queue, but not all of them have sent their request.",
      timersInPlay: true
    ) { server.requests.count == 4 }
    gate.open()
    eventually("The bodies have arrived; not every download has finished.", timersInPlay: true) {
      downloads.allSatisfy(\.isFinished)
    }
    #expect(
      downloads.map(\.result) == paths.map { .success(Data("This is \($0)".utf8)) },
      "Each download must keep its own data.")
  }

  // MARK: - Moves

  /// Runs `download` in the queue until it has ended; records an issue if it never does.
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
      completions.value == 1, "It completed \(completions.value) times, not once.",
      sourceLocation: sourceLocation)
    #expect(
      download.result != nil, "It has finished without a result: store it, then call finish().",
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
