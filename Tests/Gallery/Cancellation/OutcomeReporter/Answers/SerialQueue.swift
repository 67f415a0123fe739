import AsyncOperations
import Dispatch
import Foundation

// A right answer: the delivered result and the cancellation are kept on a serial queue as they
// were, and the outcome is computed from them when it is read.

public enum Outcome<Value: Sendable>: Sendable {
  case completed(Value)
  case failed(any Error)
  case cancelled
}

public final class ReportingOperation<Value: Sendable>: AsyncOperation,
  @unchecked Sendable  // Safe: only `delivery` changes, on its queue.
{
  private let work: @Sendable (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
  private let delivery = Delivery<Value>()

  public init(
    report: @escaping @Sendable (Outcome<Value>) -> Void,
    work:
      @escaping @Sendable (
        _ deliver: @escaping @Sendable (Result<Value, any Error>) -> Void
      ) -> Void
  ) {
    self.work = work
    super.init()
    completionBlock = { [delivery] in report(delivery.outcome) }
  }

  public var outcome: Outcome<Value>? {
    guard isFinished else { return nil }
    return delivery.outcome
  }

  public override func main() {
    work { result in
      self.delivery.keep(result, wasCancelled: self.isCancelled)
      // A second call has no effect.
      self.finish()
    }
  }
}

private final class Delivery<Value: Sendable>: Sendable {
  // Safe: touched on `queue` alone.
  private nonisolated(unsafe) var result: Result<Value, any Error>?
  private nonisolated(unsafe) var wasCancelled = false  // Safe: as above.
  private let queue = DispatchQueue(label: "katas.cancellation.outcome")

  func keep(_ result: Result<Value, any Error>, wasCancelled: Bool) {
    queue.sync {
      guard self.result == nil else { return }
      self.result = result
      self.wasCancelled = wasCancelled
    }
  }

  var outcome: Outcome<Value> {
    queue.sync {
      guard let result else { return .cancelled }
      do {
        return .completed(try result.get())
      } catch is CancellationError {
        return .cancelled
      } catch {
        return wasCancelled ? .cancelled : .failed(error)
      }
    }
  }
}
