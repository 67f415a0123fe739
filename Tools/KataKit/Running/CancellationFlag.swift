import Foundation
import Synchronization

/// Cancels a run: the file was saved again, or the learner quits.
package final class CancellationFlag: Sendable {
  private struct State {
    var isStopped = false
    var listeners: [UUID: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Cancels the run, and calls handlers on the calling thread.
  package func stop() {
    let listeners = state.withLock { state in
      state.isStopped = true
      return state.listeners.values
    }
    for listener in listeners { listener() }
  }

  /// Whether the run was cancelled.
  package var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Calls `body`, and calls `act` once the run is cancelled meanwhile, or at once if it already
  /// is.
  func whileListening<Result>(
    _ act: @escaping @Sendable () -> Void, do body: () throws -> Result
  ) rethrows -> Result {
    let id = UUID()
    let isLate = state.withLock { state in
      state.listeners[id] = act
      return state.isStopped
    }
    defer { state.withLock { $0.listeners[id] = nil } }
    if isLate { act() }
    return try body()
  }
}
