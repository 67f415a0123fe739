import Dispatch
import Foundation

/// An operation that adds two numbers on another queue and keeps the sum.
///
/// The smallest complete subclass of ``AsyncOperation``: `main()` submits the work to a dispatch
/// queue and returns at once, and the work stores its result before it calls `finish()`.
///
/// ```swift
/// let sum = AsyncSumOperation(2, 3)
/// let report = BlockOperation { print(sum.result ?? 0) }
/// report.addDependency(sum)
/// operations.addOperations([sum, report], waitUntilFinished: false)
/// ```
///
/// - The numbers are added on `queue`, and the operation isn't finished before that.
/// - While the operation waits for `queue`, no thread is held: `main()` returns at once.
/// - Any number of these operations may be under way at once.
/// - If `queue` is concurrent, the numbers are added while other blocks on it run.
/// - If the operation is cancelled before its start, it never uses `queue` and has no result.
/// - If the operation is cancelled while it waits for `queue`, it ends without a result when
///   `queue` runs the operation's block, and not before.
/// - If the operation is cancelled after it has stored its sum, it keeps the sum, even if it isn't
///   finished yet.
/// - An operation that was started ends even if no other object retains it.
///
/// Safe to use from every thread.
///
/// Source: Apple's documentation of `Operation`, "Asynchronous Versus Synchronous Operations".
public final class AsyncSumOperation: AsyncOperation, @unchecked Sendable {  // Safe: see `sum`.
  private let lhs: Int
  private let rhs: Int
  private let queue: DispatchQueue
  private let lock = NSLock()
  /// Guarded by `lock`; the rest never changes.
  private var sum: Int?

  /// Creates an operation, to be started by a queue or by hand.
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

  /// The sum, if there is one.
  ///
  /// - `result` is the sum of the operation's own two numbers, even if that is zero or doesn't fit
  ///   in 32 bits.
  /// - `result` is nil before the numbers are added. It stays nil if the operation is cancelled
  ///   before `queue` runs the operation's block.
  /// - When the operation announces that it's finished, `result` has its final value, and an
  ///   observer may read it there and then.
  /// - Reading `result` doesn't wait for `queue`.
  /// - `result` may be read by any thread at any time.
  public var result: Int? { lock.withLock { sum } }

  /// Begins the work.
  ///
  /// Only `start()` calls it.
  public override func main() {
    queue.async { [self] in
      if !isCancelled {
        let sum = lhs + rhs
        lock.withLock { self.sum = sum }
      }
      // Last, and on both paths: observers of the end read the result.
      finish()
    }
  }
}
