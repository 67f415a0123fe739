import Foundation
import KataPoints

/// The threads that make a scenario's calls, reused for each run: starting one takes longer than
/// making the calls.
final class ScenarioThreads {
  private var threads: [ScenarioThread] = []

  deinit { threads.forEach { $0.end() } }

  /// Whether no thread is making calls.
  var areIdle: Bool { threads.allSatisfy(\.isIdle) }

  /// Returns the given number of idle threads.
  ///
  /// A thread whose call never returns is left behind, and another takes its place.
  func idle(_ count: Int) -> [ScenarioThread] {
    for (index, thread) in threads.enumerated() where !thread.isIdle {
      thread.end()
      threads[index] = ScenarioThread(number: index)
    }
    while threads.count < count { threads.append(ScenarioThread(number: threads.count)) }
    return Array(threads.prefix(count))
  }
}

/// One of the threads.
final class ScenarioThread: Sendable {
  private struct State {
    var isIdle = true
    var isOver = false
    var work: (@Sendable () -> Void)?
  }

  private let state = LockedValue(State())
  private let wakes = DispatchSemaphore(value: 0)

  /// Starts the thread.
  ///
  /// - Parameter number: Which thread of a scenario it is, from 0.
  fileprivate init(number: Int) {
    let (state, wakes) = (state, wakes)
    Thread.start {
      kata_points_enter(Int32(number) + 1)
      while true {
        wakes.wait()
        if let work = state.withLock({ $0.work.take() }) {
          work()
          state.withLock { $0.isIdle = true }
        }
        if state.withLock({ $0.isOver }) { return }
      }
    }
  }

  /// Whether the thread has done its work.
  fileprivate var isIdle: Bool { state.withLock { $0.isIdle } }

  /// Runs `work` on the thread, which has to be idle, and returns at once.
  func perform(_ work: @escaping @Sendable () -> Void) {
    state.withLock { ($0.isIdle, $0.work) = (false, work) }
    wakes.signal()
  }

  /// Ends the thread when it's idle.
  fileprivate func end() {
    state.withLock { $0.isOver = true }
    wakes.signal()
  }
}
