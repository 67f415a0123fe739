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
    // Started by hand, so main() has returned: only cancel() is left to cancel the task.
    try mustReturn("start()", timersInPlay: true) { download.start() }
    expectRequest(at: server)
    try mustReturn("cancel()", timersInPlay: true) { download.cancel() }
    #expect(download.isCancelled, "cancel() must call super.cancel().")
    let isFinished = eventually(
      """
      It was cancelled while the server was sending, but still waits for the rest. cancel() must \
      cancel the task too.
      """, timersInPlay: true
    ) { download.isFinished }
    guard isFinished else { return }
    #expect(
      download.result == .failure(.cancelled),
      "Its result must be .failure(.cancelled), whatever error the session reports.")
    eventually(
      "It has finished, but its request is still running: cancel() must cancel the task.",
      timersInPlay: true
    ) { server.clientsThatHungUp == 1 }
  }

  // its session's owner        the operation
  //                            loads
  // cancels the session's tasks
  //                            ends: it wasn't cancelled
  @Test func `a request that the session's owner cancels is an error`() throws {
    let server = try LoopbackServer { [body] _ in .slowly(body: body, until: Gate("the rest")) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    queue.addOperation(download)
    expectRequest(at: server)
    try mustReturn("the session", timersInPlay: true) { [session] in session.cancelTasks() }
    let isFinished = eventually(
      "The session has cancelled its request, but it never finishes.", timersInPlay: true
    ) { download.isFinished }
    guard isFinished else { return }
    #expect(
      download.transportError?.code == .cancelled && !download.isCancelled,
      """
      The session's owner has cancelled the request, but the operation wasn't cancelled. That's an \
      error of the session, .failure(.transport(…)) with the code \
      \(URLError.Code.cancelled.rawValue): only isCancelled says whether the operation was \
      cancelled.
      """)
  }

  // its queue     another thread
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
      It was cancelled after its start and before there was a task, but continues to load. Check \
      isCancelled again when the task is stored.
      """, timersInPlay: true
    ) { download.isFinished }
    withExtendedLifetime(probe) {}
    guard download.isFinished else { return }
    #expect(
      download.result == .failure(.cancelled),
      "It was cancelled while it began, so its result must be .failure(.cancelled).")
  }

  // session              another thread
  // has all the data
  //                      cancels
  // calls the handler
  @Test(arguments: [200, 404])
  func `cancelled while its answer arrives, it is cancelled`(status: Int) throws {
    let server = try LoopbackServer { [body] _ in .response(status: status, body: body) }
    let (handlers, session) = heldSession()
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    try expectCancelled(download, handlers, "its answer with status \(status) had arrived")
  }

  @Test func `cancelled while an error of another type arrives, it is cancelled`() throws {
    let (handlers, session) = heldSession(isScripted: true)
    let requests = ScriptedRequests(isAnswered: true, error: CocoaError(.fileReadCorruptFile))
    let download = DownloadOperation(url: requests.url, session: session.session)
    try expectCancelled(download, handlers, "an error that isn't a URLError had arrived")
    requests.forget()
  }

  /// A session that calls no handler before its queue is resumed.
  private func heldSession(isScripted: Bool = false) -> (OperationQueue, DownloadSession) {
    let handlers = OperationQueue()
    handlers.maxConcurrentOperationCount = 1
    handlers.isSuspended = true
    return (handlers, DownloadSession(handlers: handlers, isScripted: isScripted))
  }

  private func expectCancelled(
    _ download: DownloadOperation, _ handlers: OperationQueue, _ arrival: String
  ) throws {
    queue.addOperation(download)
    eventually("The operation never sent its request.", timersInPlay: true) {
      handlers.operationCount > 0
    }
    try mustReturn("cancel()", timersInPlay: true) { download.cancel() }
    #expect(
      download.result == nil && !download.isFinished,
      """
      It was cancelled, but the session hasn't called the handler yet. It must end there, and not \
      before: let cancel() cancel the task, and leave result and finish() to the handler.
      """)
    handlers.isSuspended = false
    eventually("It was cancelled, but never finishes.", timersInPlay: true) { download.isFinished }
    #expect(
      download.result == .failure(.cancelled),
      """
      It was cancelled when \(arrival) and the session hadn't called the handler yet. Its result \
      must be .failure(.cancelled): check isCancelled first.
      """)
  }

  @Test func `nothing is sent before its start`() throws {
    let server = try LoopbackServer { [body] _ in .response(body: body) }
    let waiting = OperationQueue()
    waiting.isSuspended = true
    let download = DownloadOperation(url: server.url("/early"), session: session.session)
    waiting.addOperation(download)
    // Anything that it has sent by now arrives before these requests, which are sent one by one.
    for path in ["/1", "/2", "/3"] {
      runs(DownloadOperation(url: server.url(path), session: session.session))
    }
    #expect(
      server.requests == ["/1", "/2", "/3"],
      """
      Its queue hasn't started it, but its request was sent. Send a request in main().
      """)
    waiting.isSuspended = false
    eventually("Its queue has started it, but it never finishes.", timersInPlay: true) {
      download.isFinished
    }
  }

  @Test func `cancelled before its start, it sends nothing`() throws {
    let server = try LoopbackServer { [body] _ in .response(body: body) }
    queue.isSuspended = true
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    queue.addOperation(download)
    try mustReturn("cancel()", timersInPlay: true) { download.cancel() }
    #expect(download.result == nil, "It hasn't ended yet, so it must have no result.")
    queue.isSuspended = false
    eventually("It was cancelled before its start, but never finishes.", timersInPlay: true) {
      download.isFinished
    }
    #expect(
      download.result == .failure(.cancelled) && server.requests.isEmpty,
      "Cancelled before its start, it must send no request and end with .failure(.cancelled).")
  }

  @Test func `cancelled when it has finished, it keeps its data`() throws {
    let server = try LoopbackServer { [body] _ in .response(body: body) }
    let download = DownloadOperation(url: server.url("/"), session: session.session)
    runs(download)
    // Foundation on Linux can trap if a task is cancelled while it completes.
    eventually("Its request never ends.", timersInPlay: true) { session.isIdle }
    try mustReturn("cancel()", timersInPlay: true) { download.cancel() }
    #expect(
      download.result == .success(body),
      "It was cancelled after its end, so its result must stay the data that has arrived.")
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
      It was cancelled after its end, so its result must stay as it was: the failure with status \
      404.
      """)
  }

  // MARK: - After its end

  @Test(arguments: DownloadEnd.allCases) func `nothing retains it`(end: DownloadEnd) throws {
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
      The download has ended (\(end.rawValue)) and every reference from outside is gone, but it's \
      still in memory. A session retains its delegate until it's invalidated; a closure retains \
      what it captures for as long as it's stored.
      """, timersInPlay: true
    ) { watch.isGone }
  }

  // session's thread          another thread
  // stores the result
  // announces its end         reads it: only a lock in the answer orders the two
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
      "The result must be stored before the end is announced, but another thread didn't find it.")
  }
}
