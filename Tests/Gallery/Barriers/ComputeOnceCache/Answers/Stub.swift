// Page: make page KATA=ComputeOnceCache (Docs/ConcurrencyKatas.docc/ComputeOnceCache.md)

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
/// Your turn. Begin with a dictionary behind a lock, and check it before you compute. Now two
/// threads can ask for the same key at once, and neither finds a value. So the dictionary also
/// needs an entry that means *being computed*, made in the same step as the check, and a way to
/// wait until the computation is over: a `DispatchGroup`, an `NSCondition`, or a lock for each key.
/// Don't hold the dictionary's lock during a computation, or all keys wait for it. If the
/// computation throws, remove the entry before you wake the waiting callers.
///
/// - Warning: A computation that asks for its own key waits for itself, which is a deadlock. Two
///   computations that ask for each other's keys wait in a circle.
public final class ComputeOnceCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
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
    // TODO: Compute the value only once for each key.
    try compute()
  }
}
