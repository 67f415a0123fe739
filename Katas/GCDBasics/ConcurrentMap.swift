// Page: make page KATA=ConcurrentMap (Docs/ConcurrencyKatas.docc/ConcurrentMap.md)

import Dispatch

extension Array where Element: Sendable {
  /// Transforms all elements, on several threads at once, and returns the results.
  ///
  /// By default `perform` is `concurrentPerform`, which uses at most as many threads as there are
  /// active cores, the caller's among them.
  ///
  /// - `concurrentMap` calls `perform` once, with the number of elements; each element is
  ///   transformed in one of its iterations. If there are no elements, it may leave out the call.
  /// - An element is transformed in the iteration that has the element's index.
  /// - `transform` is called exactly once with each element, even if it throws for another one.
  /// - If `perform` runs iterations at the same time, their transforms run at the same time.
  /// - Iterations may run on any threads, without a data race.
  /// - By default no more transforms of one call run at once than there are cores, and an element
  ///   that isn't being transformed yet blocks no thread.
  /// - The results are in the order of the elements, whichever was ready first.
  /// - If `transform` throws, `concurrentMap` throws the error of the failed element with the
  ///   lowest index, even if another one failed earlier in time.
  /// - When `concurrentMap` has returned or thrown, it has released every result, except those in
  ///   the array that it returns.
  ///
  /// Your turn. The code below returns the right results, but transforms one element after another,
  /// and stops at the first error. Call `perform(count) { index in … }` instead, and store each
  /// result, a value or an error, at a place that belongs to its index. There are two traps:
  ///
  /// - The iterations run at the same time. A variable that they all change needs a lock, and so
  ///   does an array, even if each iteration changes a different element. Don't hold the lock
  ///   during `transform`, or only one transform runs at a time.
  /// - The closure that you pass to `perform` can't throw. Store a value or an error with
  ///   `Result { () throws(Failure) in try transform(self[index]) }`; its `get()` returns the value
  ///   or throws the error.
  ///
  /// Swift 6 rejects a local `var` that concurrent closures change. Declare it
  /// `nonisolated(unsafe)`, and add a `// Safe: …` comment that says what protects it.
  ///
  /// - Parameters:
  ///   - perform: Calls `body` once with each number from 0 to `iterations` - 1, on any threads and
  ///     in any order, and returns when all these calls have returned.
  ///   - transform: Makes a result from an element; called on several threads at once.
  /// - Returns: A result for each element.
  /// - Throws: The error that `transform` has thrown.
  public func concurrentMap<Transformed: Sendable, Failure: Error>(
    perform: @escaping (_ iterations: Int, _ body: @Sendable (Int) -> Void) -> Void =
      DispatchQueue.concurrentPerform(iterations:execute:),
    _ transform: @Sendable (Element) throws(Failure) -> Transformed
  ) throws(Failure) -> [Transformed] {
    // TODO: Let perform run an iteration for each element.
    var results: [Transformed] = []
    for element in self { results.append(try transform(element)) }
    return results
  }
}
