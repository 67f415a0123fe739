import Foundation
import KataTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A reply to one request that is sent when the test says so, without a network or a timer.
final class HeldReply: Sendable, OpaqueMirror {
  /// A request that waits for the reply.
  // Safe: it's received once, by the thread that sends the reply.
  private struct Waiting: @unchecked Sendable {
    let request: HeldProtocol
  }

  private struct State {
    var isSent = false
    var waiting: [Waiting] = []
  }

  /// A session that loads only the URLs of such replies.
  static let session: URLSession = {
    let configuration = URLSessionConfiguration.ephemeral
    // As in DownloadSession.
    configuration.urlCache = nil
    configuration.protocolClasses = [HeldProtocol.self]
    return URLSession(configuration: configuration)
  }()

  private static let count = SharedCounter()
  private static let all = LockedValue<[URL: HeldReply]>([:])

  let url: URL
  fileprivate let status: Int?
  private let state = LockedValue(State())

  /// Creates a reply to requests for a new URL, with one byte of data; without a status, the
  /// connection is lost.
  init(status: Int?) {
    guard let url = URL(string: "http://127.0.0.1/\(Self.count.increment())") else {
      preconditionFailure("The text isn't a URL.")
    }
    self.url = url
    self.status = status
    Self.all.withLock { $0[url] = self }
  }

  fileprivate static subscript(url: URL?) -> HeldReply? {
    url.flatMap { url in all.withLock { $0[url] } }
  }

  /// Sends the reply to the request that waits for it, or to the one that comes.
  func send() {
    let waiting = state.withLock { state in
      defer { state = State(isSent: true) }
      return state.waiting
    }
    for waiting in waiting { waiting.request.receive(self) }
  }

  /// Sends the reply, and accepts no other request.
  func end() {
    send()
    Self.all.withLock { $0[url] = nil }
  }

  fileprivate func begin(_ request: HeldProtocol) {
    let waiting = Waiting(request: request)
    let isSent = state.withLock { state in
      if !state.isSent { state.waiting.append(waiting) }
      return state.isSent
    }
    if isSent { request.receive(self) }
  }
}

private final class HeldProtocol: URLProtocol {
  private let isStopped = LockedValue(false)

  override static func canInit(with request: URLRequest) -> Bool { HeldReply[request.url] != nil }
  override static func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() { HeldReply[request.url]?.begin(self) }
  override func stopLoading() { isStopped.set(true) }

  func receive(_ reply: HeldReply) {
    // On Linux a reply to a cancelled request traps.
    guard !isStopped.value else { return }
    guard let status = reply.status,
      let response = HTTPURLResponse(
        url: reply.url, statusCode: status, httpVersion: nil, headerFields: nil)
    else {
      client?.urlProtocol(self, didFailWithError: URLError(.networkConnectionLost))
      return
    }
    client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Data([7]))
    client?.urlProtocolDidFinishLoading(self)
  }
}
