import Dispatch
import Foundation

/// A group for each job, and a deadline for each: three jobs may take three times as long.
public final class PatientWait: Sendable {
  public enum Outcome: Sendable {
    case finished
    case timedOut
  }

  public typealias Deadline = @Sendable (_ seconds: Double) -> DispatchTime

  private let deadline: Deadline
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var jobs: [DispatchGroup] = []
  private let lock = NSLock()

  public init(deadline: @escaping Deadline = { .now() + $0 }) {
    self.deadline = deadline
  }

  public func run(on queue: DispatchQueue, _ job: @escaping @Sendable () -> Void) {
    let done = DispatchGroup()
    queue.async(group: done, execute: job)
    lock.withLock { jobs.append(done) }
  }

  public func wait(atMost seconds: Double) -> Outcome {
    precondition(seconds >= 0, "a wait of \(seconds) seconds would end before it begins")
    var outcome = Outcome.finished
    for job in lock.withLock({ jobs }) where job.wait(timeout: deadline(seconds)) == .timedOut {
      outcome = .timedOut
    }
    return outcome
  }
}
