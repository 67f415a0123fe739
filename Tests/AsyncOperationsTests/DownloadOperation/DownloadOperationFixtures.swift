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

  /// Creates a session that calls its handlers on `handlers`, or on a queue of its own.
  init(handlers: OperationQueue? = nil) {
    let configuration = URLSessionConfiguration.ephemeral
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
