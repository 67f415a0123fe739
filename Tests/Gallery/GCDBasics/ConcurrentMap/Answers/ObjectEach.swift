import Dispatch

extension Array where Element: Sendable {
  /// An object for each element, in an array that is never changed.
  public func concurrentMap<Transformed: Sendable, Failure: Error>(
    perform: @escaping (_ iterations: Int, _ body: @Sendable (Int) -> Void) -> Void =
      DispatchQueue.concurrentPerform(iterations:execute:),
    _ transform: @Sendable (Element) throws(Failure) -> Transformed
  ) throws(Failure) -> [Transformed] {
    let jobs = map { Job<Element, Transformed, Failure>($0) }
    perform(jobs.count) { index in jobs[index].run(transform) }
    var values: [Transformed] = []
    for job in jobs {
      guard let result = job.result else { preconditionFailure("An iteration was left out.") }
      values.append(try result.get())
    }
    return values
  }
}

/// An element and its result.
private final class Job<Element: Sendable, Transformed: Sendable, Failure: Error>: Sendable {
  private let element: Element
  // Safe: set by one iteration, read after all have ended.
  nonisolated(unsafe) private(set) var result: Result<Transformed, Failure>?

  init(_ element: Element) {
    self.element = element
  }

  func run(_ transform: (Element) throws(Failure) -> Transformed) {
    result = Result { () throws(Failure) in try transform(element) }
  }
}
