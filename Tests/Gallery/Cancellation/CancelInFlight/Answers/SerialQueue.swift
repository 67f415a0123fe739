import AsyncOperations
import Foundation

// Everything is decided on a serial queue, which returns what is to be done outside it.
//
// Safe: what changes is touched on `queue` alone.
public final class RequestOperation: AsyncOperation, @unchecked Sendable {
  public enum Failure: Error {
    case cancelled
    case request(any Error)
  }

  public typealias Reply = @Sendable (Result<Data, any Error>) -> Void
  public typealias CancelRequest = @Sendable () -> Void

  private enum Stage {
    case before, sending, sent(CancelRequest), over
  }

  private let begin: @Sendable (_ reply: @escaping Reply) -> CancelRequest
  private let queue = DispatchQueue(label: "katas.answers.request")
  private var stage = Stage.before
  private var outcome: Result<Data, Failure>?
  private var isTold = false

  public init(begin: @escaping @Sendable (_ reply: @escaping Reply) -> CancelRequest) {
    self.begin = begin
    super.init()
  }

  public var result: Result<Data, Failure>? { queue.sync { outcome } }

  public override func cancel() {
    let isFirst = queue.sync {
      guard outcome == nil else { return false }
      outcome = .failure(.cancelled)
      return true
    }
    guard isFirst else { return }
    super.cancel()
    let actions: [() -> Void] = queue.sync {
      isTold = true
      guard case .sent(let cancelRequest) = stage else {
        if case .sending = stage { return [] }
        return [finish]
      }
      stage = .over
      return [cancelRequest, finish]
    }
    for action in actions { action() }
  }

  public override func main() {
    let (goesAhead, endsHere) = queue.sync {
      if outcome == nil { stage = .sending }
      return (outcome == nil, isTold)
    }
    guard goesAhead else { return endsHere ? finish() : () }
    let cancelRequest = begin { [self] reply in
      let isFirst = queue.sync {
        guard outcome == nil else { return false }
        switch reply {
        case .success(let data): outcome = .success(data)
        case .failure(let error): outcome = .failure(.request(error))
        }
        return true
      }
      guard isFirst else { return }
      let before = queue.sync {
        defer { stage = .over }
        return stage
      }
      withExtendedLifetime(before) { finish() }
    }
    let isLeftToMain = queue.sync {
      guard case .sending = stage else { return false }
      // cancel() finds what is kept here, if it hasn't called super.cancel() yet, or a reply does.
      stage = isTold ? .over : .sent(cancelRequest)
      return isTold
    }
    if isLeftToMain {
      cancelRequest()
      finish()
    }
  }
}
