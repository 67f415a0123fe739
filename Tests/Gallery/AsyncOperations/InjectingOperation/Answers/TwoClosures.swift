import AsyncOperations
import Dispatch
import Foundation

/// Two closures that know the types; a work item's notification finishes the operation.
public final class InjectingOperation<Value: Sendable>: AsyncOperations.AsyncOperation,
  @unchecked Sendable
{
  public typealias Outcome = Result<Value, any Error>

  // Safe: nothing changes after the initialiser.
  private let queue: DispatchQueue
  private let read: @Sendable () throws -> Value
  private let write: @Sendable (Outcome) -> Void

  public init<Source: Operation, Target: Operation>(
    from source: Source, _ output: @escaping @Sendable (Source) -> Outcome?,
    into target: Target, on queue: DispatchQueue = .global(),
    _ inject: @escaping @Sendable (Target, Outcome) -> Void
  ) {
    self.queue = queue
    read = {
      if let outcome = output(source) { return try outcome.get() }
      throw source.isCancelled ? CancellationError() : InjectionError.noOutcome as any Error
    }
    write = { [weak target] outcome in target.map { inject($0, outcome) } }
    super.init()
    addDependency(source)
    target.addDependency(self)
  }

  public override func main() {
    let item = DispatchWorkItem { [weak self] in
      guard let self, !isCancelled else { return }
      write(Result { try self.read() })
    }
    item.notify(queue: .global()) { self.finish() }
    queue.async(execute: item)
  }
}

public enum InjectionError: Error {
  case noOutcome
}
