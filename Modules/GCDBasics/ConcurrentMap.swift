import Dispatch

extension Array where Element: Sendable {
  /// Transforms all elements, on several threads at once, and returns the results.
  ///
  /// ```swift
  /// let thumbnails = photos.concurrentMap { photo in photo.scaled(to: 64) }
  /// let checked = try files.concurrentMap { file in try Checksum(of: file) }
  /// ```
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
  /// Blocks the calling thread, which takes part, until all iterations have returned. Use it for
  /// work that keeps a core busy: transforms that wait for a disk or a network leave the cores
  /// idle, and need an asynchronous interface instead. If `transform` doesn't throw, neither does
  /// this.
  ///
  /// - Parameters:
  ///   - perform: Calls `body` once with each number from 0 to `iterations` - 1, on any threads and
  ///     in any order, and returns when all these calls have returned. A plain loop makes a failure
  ///     easier to debug.
  ///   - transform: Makes a result from an element; called on several threads at once.
  /// - Returns: A result for each element.
  /// - Throws: The error that `transform` has thrown.
  ///
  /// Source: `concurrentPerform(iterations:execute:)` in Apple's documentation of `DispatchQueue`.
  @inlinable
  public func concurrentMap<Transformed: Sendable, Failure: Error>(
    perform: @escaping (_ iterations: Int, _ body: @Sendable (Int) -> Void) -> Void =
      DispatchQueue.concurrentPerform(iterations:execute:),
    _ transform: @Sendable (Element) throws(Failure) -> Transformed
  ) throws(Failure) -> [Transformed] {
    // Not an array: changing one element is an access to the whole array, so this would be a race.
    // Safe: each iteration writes to its own slot, and all have ended when the slots are read.
    nonisolated(unsafe) let slots =
      UnsafeMutableBufferPointer<Result<Transformed, Failure>?>.allocate(capacity: count)
    slots.initialize(repeating: nil)
    defer {
      slots.deinitialize()
      slots.deallocate()
    }
    perform(count) { index in
      slots[index] = Result { () throws(Failure) in try transform(self[index]) }
    }
    var results: [Transformed] = []
    results.reserveCapacity(count)
    for (index, slot) in slots.enumerated() {
      guard let slot else { preconditionFailure("perform has left out iteration \(index)") }
      results.append(try slot.get())
    }
    return results
  }
}
