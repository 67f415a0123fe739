// Page: make page KATA=DownloadOperation (Docs/ConcurrencyKatas.docc/DownloadOperation.md)

import AsyncOperations
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
///
/// Your turn: send the request, keep what comes of it, and finish on every path.
///
/// - `main()` asks `session` for a data task with a completion handler, resumes it and returns.
///   Nothing is sent before.
/// - In the handler, keep the outcome first, then call `finish()`, once. The status is the
///   `statusCode` of the `HTTPURLResponse`.
/// - `cancel()` calls `super.cancel()` and cancels the task, and the operation finishes when the
///   session has called the handler. A `cancel()` may come before there is a task. Cancelled before
///   its turn it has a result, too, and `main()` was never called.
/// - Any thread may read ``result`` at any time.
/// - A session holds its delegate until it is invalidated; a closure holds what it captures.
///
/// The base class is the finished one of the module `AsyncOperations`: it has `start()`, the state
/// with its notices, and `finish()`. Your own, if you have built it, stands beside it.
public final class DownloadOperation: AsyncOperations.AsyncOperation, @unchecked Sendable {
  // TODO: Say what protects the outcome and the task.
  // Safe: not yet.

  /// What is downloaded.
  public let url: URL

  private let session: URLSession

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
    // TODO: Write this.
    nil
  }

  /// Asks the operation to stop, and cancels its request.
  public override func cancel() {
    // TODO: Write this.
    super.cancel()
  }

  /// Sends the request.
  ///
  /// To be called by `start()` alone.
  public override func main() {
    // TODO: Write this.
    finish()
  }
}
