import Dispatch
import Foundation

// A right answer: a serial queue counts the pauses, and a static key marks the main queue.

public final class ThrottledQueue: OperationQueue, @unchecked Sendable {
  public enum Refusal: Error, Equatable {
    case limit(Int)
    case mainQueue
  }

  private static let mark: DispatchSpecificKey<ObjectIdentifier> = {
    let mark = DispatchSpecificKey<ObjectIdentifier>()
    DispatchQueue.main.setSpecific(key: mark, value: ObjectIdentifier(mark))
    return mark
  }()

  // Safe: only touched on `guardian`.
  private var pauses = 0
  private let guardian = DispatchQueue(label: "katas.answers.throttled-queue")

  public convenience init(
    name: String, limit: Int, qualityOfService: QualityOfService = .utility,
    underlyingQueue: DispatchQueue? = nil
  ) throws(Refusal) {
    if limit < 1 { throw .limit(limit) }
    if underlyingQueue?.getSpecific(key: Self.mark) != nil { throw .mainQueue }
    self.init()
    self.maxConcurrentOperationCount = limit
    self.qualityOfService = qualityOfService
    self.name = name
    if let underlyingQueue { self.underlyingQueue = underlyingQueue }
  }

  public func pause() { count(1) }

  public func resume() { count(-1) }

  private func count(_ step: Int) {
    guardian.sync {
      pauses = max(0, pauses + step)
      isSuspended = pauses > 0
    }
  }
}
