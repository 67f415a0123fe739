import Dispatch
import Foundation

/// Work items that are cancelled at the timeout: those that haven't begun never run.
public final class PatientWait: Sendable {
  public enum Outcome: Sendable {
    case finished
    case timedOut
  }

  public typealias Deadline = @Sendable (_ seconds: Double) -> DispatchTime

  private let deadline: Deadline
  private let group = DispatchGroup()
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var items: [DispatchWorkItem] = []
  private let lock = NSLock()

  public init(deadline: @escaping Deadline = { .now() + $0 }) {
    self.deadline = deadline
  }

  public func run(on queue: DispatchQueue, _ job: @escaping @Sendable () -> Void) {
    let item = DispatchWorkItem(block: job)
    lock.withLock { items.append(item) }
    queue.async(group: group, execute: item)
  }

  public func wait(atMost seconds: Double) -> Outcome {
    if group.wait(timeout: deadline(seconds)) == .success { return .finished }
    for item in lock.withLock({ items }) { item.cancel() }
    return .timedOut
  }
}
