import AsyncOperations
import Dispatch
import Foundation

/// State on a serial queue; a second task waits for the first and stores its result.
public final class TaskOperation<Success: Sendable>: AsyncOperations.AsyncOperation,
  @unchecked Sendable
{
  private let priority: TaskPriority?
  private let work: @Sendable () async throws -> Success
  private let guardian = DispatchQueue(label: "com.example.task-operation")
  // Safe: these are used on `guardian` alone.
  private var stop: @Sendable () -> Void = {}
  private var stored: Result<Success, any Error>?

  public init(
    priority: TaskPriority? = nil, work: @escaping @Sendable () async throws -> Success
  ) {
    self.priority = priority
    self.work = work
    super.init()
  }

  public var result: Result<Success, any Error>? { guardian.sync { stored } }

  public override func main() {
    let task = Task(priority: priority) {
      try await self.work()
    }
    guardian.sync { stop = { task.cancel() } }
    if isCancelled { task.cancel() }
    Task(priority: priority) {
      let result = await task.result
      self.guardian.sync { self.stored = result }
      if case .failure(is CancellationError) = result { self.cancel() }
      self.finish()
    }
  }

  public override func cancel() {
    super.cancel()
    let stop = guardian.sync { self.stop }
    stop()
  }
}
