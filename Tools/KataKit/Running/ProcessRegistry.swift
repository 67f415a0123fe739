import Foundation
import Synchronization

/// The running processes, so that an interrupted command leaves none behind.
package enum ProcessRegistry {
  private struct State {
    var groups: Set<Int32> = []
    var lastActs: [UUID: @Sendable () -> Void] = [:]
    /// Whether the command is about to exit.
    var isOver = false
  }

  private static let state = Mutex(State())

  /// The common prefix of the marks of all processes that this one starts.
  static let mark = "KATA_RUN=\(UUID().uuidString)"

  /// Starts a process, unless the command is exiting; then it never returns.
  static func start(_ process: Process) throws {
    // Under the lock: a process either never starts, or is registered when all are killed.
    let isOver = try state.withLock { state in
      if state.isOver { return true }
      try process.run()
      state.groups.insert(process.processIdentifier)
      return false
    }
    if isOver { waitForExit() }
  }

  /// Removes a process that has ended; never returns if the command is exiting.
  ///
  /// Then the way it ended says nothing about the answer, and must not be recorded.
  static func remove(_ group: Int32) {
    let isOver = state.withLock { state in
      state.groups.remove(group)
      return state.isOver
    }
    if isOver { waitForExit() }
  }

  /// Calls `body`, and calls `act` if the command is interrupted meanwhile.
  package static func withTerminationCleanup<Result>(
    _ act: @escaping @Sendable () -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    let id = UUID()
    state.withLock { $0.lastActs[id] = act }
    defer { state.withLock { $0.lastActs[id] = nil } }
    return try body()
  }

  /// Kills every process that this one has started, and cleans up after them.
  ///
  /// For a command that exits next: from now on, a thread that waits for such a process waits
  /// forever.
  package static func stopAll() {
    let (groups, lastActs) = state.withLock { state in
      state.isOver = true
      return (state.groups, state.lastActs.values)
    }
    for group in groups { stop(group) }
    OrphanProcesses.stop(markedBy: mark)
    for act in lastActs { act() }
  }

  /// Kills a group, and all that its first process has started.
  static func stop(_ group: Int32) {
    let tree = ProcessStatus.tree(of: group)
    kill(-group, SIGKILL)
    for member in tree { kill(member.process, SIGKILL) }
  }

  private static func waitForExit() -> Never {
    while true { pause() }
  }
}
