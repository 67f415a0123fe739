// Page: make page KATA=ConcurrentMap (Docs/ConcurrencyKatas.docc/ConcurrentMap.md)

import Dispatch

extension Array where Element: Sendable {
  /// Transforms all elements, on several threads at once, and returns the results.
  ///
  /// By default `perform` is `concurrentPerform`, which takes as many threads as there are cores,
  /// the caller's among them.
  ///
  /// - `perform` is called once, with the number of elements, and each element is transformed in an
  ///   iteration.
  /// - An element is transformed in the iteration that has the element's index.
  /// - `transform` is called exactly once with each element, even if it throws for another one.
  /// - If `perform` runs iterations at the same time, their transforms run at the same time.
  /// - Iterations may run on any threads, without a data race.
  /// - By default no more transforms run at once than there are cores, and an element that waits
  ///   for its turn takes no thread.
  /// - The results are in the order of the elements, whichever was ready first.
  /// - If transforms throw, the error of the first such element is thrown: first in the order of
  ///   the elements, not of time.
  /// - When `concurrentMap` has returned or thrown, it retains no result of `transform`.
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
  ///   - transform: Makes a result of an element, on several threads at once.
  /// - Returns: A result for each element.
  /// - Throws: The error that `transform` has thrown.
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
