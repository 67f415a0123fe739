import Foundation

// Wrong: cancel() ends it, and the late reply ends it again.
//
// Safe: guarded by `lock`.
public final class RequestOperation: Operation, @unchecked Sendable {
  public enum Failure: Error {
    case cancelled
    case request(any Error)
  }

  public typealias Reply = @Sendable (Result<Data, any Error>) -> Void
  public typealias CancelRequest = @Sendable () -> Void

  private let begin: @Sendable (_ reply: @escaping Reply) -> CancelRequest
  private let lock = NSLock()
  private var executing = false
  private var finished = false
  private var isBeginning = false
  private var cancelRequest: CancelRequest?
  private var settled: Result<Data, Failure>?

  public init(begin: @escaping @Sendable (_ reply: @escaping Reply) -> CancelRequest) {
    self.begin = begin
    super.init()
  }

  public override var isAsynchronous: Bool { true }
  public override var isExecuting: Bool { lock.withLock { executing } }
  public override var isFinished: Bool { lock.withLock { finished } }
  public var result: Result<Data, Failure>? { lock.withLock { settled } }

  public override func start() {
    guard !isCancelled else { return end() }
    willChangeValue(forKey: "isExecuting")
    lock.withLock { executing = true }
    didChangeValue(forKey: "isExecuting")
    guard !isCancelled else { return end() }
    lock.withLock { isBeginning = true }
    let cancelRequest = begin { [self] reply in
      lock.withLock { settled = settled ?? reply.mapError(Failure.request) }
      end()
    }
    let isTooLate = lock.withLock {
      isBeginning = false
      if settled == nil { self.cancelRequest = cancelRequest }
      return settled != nil
    }
    if isTooLate, isCancelled, !isFinished {
      cancelRequest()
      end()
    }
  }

  public override func cancel() {
    let isFirst = lock.withLock {
      guard settled == nil else { return false }
      settled = .failure(.cancelled)
      return true
    }
    guard isFirst else { return }
    super.cancel()
    let cancelRequest = lock.withLock { self.cancelRequest }
    cancelRequest?()
    if lock.withLock({ executing && !isBeginning }) { end() }
  }

  private func end() {
    willChangeValue(forKey: "isFinished")
    willChangeValue(forKey: "isExecuting")
    lock.withLock {
      executing = false
      finished = true
      cancelRequest = nil
    }
    didChangeValue(forKey: "isExecuting")
    didChangeValue(forKey: "isFinished")
  }
}
