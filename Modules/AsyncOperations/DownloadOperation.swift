import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why a download has no data.
public enum DownloadError: Error, Equatable, Sendable {
  /// The server answered with this status, which isn't one from 200 to 299.
  case status(Int)
  /// The request failed before a complete response arrived.
  case transport(URLError)
  /// The operation was cancelled.
  case cancelled
}

/// An operation that downloads the data of a URL.
///
/// ```swift
/// let download = DownloadOperation(url: url)
/// download.completionBlock = { [weak download] in print(download?.result as Any) }
/// queue.addOperation(download)
/// ```
///
/// - While the data is on its way, the operation is executing and no thread is held.
/// - The operation finishes once, on every path: with any status, with an error of the session, or
///   cancelled.
/// - Nothing is sent before the operation is started; if it's cancelled before its start, nothing
///   is ever sent.
/// - A finished operation is released when the last reference from outside is gone, whatever its
///   result.
///
/// On Linux, `URLSession` occasionally traps if a task is cancelled while it begins or ends and its
/// session has a `urlCache`, as `shared` does. If downloads are cancelled there, give them a
/// session whose configuration has none.
///
/// Source: Apple's documentation of `URLSession`, "Fetching website data into memory".
public final class DownloadOperation: AsyncOperation, @unchecked Sendable {  // Safe: see `lock`.
  /// The URL to download.
  public let url: URL

  private let session: URLSession
  private let lock = NSLock()
  private var task: URLSessionDataTask?
  private var outcome: Result<Data, DownloadError>?

  /// Creates an operation that downloads the data of `url` when it's started.
  ///
  /// - The operation sends one request, for the complete `url`, with its query.
  /// - The data is loaded by `session` itself, which is neither configured nor invalidated.
  ///
  /// - Parameters:
  ///   - url: Where the data is; a URL of HTTP or HTTPS.
  ///   - session: The session that loads it; it stays the caller's.
  public init(url: URL, session: URLSession = .shared) {
    self.url = url
    self.session = session
  }

  /// The data, or the reason why there is none.
  ///
  /// - `result` is nil until just before the end is announced, even if the operation has been
  ///   cancelled before.
  /// - When the end is announced, `result` has its final value.
  /// - If the status is one from 200 to 299, `result` is a success with the data that came for this
  ///   operation, even if the data is empty.
  /// - If the status is another one, `result` is the failure `.status`, though the session reports
  ///   no error.
  /// - If the session reports a `URLError`, `result` is the failure `.transport` with that error
  ///   itself, even if the caller has cancelled the session's task and not the operation.
  /// - If the session reports an error of another type, `result` is the failure `.transport`; which
  ///   `URLError` it has is left open.
  /// - If the operation is cancelled while `result` is nil, `result` is the failure `.cancelled` in
  ///   the end, even if the data or an error comes at that moment.
  /// - Once `result` isn't nil it stays as it is, even if the operation is cancelled before its end
  ///   is announced.
  /// - `result` may be read by any thread at any time.
  ///
  /// Reading it doesn't block.
  public var result: Result<Data, DownloadError>? {
    // Asked before the outcome is read: an end has stored it by then.
    let isOver = isCancelled && isFinished
    // An operation that is cancelled before its start ends without an outcome of its own.
    return lock.withLock { outcome } ?? (isOver ? .failure(.cancelled) : nil)
  }

  /// Asks the operation to stop.
  ///
  /// - Before the end, `cancel()` sets `isCancelled` and cancels the request, even if `main()` has
  ///   yet to create it.
  /// - A download that is cancelled after its start finishes when the session has called its
  ///   completion handler, and not before.
  public override func cancel() {
    super.cancel()
    lock.withLock { task }?.cancel()
  }

  /// Sends the request.
  ///
  /// Only `start()` calls it.
  public override func main() {
    let task = session.dataTask(with: url) { [self] data, response, error in
      end(data, response, error)
    }
    lock.withLock { self.task = task }
    task.resume()
    // A `cancel()` that came before the task was stored has cancelled nothing.
    if isCancelled { task.cancel() }
  }

  private func end(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    let status = (response as? HTTPURLResponse)?.statusCode
    lock.withLock {
      // Decided where it's stored: a thread that cancels and then reads nil is in time.
      outcome =
        if isCancelled {
          .failure(.cancelled)
        } else if let error {
          .failure(.transport(error as? URLError ?? URLError(.unknown)))
        } else if let status, !(200...299).contains(status) {
          .failure(.status(status))
        } else {
          .success(data ?? Data())
        }
      task = nil
    }
    finish()
  }
}
