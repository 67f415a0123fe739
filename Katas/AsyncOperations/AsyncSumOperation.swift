// Page: make page KATA=AsyncSumOperation (Docs/ConcurrencyKatas.docc/AsyncSumOperation.md)

import AsyncOperations
import Dispatch
import Foundation

// The base class is the finished one, AsyncOperations.AsyncOperation, and is named in full: your
// own AsyncOperation stands beside this file and may not be finished yet.

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
/// Source: Apple's documentation of `Operation`, "Asynchronous Versus Synchronous Operations".
///
/// Your turn: write `main()` and `result`.
///
/// - The base class calls `main()` once, on a thread that you should give back at once; it doesn't
///   call it if the operation was cancelled before its start. The operation counts as unfinished
///   until you call `finish()`, on any thread. Call it on every path.
/// - `finish()` announces the end: before it returns, observers may read the result.
/// - `isCancelled` tells you whether the operation has been cancelled by now.
/// - The queue's thread stores the result, and other threads may read it at the same moment, a data
///   race. Guard it, for example with an `NSLock`, and say so in the comment beside `@unchecked
///   Sendable`.
public final class AsyncSumOperation: AsyncOperations.AsyncOperation,
  @unchecked Sendable  // Safe: nothing changes yet; say what guards your result.
{
  private let lhs: Int
  private let rhs: Int
  private let queue: DispatchQueue

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
  public var result: Int? {
    nil  // TODO: The sum.
  }

  /// Begins the work.
  ///
  /// Only `start()` calls it.
  public override func main() {
    // TODO: On `queue`: add, store, finish.
    finish()
  }
}
