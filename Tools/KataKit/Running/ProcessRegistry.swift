import Foundation
import Synchronization

/// The processes that run now, so that an interrupted command leaves nothing behind.
package enum ProcessRegistry {
  private struct State {
    var groups: Set<Int32> = []
    var lastActs: [UUID: @Sendable () -> Void] = [:]
    /// Whether the command is about to exit.
    var isOver = false
  }

  private static let state = Mutex(State())

  /// What the marks of all processes that this one starts begin with.
  static let mark = "KATA_RUN=\(UUID().uuidString)"

  /// Starts a process, unless the command is over; then it never returns.
  static func start(_ process: Process) throws {
    // Under the lock: a process is either never started, or known to whoever ends them all.
    let isOver = try state.withLock { state in
      if state.isOver { return true }
      try process.run()
      state.groups.insert(process.processIdentifier)
      return false
    }
    if isOver { waitForExit() }
  }

  /// Forgets a process that has ended; never returns where the command is over.
  ///
  /// How a process ended says nothing about an answer then, and nobody must record it.
  static func remove(_ group: Int32) {
    let isOver = state.withLock { state in
      state.groups.remove(group)
      return state.isOver
    }
    if isOver { waitForExit() }
  }

  /// Does something while `act` stands ready, should the command be interrupted meanwhile.
  package static func withTerminationCleanup<Result>(
    _ act: @escaping @Sendable () -> Void, _ body: () throws -> Result
  ) rethrows -> Result {
    let id = UUID()
    state.withLock { $0.lastActs[id] = act }
    defer { state.withLock { $0.lastActs[id] = nil } }
    return try body()
  }

  /// Ends every process that this one has started, and puts away what they leave.
  ///
  /// For a command that exits next: whoever waits for a process of it waits for ever from now on.
  package static func stopAll() {
    let (groups, lastActs) = state.withLock { state in
      state.isOver = true
      return (state.groups, state.lastActs.values)
    }
    for group in groups { stop(group) }
    OrphanProcesses.stop(markedBy: mark)
    for act in lastActs { act() }
  }

  /// Kills a group and all that its first process has started.
  static func stop(_ group: Int32) {
    let tree = ProcessStatus.tree(of: group)
    kill(-group, SIGKILL)
    for member in tree { kill(member.process, SIGKILL) }
  }

  private static func waitForExit() -> Never {
    while true { pause() }
  }
}
