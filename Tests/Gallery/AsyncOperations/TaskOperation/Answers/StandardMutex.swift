import AsyncOperations
import Foundation
import Synchronization

/// The task behind the standard library's mutex; the result is shown when the operation is
/// finished.
public final class TaskOperation<Success: Sendable>: AsyncOperations.AsyncOperation,
  @unchecked Sendable
{
  private let priority: TaskPriority?
  private let work: @Sendable () async throws -> Success
  private let task = Mutex<Task<Void, Never>?>(nil)
  // Safe: written before `finish()` and read after `isFinished`.
  private var ending: Result<Success, any Error>?

  public init(
    priority: TaskPriority? = nil, work: @escaping @Sendable () async throws -> Success
  ) {
    self.priority = priority
    self.work = work
    super.init()
  }

  public var result: Result<Success, any Error>? { isFinished ? ending : nil }

  public override func main() {
    task.withLock { task in
      task = Task(priority: priority) {
        do {
          let value = try await work()
          end(.success(value))
        } catch let error as CancellationError {
          super.cancel()
          end(.failure(error))
        } catch {
          end(.failure(error))
        }
      }
    }
    if isCancelled { cancelTask() }
  }

  public override func cancel() {
    super.cancel()
    cancelTask()
  }

  private func cancelTask() {
    let task = task.withLock { $0 }
    task?.cancel()
  }

  private func end(_ result: Result<Success, any Error>) {
    ending = result
    finish()
  }
}
