import Dispatch
import Foundation

extension Array where Element: Sendable {
  /// Results in any order, each with its index, and sorted at the end.
  public func concurrentMap<Transformed: Sendable, Failure: Error>(
    perform: @escaping (_ iterations: Int, _ body: @Sendable (Int) -> Void) -> Void =
      DispatchQueue.concurrentPerform(iterations:execute:),
    _ transform: @Sendable (Element) throws(Failure) -> Transformed
  ) throws(Failure) -> [Transformed] {
    let lock = NSLock()
    // Safe: guarded by `lock`.
    nonisolated(unsafe) var pairs: [(index: Int, result: Result<Transformed, Failure>)] = []
    perform(count) { index in
      do throws(Failure) {
        let value = try transform(self[index])
        lock.withLock { pairs.append((index, .success(value))) }
      } catch {
        lock.withLock { pairs.append((index, .failure(error))) }
      }
    }
    var results: [Transformed] = []
    for pair in lock.withLock({ pairs }).sorted(by: { $0.index < $1.index }) {
      results.append(try pair.result.get())
    }
    return results
  }
}
