import Dispatch
import Foundation

/// A piece of work that is done on each of several inputs, some of them at once.
///
/// The work may block: each thread is one of its own.
final class ThreadedMap<Input: Sendable, Output: Sendable>: Sendable {
  private let inputs: [Input]
  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var results: [Result<Output, any Error>?]
  private nonisolated(unsafe) var next = 0  // Safe: as above.
  private let lock = NSLock()
  private let threads = DispatchGroup()

  /// Begins to do `work` on each of `inputs`, on `width` of them at a time.
  init(
    _ inputs: [Input], width: Int, work: @escaping @Sendable (Input) throws -> Output
  ) {
    self.inputs = inputs
    results = Array(repeating: nil, count: inputs.count)
    for _ in 0..<min(width, inputs.count) {
      threads.enter()
      Thread.detachNewThread { [self] in
        while let index = takeNext() {
          let result = Result { try work(inputs[index]) }
          lock.withLock { results[index] = result }
        }
        threads.leave()
      }
    }
  }

  /// Waits until all are done.
  func wait() { threads.wait() }

  /// Waits until all are done; what came of each, in the order of the inputs.
  func outputs() throws -> [Output] {
    wait()
    return try lock.withLock { results }.compactMap { try $0?.get() }
  }

  /// The number of an input that no thread has taken; nil when there is none left.
  private func takeNext() -> Int? {
    lock.withLock {
      guard next < inputs.count else { return nil }
      defer { next += 1 }
      return next
    }
  }
}
