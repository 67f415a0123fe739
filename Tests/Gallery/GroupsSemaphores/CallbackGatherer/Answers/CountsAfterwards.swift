import Dispatch
import Foundation

/// A counter in place of a group; it is read after the result has been stored.
public struct CallbackGatherer<Request: Sendable, Value: Sendable>: Sendable {
  public typealias Callback = @Sendable (Result<Value, any Error>) -> Void
  public typealias API = @Sendable (Request, _ callback: @escaping Callback) throws -> Void

  private let api: API

  public init(_ api: @escaping API) {
    self.api = api
  }

  public func gather(
    _ requests: [Request], deliverOn queue: DispatchQueue,
    completion: @escaping @Sendable ([Result<Value, any Error>]) -> Void
  ) {
    let tray = Tray<Value>(count: requests.count) { results in
      queue.async { completion(results) }
    }
    for (index, request) in requests.enumerated() {
      let callback: Callback = { tray.put($0, at: index) }
      do { try api(request, callback) } catch { callback(.failure(error)) }
    }
    if requests.isEmpty { queue.async { completion([]) } }
  }
}

private final class Tray<Value: Sendable>: Sendable {
  typealias Results = [Result<Value, any Error>]

  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var results: [Int: Result<Value, any Error>] = [:]
  private let lock = NSLock()
  private let count: Int
  private let deliver: @Sendable (Results) -> Void

  init(count: Int, deliver: @escaping @Sendable (Results) -> Void) {
    self.count = count
    self.deliver = deliver
  }

  func put(_ result: Result<Value, any Error>, at index: Int) {
    let isFirst = lock.withLock {
      guard results[index] == nil else { return false }
      results[index] = result
      return true
    }
    guard isFirst else { return }
    let complete: Results? = lock.withLock {
      guard results.count == count else { return nil }
      return (0..<count).compactMap { results[$0] }
    }
    if let complete { deliver(complete) }
  }
}
