// Page: make page KATA=ConcurrentMap (Docs/ConcurrencyKatas.docc/ConcurrentMap.md)

import Dispatch

extension Array where Element: Sendable {
  /// The results of `transform`, in the order of the elements, made by several threads at once.
  ///
  /// - `perform` runs an iteration for each element; by default it's `concurrentPerform`, which takes
  ///   as many threads as there are cores, the caller's among them.
  /// - `transform` is called once with each element, in the iteration with its index, also where
  ///   another one has failed.
  /// - The results stand in the order of the elements, whichever was ready first.
  /// - Where transforms fail, the error of the first such element is thrown: first in the order of the
  ///   elements, not of time.
  /// - Nothing is left of it afterwards but what it returns or throws.
  ///
  /// Your turn. This one works, one element after the other. Call `perform(count) { index in … }`
  /// instead, and keep what becomes of each element, a value or an error, where it belongs. Two traps:
  ///
  /// - The iterations run at the same time. A variable that they all change needs a lock, and so does
  ///   an array of which each changes another element. A lock that is held while `transform` runs lets
  ///   only one of them run.
  /// - `perform` takes no errors. `Result { () throws(Failure) in try transform(self[index]) }` makes a
  ///   value of either, which `get()` takes apart again.
  ///
  /// (Swift wants to hear that you know what you do: `nonisolated(unsafe) var` is a local variable that
  /// several threads may change, and a `// Safe: …` beside it says why they may.)
  ///
  /// - Parameters:
  ///   - perform: Runs the iterations 0 to `iterations` - 1 by calling `body` once with each, one for
  ///     each element, on any threads and in any order, and returns when all have returned.
  ///   - transform: Called once with each element, on several threads at once.
  /// - Returns: A result for each element, in their order.
  /// - Throws: The error of the first element whose transform has failed.
  public func concurrentMap<Transformed: Sendable, Failure: Error>(
    perform: @escaping (_ iterations: Int, _ body: @Sendable (Int) -> Void) -> Void =
      DispatchQueue.concurrentPerform(iterations:execute:),
    _ transform: @Sendable (Element) throws(Failure) -> Transformed
  ) throws(Failure) -> [Transformed] {
    // TODO: Write this.
    var results: [Transformed] = []
    for element in self { results.append(try transform(element)) }
    return results
  }
}
