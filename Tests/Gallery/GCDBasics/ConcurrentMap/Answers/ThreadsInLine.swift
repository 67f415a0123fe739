import Dispatch
import Foundation

extension Array where Element: Sendable {
  /// A thread for each element, and a semaphore that limits how many transform at once.
  public func concurrentMap<Transformed: Sendable, Failure: Error>(
    perform: @escaping (_ iterations: Int, _ body: @Sendable (Int) -> Void) -> Void =
      DispatchQueue.concurrentPerform(iterations:execute:),
    _ transform: @Sendable (Element) throws(Failure) -> Transformed
  ) throws(Failure) -> [Transformed] {
    let lock = NSLock()
    // Safe: guarded by `lock`.
    nonisolated(unsafe) var slots = [Result<Transformed, Failure>?](repeating: nil, count: count)
    let cores = DispatchSemaphore(value: 0)
    for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { cores.signal() }
    withoutActuallyEscaping(transform) { transform in
      let lent = LentTransform { index in
        let result = Result { () throws(Failure) in try transform(self[index]) }
        lock.withLock { slots[index] = result }
      }
      let all = DispatchGroup()
      for index in indices {
        all.enter()
        Thread.detachNewThread {
          cores.wait()
          lent.call(index)
          cores.signal()
          all.leave()
        }
      }
      all.wait()
      lent.body = nil
    }
    var results: [Transformed] = []
    for case let slot? in lock.withLock({ slots }) { results.append(try slot.get()) }
    return results
  }
}

/// Lends a closure to the threads, and releases it before the closure's lifetime ends.
private final class LentTransform: Sendable {
  // Safe: changed after all threads have called it.
  nonisolated(unsafe) var body: (@Sendable (Int) -> Void)?

  init(_ body: @escaping @Sendable (Int) -> Void) {
    self.body = body
  }

  func call(_ index: Int) { body?(index) }
}
