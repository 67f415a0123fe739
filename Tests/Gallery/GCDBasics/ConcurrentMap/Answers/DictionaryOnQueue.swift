import Dispatch

extension Array where Element: Sendable {
  /// A dictionary from index to result, accessed on a serial queue only; the first error apart.
  public func concurrentMap<Transformed: Sendable, Failure: Error>(
    perform: @escaping (_ iterations: Int, _ body: @Sendable (Int) -> Void) -> Void =
      DispatchQueue.concurrentPerform(iterations:execute:),
    _ transform: @Sendable (Element) throws(Failure) -> Transformed
  ) throws(Failure) -> [Transformed] {
    let queue = DispatchQueue(label: "katas.gcd-basics.concurrent-map")
    // Safe: accessed on `queue` only.
    nonisolated(unsafe) var values: [Int: Transformed] = [:]
    nonisolated(unsafe) var first: (index: Int, error: Failure)?  // Safe: as above.
    perform(count) { index in
      do throws(Failure) {
        let value = try transform(self[index])
        queue.async { values[index] = value }
      } catch {
        queue.sync { if index < first?.index ?? .max { first = (index, error) } }
      }
    }
    if let first = queue.sync(execute: { first }) { throw first.error }
    let all = queue.sync { values }
    return indices.compactMap { all[$0] }
  }
}
