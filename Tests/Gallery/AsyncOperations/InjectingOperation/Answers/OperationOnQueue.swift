import AsyncOperations
import Dispatch
import Foundation

/// The types are erased by a base class; it works through an operation queue on top of the given
/// queue.
public final class InjectingOperation<Value: Sendable>: AsyncOperations.AsyncOperation,
  @unchecked Sendable
{
  public typealias Outcome = Result<Value, any Error>

  private class Move: @unchecked Sendable {
    func make() {}
  }

  private final class TypedMove<Source: Operation, Target: Operation>: Move, @unchecked Sendable {
    // Safe: only the weak reference changes, and the runtime guards it.
    let source: Source
    weak var target: Target?
    let output: @Sendable (Source) -> Outcome?
    let inject: @Sendable (Target, Outcome) -> Void

    init(
      _ source: Source, _ target: Target, _ output: @escaping @Sendable (Source) -> Outcome?,
      _ inject: @escaping @Sendable (Target, Outcome) -> Void
    ) {
      self.source = source
      self.target = target
      self.output = output
      self.inject = inject
    }

    override func make() {
      guard let target else { return }
      if let outcome = output(source) {
        inject(target, outcome)
      } else if source.isCancelled {
        inject(target, .failure(CancellationError()))
      } else {
        inject(target, .failure(InjectionError.noOutcome))
      }
    }
  }

  private let workers = OperationQueue()
  private let move: Move

  public init<Source: Operation, Target: Operation>(
    from source: Source, _ output: @escaping @Sendable (Source) -> Outcome?,
    into target: Target, on queue: DispatchQueue = .global(),
    _ inject: @escaping @Sendable (Target, Outcome) -> Void
  ) {
    workers.underlyingQueue = queue
    move = TypedMove(source, target, output, inject)
    super.init()
    target.addDependency(self)
    addDependency(source)
  }

  public override func main() {
    workers.addOperation { [self] in
      defer { finish() }
      if !isCancelled { move.make() }
    }
  }
}

public enum InjectionError: Error {
  case noOutcome
}
