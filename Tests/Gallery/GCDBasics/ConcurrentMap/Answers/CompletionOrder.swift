import Dispatch
import Foundation

extension Array where Element: Sendable {
  /// Adds each result when it is ready.
  public func concurrentMap<Transformed: Sendable, Failure: Error>(
    perform: @escaping (_ iterations: Int, _ body: @Sendable (Int) -> Void) -> Void =
      DispatchQueue.concurrentPerform(iterations:execute:),
    _ transform: @Sendable (Element) throws(Failure) -> Transformed
  ) throws(Failure) -> [Transformed] {
    let lock = NSLock()
    // Safe: guarded by `lock`.
    nonisolated(unsafe) var results: [Result<Transformed, Failure>] = []
    perform(count) { index in
      let result = Result { () throws(Failure) in try transform(self[index]) }
      lock.withLock { results.append(result) }
    }
    var values: [Transformed] = []
    for result in lock.withLock({ results }) { values.append(try result.get()) }
    return values
  }
}
