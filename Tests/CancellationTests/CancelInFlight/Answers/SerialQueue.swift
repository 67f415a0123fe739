import AsyncOperations
import Foundation

// Everything is decided on a serial queue, which answers with what is to be done outside.
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
    case before, sending, sent(CancelRequest), cancelledSending, over
  }

  private let begin: @Sendable (_ reply: @escaping Reply) -> CancelRequest
  private let queue = DispatchQueue(label: "katas.answers.request")
  private var stage = Stage.before
  private var outcome: Result<Data, Failure>?

  public init(begin: @escaping @Sendable (_ reply: @escaping Reply) -> CancelRequest) {
    self.begin = begin
    super.init()
  }

  public var result: Result<Data, Failure>? { queue.sync { outcome } }

  public override func cancel() {
    let actions: [() -> Void] = queue.sync {
      guard outcome == nil else { return [] }
      outcome = .failure(.cancelled)
      switch stage {
      case .sending:
        stage = .cancelledSending
        return [foundationCancel]
      case .sent(let cancelRequest):
        stage = .over
        return [foundationCancel, cancelRequest, finish]
      case .before, .cancelledSending, .over:
        stage = .over
        return [foundationCancel, finish]
      }
    }
    for action in actions { action() }
  }

  public override func main() {
    let goesAhead = queue.sync {
      if outcome == nil { stage = .sending }
      return outcome == nil
    }
    guard goesAhead else { return finish() }
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
    let isCancelled = queue.sync {
      switch stage {
      case .sending where outcome == nil: stage = .sent(cancelRequest)
      case .cancelledSending:
        stage = .over
        return true
      default: break
      }
      return false
    }
    if isCancelled {
      cancelRequest()
      finish()
    }
  }

  private func foundationCancel() { super.cancel() }
}
