import AsyncOperations
import Foundation
import Synchronization

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

/// Keeps one state, which contains the task and the outcome, behind a mutex.
public final class DownloadOperation: AsyncOperations.AsyncOperation, @unchecked Sendable {
  // Safe: all that changes is in `state`.
  private enum State: Sendable {
    case idle
    case loading(URLSessionDataTask)
    case over(Result<Data, DownloadError>)
  }

  public let url: URL
  private let session: URLSession
  private let state = Mutex(State.idle)

  public init(url: URL, session: URLSession = .shared) {
    self.url = url
    self.session = session
  }

  public var result: Result<Data, DownloadError>? {
    let isOver = isCancelled && isFinished
    if case .over(let outcome) = state.withLock({ $0 }) { return outcome }
    return isOver ? .failure(.cancelled) : nil
  }

  public override func cancel() {
    super.cancel()
    if case .loading(let task) = state.withLock({ $0 }) { task.cancel() }
  }

  public override func main() {
    let task = session.dataTask(with: URLRequest(url: url)) { data, response, error in
      self.state.withLock { $0 = .over(self.outcome(data, response, error)) }
      self.finish()
    }
    state.withLock { $0 = .loading(task) }
    if isCancelled { task.cancel() }
    task.resume()
  }

  private func outcome(
    _ data: Data?, _ response: URLResponse?, _ error: (any Error)?
  ) -> Result<Data, DownloadError> {
    guard !isCancelled else { return .failure(.cancelled) }
    if let error = error as? URLError { return .failure(.transport(error)) }
    guard let response = response as? HTTPURLResponse, let data else {
      return .failure(.transport(URLError(.badServerResponse)))
    }
    let isSuccess = response.statusCode / 100 == 2
    return isSuccess ? .success(data) : .failure(.status(response.statusCode))
  }
}
