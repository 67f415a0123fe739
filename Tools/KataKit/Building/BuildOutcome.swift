import Foundation

/// The outcome of a build.
package enum BuildOutcome<Product> {
  case built(Product)
  /// The compiler's messages.
  case refused([CompilerMessage])
  /// The build was stopped.
  case stopped

  /// Continues with the next step if this one has built something.
  package func then<Next>(
    _ step: (Product) throws -> BuildOutcome<Next>
  ) rethrows -> BuildOutcome<Next> {
    switch self {
    case .built(let product): try step(product)
    case .refused(let messages): .refused(messages)
    case .stopped: .stopped
    }
  }
}

extension BuildOutcome: Sendable where Product: Sendable {}

extension Command {
  /// Runs a build command in a clone, and returns the compiler's errors.
  ///
  /// Blocks until it's done or `stop` is set.
  func outcome(in repository: Repository, stop: CancellationFlag) throws -> BuildOutcome<Void> {
    let (ending, log) = try run(in: repository.root, stop: stop)
    if stop.isStopped { return .stopped }
    if ending == .exited(0) { return .built(()) }
    let messages = CompilerMessage.errors(in: log)
    if messages.isEmpty { throw KataError.building(log, below: repository) }
    return .refused(messages)
  }
}
