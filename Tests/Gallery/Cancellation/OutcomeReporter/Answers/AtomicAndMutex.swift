import AsyncOperations
import Foundation
import Synchronization

// A right answer: an atomic says which delivery is first, a Mutex keeps the outcome, and cancel()
// is overridden to remember the cancellation, and calls super.cancel().

public enum Outcome<Value: Sendable>: Sendable {
  case completed(Value)
  case failed(any Error)
  case cancelled
}

public final class ReportingOperation<Value: Sendable>: AsyncOperation,
  @unchecked Sendable  // Safe: only `shared` changes, by atomics and a mutex.
{
  private final class Shared: Sendable {
    let isDelivered = Atomic(false)
    let isAsked = Atomic(false)
    let outcome = Mutex(Outcome<Value>.cancelled)
  }

  private let work: @Sendable (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
  private let shared = Shared()

  public init(
    report: @escaping @Sendable (Outcome<Value>) -> Void,
    work:
      @escaping @Sendable (
        _ deliver: @escaping @Sendable (Result<Value, any Error>) -> Void
      ) -> Void
  ) {
    self.work = work
    super.init()
    let shared = shared
    completionBlock = { report(shared.outcome.withLock { $0 }) }
  }

  public var outcome: Outcome<Value>? { isFinished ? shared.outcome.withLock { $0 } : nil }

  public override func cancel() {
    shared.isAsked.store(true, ordering: .releasing)
    super.cancel()
  }

  public override func main() {
    work { [self, shared] result in
      guard !shared.isDelivered.exchange(true, ordering: .acquiringAndReleasing) else { return }
      let outcome: Outcome<Value>
      switch result {
      case .success(let value): outcome = .completed(value)
      case .failure(is CancellationError): outcome = .cancelled
      case .failure(let error):
        outcome = shared.isAsked.load(ordering: .acquiring) ? .cancelled : .failed(error)
      }
      shared.outcome.withLock { $0 = outcome }
      finish()
    }
  }
}
