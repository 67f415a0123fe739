import Dispatch
import Foundation
import Synchronization

/// Does a piece of work on each of several inputs, some of them at the same time.
///
/// The work may block: each worker has a thread of its own.
package final class BoundedParallelMap<Input: Sendable, Output: Sendable>: Sendable {
  private struct State {
    var results: [Result<Output, any Error>?]
    var next = 0
  }

  private let inputs: [Input]
  private let state: Mutex<State>
  private let threads = DispatchGroup()

  /// Starts to do `work` on each of `inputs`, on `width` of them at a time.
  package init(
    _ inputs: [Input], width: Int, work: @escaping @Sendable (Input) throws -> Output
  ) {
    self.inputs = inputs
    state = Mutex(State(results: Array(repeating: nil, count: inputs.count)))
    for _ in 0..<min(width, inputs.count) {
      threads.enter()
      Thread.detachNewThread { [self] in
        while let index = takeNext() {
          let result = Result { try work(inputs[index]) }
          state.withLock { $0.results[index] = result }
        }
        threads.leave()
      }
    }
  }

  /// Waits for at most the given time, and returns whether all are done.
  package func areDone(in time: DispatchTimeInterval) -> Bool {
    threads.wait(timeout: .now() + time) == .success
  }

  /// Waits until all are done, and returns the outputs in the order of the inputs.
  package func outputs() throws -> [Output] {
    threads.wait()
    return try state.withLock { $0.results }.compactMap { try $0?.get() }
  }

  /// The index of an input that no thread has taken; nil if there is none left.
  private func takeNext() -> Int? {
    state.withLock { state in
      guard state.next < inputs.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }
}
