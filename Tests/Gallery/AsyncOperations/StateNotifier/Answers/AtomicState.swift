import Foundation
import Synchronization

// No lock: one atomic number holds the state and, in the fourth bit, whether a call is about to
// leave it. The call that sets this bit makes the move.
public final class StateNotifier: Sendable {
  public enum State: UInt8, CaseIterable, Sendable {
    case ready, executing, finished

    fileprivate var keyPath: KeyPath<Operation, Bool> {
      switch self {
      case .ready: \.isReady
      case .executing: \.isExecuting
      case .finished: \.isFinished
      }
    }
  }

  private static let moving: UInt8 = 8
  private let word = Atomic<UInt8>(0)

  public init() {}

  public var state: State {
    State(rawValue: word.load(ordering: .acquiring) & ~Self.moving) ?? .ready
  }

  @discardableResult
  public func move(_ operation: Operation, from old: State, to new: State) -> Bool {
    guard old.rawValue < new.rawValue else { return false }
    let (isMine, _) = word.compareExchange(
      expected: old.rawValue, desired: old.rawValue | Self.moving,
      ordering: .acquiringAndReleasing)
    guard isMine else { return false }
    operation.willChangeValue(for: old.keyPath)
    operation.willChangeValue(for: new.keyPath)
    word.store(new.rawValue, ordering: .releasing)
    operation.didChangeValue(for: old.keyPath)
    operation.didChangeValue(for: new.keyPath)
    return true
  }
}
