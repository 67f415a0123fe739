import Dispatch

/// A group for each job, in an array that any thread changes: nothing guards it.
public final class PatientWait: Sendable {
  public enum Outcome: Sendable {
    case finished
    case timedOut
  }

  public typealias Deadline = @Sendable (_ seconds: Double) -> DispatchTime

  private let deadline: Deadline
  // Safe: it isn't, and that is the mistake.
  private nonisolated(unsafe) var jobs: [DispatchGroup] = []

  public init(deadline: @escaping Deadline = { .now() + $0 }) {
    self.deadline = deadline
  }

  public func run(on queue: DispatchQueue, _ job: @escaping @Sendable () -> Void) {
    let done = DispatchGroup()
    queue.async(group: done, execute: job)
    jobs.append(done)
  }

  public func wait(atMost seconds: Double) -> Outcome {
    precondition(seconds >= 0, "a wait of \(seconds) seconds would end before it begins")
    let end = deadline(seconds)
    for job in jobs where job.wait(timeout: end) == .timedOut {
      return .timedOut
    }
    return .finished
  }
}
