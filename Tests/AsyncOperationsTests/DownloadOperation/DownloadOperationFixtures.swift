import Dispatch
import Foundation
import KataTesting

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a download says of itself.
typealias DownloadResult = Result<Data, DownloadError>?

/// How a download ends.
enum DownloadEnd: String, CaseIterable, Sendable {
  case data = "with its data"
  case status = "with status 404"
  case error = "with a connection that broke"
  case cancelled = "cancelled"
}

extension DownloadOperation {
  /// The error of transport that it ended with; nil where it didn't.
  var transportError: URLError? {
    if case .failure(.transport(let error)) = result { error } else { nil }
  }
}

/// A session of one test, which ends with it.
final class DownloadSession: Sendable, OpaqueMirror {
  let session: URLSession

  /// Makes a session that calls its handlers on `handlers`, or on a queue of its own.
  init(handlers: OperationQueue? = nil) {
    let configuration = URLSessionConfiguration.ephemeral
    // On Linux a task whose session has a cache can trap when it is cancelled while it completes.
    configuration.urlCache = nil
    // Its own time-out must not end what a test waits for in vain, however slow the machine is.
    configuration.timeoutIntervalForRequest = 3_600
    session = URLSession(
      configuration: configuration, delegate: nil, delegateQueue: handlers)
  }

  // A request of a wrong answer's may still be under way. It isn't cancelled with the session, which
  // can trap as well: it ends when the server of the test is gone.
  deinit { session.finishTasksAndInvalidate() }

  /// Whether no request is under way.
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

  /// Cancels whatever request is under way, as the owner of a session may.
  func cancelTasks() {
    let isTold = DispatchSemaphore(value: 0)
    session.getAllTasks { tasks in
      for task in tasks { task.cancel() }
      isTold.signal()
    }
    isTold.wait()
  }
}
