import Dispatch

extension Array where Element: Sendable {
  /// An array with a slot for each element, and nothing that guards it.
  public func concurrentMap<Transformed: Sendable, Failure: Error>(
    perform: @escaping (_ iterations: Int, _ body: @Sendable (Int) -> Void) -> Void =
      DispatchQueue.concurrentPerform(iterations:execute:),
    _ transform: @Sendable (Element) throws(Failure) -> Transformed
  ) throws(Failure) -> [Transformed] {
    // Safe: it isn't; changing one element is an access to the whole array.
    nonisolated(unsafe) var slots = [Result<Transformed, Failure>?](repeating: nil, count: count)
    perform(count) { index in
      slots[index] = Result { () throws(Failure) in try transform(self[index]) }
    }
    var results: [Transformed] = []
    for case let slot? in slots { results.append(try slot.get()) }
    return results
  }
}
