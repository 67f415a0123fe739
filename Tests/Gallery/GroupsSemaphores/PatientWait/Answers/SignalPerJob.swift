import Dispatch
import Foundation

/// A semaphore that every job signals; a wait consumes one signal for each job, so the next finds none.
public final class PatientWait: Sendable {
  public enum Outcome: Sendable {
    case finished
    case timedOut
  }

  public typealias Deadline = @Sendable (_ seconds: Double) -> DispatchTime

  private let deadline: Deadline
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var jobs = 0
  private let lock = NSLock()
  private let done = DispatchSemaphore(value: 0)

  public init(deadline: @escaping Deadline = { .now() + $0 }) {
    self.deadline = deadline
  }

  public func run(on queue: DispatchQueue, _ job: @escaping @Sendable () -> Void) {
    lock.withLock { jobs += 1 }
    queue.async { [done] in
      job()
      done.signal()
    }
  }

  public func wait(atMost seconds: Double) -> Outcome {
    let end = deadline(seconds)
    for _ in 0..<lock.withLock({ jobs }) where done.wait(timeout: end) == .timedOut {
      return .timedOut
    }
    return .finished
  }
}
