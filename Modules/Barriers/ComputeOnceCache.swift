import Dispatch
import Foundation

/// Values by key, each computed once, however many threads ask for it at the same moment.
///
/// The first caller that asks for a key computes its value, with the closure that it passes.
///
/// - Any number of threads may use a cache at the same time, without a data race.
/// - When a key's value has been computed the cache keeps it, even if it's `nil`, and never
///   computes it again.
/// - Each key has a value of its own: two keys share one only if they are equal by `==`.
/// - While a key's value is being computed, other callers that ask for the key block, and then get
///   the same value.
/// - The values of different keys are computed side by side, however many there are.
/// - A value that the cache has is returned without waiting for the computation of another one.
/// - A computation may ask for the value of another key, and waits for it like any caller.
/// - If a computation throws, only its own caller gets the error; the cache doesn't keep it, so a
///   later call computes again.
/// - After a computation has thrown, one of the callers that ask for the key computes the value,
///   with its own closure; the others wait for that.
/// - Caches are independent: each begins empty, and waits for no computation of another.
///
/// ```swift
/// let thumbnails = ComputeOnceCache<URL, Image>()
/// let image = try thumbnails.value(for: url) { try render(url) }  // renders, waits or has it
/// ```
///
/// Safe to use from every thread. No lock is held while a value is computed. The cache keeps every
/// value, so it's for as many keys as fit into memory.
///
/// - Warning: A computation that asks for its own key waits for itself, which is a deadlock. Two
///   computations that ask for each other's keys wait in a circle.
///
/// Source: Goetz et al., *Java Concurrency in Practice*, 2006, on building a result cache; `Lazily`,
/// in GCDBasics, for a single value.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private enum Entry {
    /// A caller is computing the value; it leaves the group when the computation is over.
    case computing(DispatchGroup)
    case computed(Value)
  }

  /// What a caller has to do.
  private enum Turn {
    case take(Value)
    case wait(DispatchGroup)
    case compute(DispatchGroup)
  }

  // Safe: guarded by `lock`.
  private nonisolated(unsafe) var entries: [Key: Entry] = [:]
  private let lock = NSLock()

  /// Creates an empty cache.
  public init() {}

  /// The value of `key`; computes it if the cache doesn't have it.
  ///
  /// - `compute` is called on the calling thread.
  ///
  /// - Parameters:
  ///   - key: The key of the value.
  ///   - compute: Computes the value.
  /// - Returns: The value of `key`.
  /// - Throws: The error that `compute` has thrown.
  public func value(for key: Key, compute: () throws -> Value) rethrows -> Value {
    while true {
      switch turn(for: key) {
      case .take(let value): return value
      // The attempt may have failed, and another caller may have begun one: check again.
      case .wait(let attempt): attempt.wait()
      case .compute(let attempt):
        var entry: Entry?
        defer { end(attempt, for: key, with: entry) }
        let value = try compute()
        entry = .computed(value)
        return value
      }
    }
  }

  /// Checks the state of `key` and, if no caller computes it yet, marks it as being computed, in one
  /// step.
  private func turn(for key: Key) -> Turn {
    lock.withLock {
      switch entries[key] {
      case .computed(let value): return .take(value)
      case .computing(let attempt): return .wait(attempt)
      case nil:
        let attempt = DispatchGroup()
        attempt.enter()
        entries[key] = .computing(attempt)
        return .compute(attempt)
      }
    }
  }

  /// Stores the result of an attempt, nil if it failed, and wakes the callers that wait for it.
  private func end(_ attempt: DispatchGroup, for key: Key, with entry: Entry?) {
    lock.withLock { entries[key] = entry }
    attempt.leave()
  }
}
