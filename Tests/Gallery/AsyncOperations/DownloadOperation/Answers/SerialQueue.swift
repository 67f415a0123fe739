import AsyncOperations
import Dispatch
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

/// Keeps the task and the outcome on a serial queue.
public final class DownloadOperation: AsyncOperations.AsyncOperation, @unchecked Sendable {
  // Safe: `task` and `outcome` are used on `gate` alone.
  public let url: URL
  private let session: URLSession
  private let gate = DispatchQueue(label: "org.concurrency-katas.download")
  private var task: URLSessionDataTask?
  private var outcome: Result<Data, DownloadError>?

  public init(url: URL, session: URLSession = .shared) {
    self.url = url
    self.session = session
    super.init()
  }

  public var result: Result<Data, DownloadError>? {
    // Finished without an outcome, it was cancelled before its start.
    let isOver = isFinished
    return gate.sync { outcome } ?? (isOver ? .failure(.cancelled) : nil)
  }

  public override func cancel() {
    super.cancel()
    gate.async { self.task?.cancel() }
  }

  public override func main() {
    gate.sync {
      guard !isCancelled else { return }
      task = session.dataTask(with: url) { [weak self] data, response, error in
        self?.end(data, (response as? HTTPURLResponse)?.statusCode, error)
      }
      task?.resume()
    }
    if gate.sync(execute: { task == nil && outcome == nil }) { finish() }
  }

  private func end(_ data: Data?, _ status: Int?, _ error: (any Error)?) {
    gate.sync {
      switch (data, status, error) {
      case _ where isCancelled: outcome = .failure(.cancelled)
      case (_, _, let error?):
        outcome = .failure(.transport(error as? URLError ?? URLError(.unknown)))
      case (let data?, let status?, _) where status >= 200 && status < 300:
        outcome = .success(data)
      case (_, let status?, _): outcome = .failure(.status(status))
      default: outcome = .failure(.transport(URLError(.badServerResponse)))
      }
      task = nil
    }
    finish()
  }
}
