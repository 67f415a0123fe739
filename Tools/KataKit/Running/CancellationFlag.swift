import Foundation
import Synchronization

/// Stops a run that is under way: somebody saved the file again, or left.
package final class CancellationFlag: Sendable {
  private struct State {
    var isStopped = false
    var listeners: [UUID: @Sendable () -> Void] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Asks the run to end, on the thread that calls this.
  package func stop() {
    let listeners = state.withLock { state in
      state.isStopped = true
      return state.listeners.values
    }
    for listener in listeners { listener() }
  }

  /// Whether the run was asked to end.
  package var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Does `body`, and `act` as soon as the run is asked to end meanwhile or was before.
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
