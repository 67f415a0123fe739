import Dispatch
import Foundation

extension Array where Element: Sendable {
  /// An array with a slot for each element, and a lock that is held while one is filled.
  public func concurrentMap<Transformed: Sendable, Failure: Error>(
    perform: @escaping (_ iterations: Int, _ body: @Sendable (Int) -> Void) -> Void =
      DispatchQueue.concurrentPerform(iterations:execute:),
    _ transform: @Sendable (Element) throws(Failure) -> Transformed
  ) throws(Failure) -> [Transformed] {
    let lock = NSLock()
    // Safe: guarded by `lock`.
    nonisolated(unsafe) var slots = [Result<Transformed, Failure>?](repeating: nil, count: count)
    perform(count) { index in
      let result = Result { () throws(Failure) in try transform(self[index]) }
      lock.withLock { slots[index] = result }
    }
    var results: [Transformed] = []
    for case let slot? in lock.withLock({ slots }) { results.append(try slot.get()) }
    return results
  }
}
