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
/// Your turn: send the request, keep what comes of it, and finish on every path.
///
/// - `main()` asks `session` for a data task with a completion handler, resumes it and returns; no
///   thread waits for the data. Nothing is sent before.
/// - In the handler, keep the outcome first, then call `finish()`, once. A status from 200 to 299 is
///   a success with the data; another status is `.failure(.status(…))`, though the session reports no
///   error for it (look at `HTTPURLResponse.statusCode`); an error is `.failure(.transport(…))`.
/// - `cancel()` calls `super.cancel()` and cancels the task, and the operation finishes when the
///   session has called the handler. Its result is `.failure(.cancelled)`, also where it was
///   cancelled before its turn and `main()` was never called. Cancelled after its end, it keeps what
///   it has.
/// - ``result`` is nil until the operation has ended, and may be read by any thread at any time.
/// - When it has finished, nothing may keep the operation alive: a session, for one, holds its
///   delegate until it is invalidated.
///
/// The base class is the finished one of the module `AsyncOperations`: it has `start()`, the state
/// with its notices, and `finish()`. Your own, if you have built it, stands beside it.
public final class DownloadOperation: AsyncOperations.AsyncOperation, @unchecked Sendable {
  // Safe: your turn; say what protects the outcome and the task.

  /// What is downloaded.
  public let url: URL

  private let session: URLSession

  /// Creates an operation that will download what is at `url`.
  ///
  /// Nothing is sent yet.
  ///
  /// - Parameters:
  ///   - url: Where the data is.
  ///   - session: The session that loads it.
  public init(url: URL, session: URLSession = .shared) {
    self.url = url
    self.session = session
  }

  /// The data, or why there is none; nil until the operation has ended.
  ///
  /// Safe to read from every thread; doesn't wait.
  public var result: Result<Data, DownloadError>? {
    // Your turn.
    nil
  }

  /// Asks the operation to stop, and cancels its request.
  public override func cancel() {
    // Your turn.
    super.cancel()
  }

  /// Sends the request.
  ///
  /// To be called by `start()` alone.
  public override func main() {
    // Your turn.
    finish()
  }
}
