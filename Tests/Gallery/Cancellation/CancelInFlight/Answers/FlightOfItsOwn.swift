import AsyncOperations
import Foundation

// The request and its window are an object of their own; the operation only makes the calls.
//
// Safe: `flight` is never changed.
public final class RequestOperation: AsyncOperation, @unchecked Sendable {
  public enum Failure: Error {
    case cancelled
    case request(any Error)
  }

  public typealias Reply = @Sendable (Result<Data, any Error>) -> Void
  public typealias CancelRequest = @Sendable () -> Void

  private let flight: Flight

  public init(begin: @escaping @Sendable (_ reply: @escaping Reply) -> CancelRequest) {
    flight = Flight(begin)
    super.init()
  }

  public var result: Result<Data, Failure>? { flight.result }

  public override func cancel() {
    guard flight.isOpen else { return }
    flight.giveUp {
      super.cancel()
    } over: { [self] in
      finish()
    }
  }

  public override func main() {
    flight.take { [self] in finish() }
  }
}

private final class Flight: @unchecked Sendable {  // Safe: guarded by `condition`.
  typealias Outcome = Result<Data, RequestOperation.Failure>

  private let begin: @Sendable (@escaping RequestOperation.Reply) -> RequestOperation.CancelRequest
  private let condition = NSCondition()
  private var kept: Outcome?
  private var whenBegun: (() -> Void)?
  private var cancelRequest: RequestOperation.CancelRequest?
  private var isBeginning = false
  private var isTold = false

  init(
    _ begin:
      @escaping @Sendable (@escaping RequestOperation.Reply) -> RequestOperation.CancelRequest
  ) {
    self.begin = begin
  }

  var result: Outcome? { condition.withLock { kept } }
  var isOpen: Bool { result == nil }

  func giveUp(_ told: () -> Void, over: @escaping () -> Void) {
    guard settle(.failure(.cancelled)) else { return }
    told()
    let end: (() -> Void)? = condition.withLock {
      isTold = true
      let cancel = cancelRequest
      cancelRequest = nil
      if isBeginning {
        whenBegun = over
        return nil
      }
      return {
        cancel?()
        over()
      }
    }
    end?()
  }

  func take(over: @escaping @Sendable () -> Void) {
    let (goesAhead, isTold) = condition.withLock {
      isBeginning = kept == nil
      return (isBeginning, self.isTold)
    }
    guard goesAhead else {
      // Foundation doesn't know yet: giveUp() follows, and ends it.
      if isTold { over() }
      return
    }
    let cancel = begin { [self] reply in
      guard settle(reply.mapError { .request($0) }) else { return }
      let old = condition.withLock {
        defer { cancelRequest = nil }
        return cancelRequest
      }
      withExtendedLifetime(old) { over() }
    }
    let end: (() -> Void)? = condition.withLock {
      isBeginning = false
      if kept == nil { cancelRequest = cancel }
      guard case .failure(.cancelled)? = kept else { return nil }
      let whenBegun = whenBegun
      self.whenBegun = nil
      // Settled, but Foundation doesn't know yet: giveUp() follows, and cancels what is kept here.
      if whenBegun == nil { cancelRequest = cancel }
      return whenBegun
    }
    guard let end else { return }
    cancel()
    end()
  }

  private func settle(_ outcome: Outcome) -> Bool {
    condition.withLock {
      guard kept == nil else { return false }
      kept = outcome
      return true
    }
  }
}
