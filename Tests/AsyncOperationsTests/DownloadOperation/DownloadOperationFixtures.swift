import Dispatch
import Foundation
import KataTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The result of a download.
typealias DownloadResult = Result<Data, DownloadError>?

/// How a download ends.
enum DownloadEnd: String, CaseIterable, Sendable {
  case data = "with its data"
  case status = "with status 404"
  case error = "with a connection that broke"
  case cancelled = "cancelled"
}

extension DownloadOperation {
  /// The transport error that it ended with; nil if it ended otherwise.
  var transportError: URLError? {
    if case .failure(.transport(let error)) = result { error } else { nil }
  }
}

/// A session of one test, which is invalidated with it.
final class DownloadSession: Sendable, OpaqueMirror {
  let session: URLSession

  /// Creates a session that calls its handlers on `handlers`, or on a queue of its own; its requests
  /// may be scripted.
  init(handlers: OperationQueue? = nil, isScripted: Bool = false) {
    let configuration = URLSessionConfiguration.ephemeral
    if isScripted { configuration.protocolClasses = [ScriptedProtocol.self] }
    // On Linux a task whose session has a cache can trap if it is cancelled while it completes.
    configuration.urlCache = nil
    // The session's own timeout must not end what a test waits for, however slow the machine is.
    configuration.timeoutIntervalForRequest = 3_600
    session = URLSession(
      configuration: configuration, delegate: nil, delegateQueue: handlers)
  }

  // A request of a wrong answer may still be running. It isn't cancelled with the session, which
  // can trap too: it ends when the server of the test is gone.
  deinit { session.finishTasksAndInvalidate() }

  /// Whether no request is running.
  var isIdle: Bool {
    let (isIdle, isTold) = (LockedValue(false), DispatchSemaphore(value: 0))
    session.getAllTasks { tasks in
      isIdle.set(tasks.isEmpty)
      isTold.signal()
    }
    isTold.wait()
    return isIdle.value
  }

  /// The error that the session itself reports for `url`; waits for it.
  func error(at url: URL) -> URLError? {
    let (reported, isTold) = (LockedValue<URLError?>(nil), DispatchSemaphore(value: 0))
    session.dataTask(with: url) { _, _, error in
      reported.set(error as? URLError)
      isTold.signal()
    }.resume()
    isTold.wait()
    return reported.value
  }

  /// Cancels all running requests, as the owner of a session may.
  func cancelTasks() {
    let isTold = DispatchSemaphore(value: 0)
    session.getAllTasks { tasks in
      for task in tasks { task.cancel() }
      isTold.signal()
    }
    isTold.wait()
  }
}

/// The requests of one download, which come to `ScriptedProtocol`.
final class ScriptedRequests: Sendable, OpaqueMirror {
  private static let all = LockedValue<[URL: ScriptedRequests]>([:])
  private static let made = SharedCounter()

  let url: URL
  let isAnswered: Bool
  let error: (any Error)?
  let count = SharedCounter()
  let hasAnswered = DispatchSemaphore(value: 0)

  init(isAnswered: Bool, error: (any Error)? = nil) {
    self.isAnswered = isAnswered
    self.error = error
    guard let url = URL(string: "http://localhost/\(Self.made.increment())") else {
      preconditionFailure("The text isn't a URL.")
    }
    self.url = url
    Self.all.withLock { $0[url] = self }
  }

  static func of(_ url: URL?) -> ScriptedRequests? { url.flatMap { url in all.value[url] } }

  func forget() { Self.all.withLock { _ = $0.removeValue(forKey: url) } }
}

/// A server in this process, which answers with one byte, with an error or never.
final class ScriptedProtocol: URLProtocol {
  override class func canInit(with request: URLRequest) -> Bool { true }
  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    guard let requests = ScriptedRequests.of(request.url) else { return }
    requests.count.increment()
    guard requests.isAnswered,
      let response = HTTPURLResponse(
        url: requests.url, statusCode: 200, httpVersion: nil, headerFields: nil)
    else { return }
    if let error = requests.error {
      client?.urlProtocol(self, didFailWithError: error)
    } else {
      client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
      client?.urlProtocol(self, didLoad: Data([7]))
      client?.urlProtocolDidFinishLoading(self)
    }
    #if canImport(FoundationNetworking)
      // Here `cancel()` reports an error to it, and the process traps if the session has forgotten
      // the task by then.
      client = nil
    #endif
    requests.hasAnswered.signal()
  }

  override func stopLoading() {}
}
