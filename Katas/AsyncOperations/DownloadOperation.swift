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
///
/// Your turn: send the request, store its outcome, and finish on every path.
///
/// - `main()` asks `session` for a data task with a completion handler, resumes it and returns.
///   Nothing is sent before that.
/// - In the handler, store the outcome first, then call `finish()`, once. The status is the
///   `statusCode` of the `HTTPURLResponse`.
/// - `cancel()` calls `super.cancel()` and cancels the task, and the operation finishes when the
///   session has called the handler. `cancel()` may be called before there is a task. If the
///   operation was cancelled before its start, `main()` is never called, but `result` must still be
///   `.cancelled` when the operation has finished.
/// - Any thread may read ``result`` at any time, so guard it.
/// - Mind retain cycles: a session retains its delegate until it's invalidated, and a closure
///   retains what it captures.
///
/// The base class is the finished one of the module `AsyncOperations`: it has `start()`, the state
/// with its notifications, and `finish()`. Your own `AsyncOperation`, if you have built it, isn't
/// used.
public final class DownloadOperation: AsyncOperations.AsyncOperation, @unchecked Sendable {
  // TODO: Say what protects the outcome and the task.
  // Safe: not yet.

  /// The URL to download.
  public let url: URL

  private let session: URLSession

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
    // TODO: Write this.
    nil
  }

  /// Asks the operation to stop.
  ///
  /// - Before the end, `cancel()` sets `isCancelled` and cancels the request, even if `main()` has
  ///   yet to create it.
  /// - A download that is cancelled after its start finishes when the session has called its
  ///   completion handler, and not before.
  public override func cancel() {
    // TODO: Write this.
    super.cancel()
  }

  /// Sends the request.
  ///
  /// Only `start()` calls it.
  public override func main() {
    // TODO: Write this.
    finish()
  }
}
