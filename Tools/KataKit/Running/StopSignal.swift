import Synchronization

/// Stops a run that is under way: somebody saved the file again, or left.
public final class StopSignal: Sendable {
  private let stopped = Mutex(false)

  public init() {}

  /// Asks the run to end as soon as it looks.
  public func stop() { stopped.withLock { $0 = true } }

  /// Whether the run was asked to end.
  public var isStopped: Bool { stopped.withLock { $0 } }
}
