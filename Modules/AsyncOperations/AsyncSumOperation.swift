import Dispatch
import Foundation

/// An operation that adds two numbers on another queue and keeps the sum.
///
/// The smallest complete subclass of ``AsyncOperation``: `main()` hands the work to a dispatch
/// queue and returns at once, and the work stores its result before it calls `finish()`.
///
/// ```swift
/// let sum = AsyncSumOperation(2, 3)
/// let report = BlockOperation { print(sum.result ?? 0) }
/// report.addDependency(sum)
/// operations.addOperations([sum, report], waitUntilFinished: false)
/// ```
///
/// **The result** is there when the operation is finished: dependents, the completion block and
/// whoever hears that it is finished find it. Before that it may be nil.
///
/// **Cancellation.** An operation that is cancelled while it waits for `queue` ends without a
/// result, when `queue` has come to it. One that is cancelled before its start never asks for
/// `queue`. One that has stored its sum keeps it.
///
/// While it waits for `queue`, and while that adds, no other thread is held. Any number of these
/// operations may be under way at once, side by side if `queue` is concurrent. Nobody has to
/// keep one that was started. Safe to use from every thread.
///
/// Source: Apple's documentation of `Operation`, "Asynchronous Versus Synchronous Operations".
public final class AsyncSumOperation: AsyncOperation, @unchecked Sendable {  // Safe: see `sum`.
  private let lhs: Int
  private let rhs: Int
  private let queue: DispatchQueue
  private let lock = NSLock()
  /// Guarded by `lock`; the rest never changes.
  private var sum: Int?

  /// Creates an operation that waits to be started.
  ///
  /// - Parameters:
  ///   - lhs: The first number.
  ///   - rhs: The second number; the two have to add up to an `Int`.
  ///   - queue: Where they are added.
  public init(_ lhs: Int, _ rhs: Int, on queue: DispatchQueue = .global()) {
    self.lhs = lhs
    self.rhs = rhs
    self.queue = queue
    super.init()
  }

  /// The sum; nil until it is added, and where the operation was cancelled in time.
  ///
  /// Doesn't wait for `queue`.
  public var result: Int? { lock.withLock { sum } }

  /// Begins the work.
  ///
  /// To be called by `start()` alone.
  public override func main() {
    queue.async { [self] in
      if !isCancelled {
        let sum = lhs + rhs
        lock.withLock { self.sum = sum }
      }
      // Last, and on both paths: whoever hears of the end looks for the result.
      finish()
    }
  }
}
