import Dispatch

extension Array where Element: Sendable {
  /// The results of `transform`, in the order of the elements, made by several threads at once.
  ///
  /// ```swift
  /// let thumbnails = photos.concurrentMap { photo in photo.scaled(to: 64) }
  /// let checked = try files.concurrentMap { file in try Checksum(of: file) }
  /// ```
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
  /// Blocks the calling thread, which takes part, until all of it is done. For work that keeps a
  /// processor busy: what waits, for a disk or a network, would keep the cores idle, and wants something
  /// asynchronous. Where `transform` doesn't throw, neither does this.
  ///
  /// - Parameters:
  ///   - perform: Runs the iterations 0 to `iterations` - 1 by calling `body` once with each, one for
  ///     each element, on any threads and in any order, and returns when all have returned.
  ///     A plain loop makes a failure easier to debug.
  ///   - transform: Called once with each element, on several threads at once.
  /// - Returns: A result for each element, in their order.
  /// - Throws: The error of the first element whose transform has failed.
  ///
  /// Source: `concurrentPerform(iterations:execute:)` in Apple's documentation of `DispatchQueue`.
  @inlinable
  public func concurrentMap<Transformed: Sendable, Failure: Error>(
    perform: @escaping (_ iterations: Int, _ body: @Sendable (Int) -> Void) -> Void =
      DispatchQueue.concurrentPerform(iterations:execute:),
    _ transform: @Sendable (Element) throws(Failure) -> Transformed
  ) throws(Failure) -> [Transformed] {
    // Not an array: changing one element of an array is an access to the whole of it, and a race.
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
