import Dispatch
import Foundation

extension Array where Element: Sendable {
  /// Fills the array with the first element's result, because it needs a value for each slot.
  public func concurrentMap<Transformed: Sendable, Failure: Error>(
    perform: @escaping (_ iterations: Int, _ body: @Sendable (Int) -> Void) -> Void =
      DispatchQueue.concurrentPerform(iterations:execute:),
    _ transform: @Sendable (Element) throws(Failure) -> Transformed
  ) throws(Failure) -> [Transformed] {
    let lock = NSLock()
    // Safe: guarded by `lock`.
    nonisolated(unsafe) var results = [Transformed](
      repeating: try transform(self[0]), count: count)
    nonisolated(unsafe) var first: (index: Int, error: Failure)?  // Safe: as above.
    perform(count) { index in
      do throws(Failure) {
        let value = try transform(self[index])
        lock.withLock { results[index] = value }
      } catch {
        lock.withLock { if index < first?.index ?? .max { first = (index, error) } }
      }
    }
    if let first = lock.withLock({ first }) { throw first.error }
    return lock.withLock { results }
  }
}
