import Foundation
import KataTesting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if !KATA_REFERENCE
  import class AsyncOperations.AsyncOperation  // The base class, for its members.
#endif

extension DownloadOperationTests {
  // MARK: - Cancellation

  @Test func `cancelled while it loads, it cancels the request and finishes`() throws {
    let server = try LoopbackServer { [body] _ in .slowly(body: body, until: Gate("the rest")) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    // By hand, so that main() has returned: nobody but cancel() is left to cancel the task.
    try mustReturn("start()", timersInPlay: true) { download.start() }
    expectRequest(at: server)
    try mustReturn("cancel()", timersInPlay: true) { download.cancel() }
    #expect(download.isCancelled, "cancel() must call super.cancel().")
    let isFinished = eventually(
      """
      It was cancelled while the server was sending, and goes on waiting for the rest. cancel() \
      must cancel the task too.
      """, timersInPlay: true
    ) { download.isFinished }
    guard isFinished else { return }
    #expect(
      download.result == .failure(.cancelled),
      "Its result must be .failure(.cancelled), whatever error the session reports for that.")
    eventually(
      "It has finished, but its request goes on: cancel() must cancel the task.",
      timersInPlay: true
    ) { server.clientsThatHungUp == 1 }
  }

  // its session's owner        the operation
  //                            loads
  // cancels the session's tasks
  //                            ends: nobody has cancelled it
  @Test func `a request that the session's owner cancels is an error`() throws {
    let server = try LoopbackServer { [body] _ in .slowly(body: body, until: Gate("the rest")) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    queue.addOperation(download)
    expectRequest(at: server)
    try mustReturn("the session", timersInPlay: true) { [session] in session.cancelTasks() }
    let isFinished = eventually(
      "The session has cancelled its request, and it never finishes.", timersInPlay: true
    ) { download.isFinished }
    guard isFinished else { return }
    #expect(
      download.transportError?.code == .cancelled && !download.isCancelled,
      """
      The session's owner has cancelled its request, and nobody the operation. That's an error of the \
      session, .failure(.transport(…)) with the code \(URLError.Code.cancelled.rawValue): only \
      isCancelled tells whether the operation was cancelled.
      """)
  }

  // its queue     somebody
  // starts it
  //               cancels it
  // calls main()
  @Test(.observesKVO) func `cancelled before its request is made, it ends`() throws {
    let server = try LoopbackServer { [body] _ in .slowly(body: body, until: Gate("the rest")) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    let probe = KVOProbe(download) { [unowned download] in
      if $0 == .did(.isExecuting), download.isExecuting { download.cancel() }
    }
    queue.addOperation(download)
    eventually(
      """
      It was cancelled when it had been started and there was no task yet, and goes on loading. \
      Ask isCancelled once more when the task is kept.
      """, timersInPlay: true
    ) { download.isFinished }
    withExtendedLifetime(probe) {}
    guard download.isFinished else { return }
    #expect(
      download.result == .failure(.cancelled),
      "It was cancelled while it began, so its result must be .failure(.cancelled).")
  }

  // session              somebody
  // has all the data
  //                      cancels
  // calls the handler
  @Test func `cancelled while its answer comes, it is cancelled`() throws {
    let server = try LoopbackServer { [body] _ in .response(body: body) }
    let handlers = OperationQueue()
    handlers.maxConcurrentOperationCount = 1
    handlers.isSuspended = true
    let session = DownloadSession(handlers: handlers)
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    queue.addOperation(download)
    eventually("The operation never sent its request.", timersInPlay: true) {
      handlers.operationCount > 0
    }
    try mustReturn("cancel()", timersInPlay: true) { download.cancel() }
    #expect(
      download.result == nil && !download.isFinished,
      """
      It was cancelled, and the session hasn't called the handler yet. It ends there, and not before: \
      let cancel() ask the task to stop, and leave result and finish() to the handler.
      """)
    handlers.isSuspended = false
    eventually("It was cancelled, and never finishes.", timersInPlay: true) { download.isFinished }
    #expect(
      download.result == .failure(.cancelled),
      """
      It was cancelled when its data had come and the session hadn't called the handler yet. Its \
      result must be .failure(.cancelled): ask isCancelled first.
      """)
  }

  @Test func `nothing is sent before its turn`() throws {
    let server = try LoopbackServer { [body] _ in .response(body: body) }
    let waiting = OperationQueue()
    waiting.isSuspended = true
    let download = DownloadOperation(url: server.url("/early"), session: session.session)
    waiting.addOperation(download)
    // What it has sent by now arrives before these do, one after the other.
    for path in ["/1", "/2", "/3"] {
      runs(DownloadOperation(url: server.url(path), session: session.session))
    }
    #expect(
      server.requests == ["/1", "/2", "/3"],
      """
      Its queue hasn't started it, and its request has been sent all the same. A request belongs \
      in main().
      """)
    waiting.isSuspended = false
    eventually("Its queue has started it, and it never finishes.", timersInPlay: true) {
      download.isFinished
    }
  }

  @Test func `cancelled before its turn, it sends nothing`() throws {
    let server = try LoopbackServer { [body] _ in .response(body: body) }
    queue.isSuspended = true
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    queue.addOperation(download)
    try mustReturn("cancel()", timersInPlay: true) { download.cancel() }
    #expect(download.result == nil, "It hasn't ended yet, so it has no result yet.")
    queue.isSuspended = false
    eventually("It was cancelled before its start, and never finishes.", timersInPlay: true) {
      download.isFinished
    }
    #expect(
      download.result == .failure(.cancelled) && server.requests.isEmpty,
      "Cancelled before its turn is cancelled, too: no request, and .failure(.cancelled).")
  }

  @Test func `cancelled when it has finished, it keeps its data`() throws {
    let server = try LoopbackServer { [body] _ in .response(body: body) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    runs(download)
    // Foundation on Linux can trap where a task is cancelled while it completes.
    eventually("Its request never ends.", timersInPlay: true) { session.isIdle }
    try mustReturn("cancel()", timersInPlay: true) { download.cancel() }
    #expect(
      download.result == .success(body),
      "The data was there when it was cancelled, and the result must not change after the end.")
  }

  @Test func `cancelled when it has failed, it keeps its error`() throws {
    let server = try LoopbackServer { _ in .response(status: 404, body: Data("sorry".utf8)) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    runs(download)
    eventually("Its request never ends.", timersInPlay: true) { session.isIdle }
    try mustReturn("cancel()", timersInPlay: true) { download.cancel() }
    #expect(
      download.result == .failure(.status(404)),
      """
      It had failed with status 404 when it was cancelled. That's how it ended, and the result must \
      not change after the end.
      """)
  }

  // MARK: - Its end

  @Test(arguments: DownloadEnd.allCases) func `nothing keeps it alive`(end: DownloadEnd) throws {
    let server = try LoopbackServer { [body] _ in
      switch end {
      case .data: .response(body: body)
      case .status: .response(status: 404, body: body)
      case .error: .hangUp(body: body)
      case .cancelled: .slowly(body: body, until: Gate("the rest"))
      }
    }
    let watch = try mustReturn("the download", timersInPlay: true) { [queue, session] in
      let operation = DownloadOperation(url: server.url("/"), session: session.session)
      queue.addOperation(operation)
      return WeakReference(operation)
    }
    if end == .cancelled {
      eventually("The operation never sent its request.", timersInPlay: true) {
        !server.requests.isEmpty
      }
      try mustReturn("cancel()", timersInPlay: true) { watch.value?.cancel() }
    }
    eventually(
      """
      The download has come to its end (\(end.rawValue)) and everybody has let go of it, but \
      something keeps it alive. A session holds its delegate until it is invalidated; a closure \
      holds what it captures for as long as it is kept.
      """, timersInPlay: true
    ) { watch.isGone }
  }

  // session's thread          another thread
  // keeps the result
  // announces its end         reads it: nothing but a lock of the answer's orders the two
  @Test(.observesKVO) func `its result may be read at any time`() throws {
    let server = try LoopbackServer { [body] _ in .response(body: body) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    let meeting = RelaxedRendezvous()
    let probe = KVOProbe(download) { if $0 == .did(.isFinished) { meeting.changed() } }
    let reader = meeting.looker("result") { download.result }
    runs(download)
    withExtendedLifetime(probe) {}
    #expect(
      try reader.result(timersInPlay: true) == .success(body),
      "The result was kept before the end was announced, and another thread didn't find it.")
  }
}
