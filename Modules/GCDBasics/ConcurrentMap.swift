import Dispatch

extension Array where Element: Sendable {
  /// The results of `transform`, in the order of the elements, made by several threads at once.
  ///
  /// ```swift
  /// let thumbnails = photos.concurrentMap { photo in photo.scaled(to: 64) }
  /// let checked = try files.concurrentMap { file in try Checksum(of: file) }
  /// ```
  ///
  /// For work that keeps a processor busy. The calling thread takes part in it and is blocked until
  /// all of it is done; the system adds as many threads as there are free cores, and no more, however
  /// many elements there are. Work that waits, for a disk or a network, would keep the cores idle: that
  /// wants something asynchronous.
  ///
  /// **Failure.** Each element is transformed once, in the iteration with its index, also where another
  /// one has failed. Where transforms
  /// fail, the error of the first such element is thrown, first in the order of the elements and not of
  /// time; so it is the same in every run. Where `transform` doesn't throw, neither does this.
  ///
  /// Nothing is left of it afterwards but what it returns or throws.
  ///
  /// - Parameters:
  ///   - perform: Runs the iterations 0 to `iterations` - 1 by calling `body` once with each, one for
  ///     each element, on any threads and in any order, and returns when all have returned. By default
  ///     that is `DispatchQueue.concurrentPerform`; a plain loop makes a failure easier to debug.
  ///   - transform: Called once with each element, on several threads at once.
  /// - Returns: A result for each element, in their order.
  /// - Throws: The error of the first element whose transform has failed.
  ///
  /// Source: `concurrentPerform(iterations:execute:)` in Apple's documentation of `DispatchQueue`.
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
