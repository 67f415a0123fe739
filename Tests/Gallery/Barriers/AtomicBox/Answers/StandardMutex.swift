import Synchronization

/// A mutex; the old value is restored if the body throws.
public final class AtomicBox<Value: Sendable>: Sendable {
  // Safe: touched with the mutex held.
  private nonisolated(unsafe) var stored: Value
  private let mutex = Mutex(())

  public init(_ value: Value) {
    stored = value
  }

  public var value: Value { mutex.withLock { _ in stored } }

  @discardableResult
  public func update<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var outcome: Swift.Result<Result, Failure>?
    mutex.withLock { _ in
      let before = stored
      do throws(Failure) {
        outcome = .success(try body(&stored))
      } catch {
        stored = before
        outcome = .failure(error)
      }
    }
    guard let outcome else { preconditionFailure("the mutex didn't call its body") }
    return try outcome.get()
  }
}
