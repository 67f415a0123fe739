import Foundation

/// A value that is computed once, when a thread first reads it.
///
/// A `static let` is computed once too, but for the whole program. A `lazy var` may be computed
/// more than once if several threads read it first. And neither can throw an error and be tried
/// again.
///
/// ```swift
/// let index = Lazily { try Index(contentsOf: file) }  // reads nothing yet
/// let hits = try index.value.search("dawn")  // reads it, once
/// ```
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
/// Safe to use from every thread. No lock is held while the value is computed.
///
/// - Warning: If a computation reads the very value that it computes, it waits for itself, which is
///   a deadlock. So do two computations that read each other's values: a circular wait.
///
/// Source: `swift_once` in the Swift runtime, and `std::call_once` in C++ for trying again.
public final class Lazily<Value: Sendable>: Sendable {
  private enum State {
    case empty
    /// One thread computes; the others wait.
    case computing
    case computed(Value)
  }

  // Safe: guarded by `condition`.
  private nonisolated(unsafe) var state = State.empty
  private let condition = NSCondition()
  private let compute: @Sendable () throws -> Value

  /// Stores `compute` for later.
  ///
  /// - Parameter compute: Computes the value; called by ``value``.
  public init(_ compute: @escaping @Sendable () throws -> Value) {
    self.compute = compute
  }

  /// The value, computed if it isn't there yet.
  ///
  /// - Throws: The error of `compute`, if this caller made the attempt.
  public var value: Value {
    get throws {
      if let value = valueUnlessMyTurn() { return value }
      do {
        let value = try compute()
        settle(.computed(value))
        return value
      } catch {
        settle(.empty)
        throw error
      }
    }
  }

  /// Returns the value, and waits while another thread computes it.
  ///
  /// Returns nil if there is no value and no attempt is running. Then the caller's attempt has
  /// begun.
  private func valueUnlessMyTurn() -> Value? {
    condition.withLock {
      while true {
        switch state {
        case .computed(let value): return value
        case .computing: condition.wait()
        case .empty:
          state = .computing
          return nil
        }
      }
    }
  }

  /// Stores the outcome of an attempt, and wakes all waiting threads.
  private func settle(_ state: State) {
    condition.withLock {
      self.state = state
      condition.broadcast()
    }
  }
}
