import AsyncOperations
import Foundation

/// One enum for everything; the task is created with the lock held.
public final class TaskOperation<Success: Sendable>: AsyncOperations.AsyncOperation,
  @unchecked Sendable
{
  private enum Phase {
    case waiting
    case working(Task<Void, Never>)
    case ended(Result<Success, any Error>)
  }

  private let priority: TaskPriority?
  private let work: @Sendable () async throws -> Success
  private let condition = NSCondition()
  // Safe: guarded by `condition`.
  private var phase = Phase.waiting

  public init(
    priority: TaskPriority? = nil, work: @escaping @Sendable () async throws -> Success
  ) {
    self.priority = priority
    self.work = work
    super.init()
  }

  public var result: Result<Success, any Error>? {
    condition.lock()
    defer { condition.unlock() }
    if case .ended(let result) = phase { return result }
    return nil
  }

  public override func main() {
    condition.lock()
    let task = Task(priority: priority) {
      let result: Result<Success, any Error>
      do {
        result = .success(try await work())
      } catch {
        result = .failure(error)
        if error is CancellationError { super.cancel() }
      }
      end(with: result)
    }
    phase = .working(task)
    condition.unlock()
    if isCancelled { task.cancel() }
  }

  private func end(with result: Result<Success, any Error>) {
    condition.lock()
    phase = .ended(result)
    condition.unlock()
    finish()
  }

  public override func cancel() {
    super.cancel()
    condition.lock()
    let phase = phase
    condition.unlock()
    if case .working(let task) = phase { task.cancel() }
  }
}
