import Dispatch
import Foundation
import Synchronization

/// A piece of work that is done on each of several inputs, some of them at once.
///
/// The work may block: each thread is one of its own.
package final class BoundedParallelMap<Input: Sendable, Output: Sendable>: Sendable {
  private struct State {
    var results: [Result<Output, any Error>?]
    var next = 0
  }

  private let inputs: [Input]
  private let state: Mutex<State>
  private let threads = DispatchGroup()

  /// Begins to do `work` on each of `inputs`, on `width` of them at a time.
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

  /// Waits until all are done; what came of each, in the order of the inputs.
  package func outputs() throws -> [Output] {
    threads.wait()
    return try state.withLock { $0.results }.compactMap { try $0?.get() }
  }

  /// The number of an input that no thread has taken; nil when there is none left.
  private func takeNext() -> Int? {
    state.withLock { state in
      guard state.next < inputs.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }
}
