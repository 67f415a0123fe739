import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why a download has no data.
public enum DownloadError: Error, Equatable, Sendable {
  /// The server answered with this status, which isn't one from 200 to 299.
  case status(Int)
  /// The request failed before there was a whole answer.
  case transport(URLError)
  /// The operation was cancelled.
  case cancelled
}

/// An operation that downloads what is at a URL.
///
/// ```swift
/// let download = DownloadOperation(url: url)
/// download.completionBlock = { [weak download] in print(download?.result as Any) }
/// queue.addOperation(download)
/// ```
///
/// No thread is held while the data is on its way. The operation finishes once, on every path. When
/// its end is announced, ``result`` says how it went:
///
/// - A status from 200 to 299 is a success, with the data that came, even where that's none.
/// - Another status is ``DownloadError/status(_:)``, though the session reports no error for it.
/// - An error of the session is ``DownloadError/transport(_:)``, with that error.
/// - A download that was cancelled is ``DownloadError/cancelled``.
///
/// **Cancellation.** Cancelled before its queue has started it, it sends no request. Cancelled
/// while it loads, it cancels the request, and finishes as soon as the session has let go of it;
/// the result is ``DownloadError/cancelled``, also where the rest of the data comes at that moment.
/// Cancelled after its end, it keeps the result that it has.
///
/// The session is the caller's: it's neither configured nor invalidated here. Nothing keeps the
/// operation alive once it's finished.
///
/// - Warning: On Linux, `URLSession` traps now and then when a task is cancelled while it begins or
///   ends and its session has a `urlCache`, as `shared` does. Where downloads are cancelled there,
///   give them a session whose configuration has none.
///
/// Source: Apple's documentation of `URLSession`, "Fetching website data into memory".
public final class DownloadOperation: AsyncOperation, @unchecked Sendable {  // Safe: see `lock`.
  /// What is downloaded.
  public let url: URL

  private let session: URLSession
  private let lock = NSLock()
  private var task: URLSessionDataTask?
  private var outcome: Result<Data, DownloadError>?

  /// Creates an operation that will download what is at `url`.
  ///
  /// Nothing is sent yet.
  ///
  /// - Parameters:
  ///   - url: Where the data is; a URL of HTTP or HTTPS.
  ///   - session: The session that loads it.
  public init(url: URL, session: URLSession = .shared) {
    self.url = url
    self.session = session
  }

  /// The data, or why there is none; nil until the operation has ended.
  ///
  /// Safe to read from every thread; doesn't wait.
  public var result: Result<Data, DownloadError>? {
    // An operation that is cancelled before its start ends without a word of its own.
    lock.withLock { outcome } ?? (isCancelled && isFinished ? .failure(.cancelled) : nil)
  }

  /// Asks the operation to stop, and cancels its request.
  public override func cancel() {
    super.cancel()
    lock.withLock { task }?.cancel()
  }

  /// Sends the request.
  ///
  /// To be called by `start()` alone.
  public override func main() {
    let task = session.dataTask(with: url) { [self] data, response, error in
      end(data, response, error)
    }
    lock.withLock { self.task = task }
    task.resume()
    // A cancel that came before the task was kept has cancelled nothing.
    if isCancelled { task.cancel() }
  }

  private func end(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    let status = (response as? HTTPURLResponse)?.statusCode
    let outcome: Result<Data, DownloadError> =
      if isCancelled {
        .failure(.cancelled)
      } else if let error {
        .failure(.transport(error as? URLError ?? URLError(.unknown)))
      } else if let status, !(200...299).contains(status) {
        .failure(.status(status))
      } else {
        .success(data ?? Data())
      }
    lock.withLock {
      self.outcome = outcome
      task = nil
    }
    finish()
  }
}
