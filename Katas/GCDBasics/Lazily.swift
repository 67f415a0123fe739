// Page: make page KATA=Lazily (Docs/ConcurrencyKatas.docc/Lazily.md)

import Foundation

/// A value that is computed once, when a thread first reads it.
///
/// Each call of the computation is an attempt, which fails if it throws.
///
/// - Nothing is computed before `value` is read for the first time.
/// - Once `compute` has returned, it isn't called again, even if `Value` is optional and it
///   returned nil.
/// - No two calls of `compute` run at the same time: while one runs, other callers of `value`
///   block.
/// - All callers get the same value: when `compute` has returned, every blocked caller returns with
///   it.
/// - Once the value is computed, `value` returns at once.
/// - An error of `compute` is thrown to the caller that made the failed attempt, and to no other
///   caller.
/// - An error isn't kept: the next caller calls `compute` again, however many attempts have failed.
/// - If an attempt fails while callers are blocked, one of them, or a caller that comes just then,
///   makes the next attempt; the others stay blocked.
/// - `compute` is called on the thread of the caller that makes the attempt.
/// - Objects are independent: no caller of one waits for the computation of another, unless
///   `compute` itself reads the other's value.
/// - Any number of threads may read `value` at the same time, without a data race.
///
/// Your turn. Checking whether the value is there and computing it if it isn't must be *one*
/// critical section. Otherwise two threads both find nothing, and both compute: check-then-act, a
/// race condition. Give each object a serial queue, and check, compute and store in its `sync`, or
/// use a lock. `sync` and `withLock` return what their closure returns, and throw what it throws.
///
/// - Warning: If a computation reads the very value that it computes, it waits for itself, which is
///   a deadlock. So do two computations that read each other's values: a circular wait.
public final class Lazily<Value: Sendable>: Sendable {
  private let compute: @Sendable () throws -> Value

  /// Stores `compute` for later.
  ///
  /// - Parameter compute: Computes the value; called by `value`.
  public init(_ compute: @escaping @Sendable () throws -> Value) {
    self.compute = compute
  }

  /// The value, computed if it isn't there yet.
  ///
  /// - Throws: The error of `compute`, if this caller made the attempt.
  public var value: Value {
    get throws {
      // TODO: Compute the value only once.
      try compute()
    }
  }
}
