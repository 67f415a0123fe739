import AsyncOperations
import Foundation
import Synchronization

// Flags and an optional behind the standard library's mutex. The request is cancelled and the
// operation finished by one function, called by the last of the two, cancel() or main().
//
// Safe: what changes is inside `state`.
public final class RequestOperation: AsyncOperation, @unchecked Sendable {
  public enum Failure: Error {
    case cancelled
    case request(any Error)
  }

  public typealias Reply = @Sendable (Result<Data, any Error>) -> Void
  public typealias CancelRequest = @Sendable () -> Void

  private struct State {
    var result: Result<Data, Failure>?
    var cancelRequest: CancelRequest?
    var isInBegin = false
    var isTidy = false
  }

  private let begin: @Sendable (_ reply: @escaping Reply) -> CancelRequest
  private let state = Mutex(State())

  public init(begin: @escaping @Sendable (_ reply: @escaping Reply) -> CancelRequest) {
    self.begin = begin
    super.init()
  }

  public var result: Result<Data, Failure>? { state.withLock { $0.result } }

  public override func cancel() {
    let isFirst = state.withLock { state in
      if state.result != nil { return false }
      state.result = .failure(.cancelled)
      return true
    }
    if isFirst { super.cancel() }
    tidyUp()
  }

  public override func main() {
    state.withLock { $0.isInBegin = $0.result == nil }
    guard state.withLock({ $0.isInBegin }) else {
      if isCancelled { finish() }
      return
    }
    let cancelRequest = begin { [weak self] reply in self?.take(reply) }
    state.withLock { state in
      state.isInBegin = false
      if case .success? = state.result { return }
      if case .failure(.request)? = state.result { return }
      state.cancelRequest = cancelRequest
    }
    tidyUp()
  }

  private func take(_ reply: Result<Data, any Error>) {
    let kept: CancelRequest?? = state.withLock { state in
      if state.result != nil { return nil }
      state.result = reply.mapError { .request($0) }
      defer { state.cancelRequest = nil }
      return .some(state.cancelRequest)
    }
    if kept != nil { finish() }
  }

  /// Cancels the request and finishes, once, if it's cancelled and `begin` isn't being called.
  private func tidyUp() {
    // Settled, but Foundation doesn't know yet: the cancel() that settled it comes here later.
    guard isCancelled else { return }
    let (isDue, cancelRequest) = state.withLock { state -> (Bool, CancelRequest?) in
      guard case .failure(.cancelled)? = state.result, !state.isInBegin, !state.isTidy else {
        return (false, nil)
      }
      state.isTidy = true
      defer { state.cancelRequest = nil }
      return (true, state.cancelRequest)
    }
    cancelRequest?()
    if isDue { finish() }
  }
}
