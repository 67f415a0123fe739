import AsyncOperations
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Why a download has no data.
public enum DownloadError: Error, Equatable, Sendable {
  /// The server answered with this status, which isn't one from 200 to 299.
  case status(Int)
  /// The request failed before the answer was complete.
  case transport(URLError)
  /// The operation was cancelled.
  case cancelled
}

/// Downloads with a session of its own, whose delegate it is; the session is never invalidated.
public final class DownloadOperation: AsyncOperations.AsyncOperation, URLSessionDataDelegate,
  @unchecked Sendable  // Safe: guarded by `lock`.
{
  public let url: URL
  private let configuration: URLSessionConfiguration
  private let lock = NSLock()
  private lazy var session = URLSession(
    configuration: configuration, delegate: self, delegateQueue: nil)
  private var task: URLSessionDataTask?
  private var data = Data()
  private var outcome: Result<Data, DownloadError>?

  public init(url: URL, session: URLSession = .shared) {
    self.url = url
    configuration = session.configuration
  }

  public var result: Result<Data, DownloadError>? {
    lock.withLock { outcome } ?? (isCancelled && isFinished ? .failure(.cancelled) : nil)
  }

  public override func cancel() {
    super.cancel()
    lock.withLock { task }?.cancel()
  }

  public override func main() {
    let task = session.dataTask(with: url)
    lock.withLock { self.task = task }
    task.resume()
    if isCancelled { task.cancel() }
  }

  public func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data
  ) {
    lock.withLock { self.data += data }
  }

  public func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    let status = (task.response as? HTTPURLResponse)?.statusCode ?? 200
    lock.withLock {
      outcome =
        if isCancelled {
          .failure(.cancelled)
        } else if let error {
          .failure(.transport(error as? URLError ?? URLError(.unknown)))
        } else if !(200...299).contains(status) {
          .failure(.status(status))
        } else {
          .success(data)
        }
      self.task = nil
    }
    finish()
  }
}
